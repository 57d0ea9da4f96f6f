//go:build !pto_static && !pto_vendored

package cpto

// A file for each way of linking: Go's cache knows a package by its files, not by what its tags chose in them.

// #cgo pkg-config: pto
import "C"

//go:build !cgo

package cpto

// What the compiler prints is the answer.
var _ = libpto_is_called_through_cgo__set_CGO_ENABLED_1_and_install_a_C_compiler

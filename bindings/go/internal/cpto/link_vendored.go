//go:build pto_vendored && linux && (amd64 || arm64)

package cpto

// The archives that a released module carries (./dev package); a clone has none.

// #cgo CFLAGS: -I${SRCDIR}/vendored/include
// #cgo linux,amd64 LDFLAGS: ${SRCDIR}/vendored/linux_amd64/libpto.a -lstdc++ -lm
// #cgo linux,arm64 LDFLAGS: ${SRCDIR}/vendored/linux_arm64/libpto.a -lstdc++ -lm
import "C"

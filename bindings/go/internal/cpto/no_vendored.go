//go:build pto_vendored && !(linux && (amd64 || arm64))

package cpto

// What the compiler prints is the answer.
var _ = the_tag_pto_vendored_has_libpto_for_linux_amd64_and_arm64_only__install_libpto_and_leave_the_tag_out

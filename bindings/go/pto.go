// Package pto executes the PTO tile instruction set on any CPU, through libpto.
//
// A [Context] holds a profile (whose rules apply), a SIMD target and the on-chip memory. A
// [Tile] is a two-dimensional typed buffer. Its valid region, the rectangle of the first rows and columns, holds
// data. Instructions are methods of the context; [Write] and [Read] move slices in and out.
//
// # Errors
//
// Every failed call returns an [*Error] with the class, the id of the rule, the operand, one
// line of text with the values in it and a remedy. A call that fails changes no tile.
// errors.Is knows classes and rules: errors.Is(err, pto.StatusShape), errors.Is(err,
// pto.Rule("valid-equal")).
//
// # Goroutines
//
// One goroutine at a time uses a context: it keeps the text of the last error, and a call while another
// runs is refused. A tile may be read
// by many and written by one. Contexts are cheap; give each worker its own. Tiles belong to no
// context: any context may compute on any tile.
//
// # Life of handles
//
// Close releases a handle at once, or when the calls on other goroutines that use it are over. What is
// forgotten is released by the garbage collector, which knows the memory of tiles and
// tensors, but runs late: close large objects. A closed handle is rejected like a nil one. A copy of a
// handle's value is the same handle: closing one closes all. Go slices are copied in and out and never
// kept: cgo's rules leave no room for tiles over Go memory.
package pto

import (
	"fmt"
	"strconv"
	"strings"
	"unsafe"

	"libpto.org/go/internal/cpto"
)

// NewContext makes a context that runs on the best SIMD target of this machine.
//
// The environment variable PTO_TARGET may name another. Results are the same bits on every target.
func NewContext(profile Profile) (*Context, error) {
	if p := cpto.Pto_context_create(int(profile)); p != 0 {
		return newContext(p), nil
	}
	return nil, refused(profile, "")
}

// NewContextFor makes a context that runs on the SIMD target of this name; see [TargetName].
func NewContextFor(profile Profile, target string) (*Context, error) {
	if p := cpto.Pto_context_create_for(int(profile), cString(target)); p != 0 {
		return newContext(p), nil
	}
	return nil, refused(profile, target)
}

// refused returns why there is no context. C has no place for this error: the message is ours.
func refused(profile Profile, target string) error {
	e := &Error{Status: StatusMemory, Rule: "memory", Message: "context: no memory", Remedy: "Use one of the targets that TargetName lists and TargetSupported confirms."}
	if profile < ProfileCPU || profile > ProfileA5 {
		e.Status, e.Rule, e.Operand, e.Message = StatusArgument, "profile", "profile", "context: the profile is "+profile.String()
		return e
	}
	if target == "" {
		return e
	}
	e.Status, e.Rule, e.Operand = StatusUnknown, "target", "target"
	e.Message = "context: no target is called " + strconv.Quote(target)
	for i := 0; i < TargetCount(); i++ {
		if TargetName(i) == target {
			e.Message = "context: this machine cannot run " + target
		}
	}
	return e
}

// Ops lists the instructions in the order of their names.
func Ops() []Op {
	ops := make([]Op, OpCount())
	for i := range ops {
		ops[i] = OpAt(i)
	}
	return ops
}

// NewDesc describes a row-major vector tile that owns its memory, all of it valid. Change what differs.
func NewDesc(dtype DType, rows, cols int) TileDesc {
	return TileDesc{DType: dtype, Rows: clamp(rows), Cols: clamp(cols), ValidRows: ValidAll, ValidCols: ValidAll}
}

// clamp gives the library the nearest number it can take; it refuses that as it would the other.
func clamp(n int) int32 {
	const max, min = 1<<31 - 1, -1 << 31
	if n > max {
		return max
	}
	if n < min {
		return min
	}
	return int32(n)
}

// cString ends a string as C wants it. One with a NUL inside is not a name of anything.
func cString(s string) *byte {
	if strings.IndexByte(s, 0) >= 0 {
		s = "?"
	}
	b := append([]byte(s), 0)
	return &b[0]
}

// cStringOrNil is cString, with nil for the empty string.
func cStringOrNil(s string) *byte {
	if s == "" {
		return nil
	}
	return cString(s)
}

// goString copies a string of the library's; nil is the empty one.
func goString(p *byte) string {
	if p == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}

// truth is a switch as C has it.
func truth(on bool) int {
	if on {
		return 1
	}
	return 0
}

// first is where a slice begins, for C; nil when there is nothing.
func first(data []byte) *byte {
	if len(data) == 0 {
		return nil
	}
	return &data[0]
}

// tells returns a description of a handle, for String.
func tells(kind string, h *handle, more func() string) string {
	if h == nil {
		return kind + "(nil)"
	}
	if h.isClosed() {
		return kind + "(closed)"
	}
	return kind + "(" + more() + ")"
}

// String returns profile and target, such as "Context(ProfileCPU, AVX3)".
func (x *Context) String() string {
	return tells("Context", x.shared(), func() string { return x.Profile().String() + ", " + x.Target() })
}

// String returns type, shape and valid region, such as "Tile(F32 2x3, 2x2 valid)".
func (x *Tile) String() string {
	return tells("Tile", x.shared(), func() string {
		text := fmt.Sprintf("%v %dx%d", x.DType(), x.Rows(), x.Cols())
		if x.ValidRows() != x.Rows() || x.ValidCols() != x.Cols() {
			text += fmt.Sprintf(", %dx%d valid", x.ValidRows(), x.ValidCols())
		}
		return text
	})
}

// String returns type and dimensions, such as "Tensor(F32 4x5x6)".
func (x *Tensor) String() string {
	return tells("Tensor", x.shared(), func() string {
		dims := make([]string, x.Rank())
		for i := range dims {
			dims[i] = strconv.FormatInt(x.Dim(i), 10)
		}
		return x.DType().String() + " " + strings.Join(dims, "x")
	})
}

// String returns the mnemonic, such as "Inst(tpow)".
func (x *Inst) String() string {
	return tells("Inst", x.shared(), func() string { return x.Op().Name() })
}

// String returns the entry and how many diagnostics there are, such as "Program(sums, 0 diagnostics)".
func (x *Program) String() string {
	return tells("Program", x.shared(), func() string {
		return fmt.Sprintf("%s, %d diagnostics", x.Entry(), x.DiagnosticCount())
	})
}

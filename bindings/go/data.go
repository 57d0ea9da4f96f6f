package pto

// Typed data: slices in and out, and the 16-bit floats that Go has no type for.

import (
	"math"
	"unsafe"
)

// Element is what a tile or tensor can hold.
type Element interface {
	int8 | uint8 | int16 | uint16 | int32 | uint32 | int64 | uint64 | float32 | Float16 | BFloat16 |
		Float8E4M3 | Float8E5M2 | HiFloat8 | Float8E8M0 |
		Float4E2M1x2 | Float4E1M2x2 | Int4x2
}

// Holder is what has elements: a [*Tile] or a [*Tensor].
type Holder interface {
	WriteAs(ctx *Context, dtype DType, data []byte) error
	ReadAs(ctx *Context, dtype DType, data []byte) error
}

// DTypeOf returns the element type of tiles that hold T.
func DTypeOf[T Element]() DType {
	var zero T
	switch any(zero).(type) {
	case int8:
		return I8
	case uint8:
		return U8
	case int16:
		return I16
	case uint16:
		return U16
	case int32:
		return I32
	case uint32:
		return U32
	case int64:
		return I64
	case uint64:
		return U64
	case float32:
		return F32
	case Float16:
		return F16
	case Float8E4M3:
		return E4M3
	case Float8E5M2:
		return E5M2
	case HiFloat8:
		return HIF8
	case Float8E8M0:
		return E8M0
	case Float4E2M1x2:
		return E2M1
	case Float4E1M2x2:
		return E1M2
	case Int4x2:
		return I4
	default:
		return BF16
	}
}

// Write copies elements into the valid region of a tile, row by row whatever its layout, or into a
// tensor, the last index fastest. The slice is read where it lies.
//
// Rules that a call may break: null, element-type, byte-count, storage.
func Write[T Element](ctx *Context, to Holder, data []T) error {
	if to == nil {
		return closedError("write", "to")
	}
	return to.WriteAs(ctx, DTypeOf[T](), bytesOf(data))
}

// Read copies the valid region of a tile, or a tensor, into the slice. A call that fails leaves the
// slice as it was.
//
// Rules that a call may break: null, element-type, byte-count, storage.
func Read[T Element](ctx *Context, from Holder, data []T) error {
	if from == nil {
		return closedError("read", "from")
	}
	return from.ReadAs(ctx, DTypeOf[T](), bytesOf(data))
}

// bytesOf sees the elements as bytes, without a copy.
func bytesOf[T Element](data []T) []byte {
	if len(data) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&data[0])), len(data)*int(unsafe.Sizeof(data[0])))
}

// Float16 is an IEEE 754 binary16, by its bits.
type Float16 uint16

// BFloat16 is a bfloat16, the upper half of a binary32, by its bits.
type BFloat16 uint16

// Float8E4M3, Float8E5M2, HiFloat8 and Float8E8M0 are floats of a byte, by their bits; TCVT converts them.
type (
	Float8E4M3 uint8
	Float8E5M2 uint8
	HiFloat8   uint8
	Float8E8M0 uint8
)

// Float4E2M1x2, Float4E1M2x2 and Int4x2 are two elements of half a byte, by their bits, the first in the low half. Rows
// begin with a byte: of an odd number of columns the half after the last is 0 when it is read and ignored when written.
type (
	Float4E2M1x2 uint8
	Float4E1M2x2 uint8
	Int4x2       uint8
)

// NewFloat16 rounds to the nearest binary16, ties to even; a NaN stays one.
func NewFloat16(f float32) Float16 {
	bits := math.Float32bits(f)
	sign := uint16(bits >> 16 & 0x8000)
	exp, frac := int(bits>>23&0xff), bits&0x7fffff
	switch {
	case exp == 0xff && frac != 0:
		return Float16(sign | 0x7e00 | uint16(frac>>13))
	case exp >= 127+16:
		return Float16(sign | 0x7c00)
	case exp < 127-25:
		return Float16(sign) // below half of the smallest subnormal
	}
	// Units of the last place: 2^-24 for subnormals, 2^(exp-127-10) above.
	shift := uint(13)
	value := uint32(exp-127+15)<<23 | frac // exponent and fraction in one, so that a carry moves up
	if exp < 127-14 {
		shift = uint(126 - exp)
		value = frac | 0x800000
	}
	half := uint32(1) << (shift - 1)
	rounded := value >> shift
	if rest := value & (half<<1 - 1); rest > half || rest == half && rounded&1 == 1 {
		rounded++
	}
	return Float16(sign | uint16(rounded))
}

// Float32 returns the same number: every binary16 is a binary32.
func (x Float16) Float32() float32 {
	sign, exp, frac := uint32(x&0x8000)<<16, uint32(x>>10&0x1f), uint32(x&0x3ff)
	switch exp {
	case 0:
		return math.Float32frombits(sign | math.Float32bits(float32(frac)*(1.0/(1<<24))))
	case 0x1f:
		return math.Float32frombits(sign | 0x7f800000 | frac<<13)
	}
	return math.Float32frombits(sign | (exp+127-15)<<23 | frac<<13)
}

// NewBFloat16 rounds to the nearest bfloat16, ties to even; a NaN stays one.
func NewBFloat16(f float32) BFloat16 {
	bits := math.Float32bits(f)
	if bits&0x7fffffff > 0x7f800000 {
		return BFloat16(bits>>16 | 0x40)
	}
	return BFloat16((bits + 0x7fff + bits>>16&1) >> 16)
}

// Float32 returns the same number: every bfloat16 is a binary32.
func (x BFloat16) Float32() float32 { return math.Float32frombits(uint32(x) << 16) }

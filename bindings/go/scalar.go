package pto

import "math"

// Int makes a scalar that is a signed integer; all 64 bits of it arrive.
func Int(value int64) Scalar { return Scalar{bits: uint64(value), kind: int32(ScalarKindInt)} }

// Uint makes a scalar that is an unsigned integer; all 64 bits of it arrive.
func Uint(value uint64) Scalar { return Scalar{bits: value, kind: int32(ScalarKindUint)} }

// Float makes a scalar that is a floating-point number.
func Float(value float64) Scalar {
	return Scalar{bits: math.Float64bits(value), kind: int32(ScalarKindFloat)}
}

// Bits makes a scalar that is the bits of an element, for instance of a NaN with a payload.
func Bits(bits uint64) Scalar { return Scalar{bits: bits, kind: int32(ScalarKindBits)} }

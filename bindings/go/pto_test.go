package pto

import (
	"errors"
	"fmt"
	"math"
	"math/rand"
	"os"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func cpu(t testing.TB) *Context {
	t.Helper()
	ctx, err := NewContext(ProfileCPU)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ctx.Close() })
	return ctx
}

func tile(t testing.TB, ctx *Context, d DType, rows, cols int) *Tile {
	t.Helper()
	x, err := ctx.NewTile(d, rows, cols)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

// refuses checks class, rule and a part of the text of an error.
func refuses(t *testing.T, err error, status Status, rule, part string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || !errors.Is(err, status) || !errors.Is(err, Rule(rule)) || errors.Is(err, StatusOK) {
		t.Fatalf("%v is not %v, %s", err, status, rule)
	}
	if !strings.Contains(e.Message, part) || e.Remedy == "" {
		t.Fatalf("%q lacks %q, or the remedy %q is empty", e.Message, part, e.Remedy)
	}
}

func TestPow(t *testing.T) {
	ctx := cpu(t)
	base, exp := tile(t, ctx, F32, 2, 2), tile(t, ctx, F32, 2, 2)
	must(t, Write(ctx, base, []float32{1, 2, 3, 4}))
	must(t, Write(ctx, exp, []float32{2, 3, 2, 0.5}))
	must(t, ctx.Tpow(base, base, exp, nil, HighPrecision))
	got := make([]float32, 4)
	must(t, Read(ctx, base, got))
	if !reflect.DeepEqual(got, []float32{1, 8, 9, 2}) {
		t.Fatal(got)
	}
}

func TestGeometry(t *testing.T) {
	ctx := cpu(t)
	desc := NewDesc(F16, 32, 48)
	desc.ValidRows, desc.ValidCols, desc.Location, desc.Pad = 30, 40, LocationMat, PadMax
	desc.Blayout, desc.Slayout, desc.Fractal = BLayoutColMajor, SLayoutRowMajor, 1024
	x, err := ctx.NewTileFrom(desc)
	must(t, err)
	defer x.Close()
	got := []any{x.DType(), x.Rows(), x.Cols(), x.ValidRows(), x.ValidCols(), x.Location(), x.Pad(), x.Blayout(), x.Slayout(), x.Fractal()}
	want := []any{F16, 32, 48, 30, 40, LocationMat, PadMax, BLayoutColMajor, SLayoutRowMajor, 1024}
	if !reflect.DeepEqual(got, want) || x.ValidBytes() != 2400 {
		t.Fatal(got, x.ValidBytes())
	}
}

func TestScalars(t *testing.T) {
	ctx := cpu(t)
	wide := tile(t, ctx, I64, 1, 1)
	bits := tile(t, ctx, F32, 1, 1)
	exact := []int64{0}
	must(t, ctx.Texpands(wide, Int(-1<<53-1), 0))
	must(t, Read(ctx, wide, exact))
	if exact[0] != -1<<53-1 {
		t.Fatal(exact)
	}
	refuses(t, ctx.Texpands(wide, Uint(1<<63), 0), StatusArgument, "scalar-range", "9223372036854775808")
	refuses(t, ctx.Texpands(wide, Float(2.5), 0), StatusArgument, "scalar-range", "2.5")
	nan := []float32{0}
	must(t, ctx.Texpands(bits, Bits(0x7fc00001), 0))
	must(t, Read(ctx, bits, nan))
	if math.Float32bits(nan[0]) != 0x7fc00001 {
		t.Fatalf("%x", math.Float32bits(nan[0]))
	}
	must(t, ctx.Tcvt(wide, bits, nil, RoundFloor, SatOn, 0))
	must(t, Read(ctx, wide, exact))
	if exact[0] != 0 {
		t.Fatal(exact)
	}
}

func TestErrors(t *testing.T) {
	ctx := cpu(t)
	a, b := tile(t, ctx, F32, 2, 2), tile(t, ctx, F32, 2, 1)
	values := []float32{1, 2, 3, 4}
	must(t, Write(ctx, a, values))
	err := ctx.Tpow(a, a, b, nil, 0)
	refuses(t, err, StatusShape, "valid-covers", "2x1")
	if err.Error() != "pto: "+err.(*Error).Message+" [valid-covers]" || err.(*Error).Operand != "exp" {
		t.Fatal(err)
	}
	refuses(t, Write(ctx, a, values[:3]), StatusArgument, "byte-count", "12 bytes")
	refuses(t, Write(ctx, a, []int32{1, 2, 3, 4}), StatusDType, "element-type", "i32")
	refuses(t, Write[float32](ctx, a, nil), StatusArgument, "byte-count", "0 bytes")
	short := []float32{9, 9, 9}
	refuses(t, Read(ctx, a, short), StatusArgument, "byte-count", "12 bytes")
	refuses(t, Read(ctx, a, []uint32{1, 2, 3, 4}), StatusDType, "element-type", "u32")
	refuses(t, ctx.Tpow(nil, a, a, nil, 0), StatusNull, "null", "dst")
	refuses(t, ctx.Tpow(a, a, a, nil, 1<<6), StatusArgument, "flags", "0x40")
	refuses(t, Write[float32](ctx, nil, values), StatusNull, "null", "to")
	refuses(t, Write(nil, a, values), StatusNull, "null", "context")
	refuses(t, a.SetValid(ctx, 1<<40, 0), StatusShape, "valid-range", "valid_rows")
	_, err = ctx.NewTile(F32, -1<<40, 1)
	refuses(t, err, StatusArgument, "tile-shape", "rows")
	_, err = ctx.NewTile(DType(77), 1, 1)
	refuses(t, err, StatusArgument, "dtype-known", "77")
	_, err = ctx.NewInst("tpow\x00")
	refuses(t, err, StatusUnknown, "unknown-instruction", "?")
	got := make([]float32, 4)
	must(t, Read(ctx, a, got))
	if !reflect.DeepEqual(got, values) || short[0] != 9 {
		t.Fatal("a failing call changed something", got, short)
	}
}

func TestContexts(t *testing.T) {
	_, err := NewContextFor(ProfileCPU, "ABACUS")
	refuses(t, err, StatusUnknown, "target", "ABACUS")
	_, err = NewContext(Profile(9))
	refuses(t, err, StatusArgument, "profile", "9")
	for i := 0; i < TargetCount(); i++ {
		ctx, err := NewContextFor(ProfileA5, TargetName(i))
		if TargetSupported(i) != (err == nil) {
			t.Fatal(TargetName(i), err)
		}
		if err == nil && (ctx.Target() != TargetName(i) || ctx.Profile() != ProfileA5) {
			t.Fatal(ctx.Target(), ctx.Profile())
		}
		ctx.Close()
	}
}

func TestUseAfterClose(t *testing.T) {
	ctx := cpu(t)
	open, closed := tile(t, ctx, F32, 1, 1), tile(t, ctx, F32, 1, 1)
	must(t, closed.Close())
	must(t, closed.Close())
	one := []float32{1}
	refuses(t, Write(ctx, closed, one), StatusNull, "null", "tile")
	refuses(t, Read(ctx, closed, one), StatusNull, "null", "tile")
	refuses(t, ctx.Trsqrt(closed, open, nil, 0), StatusNull, "null", "dst")
	refuses(t, ctx.Trsqrt(open, open, closed, 0), StatusNull, "null", "tmp is closed")
	refuses(t, closed.SetValid(ctx, 1, 1), StatusNull, "null", "tile")
	_, err := closed.View(ctx, 0, 0, 1, 1)
	refuses(t, err, StatusNull, "null", "tile")
	if closed.Rows() != 0 || closed.ValidBytes() != 0 {
		t.Fatal("a closed tile has a size")
	}
	inst, err := ctx.NewInst("trsqrt")
	must(t, err)
	refuses(t, inst.SetTile(ctx, 0, closed), StatusNull, "null", "tile is closed")
	inst.Close()
	refuses(t, inst.Run(ctx), StatusNull, "null", "inst")
	other, err := NewContext(ProfileCPU)
	must(t, err)
	other.Close()
	refuses(t, other.Trsqrt(open, open, nil, 0), StatusNull, "null", "context")
	_, err = other.NewTile(F32, 1, 1)
	refuses(t, err, StatusNull, "null", "context")
	var none *Tile
	if none.Close() != nil || none.Rows() != 0 {
		t.Fatal("nil is a closed tile")
	}
}

func TestOnChipAndViews(t *testing.T) {
	ctx := cpu(t)
	desc := NewDesc(F32, 1, 8)
	desc.Storage = StorageManual
	a, err := ctx.NewTileFrom(desc)
	must(t, err)
	refuses(t, Write(ctx, a, make([]float32, 8)), StatusAddress, "storage", "address")
	must(t, ctx.Tassign(a, 64))
	desc.DType = I32
	b, err := ctx.NewTileFrom(desc)
	must(t, err)
	must(t, ctx.Tassign(b, 64))
	must(t, Write(ctx, a, []float32{1, 1, 1, 1, 1, 1, 1, 2}))
	view, err := b.View(ctx, 0, 7, 1, 1)
	must(t, err)
	bits := []int32{0}
	must(t, Read(ctx, view, bits))
	if bits[0] != 0x40000000 {
		t.Fatal(bits)
	}
	refuses(t, ctx.Tassign(a, 33), StatusAddress, "address-alignment", "33")
}

func TestOnChipMemoryIsAsLargeAsAsked(t *testing.T) {
	ctx := cpu(t)
	if got := ctx.Capacity(LocationVec); got != 1<<30 {
		t.Fatal(got)
	}
	must(t, ctx.LimitOnChip(1<<33))
	desc := NewDesc(F32, 1, 8)
	desc.Storage = StorageManual
	tile, err := ctx.NewTileFrom(desc)
	must(t, err)
	must(t, ctx.Tassign(tile, 1<<33-32))
	refuses(t, ctx.Tassign(tile, 1<<33), StatusAddress, "address-range", "8589934592")
	refuses(t, ctx.LimitOnChip(4096), StatusArgument, "on-chip-limit", "4096")
}

func TestPadsOfOnesOwnAndPackedTiles(t *testing.T) {
	ctx := cpu(t)
	desc := NewDesc(U16, 2, 3)
	desc.Pad, desc.PadBits = PadCustom, 0x12345678
	dst, err := ctx.NewTileFrom(desc)
	must(t, err)
	desc = NewDesc(U16, 2, 3)
	desc.ValidRows, desc.ValidCols = 1, 2
	src, err := ctx.NewTileFrom(desc)
	must(t, err)
	must(t, ctx.Tfillpad(dst, src, 0))
	all := make([]uint16, 6)
	must(t, Read(ctx, dst, all))
	if all[1] != 0 || all[2] != 0x5678 || all[5] != 0x5678 || dst.Pad() != PadCustom || dst.PadBits() != 0x12345678 {
		t.Fatal(all, dst.Pad(), dst.PadBits())
	}
	desc = NewDesc(F32, 32, 16)
	desc.Blayout, desc.Slayout, desc.Compact = BLayoutColMajor, SLayoutRowMajor, CompactNormal
	packed, err := ctx.NewTileFrom(desc)
	must(t, err)
	if packed.Compact() != CompactNormal {
		t.Fatal(packed.Compact())
	}
}

func TestWhatIsPrintedIsRead(t *testing.T) {
	ctx := cpu(t)
	tile, err := ctx.NewTile(I32, 1, 2)
	must(t, err)
	must(t, Write(ctx, tile, []int32{7, -8}))
	must(t, ctx.Tprint(tile, PrintFormatWidth8Precision4))
	must(t, ctx.Print("end"))
	if got := ctx.Output(); got != "TPRINT 1x2\n       7       -8\nend" {
		t.Fatalf("%q", got)
	}
	ctx.ClearOutput()
	if got := ctx.Output(); got != "" {
		t.Fatalf("%q", got)
	}
	refuses(t, ctx.Tprint(tile, PrintFormat(3)), StatusArgument, "mode", "format is 3")
}

func TestTensors(t *testing.T) {
	ctx := cpu(t)
	x, err := ctx.NewTensor(TensorDesc{DType: I16, Rank: 2, Dim0: 4, Dim1: 6})
	must(t, err)
	data := make([]int16, 24)
	for i := range data {
		data[i] = int16(i)
	}
	must(t, Write(ctx, x, data))
	window, err := x.View(ctx, TensorDesc{DType: I16, Rank: 2, Strided: 1, Dim0: 2, Dim1: 3, Stride0: 6, Stride1: 1}, 7)
	must(t, err)
	to := tile(t, ctx, I16, 2, 3)
	must(t, ctx.Tload(to, window, 0))
	got := make([]int16, 6)
	must(t, Read(ctx, to, got))
	if !reflect.DeepEqual(got, []int16{7, 8, 9, 13, 14, 15}) || window.Stride(0) != 6 || window.Dim(1) != 3 {
		t.Fatal(got)
	}
}

func TestQueries(t *testing.T) {
	ops := Ops()
	if len(ops) != OpCount() || OpFind("tpow") != OpTpow || OpFind("tnone") != -1 || OpTpow.Name() != "tpow" {
		t.Fatal(ops)
	}
	if OpTpow.Flags() != HighPrecision || OpTpow.OperandRole(3) != RoleTmp || !OpTpow.Supports(ProfileCPU, F16, 0) || OpTpow.Supports(ProfileA2A3, F16, 0) {
		t.Fatal("tpow is not what it was")
	}
	if DTypeOf[Float8E4M3]() != E4M3 || DTypeOf[Float8E5M2]() != E5M2 || DTypeOf[HiFloat8]() != HIF8 || DTypeOf[Float8E8M0]() != E8M0 {
		t.Fatal("floats of a byte")
	}
	if DTypeOf[Float4E2M1x2]() != E2M1 || DTypeOf[Float4E1M2x2]() != E1M2 || DTypeOf[Int4x2]() != I4 {
		t.Fatal("packed types")
	}
	if BF16.Name() != "bf16" || BF16.Bytes() != 2 || BF16.String() != "BF16" || DType(99).String() != "DType(99)" {
		t.Fatal(BF16)
	}
	if Version() != VersionMajor*10000+VersionMinor*100+VersionPatch {
		t.Fatal(Version())
	}
}

// Two elements a byte, the first in the low half, rows from a byte on.
func TestPackedTypes(t *testing.T) {
	ctx := cpu(t)
	x, numbers := tile(t, ctx, I4, 2, 8), tile(t, ctx, F32, 2, 3)
	must(t, x.SetValid(ctx, 2, 3))
	must(t, Write(ctx, x, []Int4x2{0x5d, 0xf7, 0x18, 0x0a}))
	must(t, ctx.Tcvt(numbers, x, nil, RoundRint, SatOff, 0))
	values, codes := make([]float32, 6), make([]Int4x2, 4)
	must(t, Read(ctx, numbers, values))
	must(t, Read(ctx, x, codes))
	if !reflect.DeepEqual(values, []float32{-3, 5, 7, -8, 1, -6}) || !reflect.DeepEqual(codes, []Int4x2{0x5d, 0x07, 0x18, 0x0a}) {
		t.Fatal(values, codes)
	}
	tensor, err := ctx.NewTensor(TensorDesc{DType: E2M1, Rank: 2, Dim0: 2, Dim1: 2})
	must(t, err)
	defer tensor.Close()
	must(t, Write(ctx, tensor, []Float4E2M1x2{0x21, 0xcf}))
	loaded, small := tile(t, ctx, E2M1, 2, 2), tile(t, ctx, E1M2, 2, 2)
	must(t, ctx.Tload(loaded, tensor, 0))
	must(t, ctx.Tcvt(small, loaded, nil, RoundRint, SatOff, 0))
	least := make([]Float4E1M2x2, 2)
	must(t, Read(ctx, small, least)) // 0.5 1 -6 -2 where 1.75 is the largest number
	if !reflect.DeepEqual(least, []Float4E1M2x2{0x42, 0xff}) {
		t.Fatal(least)
	}
	var e *Error
	if !errors.As(Write(ctx, x, make([]uint8, 4)), &e) || e.Rule != "element-type" {
		t.Fatal(e)
	}
}

// Each goroutine's errors are its own context's; the tile is shared for reading.
func TestGoroutines(t *testing.T) {
	shared := tile(t, cpu(t), F32, 1, 4)
	var group sync.WaitGroup
	for g := 1; g <= 16; g++ {
		group.Add(1)
		go func(g int) {
			defer group.Done()
			ctx, err := NewContext(ProfileCPU)
			if err != nil {
				t.Error(err)
				return
			}
			defer ctx.Close()
			want := fmt.Sprintf("%d bytes", 4*(g+4))
			for i := 0; i < 1000; i++ {
				err := Read(ctx, shared, make([]float32, g+4))
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%v lacks %s", err, want)
					return
				}
			}
		}(g)
	}
	group.Wait()
}

func TestNoAllocations(t *testing.T) {
	ctx := cpu(t)
	x := tile(t, ctx, F32, 8, 8)
	data := make([]float32, 64)
	var err error
	count := testing.AllocsPerRun(1000, func() {
		for _, e := range []error{
			Write(ctx, x, data), ctx.Tpow(x, x, x, nil, 0), ctx.Tpartadd(x, x, x, 0), x.SetValid(ctx, 8, 8), Read(ctx, x, data),
		} {
			if e != nil {
				err = e
			}
		}
		if x.ValidBytes() != 256 || ctx.Profile() != ProfileCPU {
			err = StatusUnknown
		}
	})
	must(t, err)
	if count != 0 {
		t.Fatalf("%v allocations", count)
	}
	if testing.AllocsPerRun(10, func() { err = ctx.Tpow(x, x, x, nil, 2) }) == 0 || err == nil {
		t.Fatal("the counter does not count")
	}
}

// A million tiles, in ./dev test some thousand, leave no live handle.
func TestLeaks(t *testing.T) {
	runtime.GC()
	time.Sleep(10 * time.Millisecond)
	ctx := cpu(t)
	before := LiveHandles()
	times := 20000
	if os.Getenv("PTO_TEST_THOROUGH") != "" {
		times = 1000000
	}
	for i := 0; i < times; i++ {
		x, err := ctx.NewTile(F32, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		x.Close()
	}
	if n := LiveHandles(); n > before {
		t.Fatalf("%d handles, %d before", n, before)
	}
}

// The collector releases what no code closed.
func TestFinalizers(t *testing.T) {
	ctx := cpu(t)
	before := LiveHandles()
	func() {
		for i := 0; i < 1000; i++ {
			if _, err := ctx.NewTile(F32, 1, 1); err != nil {
				t.Fatal(err)
			}
		}
	}()
	for i := 0; i < 1000 && LiveHandles() > before; i++ {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	if n := LiveHandles(); n > before {
		t.Fatalf("%d handles, %d before", n, before)
	}
}

func TestFloat16(t *testing.T) {
	for bits := 0; bits < 1<<16; bits++ {
		x, b := Float16(bits), BFloat16(bits)
		if f := x.Float32(); f != f {
			if y := NewFloat16(f); y.Float32() == y.Float32() {
				t.Fatalf("%#x lost its NaN", bits)
			}
		} else if NewFloat16(f) != x {
			t.Fatalf("%#x became %#x", bits, NewFloat16(f))
		}
		if f := b.Float32(); f == f && NewBFloat16(f) != b {
			t.Fatalf("%#x became %#x", bits, NewBFloat16(f))
		}
	}
	// The nearest of the two neighbours, the even one of two as near.
	for i := 0; i < 200000; i++ {
		f := math.Float32frombits(rand.Uint32()&0x9fffffff | 0x30000000)
		if i%4 == 0 {
			f = float32(math.Ldexp(rand.Float64(), rand.Intn(12)-26))
		}
		near := NewFloat16(f)
		for _, next := range []Float16{near - 1, near + 1} {
			if (next^near)&0x8000 != 0 {
				continue
			}
			own, other := distance(near, f), distance(next, f)
			if other < own || other == own && near&1 == 1 {
				t.Fatalf("%v became %#x where %#x is nearer", f, near, next)
			}
		}
	}
	if NewFloat16(65519) != 0x7bff || NewFloat16(65520) != 0x7c00 || NewFloat16(float32(math.Inf(-1))) != 0xfc00 {
		t.Fatal("the border to infinity")
	}
	if NewBFloat16(math.Float32frombits(0x3f808000)) != 0x3f80 || NewBFloat16(math.Float32frombits(0x3f818000)) != 0x3f82 || NewBFloat16(math.MaxFloat32) != 0x7f80 {
		t.Fatal("ties go to even")
	}
}

func distance(x Float16, f float32) float64 {
	v := float64(x.Float32())
	if math.IsInf(v, 0) {
		v = math.Copysign(65536, v) // where the next number would be
	}
	return math.Abs(v - float64(f))
}

func BenchmarkEmptyCall(b *testing.B) {
	ctx := cpu(b)
	for i := 0; i < b.N; i++ {
		ctx.Profile()
	}
}

func BenchmarkTpow1x1(b *testing.B) {
	ctx := cpu(b)
	x := tile(b, ctx, F32, 1, 1)
	for i := 0; i < b.N; i++ {
		if err := ctx.Tpow(x, x, x, nil, 0); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWrite64x64(b *testing.B) {
	ctx := cpu(b)
	x := tile(b, ctx, F32, 64, 64)
	// Not at the same place of a page as the tile: that alone makes a copy slower.
	data := make([]float32, 64*64+256)[256:]
	b.SetBytes(64 * 64 * 4)
	for i := 0; i < b.N; i++ {
		if err := Write(ctx, x, data); err != nil {
			b.Fatal(err)
		}
	}
}

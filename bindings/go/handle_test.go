package pto

// Handles under many goroutines: nothing is used after its end, nothing stays.

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// The tile is so large that its memory returns to the system, where a call that continued would crash.
func TestCloseDuringCall(t *testing.T) {
	for round := 0; round < 6; round++ {
		ctx, err := NewContext(ProfileCPU)
		must(t, err)
		x, err := ctx.NewTile(F32, 2048, 2048)
		must(t, err)
		var begun sync.WaitGroup
		begun.Add(1)
		ended := make(chan error)
		go func() {
			first := true
			for {
				if err := ctx.Tpartadd(x, x, x, 0); err != nil {
					ended <- err
					return
				}
				if first {
					begun.Done()
					first = false
				}
			}
		}()
		begun.Wait()
		time.Sleep(time.Duration(round) * time.Millisecond)
		if round%2 == 0 {
			x.Close()
		} else {
			ctx.Close()
		}
		refuses(t, <-ended, StatusNull, "null", map[int]string{0: "dst", 1: "context"}[round%2])
		x.Close()
		ctx.Close()
	}
}

// Calls, getters, copies, closes and the collector on the same handles at once: some thousand of them.
func TestCloseStress(t *testing.T) {
	before := LiveHandles()
	var shared struct {
		tile    atomic.Pointer[Tile]
		tensor  atomic.Pointer[Tensor]
		inst    atomic.Pointer[Inst]
		program atomic.Pointer[Program]
	}
	end := time.Now().Add(60 * time.Second)
	var group sync.WaitGroup
	var calls, refused atomic.Int64
	more := func() bool { return (calls.Load() < 20000 || refused.Load() < 20) && time.Now().Before(end) }
	renew := func() {
		defer group.Done()
		ctx, err := NewContext(ProfileCPU)
		if err != nil {
			t.Error(err)
			return
		}
		defer ctx.Close()
		for i := 0; more(); i++ {
			tile, e1 := ctx.NewTile(F32, 64, 64)
			tensor, e2 := ctx.NewTensor(TensorDesc{DType: F32, Rank: 2, Dim0: 64, Dim1: 64})
			inst, e3 := ctx.NewInst("tpartadd")
			program, e4 := ctx.ParseProgram([]byte("%d = tpow %a\n"), "")
			if err := errors.Join(e1, e2, e3, e4); err != nil {
				t.Error(err)
				return
			}
			a, b, c, d := shared.tile.Swap(tile), shared.tensor.Swap(tensor), shared.inst.Swap(inst), shared.program.Swap(program)
			if i%3 != 0 { // the rest is forgotten
				a.Close()
				b.Close()
				c.Close()
				d.Close()
			}
			if i%64 == 0 {
				runtime.GC()
			}
		}
	}
	use := func() {
		defer group.Done()
		ctx, err := NewContext(ProfileCPU)
		if err != nil {
			t.Error(err)
			return
		}
		defer ctx.Close()
		data := make([]float32, 64*64)
		for more() {
			tile, tensor, inst, program := shared.tile.Load(), shared.tensor.Load(), shared.inst.Load(), shared.program.Load()
			for _, err := range []error{
				ctx.Tpartadd(tile, tile, tile, 0), Read(ctx, tile, data), ctx.Tload(tile, tensor, 0), Write(ctx, tensor, data),
				inst.SetTile(ctx, 0, tile), inst.Run(ctx), program.BindTile(ctx, "a", tile), program.Check(ctx),
			} {
				calls.Add(1)
				if err != nil {
					refused.Add(1)
					if e, ours := err.(*Error); !ours || e.Status != StatusNull && e.Status != StatusProgram && e.Status != StatusUnknown {
						t.Error(err)
						return
					}
				}
			}
			if text := program.DiagnosticText(0); text != "" && !strings.Contains(text, "tpow") {
				t.Error(text)
			}
			if n := tile.Rows(); n != 0 && n != 64 {
				t.Error(n)
			}
			_ = fmt.Sprint(tile, tensor, inst, program)
		}
	}
	group.Add(5)
	go renew()
	go renew()
	for i := 0; i < 3; i++ {
		go use()
	}
	group.Wait()
	shared.tile.Load().Close()
	shared.tensor.Load().Close()
	shared.inst.Load().Close()
	shared.program.Load().Close()
	if calls.Load() < 20000 || refused.Load() < 20 {
		t.Fatal(calls.Load(), refused.Load())
	}
	for i := 0; i < 1000 && LiveHandles() > before; i++ {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	if n := LiveHandles(); n > before {
		t.Fatalf("%d handles, %d before", n, before)
	}
}

// One goroutine adds 1 to all elements, again and again, as a call, as an instruction, as a program; another one sets
// which elements, and where they are, in its own context. It waits for the running call and keeps the next one
// out: so whenever it looks all elements are the same.
func TestChangeDuringCall(t *testing.T) {
	const side = 2048
	const typ = "!pto.tile_buf<vec, 2048x2048xi32, valid=?x?>"
	const text = "func.func @f(%x: " + typ + ") {\n  %one = arith.constant 1 : i32\n  pto.tadds ins(%x, %one : " + typ +
		", i32) outs(%x : " + typ + ")\n  return\n}\n"
	for _, way := range []string{"call", "instruction", "program"} {
		t.Run(way, func(t *testing.T) {
			ctx, worker := cpu(t), cpu(t)
			desc := TileDesc{DType: I32, Rows: side, Cols: side, ValidRows: ValidAll, ValidCols: ValidAll, Storage: StorageManual}
			x, err := ctx.NewTileFrom(desc)
			must(t, err)
			defer x.Close()
			before, err := ctx.NewTileFrom(desc)
			must(t, err)
			defer before.Close()
			must(t, ctx.Tassign(x, 0))
			inst, err := worker.NewInst("tadds")
			must(t, err)
			defer inst.Close()
			must(t, inst.SetTile(worker, 0, x))
			must(t, inst.SetTile(worker, 1, x))
			must(t, inst.SetScalar(worker, 2, Int(1)))
			program, err := worker.ParseProgram([]byte(text), "")
			must(t, err)
			defer program.Close()
			must(t, program.BindTile(worker, "x", x))
			add := map[string]func() error{
				"call":        func() error { return worker.Tadds(x, x, Int(1), 0) },
				"instruction": func() error { return inst.Run(worker) },
				"program":     func() error { return program.Run(worker, "") },
			}[way]
			var begun, done atomic.Int64
			ended := make(chan error)
			go func() {
				for done.Load() == 0 {
					begun.Add(1)
					if err := add(); err != nil {
						ended <- err
						return
					}
					// A call takes longer. Without a pause, a change seldom meets the end of one.
					time.Sleep(100 * time.Microsecond)
				}
				ended <- nil
			}()
			look := func(tile *Tile) {
				data := make([]int32, side*side)
				if err := Read(ctx, tile, data); err != nil {
					t.Error(err)
				}
				for i := range data {
					if data[i] != data[0] {
						t.Errorf("element %d is %d, the first %d", i, data[i], data[0])
						return
					}
				}
			}
			const bytes = 4 * side * side
			for change := int64(0); change < 10 && !t.Failed(); change++ {
				for seen := begun.Load(); begun.Load() == seen; runtime.Gosched() {
					select {
					case err := <-ended:
						t.Fatal(err)
					default:
					}
				}
				var errs error
				for _, valid := range []int{0, side} {
					errs = errors.Join(errs, x.SetValid(ctx, valid, side))
				}
				errs = errors.Join(errs, ctx.Tassign(x, (change+1)%2*bytes), ctx.Tassign(before, change%2*bytes))
				if errs != nil {
					t.Error(errs)
				}
				look(before)
			}
			done.Store(1)
			must(t, <-ended)
		})
	}
}

// A copy of a tile's value is the same tile: it lives as long as any copy, and closing one closes all.
func TestCopiedValues(t *testing.T) {
	ctx := cpu(t)
	before := LiveHandles()
	first, err := ctx.NewTile(F32, 1, 2)
	must(t, err)
	must(t, Write(ctx, first, []float32{1, 2}))
	second := *first
	first = nil
	collect() // nothing but the copy refers to the tile
	got := make([]float32, 2)
	must(t, Read(ctx, &second, got))
	if got[0] != 1 || got[1] != 2 || LiveHandles() != before+1 {
		t.Fatal(got, LiveHandles(), before)
	}
	third := second
	must(t, second.Close())
	refuses(t, Read(ctx, &third, got), StatusNull, "null", "tile")
	must(t, third.Close())
	if third.String() != "Tile(closed)" || third.Rows() != 0 || LiveHandles() != before {
		t.Error(&third, LiveHandles(), before)
	}
	context := *ctx
	if _, err := context.NewTile(F32, 1, 1); err != nil || context.Profile() != ProfileCPU {
		t.Error(err)
	}
	var empty Tile // was never made
	refuses(t, Read(ctx, &empty, got), StatusNull, "null", "tile")
	if empty.String() != "Tile(nil)" || empty.Close() != nil {
		t.Error(&empty)
	}
}

// An instruction and a program keep what they were given, and continue with it after its handle is closed.
func TestOperandsMayBeClosed(t *testing.T) {
	ctx := cpu(t)
	before := LiveHandles()
	inst, err := ctx.NewInst("tpartadd")
	must(t, err)
	x := tile(t, ctx, F32, 8, 8)
	for i := 0; i < 3; i++ {
		must(t, inst.SetTile(ctx, i, x))
	}
	x.Close()
	must(t, inst.Run(ctx))
	must(t, inst.Run(ctx))
	y := tile(t, ctx, F32, 8, 8)
	must(t, inst.SetTile(ctx, 0, y))
	must(t, inst.Run(ctx))
	inst.Close()
	y.Close()
	for i := 0; i < 1000 && LiveHandles() > before; i++ {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	if n := LiveHandles(); n != before {
		t.Fatalf("%d handles, %d before", n, before)
	}
}

// A context that another goroutine is in refuses, and keeps the error of its own call.
func TestContextInUse(t *testing.T) {
	ctx := cpu(t)
	x := tile(t, ctx, F32, 512, 512)
	until := time.Now().Add(20 * time.Second)
	var busy, fine atomic.Int64
	var group sync.WaitGroup
	for i := 0; i < 4; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for (busy.Load() < 50 || fine.Load() < 50) && time.Now().Before(until) {
				if err := ctx.Tpartadd(x, x, x, 0); err == nil {
					fine.Add(1)
				} else if errors.Is(err, Rule("context-in-use")) {
					busy.Add(1)
					runtime.Gosched()
				} else {
					t.Error(err)
					return
				}
			}
		}()
	}
	group.Wait()
	if busy.Load() < 50 || fine.Load() < 50 {
		t.Fatal(busy.Load(), fine.Load())
	}
}

// 300 forgotten tiles of 4 MiB: the collector knows of them, and most are gone long before the last is made.
func TestForgottenTiles(t *testing.T) {
	ctx := cpu(t)
	before, most := LiveHandles(), int64(0)
	for i := 0; i < 300; i++ {
		if _, err := ctx.NewTile(F32, 1024, 1024); err != nil {
			t.Fatal(err)
		}
		if n := LiveHandles() - before; n > most {
			most = n
		}
	}
	if most > 64 {
		t.Fatalf("%d tiles of 4 MiB at a time", most)
	}
}

func TestRemediesAreGos(t *testing.T) {
	ctx := cpu(t)
	a, b := tile(t, ctx, F32, 2, 2), tile(t, ctx, F32, 2, 1)
	for _, c := range []struct {
		err             error
		message, remedy string
	}{
		{ctx.Tpow(a, a, b, nil, 0), "", "Widen the valid regions of the sources with Tile.SetValid."},
		{ctx.Tpow(nil, a, a, nil, 0), "tpow: dst is nil", "Pass the handle; only tmp may be nil, where the profile does not need it."},
		{a.SetValid(ctx, 9, 9), "", "Set a valid region inside the tile, ValidAll or ValidNone."},
		{func() error { _, err := ctx.NewTile(DType(99), 1, 1); return err }(), "", "Use one of the DType values."},
	} {
		e := c.err.(*Error)
		if e.Remedy != c.remedy || c.message != "" && e.Message != c.message || ofC.MatchString(e.Message) {
			t.Errorf("%q, %q", e.Message, e.Remedy)
		}
	}
}

func TestStrings(t *testing.T) {
	ctx := cpu(t)
	x := tile(t, ctx, F32, 2, 3)
	must(t, x.SetValid(ctx, 2, 2))
	tensor, err := ctx.NewTensor(TensorDesc{DType: I16, Rank: 2, Dim0: 4, Dim1: 6})
	must(t, err)
	inst, err := ctx.NewInst("tpow")
	must(t, err)
	program, err := ctx.ParseProgram([]byte(sums), "")
	must(t, err)
	var none *Tile
	got := fmt.Sprint(ctx, "; ", x, "; ", tensor, "; ", inst, "; ", program, "; ", none)
	want := "Context(ProfileCPU, " + ctx.Target() + "); Tile(F32 2x3, 2x2 valid); Tensor(I16 4x6); Inst(tpow); Program(sums, 0 diagnostics); Tile(nil)"
	if got != want {
		t.Errorf("%s\n%s", got, want)
	}
	x.Close()
	if x.String() != "Tile(closed)" {
		t.Error(x)
	}
}

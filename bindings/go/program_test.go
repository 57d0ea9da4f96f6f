package pto

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

// y = x + x, and n times more; the tile of the last sum stays.
const sums = `module attributes {pto.target_arch = "a5"} {
  func.func @sums(%x: !pto.partition_tensor_view<2x8xf32>, %y: !pto.partition_tensor_view<2x8xf32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>
    pto.tload ins(%x : !pto.partition_tensor_view<2x8xf32>) outs(%t : !pto.tile_buf<vec, 2x8xf32>)
    scf.for %i = %c0 to %n step %c1 {
      pto.tpartadd ins(%t, %t : !pto.tile_buf<vec, 2x8xf32>, !pto.tile_buf<vec, 2x8xf32>) outs(%t : !pto.tile_buf<vec, 2x8xf32>)
    }
    pto.tstore ins(%t : !pto.tile_buf<vec, 2x8xf32>) outs(%y : !pto.partition_tensor_view<2x8xf32>)
    return
  }
}
`

func parse(t *testing.T, ctx *Context, text string) *Program {
	t.Helper()
	program, err := ctx.ParseProgram([]byte(text), "test.pto")
	must(t, err)
	t.Cleanup(func() { program.Close() })
	return program
}

func tensor(t *testing.T, ctx *Context, d DType, dims ...int64) *Tensor {
	t.Helper()
	desc := TensorDesc{DType: d, Rank: int32(len(dims)), Dim0: dims[0], Dim1: dims[1]}
	x, err := ctx.NewTensor(desc)
	must(t, err)
	t.Cleanup(func() { x.Close() })
	return x
}

// The arguments of sums: 0, 1, 2 ..., and room for the result.
func numbers(t *testing.T, ctx *Context) (x, y *Tensor, values []float32) {
	t.Helper()
	x, y = tensor(t, ctx, F32, 2, 8), tensor(t, ctx, F32, 2, 8)
	values = make([]float32, 16)
	for i := range values {
		values[i] = float32(i)
	}
	must(t, Write(ctx, x, values))
	return x, y, values
}

func TestProgramRuns(t *testing.T) {
	ctx := cpu(t)
	x, y, values := numbers(t, ctx)
	program := parse(t, ctx, sums)
	must(t, program.Check(ctx))
	must(t, program.BindTensor(ctx, "x", x))
	must(t, program.BindTensor(ctx, "1", y)) // by position
	must(t, program.BindInt(ctx, "n", 3))
	must(t, program.SetTrace(ctx, true))
	must(t, program.Run(ctx, "sums"))
	sum := make([]float32, 16)
	must(t, Read(ctx, y, sum))
	for i := range sum {
		if sum[i] != 8*values[i] {
			t.Fatal(sum)
		}
	}
	trace, err := program.Trace(ctx)
	must(t, err)
	if !strings.Contains(trace, "tpartadd") || program.Steps() <= 3 || program.DiagnosticCount() != 0 {
		t.Fatal(trace, program.Steps(), program.DiagnosticText(0))
	}
	if program.TileCount() != 1 || program.TileName(0) != "t" {
		t.Fatal(program.TileCount(), program.TileName(0))
	}
	last, err := program.Tile(ctx, "t")
	must(t, err)
	defer last.Close()
	must(t, Read(ctx, last, sum))
	if last.Rows() != 2 || sum[1] != 8 {
		t.Fatal(sum)
	}
	_, err = program.Tile(ctx, "u")
	refuses(t, err, StatusUnknown, "argument-name", "u")
}

// The recording of a run, as rows of numbers: instructions, their tiles, elements.
func TestProgramEvents(t *testing.T) {
	ctx := cpu(t)
	x, y, _ := numbers(t, ctx)
	program := parse(t, ctx, sums)
	must(t, program.BindTensor(ctx, "x", x))
	must(t, program.BindTensor(ctx, "y", y))
	must(t, program.BindInt(ctx, "n", 3))
	must(t, program.Record(ctx, RecordTiles, 1<<20))
	must(t, program.Run(ctx, ""))
	page, err := program.Report(ctx)
	must(t, err)
	if !strings.HasPrefix(page, "<!doctype html>") {
		t.Fatal(page[:80])
	}
	rows := func(part EventPart, fields int) [][]int64 {
		data := make([]byte, program.EventCount(part)*int64(fields)*8)
		must(t, program.ReadEvents(ctx, part, 0, fields, data))
		var all [][]int64
		for at := 0; at < len(data); at += 8 * fields {
			row := make([]int64, fields)
			for i := range row {
				row[i] = int64(binary.LittleEndian.Uint64(data[at+8*i:]))
			}
			all = append(all, row)
		}
		return all
	}
	events := rows(EventPartEvents, int(EventFieldTiles)+1)
	tiles := rows(EventPartTiles, int(EventTileFieldDataBytes)+1)
	if len(events) != 5 || program.EventsLost() != 0 {
		t.Fatal(events)
	}
	for round, event := range events[1:4] {
		if event[EventFieldRepeat] != int64(round) || event[EventFieldCols] != 8 || event[EventFieldLine] != 8 ||
			event[EventFieldStatus] != int64(StatusOK) || event[EventFieldEnd] < event[EventFieldBegin] {
			t.Fatal(event)
		}
		written := tiles[event[EventFieldFirstTile]+event[EventFieldTiles]-1]
		data := make([]byte, written[EventTileFieldDataBytes])
		must(t, program.ReadEvents(ctx, EventPartElements, written[EventTileFieldData], 1, data))
		want := math.Float32bits(float32(int(2)<<round) * 15)
		last := binary.LittleEndian.Uint32(data[4*15:])
		if last != want || uint32(written[EventTileFieldMax]) != want || written[EventTileFieldAfter] != 1 {
			t.Fatal(round, written)
		}
	}
	refuses(t, program.ReadEvents(ctx, EventPartTiles, 0, 0, nil), StatusArgument, "operand-value", "")
}

func TestProgramBindings(t *testing.T) {
	ctx := cpu(t)
	x, y := tensor(t, ctx, F32, 2, 8), tensor(t, ctx, F32, 2, 8)
	program := parse(t, ctx, sums)
	refused := func(status Status, rule string) {
		t.Helper()
		refuses(t, program.Run(ctx, ""), status, rule, "test.pto:")
		last := program.DiagnosticCount() - 1
		if !program.DiagnosticError(last) || program.DiagnosticRule(last) != rule {
			t.Fatal(program.DiagnosticText(last))
		}
	}
	must(t, program.BindTensor(ctx, "x", x))
	must(t, program.BindInt(ctx, "n", 1))
	refused(StatusProgram, "unbound-argument")
	for _, wrong := range []*Tensor{tensor(t, ctx, F16, 2, 8), tensor(t, ctx, F32, 2, 7)} {
		must(t, program.BindTensor(ctx, "y", wrong))
		refused(StatusProgram, "argument-type")
	}
	must(t, program.BindTile(ctx, "y", tile(t, ctx, F32, 2, 8)))
	refused(StatusProgram, "argument-kind")
	must(t, program.BindTensor(ctx, "y", y))
	must(t, program.BindFloat(ctx, "n", 0.5))
	refused(StatusProgram, "argument-kind")
	must(t, program.BindInt(ctx, "n", 1))
	for _, unknown := range []string{"m", "x\x00", "3"} {
		must(t, program.BindTensor(ctx, unknown, x))
		refused(StatusUnknown, "argument-name")
		must(t, program.BindTensor(ctx, unknown, nil))
	}
	must(t, program.Run(ctx, ""))
	refuses(t, program.Run(ctx, "none"), StatusUnknown, "unknown-entry", "none")
	must(t, program.LimitSteps(ctx, 2))
	refused(StatusProgram, "step-limit")
	refuses(t, program.SetBlocks(ctx, 0), StatusArgument, "blocks", "0")
	y.Close()
	refuses(t, program.BindTensor(ctx, "y", y), StatusNull, "null", "tensor")
}

func TestProgramArguments(t *testing.T) {
	ctx := cpu(t)
	program := parse(t, ctx, sums)
	got := []any{program.Entry(), program.Profile(), program.ArgCount(""), program.ArgName("", 1), program.ArgKind("", 1), program.ArgDType("", 1),
		program.ArgKind("", 2), program.ArgDType("", 2), program.ArgOptional("", 0), program.ArgCount("none"), program.ArgName("", 9)}
	want := []any{"sums", ProfileA5, 3, "y", ArgKindTensor, F32, ArgKindInt, DType(-1), false, -1, ""}
	if !reflect.DeepEqual(got, want) {
		t.Fatal(got)
	}
	_, err := program.ArgTile(ctx, "", 0)
	refuses(t, err, StatusProgram, "argument-kind", "argument 0")
	text, err := program.Print(ctx, FormSSA)
	must(t, err)
	if !strings.Contains(text, "pto.tpartadd") {
		t.Fatal(text)
	}
	takes := parse(t, ctx, "func.func @f(%t: !pto.tile_buf<vec, 4x8xf16>) {\n  return\n}\n")
	made, err := takes.ArgTile(ctx, "", 0)
	must(t, err)
	defer made.Close()
	if made.DType() != F16 || made.Rows() != 4 || made.Cols() != 8 {
		t.Fatal(made)
	}
	must(t, takes.BindTile(ctx, "t", made))
	must(t, takes.Run(ctx, ""))
}

func TestProgramDiagnostics(t *testing.T) {
	ctx := cpu(t)
	program := parse(t, ctx, "%a = trsqrt %b\n%d = = tpow %a\n")
	if program.DiagnosticCount() == 0 || !program.DiagnosticError(0) || program.DiagnosticLine(0) != 2 || program.DiagnosticColumn(0) != 6 {
		t.Fatal(program.DiagnosticText(0))
	}
	excerpt := strings.Split(program.DiagnosticExcerpt(0), "\n")
	if len(excerpt) < 2 || !strings.Contains(excerpt[0], "%d = = tpow %a") || !strings.Contains(excerpt[1], "^") {
		t.Fatal(excerpt)
	}
	head := fmt.Sprintf("test.pto:2:6: error: %s [%s]\n", program.DiagnosticMessage(0), program.DiagnosticRule(0))
	text := program.DiagnosticText(0)
	if !strings.HasPrefix(text, head) || !strings.Contains(text, program.DiagnosticRemedy(0)) || program.DiagnosticRemedy(0) == "" {
		t.Fatal(text)
	}
	refuses(t, program.Run(ctx, ""), StatusProgram, "program-errors", "")
	_, err := program.Print(ctx, FormSSA)
	refuses(t, err, StatusProgram, "program-errors", "")
	if program.DiagnosticText(99) != "" || program.DiagnosticLine(99) != 0 {
		t.Fatal("a diagnostic that is not there")
	}
	program.Close()
	refuses(t, program.Check(ctx), StatusNull, "null", "program")
}

const endless = `func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 9000000000000000000 : index
  scf.for %i = %c0 to %n step %c1 {
  }
  return
}`

func TestProgramEndsWithItsContext(t *testing.T) {
	ctx := cpu(t)
	program := parse(t, ctx, endless)
	must(t, program.LimitSteps(ctx, 1<<62))
	for i := 0; i < 20; i++ {
		done, cancel := context.WithCancel(context.Background())
		go cancel()
		if err := program.RunContext(done, ctx, ""); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	done, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
	defer cancel()
	if err := program.RunContext(done, ctx, ""); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	// Nothing of it is left for the next run.
	must(t, program.LimitTime(ctx, 5))
	refuses(t, program.RunContext(context.Background(), ctx, ""), StatusProgram, "time-limit", "5 milliseconds")
	program.Stop()
	refuses(t, program.Run(ctx, ""), StatusProgram, "stopped", "test.pto:")
	program.Stop()
	program.ForgetStop()
	refuses(t, program.Run(ctx, ""), StatusProgram, "time-limit", "5 milliseconds")
}

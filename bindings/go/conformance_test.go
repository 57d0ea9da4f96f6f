package pto

// Replays vectors.txt, which tests/conformance/generate.c makes: inputs, expected bits and expected errors.
// PTO_VECTORS names the file; without it the test looks in the build directory.

import (
	"encoding/hex"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

type vector struct {
	head, want     []string
	operands, data [][]string
	text, help     string
}

// vectorFile returns the text of a file that is made beside vectors.txt.
func vectorFile(t *testing.T, name string) string {
	path := os.Getenv("PTO_VECTORS")
	named := path != ""
	if !named {
		path = "../../build/tests/conformance/vectors.txt"
	}
	path = filepath.Join(filepath.Dir(path), name)
	raw, err := os.ReadFile(path)
	if named && err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Skipf("%s is not there: ./dev build makes it in the repository", path)
	}
	return strings.TrimSpace(string(raw))
}

func vectors(t *testing.T) []vector {
	var all []vector
	var v vector
	for _, line := range strings.Split(vectorFile(t, "vectors.txt"), "\n") {
		key, rest, _ := strings.Cut(line, " ")
		words := strings.Split(line, " ")
		switch key {
		case "case":
			v = vector{head: words}
		case "tile", "tensor", "scalar", "int", "same", "none":
			v.operands = append(v.operands, words)
		case "want":
			v.want = words
		case "text":
			v.text = rest
		case "help":
			v.help = rest
		case "data":
			v.data = append(v.data, words)
		case "end":
			all = append(all, v)
		default:
			if !strings.HasPrefix(key, "#") {
				t.Fatalf("vectors.txt has a line that begins with %s", key)
			}
		}
	}
	return all
}

func number(t *testing.T, word string) int {
	n, err := strconv.Atoi(word)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func scalarOf(t *testing.T, words []string) Scalar {
	bits, err := strconv.ParseUint(words[3], 16, 64)
	must(t, err)
	switch ScalarKind(number(t, words[2])) {
	case ScalarKindInt:
		return Int(int64(bits))
	case ScalarKindUint:
		return Uint(bits)
	case ScalarKindFloat:
		return Float(math.Float64frombits(bits))
	}
	return Bits(bits)
}

func dtypeOf(t *testing.T, name string) DType {
	for d := DType(0); d < 32; d++ {
		if d.Name() == name {
			return d
		}
	}
	t.Fatalf("no type %s", name)
	return 0
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// The vectors have each element as a number, memory has its lowest byte first.
func swap(data []byte, size int) []byte {
	for i := 0; i < len(data); i += size {
		for a, b := i, i+size-1; a < b; a, b = a+1, b-1 {
			data[a], data[b] = data[b], data[a]
		}
	}
	return data
}

// moved passes bytes through the generic calls as slices of the element type.
func moved(t *testing.T, ctx *Context, h Holder, d DType, data []byte, write bool) {
	var err error
	switch d {
	case I8:
		err = move[int8](ctx, h, data, write)
	case U8:
		err = move[uint8](ctx, h, data, write)
	case I16:
		err = move[int16](ctx, h, data, write)
	case U16:
		err = move[uint16](ctx, h, data, write)
	case I32:
		err = move[int32](ctx, h, data, write)
	case U32:
		err = move[uint32](ctx, h, data, write)
	case I64:
		err = move[int64](ctx, h, data, write)
	case U64:
		err = move[uint64](ctx, h, data, write)
	case F16:
		err = move[Float16](ctx, h, data, write)
	case BF16:
		err = move[BFloat16](ctx, h, data, write)
	case F32:
		err = move[float32](ctx, h, data, write)
	case E4M3:
		err = move[Float8E4M3](ctx, h, data, write)
	case E5M2:
		err = move[Float8E5M2](ctx, h, data, write)
	case HIF8:
		err = move[HiFloat8](ctx, h, data, write)
	case E8M0:
		err = move[Float8E8M0](ctx, h, data, write)
	case E2M1:
		err = move[Float4E2M1x2](ctx, h, data, write)
	case E1M2:
		err = move[Float4E1M2x2](ctx, h, data, write)
	case I4:
		err = move[Int4x2](ctx, h, data, write)
	default:
		t.Fatalf("%v is not in the vectors", d)
	}
	must(t, err)
}

func move[T Element](ctx *Context, h Holder, data []byte, write bool) error {
	elements := make([]T, len(data)/DTypeOf[T]().Bytes())
	if write {
		copy(bytesOf(elements), data)
		return Write(ctx, h, elements)
	}
	err := Read(ctx, h, elements)
	copy(data, bytesOf(elements))
	return err
}

func fill(t *testing.T, ctx *Context, h Holder, d DType, digits string) {
	data, err := hex.DecodeString(digits)
	must(t, err)
	moved(t, ctx, h, d, swap(data, d.Bytes()), true)
}

func makeTile(t *testing.T, ctx *Context, words []string) *Tile {
	d := dtypeOf(t, words[2])
	var n [9]int
	for i := range n {
		n[i] = number(t, words[3+i])
	}
	desc := NewDesc(d, n[0], n[1])
	desc.Blayout, desc.Slayout, desc.Fractal, desc.Location = BLayout(n[4]), SLayout(n[5]), int32(n[6]), Location(n[7])
	if n[8] != -1 {
		desc.Storage = StorageManual
	}
	tile, err := ctx.NewTileFrom(desc)
	must(t, err)
	if n[8] >= 0 {
		must(t, ctx.Tassign(tile, int64(n[8])))
	}
	if words[12] != "-" {
		fill(t, ctx, tile, d, words[12])
	}
	must(t, tile.SetValid(ctx, n[2], n[3]))
	return tile
}

func makeTensor(t *testing.T, ctx *Context, words []string) *Tensor {
	d := dtypeOf(t, words[2])
	tensor, err := ctx.NewTensor(TensorDesc{DType: d, Rank: 2, Dim0: int64(number(t, words[3])), Dim1: int64(number(t, words[4]))})
	must(t, err)
	fill(t, ctx, tensor, d, words[5])
	return tensor
}

// methods has the indices of a Context's methods by their names in small letters.
var methods = func() map[string]int {
	indices := map[string]int{}
	for i, all := 0, reflect.TypeOf(&Context{}); i < all.NumMethod(); i++ {
		indices[strings.ToLower(all.Method(i).Name)] = i
	}
	return indices
}()

// call finds the instruction's method by its name and its arguments by theirs.
func call(t *testing.T, ctx *Context, name string, operands map[string]any, flags int) error {
	op := OpFind(name)
	index, found := methods[strings.ReplaceAll(name, "_", "")]
	if !found {
		t.Fatalf("no method for %s", name)
	}
	method := reflect.ValueOf(ctx).Method(index)
	args := make([]reflect.Value, op.OperandCount())
	for i := range args {
		switch operand := operands[op.OperandName(i)]; {
		case op.OperandRole(i) == RoleFlags:
			args[i] = reflect.ValueOf(Flags(flags))
		case operand == nil:
			args[i] = reflect.Zero(method.Type().In(i))
		default:
			args[i] = reflect.ValueOf(operand).Convert(method.Type().In(i)) // an int is an enum's value, too
		}
	}
	err, _ := method.Call(args)[0].Interface().(error)
	return err
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func replay(t *testing.T, v vector) {
	profile := Profile(0)
	for profile < 64 && profile.String() != "Profile"+v.head[2] {
		profile++
	}
	ctx, err := NewContext(profile)
	must(t, err)
	defer ctx.Close()
	operands := map[string]any{}
	defer func() {
		for _, operand := range operands {
			if handle, ok := operand.(io.Closer); ok {
				handle.Close()
			}
		}
	}()
	for _, words := range v.operands {
		switch words[0] {
		case "tile":
			operands[words[1]] = makeTile(t, ctx, words)
		case "tensor":
			operands[words[1]] = makeTensor(t, ctx, words)
		case "scalar":
			operands[words[1]] = scalarOf(t, words)
		case "int":
			operands[words[1]] = number(t, words[2])
		case "same":
			operands[words[1]] = operands[words[2]]
		default:
			operands[words[1]] = nil
		}
	}
	isCopy := v.head[3] == "copy"
	err = nil
	if !isCopy {
		err = call(t, ctx, v.head[3], operands, number(t, v.head[4]))
	}
	got := []string{"0", "-", "-"}
	var e *Error
	if errors.As(err, &e) {
		got = []string{strconv.Itoa(int(e.Status)), dash(e.Rule), dash(e.Operand)}
		if !said(v.help, e.Remedy) || v.text != "" && !said(v.text, e.Message) {
			t.Errorf("%s: %q, %q", v.head[1], e.Message, e.Remedy)
		}
	}
	if !reflect.DeepEqual(got, v.want[1:]) {
		t.Errorf("%s: %v, not %v", v.head[1], got, v.want[1:])
	}
	for _, words := range v.data {
		holder := operands[words[1]].(Holder)
		if tile, ok := holder.(*Tile); ok && !isCopy {
			must(t, tile.SetValid(ctx, ValidAll, ValidAll))
		}
		d := holder.(interface{ DType() DType }).DType()
		data := make([]byte, len(words[2])/2)
		moved(t, ctx, holder, d, data, false)
		if bits := hex.EncodeToString(swap(data, d.Bytes())); bits != words[2] {
			t.Errorf("%s: %s, not %s", v.head[1], bits, words[2])
		}
	}
}

func TestVectors(t *testing.T) {
	all := vectors(t)
	if len(all) < 300 {
		t.Fatalf("%d cases", len(all))
	}
	for _, v := range all {
		replay(t, v)
	}
}

// said returns whether a message is the one of the vectors, with Go's names in place of C's.
func said(inC, text string) bool {
	pieces := ofC.Split(inC, -1)
	for i := range pieces {
		pieces[i] = regexp.QuoteMeta(pieces[i])
	}
	return regexp.MustCompile("^"+strings.Join(pieces, `[\w.]+`)+"$").MatchString(text) && !ofC.MatchString(text)
}

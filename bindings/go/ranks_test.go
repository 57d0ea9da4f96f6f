package pto

// Replays ranks.txt, which tests/conformance/generate_ranks.c makes: calls between ranks, and the windows after them.

import (
	"encoding/hex"
	"errors"
	"io"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// callBetween finds a method of the context of a rank, as call does, and returns its error and its result.
func callBetween(t *testing.T, ctx *Context, name string, args []any) (error, string) {
	for i, all := 0, reflect.TypeOf(ctx); i < all.NumMethod(); i++ {
		if !strings.EqualFold(all.Method(i).Name, strings.ReplaceAll(name, "_", "")) {
			continue
		}
		method := reflect.ValueOf(ctx).Method(i)
		in := make([]reflect.Value, len(args))
		for k, arg := range args {
			if in[k] = reflect.Zero(method.Type().In(k)); arg != nil {
				in[k] = reflect.ValueOf(arg).Convert(method.Type().In(k)) // an int is an enum's value, too
			}
		}
		out := method.Call(in)
		err, _ := out[len(out)-1].Interface().(error)
		switch result := out[0].Interface().(type) {
		case bool:
			if result {
				return err, "1"
			}
			return err, "0"
		case int64:
			return err, strconv.FormatInt(result, 10)
		}
		return err, "-"
	}
	t.Fatalf("no method for %s", name)
	return nil, ""
}

func replayRanks(t *testing.T, name string, size []int, before [][]byte, lines []string) {
	ctx, err := NewContext(ProfileCPU)
	must(t, err)
	made := []io.Closer{ctx}
	defer func() {
		for i := len(made) - 1; i >= 0; i-- {
			made[i].Close()
		}
	}()
	world, err := ctx.NewWorld(size[0], int64(size[1]))
	must(t, err)
	made = append(made, world)
	after := make([][]byte, size[0])
	contexts := make([]*Context, size[0])
	windows := make([]*Tensor, size[0])
	for rank := range windows {
		contexts[rank], err = world.Context(ctx, rank)
		must(t, err)
		windows[rank], err = world.Tensor(ctx, rank, TensorDesc{DType: U8, Rank: 1, Dim0: int64(size[1])}, 0)
		must(t, err)
		made = append(made, contexts[rank], windows[rank])
		must(t, Write(ctx, windows[rank], before[rank]))
		after[rank] = append([]byte{}, before[rank]...)
	}
	operands := map[string]any{"-": nil}
	var result string
	for _, line := range lines {
		key, rest, _ := strings.Cut(line, " ")
		words := strings.Split(line, " ")
		n := func(i int) int { return number(t, words[i]) }
		switch key {
		case "tensor":
			desc := TensorDesc{DType: dtypeOf(t, words[3]), Rank: 2, Dim0: int64(n(4)), Dim1: int64(n(5)), Strided: 1, Stride0: int64(n(6)), Stride1: 1}
			tensor, err := world.Tensor(ctx, n(2), desc, int64(n(7)))
			must(t, err)
			operands[words[1]] = tensor
			made = append(made, tensor)
		case "tile":
			desc := NewDesc(dtypeOf(t, words[2]), n(3), n(4))
			desc.Location = Location(n(5))
			tile, err := ctx.NewTileFrom(desc)
			must(t, err)
			operands[words[1]] = tile
			made = append(made, tile)
		case "group":
			group, err := ctx.NewGroup(n(2))
			must(t, err)
			for _, member := range words[3:] {
				must(t, group.Add(ctx, operands[member].(*Tensor)))
			}
			operands[words[1]] = group
			made = append(made, group)
		case "call":
			var args []any
			for i, word := range words[3:] {
				if operand, ok := operands[word]; ok {
					args = append(args, operand)
				} else {
					args = append(args, n(3+i))
				}
			}
			err, result = callBetween(t, contexts[n(1)], words[2], args)
		case "want":
			got := []string{"0", "-", "-", result}
			var e *Error
			if errors.As(err, &e) {
				got = []string{strconv.Itoa(int(e.Status)), dash(e.Rule), dash(e.Operand), "-"}
			}
			if !reflect.DeepEqual(got, words[1:]) {
				t.Errorf("%s: %v, not %v", name, got, words[1:])
			}
		case "text", "help":
			var e *Error
			if !errors.As(err, &e) || !said(rest, map[string]string{"text": e.Message, "help": e.Remedy}[key]) {
				t.Errorf("%s: %v", name, err)
			}
		case "after":
			data, err := hex.DecodeString(words[3])
			must(t, err)
			copy(after[n(1)][n(2):], data)
		default:
			t.Fatalf("ranks.txt has a line that begins with %s", key)
		}
	}
	for rank, window := range windows {
		got := make([]byte, size[1])
		must(t, Read(ctx, window, got))
		if !reflect.DeepEqual(got, after[rank]) {
			t.Errorf("%s: the window of rank %d is %x, not %x", name, rank, got, after[rank])
		}
	}
}

func TestRankVectors(t *testing.T) {
	text := vectorFile(t, "ranks.txt")
	var size []int
	var before [][]byte
	var lines []string
	var name string
	count := 0
	for _, line := range strings.Split(text, "\n") {
		words := strings.Split(line, " ")
		switch words[0] {
		case "#":
		case "world":
			size = []int{number(t, words[1]), number(t, words[2])}
		case "window":
			data, err := hex.DecodeString(words[2])
			must(t, err)
			before = append(before, data)
		case "case":
			name, lines = words[1], nil
		case "end":
			replayRanks(t, name, size, before, lines)
			count++
		default:
			lines = append(lines, line)
		}
	}
	if count < 300 {
		t.Fatalf("%d cases", count)
	}
}

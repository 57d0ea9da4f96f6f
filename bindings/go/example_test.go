package pto_test

import (
	"errors"
	"fmt"
	"log"

	pto "libpto.org/go"
)

// Lifts the shadows of a row of grey values, as the photograph of libpto's demo: gamma, then what is
// darker than a pivot is brought nearer to it.
func Example() {
	ctx, err := pto.NewContext(pto.ProfileCPU)
	if err != nil {
		log.Fatal(err)
	}
	defer ctx.Close()
	constant := func(value float32) *pto.Tile {
		tile, err := ctx.NewTile(pto.F32, 1, 5)
		if err == nil {
			err = pto.Write(ctx, tile, []float32{value, value, value, value, value})
		}
		if err != nil {
			log.Fatal(err)
		}
		return tile
	}
	pixels, gamma, slope := constant(0), constant(0.5), constant(0.75)
	below, above := constant(-0.5), constant(0.5)
	for _, tile := range []*pto.Tile{pixels, gamma, slope, below, above} {
		defer tile.Close()
	}
	for _, step := range []error{
		pto.Write(ctx, pixels, []float32{0, 0.0625, 0.25, 0.5625, 1}),
		ctx.Tpow(pixels, pixels, gamma, nil, 0),
		ctx.Tpartadd(pixels, pixels, below, 0),
		ctx.Tprelu(pixels, pixels, slope, nil, 0),
		ctx.Tpartadd(pixels, pixels, above, 0),
	} {
		if step != nil {
			log.Fatal(step)
		}
	}
	result := make([]float32, 5)
	if err := pto.Read(ctx, pixels, result); err != nil {
		log.Fatal(err)
	}
	fmt.Println(result)
	// Output: [0.125 0.3125 0.5 0.75 1]
}

func ExampleError() {
	ctx, _ := pto.NewContext(pto.ProfileCPU)
	defer ctx.Close()
	a, _ := ctx.NewTile(pto.F32, 2, 2)
	defer a.Close()
	b, _ := ctx.NewTile(pto.F32, 2, 1)
	defer b.Close()
	err := ctx.Tpow(a, a, b, nil, 0)
	fmt.Println(errors.Is(err, pto.StatusShape), errors.Is(err, pto.Rule("valid-covers")))
	var e *pto.Error
	if errors.As(err, &e) {
		fmt.Println(e.Operand)
	}
	// Output:
	// true true
	// exp
}

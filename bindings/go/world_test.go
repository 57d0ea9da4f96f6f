package pto

import (
	"errors"
	"reflect"
	"testing"
)

func ruleOf(err error) string {
	var refused *Error
	if errors.As(err, &refused) {
		return refused.Rule
	}
	return ""
}

func TestWorld(t *testing.T) {
	ctx, err := NewContext(ProfileCPU)
	must(t, err)
	defer ctx.Close()
	world, err := ctx.NewWorld(2, 4096)
	must(t, err)
	defer world.Close()
	if world.Ranks() != 2 || world.WindowBytes() != 4096 || world.Transport() != "local" {
		t.Fatal(world.Ranks(), world.WindowBytes(), world.Transport())
	}
	var ranks [2]*Context
	var parts [2]*Tensor
	for rank := range ranks {
		ranks[rank], err = world.Context(ctx, rank)
		must(t, err)
		defer ranks[rank].Close()
		parts[rank], err = world.Tensor(ctx, rank, TensorDesc{DType: F32, Rank: 1, Dim0: 4}, 64)
		must(t, err)
		defer parts[rank].Close()
	}
	signal, err := world.Tensor(ctx, 1, TensorDesc{DType: I32, Rank: 1, Dim0: 1}, 0)
	must(t, err)
	defer signal.Close()
	must(t, Write(ctx, parts[0], []float32{1, 2, 3, 4}))

	sent := make(chan error, 1)
	go func() {
		err := ranks[0].CommTput(parts[1], parts[0], nil, nil, AtomicNone)
		if err == nil {
			err = ranks[0].CommTnotify(signal, 1, NotifySet)
		}
		sent <- err
	}()
	must(t, ranks[1].CommTwait(signal, 1, WaitCmpEq))
	must(t, <-sent)
	got := make([]float32, 4)
	must(t, Read(ctx, parts[1], got))
	if !reflect.DeepEqual(got, []float32{1, 2, 3, 4}) {
		t.Fatal(got)
	}
	for value, want := range map[int]bool{1: true, 2: false} {
		holds, err := ranks[1].Ttest(signal, value, WaitCmpEq)
		if err != nil || holds != want {
			t.Fatal(value, holds, err)
		}
	}
	if _, err := ranks[0].Ttest(signal, 1, WaitCmpEq); ruleOf(err) != "signal-own" {
		t.Fatal(err)
	}

	group, err := ctx.NewGroup(0)
	must(t, err)
	defer group.Close()
	for _, part := range parts {
		must(t, group.Add(ctx, part))
	}
	if err := ranks[1].CommAllreduce(group, nil, nil, nil, ReduceSum); ruleOf(err) != "group-root" {
		t.Fatal(err)
	}
	for _, rank := range ranks {
		must(t, rank.CommAllreduceSegment(group, nil, nil, nil, ReduceSum))
	}
	must(t, Read(ctx, parts[0], got))
	if !reflect.DeepEqual(got, []float32{2, 4, 6, 8}) {
		t.Fatal(got)
	}

	event, err := ranks[0].TputAsync(parts[1], parts[0], 3)
	must(t, err)
	must(t, ranks[0].CommWaitAsyncEvent(event, 3))
	if done, err := ranks[0].TestAsyncEvent(event, 3); err != nil || !done {
		t.Fatal(done, err)
	}
	if _, err := ranks[0].TestAsyncEvent(event+1, 3); ruleOf(err) != "async-event" {
		t.Fatal(err)
	}
	if _, err := ranks[0].TputAsync(parts[1], parts[0], 8); ruleOf(err) != "async-event" {
		t.Fatal(err)
	}
	must(t, world.LimitWait(ctx, 10))
	if err := ranks[1].CommTwait(signal, 5, WaitCmpEq); ruleOf(err) != "time-limit" && ruleOf(err) != "deadlock" {
		t.Fatal(err)
	}
	if _, err := ctx.NewWorld(65, 1); ruleOf(err) != "ranks" {
		t.Fatal(err)
	}
}

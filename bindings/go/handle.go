package pto

// Shared by all handles: the lifetime of their native objects.

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// handle is a native object and the calls that use it now. It is freed once, when it is closed and no
// call uses it, so that a goroutine may close what another one computes with.
type handle struct {
	p     uintptr
	state atomic.Int64 // how many calls; plus alone while one changes it; plus closed once it is
	bytes int64        // its memory that the collector does not see
	free  func(uintptr)
	// What an instruction or a program was given; all of it, and by what it was given under.
	operands []*operand
	keys     map[any]*operand
}

// newHandle owns a native object: it is freed by close, or by the collector when no copy of the handle is left.
func newHandle(p uintptr, free func(uintptr)) *handle {
	h := &handle{p: p, free: free}
	runtime.SetFinalizer(h, func(h *handle) { h.close() })
	return h
}

const (
	closed = math.MinInt64
	alone  = 1 << 40
)

// add counts a call in: as 1, or as alone. What `barred` names must not be set; it is waited for, or
// false is returned. A closed handle is 0.
func (h *handle) add(count, barred int64, wait bool) (uintptr, bool) {
	for {
		s := h.state.Load()
		switch {
		case s < 0:
			return 0, true
		case s&barred == 0:
			if h.state.CompareAndSwap(s, s+count) {
				return h.p, true
			}
		case wait:
			runtime.Gosched()
		default:
			return 0, false
		}
	}
}

// held is add that waits, for a handle that may be nil.
func held(h *handle, count, barred int64) uintptr {
	if h == nil {
		return 0
	}
	p, _ := h.add(count, barred, true)
	return p
}

// drop counts a call out.
func (h *handle) drop(count int64) {
	if h.state.Add(-count) == closed {
		h.release()
	}
}

// close returns whether it was open.
func (h *handle) close() bool {
	for {
		s := h.state.Load()
		if s < 0 {
			return false
		}
		if h.state.CompareAndSwap(s, s+closed) {
			runtime.SetFinalizer(h, nil)
			if s == 0 {
				h.release()
			}
			return true
		}
	}
}

// operand is a handle that an instruction or a program was given. While a call runs that may reach
// it, no other call may change it.
type operand struct {
	h    *handle
	held atomic.Int32 // by how many calls of what it is an operand of
}

func (h *handle) holdOperands(p uintptr) {
	if p == 0 {
		return
	}
	for _, x := range h.operands {
		if held(x.h, 1, alone) != 0 {
			x.held.Add(1)
		} // else it is closed, and no call can change it
	}
}

func (h *handle) letOperands(p uintptr) {
	if p == 0 {
		return
	}
	for _, x := range h.operands {
		for n := x.held.Load(); n > 0; n = x.held.Load() {
			if x.held.CompareAndSwap(n, n-1) {
				x.h.drop(1)
				break
			}
		}
	}
}

// keep replaces what was given under a key, an index or the name of an argument, in a call that is alone.
func (h *handle) keep(key any, given *handle) {
	if x, known := h.keys[key]; known {
		x.h = given
		return
	}
	if h.keys == nil {
		h.keys = map[any]*operand{}
	}
	h.keys[key] = &operand{h: given}
	h.operands = append(h.operands, h.keys[key])
}

func (h *handle) isClosed() bool { return h.state.Load() < 0 }

func (h *handle) release() {
	h.free(h.p)
	native.live.Add(-h.bytes)
}

// native is the memory of tiles and tensors. The collector runs when there is twice as much as it
// left the last time, which is how it paces itself on Go's own memory.
var native struct {
	live, limit atomic.Int64
	collecting  sync.Mutex
}

const nativeFloor = 64 << 20

func init() { native.limit.Store(nativeFloor) }

func (h *handle) weigh(bytes int64) {
	h.bytes = bytes
	if native.live.Add(bytes) > native.limit.Load() && native.collecting.TryLock() {
		defer native.collecting.Unlock()
		collect()
		limit := 2 * native.live.Load()
		if limit < nativeFloor {
			limit = nativeFloor
		}
		native.limit.Store(limit)
	}
}

// collect has the finalizers of what is forgotten run. One goroutine runs them a batch at a time, a batch in
// any order: when the marker of a second batch has run, so has all of the first. A finalizer that calls this
// waits in vain.
func collect() {
	for batch := 0; batch < 2; batch++ {
		done := make(chan struct{})
		marker := &handle{free: func(uintptr) {}}
		runtime.SetFinalizer(marker, func(*handle) { close(done) })
		runtime.GC()
		select {
		case <-done:
		case <-time.After(time.Second):
		}
	}
}

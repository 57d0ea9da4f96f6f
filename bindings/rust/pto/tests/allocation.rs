//! Calls that succeed take no memory. A test of its own, because it replaces the allocator.
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use pto::{Context, DType, Flags, Profile};

struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: passes everything on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn counted(work: impl FnOnce()) -> u64 {
    let before = COUNT.with(Cell::get);
    work();
    COUNT.with(Cell::get) - before
}

#[test]
fn success_takes_no_memory() {
    let ctx = Context::new(Profile::CPU).expect("a context");
    let tile = ctx.tile(DType::F32, 8, 8).expect("a tile");
    let mut data = [2.0f32; 64];
    let calls = counted(|| {
        for _ in 0..1000 {
            tile.write(&ctx, &data).expect("write");
            ctx.tpow(&tile, &tile, &tile, None, Flags::NONE).expect("tpow");
            ctx.tpartadd(&tile, &tile, &tile, Flags::NONE).expect("tpartadd");
            tile.set_valid(&ctx, 8, 8).expect("set_valid");
            tile.read(&ctx, &mut data).expect("read");
            assert_eq!(tile.valid_bytes(), 256);
        }
    });
    assert_eq!(calls, 0);
    let failing = counted(|| assert!(ctx.tpow(&tile, &tile, &tile, None, Flags::from_raw(2)).is_err()));
    assert!(failing > 0, "the counter counts");
}

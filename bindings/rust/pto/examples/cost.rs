//! What three calls cost from Rust; bench/bindings.sh prints them beside the same calls from C and Go.
use std::hint::black_box;
use std::time::Instant;

use pto::{Context, DType, Flags, Profile};

fn measure(name: &str, calls: u32, mut call: impl FnMut()) {
    let mut best = f64::MAX;
    for _ in 0..200 {
        let start = Instant::now();
        for _ in 0..calls {
            call();
        }
        best = best.min(start.elapsed().as_nanos() as f64 / f64::from(calls));
    }
    println!("{name} {best:.2}");
}

fn main() -> pto::Result<()> {
    let ctx = Context::new(Profile::CPU)?;
    let (one, many) = (ctx.tile(DType::F32, 1, 1)?, ctx.tile(DType::F32, 64, 64)?);
    // Not at the same place of a page as the tile: that alone makes a copy slower.
    let page = vec![0.0f32; 64 * 64 + 256];
    let data = &page[256..];
    measure("empty", 20000, || assert!(black_box(&ctx).profile() == Profile::CPU));
    measure("tpow-1x1", 20000, || ctx.tpow(&one, &one, &one, None, Flags::NONE).expect("tpow"));
    measure("write-64x64", 1000, || many.write(&ctx, data).expect("write"));
    Ok(())
}

//! A million of everything, in `./dev test` some thousand, leaves no live handle. A test of its own, because the count is of the process.
use pto::{live_handles, Context, DType, Inst, Profile, TileBuilder};

#[test]
fn a_million_of_everything() {
    let times = if std::env::var_os("PTO_TEST_THOROUGH").is_some() { 1_000_000 } else { 20_000 };
    let before = live_handles();
    let ctx = Context::new(Profile::CPU).expect("a context");
    let mut data = [0.0f32; 4];
    for _ in 0..times {
        let tile = ctx.tile(DType::F32, 1, 4).expect("a tile");
        assert_eq!(live_handles(), before + 2);
        drop(tile);
    }
    for _ in 0..times {
        let tile = TileBuilder::new(DType::F32, 1, 4).wrap(&ctx, &mut data).expect("a tile");
        assert!(TileBuilder::new(DType::F32, 0, 4).build(&ctx).is_err());
        let mut inst = Inst::new(&ctx, "tpow").expect("tpow");
        inst.set_tile(&ctx, 0, Some(&tile)).expect("operand");
    }
    for _ in 0..times / 10 {
        let other = Context::new(Profile::A5).expect("a context");
        TileBuilder::new(DType::F32, 1, 8).on_chip(&other).expect("a tile").assign(0).expect("an address");
    }
    drop(ctx);
    assert_eq!(live_handles(), before);
}

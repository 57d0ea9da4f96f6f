//! The crate's own promises: typed data, errors, sharing of memory, threads.
use half::{bf16, f16};
use pto::{
    BLayout, Compact, Context, DType, Flags, Inst, Location, Op, Pad, PrintFormat, Profile, Role, SLayout, Status,
    Tensor, TensorBuilder, TileBuilder,
};

fn cpu() -> Context {
    Context::new(Profile::CPU).expect("a context")
}

fn round_trip<T: pto::Element + PartialEq + core::fmt::Debug>(ctx: &Context, values: [T; 4]) {
    let tile = ctx.tile(T::DTYPE, 2, 2).expect("a tile");
    tile.write(ctx, &values).expect("write");
    assert_eq!(tile.to_vec::<T>(ctx).expect("read"), values);
    let mut back = [values[3]; 4];
    tile.read(ctx, &mut back).expect("read");
    assert_eq!(back, values);
}

#[test]
fn every_element_type_comes_back() {
    let ctx = cpu();
    round_trip(&ctx, [i8::MIN, -1, 0, i8::MAX]);
    round_trip(&ctx, [u8::MIN, 1, 2, u8::MAX]);
    round_trip(&ctx, [i16::MIN, -1, 0, i16::MAX]);
    round_trip(&ctx, [u16::MIN, 1, 2, u16::MAX]);
    round_trip(&ctx, [i32::MIN, -1, 0, i32::MAX]);
    round_trip(&ctx, [u32::MIN, 1, 2, u32::MAX]);
    round_trip(&ctx, [i64::MIN, -1, 0, i64::MAX]);
    round_trip(&ctx, [u64::MIN, 1, 2, u64::MAX]);
    round_trip(&ctx, [f16::MIN, f16::NEG_ZERO, f16::ONE, f16::INFINITY]);
    round_trip(&ctx, [bf16::MIN, bf16::NEG_ZERO, bf16::ONE, bf16::INFINITY]);
    round_trip(&ctx, [f32::MIN, -0.5, 1.0, f32::INFINITY]);
    round_trip(&ctx, [0x00, 0x80, 0x38, 0x7e].map(pto::Float8E4M3));
    round_trip(&ctx, [0x00, 0x80, 0x3c, 0x7c].map(pto::Float8E5M2));
    round_trip(&ctx, [0x00, 0x80, 0x08, 0x6f].map(pto::HiFloat8));
    round_trip(&ctx, [0x00, 0x80, 0x7f, 0xff].map(pto::Float8E8M0));
}

#[test]
fn packed_types_have_two_elements_a_byte() {
    let ctx = cpu();
    let tile = ctx.tile(DType::I4, 2, 8).expect("a tile");
    tile.set_valid(&ctx, 2, 3).expect("set_valid");
    tile.write(&ctx, &[0x5d, 0xf7, 0x18, 0x0a].map(pto::Int4x2)).expect("write");
    // -3 5 7 and -8 1 -6; the rest of the byte after them is not an element.
    assert_eq!(tile.to_vec::<pto::Int4x2>(&ctx).expect("read"), [0x5d, 0x07, 0x18, 0x0a].map(pto::Int4x2));
    let numbers = ctx.tile(DType::F16, 2, 3).expect("a tile");
    ctx.tcvt(&numbers, &tile, None, pto::Round::RINT, pto::Sat::OFF, Flags::NONE).expect("tcvt");
    assert_eq!(numbers.to_vec::<f16>(&ctx).expect("read"), [-3.0, 5.0, 7.0, -8.0, 1.0, -6.0].map(f16::from_f32));
    let floats = ctx.tile(DType::E2M1, 1, 4).expect("a tile");
    let small = ctx.tile(DType::E1M2, 1, 4).expect("a tile");
    floats.write(&ctx, &[0x21, 0xcf].map(pto::Float4E2M1x2)).expect("write");
    ctx.tcvt(&small, &floats, None, pto::Round::RINT, pto::Sat::OFF, Flags::NONE).expect("tcvt");
    // 0.5 1 -6 -2 where 1.75 is the largest number.
    assert_eq!(small.to_vec::<pto::Float4E1M2x2>(&ctx).expect("read"), [0x42, 0xff].map(pto::Float4E1M2x2));
    let tensor = Tensor::new(&ctx, DType::E2M1, &[2, 2]).expect("a tensor");
    tensor.write(&ctx, &[0x21, 0x43].map(pto::Float4E2M1x2)).expect("write");
    assert_eq!(tensor.to_vec::<pto::Float4E2M1x2>(&ctx).expect("read").len(), 2);
    let error = tile.write(&ctx, &[0_u8; 4]).expect_err("bytes are not packed elements");
    assert_eq!(error.rule(), "element-type");
    assert_eq!(ctx.tile(DType::I4, 2, 7).expect_err("an odd row").rule(), "half-byte");
}

#[test]
fn geometry_is_what_was_asked_for() {
    let ctx = cpu();
    let tile = TileBuilder::new(DType::F16, 32, 48)
        .valid(30, 40)
        .location(Location::MAT)
        .layout(BLayout::COL_MAJOR, SLayout::ROW_MAJOR)
        .fractal(1024)
        .pad(Pad::MAX)
        .build(&ctx)
        .expect("a tile");
    assert_eq!((tile.rows(), tile.cols(), tile.valid_rows(), tile.valid_cols()), (32, 48, 30, 40));
    assert_eq!((tile.dtype(), tile.location(), tile.pad()), (DType::F16, Location::MAT, Pad::MAX));
    assert_eq!((tile.blayout(), tile.slayout(), tile.fractal()), (BLayout::COL_MAJOR, SLayout::ROW_MAJOR, 1024));
    tile.set_valid(&ctx, 1, pto::sys::PTO_VALID_ALL).expect("set_valid");
    assert_eq!((tile.valid_rows(), tile.valid_cols(), tile.valid_bytes()), (1, 48, 96));
}

#[test]
fn any_number_is_a_scalar() {
    let ctx = cpu();
    let fill = |dtype, scalar: pto::Scalar| {
        let tile = ctx.tile(dtype, 1, 1).expect("a tile");
        ctx.texpands(&tile, scalar, Flags::NONE).map(|()| tile)
    };
    let f32s = [7i8.into(), 7u8.into(), 7u16.into(), 7i64.into(), 7usize.into(), 7.0f32.into(), half::f16::from_f32(7.0).into()];
    for scalar in f32s {
        assert_eq!(fill(DType::F32, scalar).expect("7").to_vec::<f32>(&ctx).expect("read"), [7.0]);
    }
    let exact = i64::MIN + 1;
    assert_eq!(fill(DType::I64, exact.into()).expect("exact").to_vec::<i64>(&ctx).expect("read"), [exact]);
    assert_eq!(fill(DType::U64, u64::MAX.into()).expect("exact").to_vec::<u64>(&ctx).expect("read"), [u64::MAX]);
    let bits = fill(DType::F32, pto::Scalar::from_bits(0x7fc00001)).expect("bits").to_vec::<f32>(&ctx).expect("read");
    assert_eq!(bits[0].to_bits(), 0x7fc00001);
    for (dtype, scalar) in [(DType::I64, u64::MAX.into()), (DType::I64, 2.5.into()), (DType::U64, (-1).into())] {
        assert_eq!(fill(dtype, scalar).map(|_| ()).expect_err("out of range").rule(), "scalar-range");
    }
}

#[test]
fn errors_carry_the_library_text() {
    let ctx = cpu();
    let (a, b) = (ctx.tile(DType::F32, 2, 2).expect("a"), ctx.tile(DType::F32, 2, 1).expect("b"));
    let error = ctx.tpow(&a, &a, &b, None, Flags::NONE).expect_err("shapes differ");
    assert_eq!((error.status(), error.rule(), error.operand()), (Status::SHAPE, "valid-covers", "exp"));
    assert!(error.message().contains("2x1") && error.message().starts_with("tpow: "), "{error}");
    assert!(!error.remedy().is_empty());
    assert_eq!(error.to_string(), format!("{} [valid-covers]", error.message()));
    assert_eq!(error.status().name(), "PTO_ERROR_SHAPE");
    let error = ctx.tile(DType::F32, 0, 2).expect_err("no rows");
    assert_eq!((error.status(), error.rule()), (Status::ARGUMENT, "tile-shape"));
    let error = ctx.tile(DType::from_raw(77), 1, 1).expect_err("no such type");
    assert_eq!(error.rule(), "dtype-known");
}

#[test]
fn wrong_data_is_refused_and_changes_nothing() {
    let ctx = cpu();
    let tile = ctx.tile(DType::F32, 2, 2).expect("a tile");
    let values = [1.0f32, 2.0, 3.0, 4.0];
    tile.write(&ctx, &values).expect("write");
    for bad in [&values[..3], &[0.0f32; 5]] {
        let error = tile.write(&ctx, bad).expect_err("wrong length");
        assert_eq!((error.status(), error.rule()), (Status::ARGUMENT, "byte-count"));
    }
    let error = tile.write(&ctx, &[7i32; 4]).expect_err("wrong type");
    assert_eq!((error.status(), error.rule(), error.operand()), (Status::DTYPE, "element-type", "dtype"));
    assert!(error.message().contains("i32") && error.message().contains("f32"), "{error}");
    assert_eq!(tile.to_vec::<i32>(&ctx).expect_err("wrong type").rule(), "element-type");
    let mut short = [9.0f32; 3];
    assert_eq!(tile.read(&ctx, &mut short).expect_err("wrong length").rule(), "byte-count");
    assert_eq!(short, [9.0; 3], "a failing read leaves the slice as it was");
    assert!(ctx.tpow(&tile, &tile, &tile, None, Flags::from_raw(64)).is_err());
    assert_eq!(tile.to_vec::<f32>(&ctx).expect("read"), values);
}

#[test]
fn on_chip_tiles_share_their_elements() {
    let ctx = cpu();
    let first = TileBuilder::new(DType::F32, 1, 8).on_chip(&ctx).expect("a tile");
    let second = TileBuilder::new(DType::I32, 1, 8).on_chip(&ctx).expect("a tile");
    let error = first.write(&ctx, &[1.0f32; 8]).expect_err("no address yet");
    assert_eq!((error.status(), error.rule()), (Status::ADDRESS, "storage"));
    first.assign(64).expect("address");
    second.assign(64).expect("address");
    first.write(&ctx, &[1.0f32; 8]).expect("write");
    assert_eq!(second.to_vec::<i32>(&ctx).expect("read"), [0x3f80_0000; 8]);
    assert_eq!(first.assign(33).expect_err("unaligned").rule(), "address-alignment");
    assert_eq!(first.assign(1 << 40).expect_err("too far").rule(), "address-range");
}

#[test]
fn on_chip_memory_is_as_large_as_asked() {
    let mut ctx = cpu();
    assert_eq!(ctx.capacity(Location::VEC), 1 << 30);
    assert_eq!(ctx.limit_on_chip(0).expect_err("none").rule(), "limit");
    ctx.limit_on_chip(1 << 33).expect("a limit");
    let tile = TileBuilder::new(DType::F32, 1, 8).on_chip(&ctx).expect("a tile");
    tile.assign((1 << 33) - 32).expect("the last place");
    assert_eq!(tile.assign(1 << 33).expect_err("too far").rule(), "address-range");
    assert_eq!(Context::new(Profile::A5).expect("a context").limit_on_chip(64).expect_err("hardware").rule(), "on-chip-limit");
}

#[test]
fn pads_of_ones_own_and_packed_tiles() {
    let ctx = cpu();
    let src = TileBuilder::new(DType::U16, 2, 3).valid(1, 2).build(&ctx).expect("src");
    let dst = TileBuilder::new(DType::U16, 2, 3).pad_bits(0x1234_5678).build(&ctx).expect("dst");
    ctx.tfillpad(&dst, &src, Flags::NONE).expect("tfillpad");
    let mut all = [0u16; 6];
    dst.read(&ctx, &mut all).expect("read");
    assert_eq!(all, [0, 0, 0x5678, 0x5678, 0x5678, 0x5678]);
    assert_eq!((dst.pad(), dst.pad_bits()), (Pad::CUSTOM, 0x1234_5678));
    let packed = TileBuilder::new(DType::F32, 32, 16)
        .layout(BLayout::COL_MAJOR, SLayout::ROW_MAJOR)
        .compact(Compact::NORMAL)
        .build(&ctx)
        .expect("a tile");
    assert_eq!(packed.compact(), Compact::NORMAL);
}

#[test]
fn what_is_printed_is_read() {
    let ctx = cpu();
    let tile = ctx.tile(DType::I32, 1, 2).expect("a tile");
    tile.write(&ctx, &[7i32, -8]).expect("write");
    ctx.tprint(&tile, PrintFormat::WIDTH8_PRECISION4).expect("tprint");
    let first = ctx.output();
    ctx.print("end\0lost").expect("print");
    assert_eq!(first, "TPRINT 1x2\n       7       -8\n");
    assert_eq!(ctx.output(), first + "end");
    ctx.clear_output();
    assert_eq!(ctx.output(), "");
    assert_eq!(ctx.tprint(&tile, PrintFormat::from_raw(3)).expect_err("no format").rule(), "mode");
}

#[test]
fn wrapped_slices_are_computed_in_place() {
    let ctx = cpu();
    let mut data = [2.0f32, 3.0, 4.0];
    let exp = ctx.tile(DType::F32, 1, 3).expect("exp");
    exp.write(&ctx, &[2.0f32; 3]).expect("write");
    let tile = TileBuilder::new(DType::F32, 1, 3).wrap(&ctx, &mut data).expect("wrap");
    ctx.tpow(&tile, &tile, &exp, None, Flags::HIGH_PRECISION).expect("tpow");
    drop(tile);
    assert_eq!(data, [4.0, 9.0, 16.0]);
    let error = TileBuilder::new(DType::F32, 1, 4).wrap(&ctx, &mut data).expect_err("too short");
    assert_eq!(error.rule(), "wrap-bytes");
    let error = TileBuilder::new(DType::I32, 1, 3).wrap(&ctx, &mut data).expect_err("wrong type");
    assert_eq!((error.rule(), error.status()), ("element-type", Status::DTYPE));
}

#[test]
fn views_share_elements() {
    let ctx = cpu();
    let tile = ctx.tile(DType::F32, 4, 8).expect("a tile");
    let corner = tile.view(&ctx, 2, 6, 2, 2).expect("a view");
    corner.write(&ctx, &[1.0f32, 2.0, 3.0, 4.0]).expect("write");
    let all = tile.to_vec::<f32>(&ctx).expect("read");
    assert_eq!((&all[22..24], &all[30..32]), (&[1.0f32, 2.0][..], &[3.0f32, 4.0][..]));
    assert_eq!(tile.view(&ctx, 3, 0, 2, 2).expect_err("too far").rule(), "view-range");
    let bits = tile.reshape(&ctx, TileBuilder::new(DType::I32, 2, 16)).expect("the same bytes");
    assert_eq!(bits.to_vec::<i32>(&ctx).expect("read")[22], 0x3f80_0000);
}

#[test]
fn tensors_move_to_tiles_and_back() {
    let ctx = cpu();
    let mut memory: Vec<i16> = (0..24).collect();
    let shape = TensorBuilder::new(DType::I16, &[4, 6]);
    let tensor = shape.wrap(&ctx, &mut memory).expect("a tensor");
    assert_eq!((tensor.rank(), tensor.dim(1), tensor.stride(0), tensor.bytes()), (2, 6, 6, 48));
    let window = tensor.view(&ctx, TensorBuilder::new(DType::I16, &[2, 3]).strides(&[6, 1]), 7).expect("a window");
    let tile = ctx.tile(DType::I16, 2, 3).expect("a tile");
    ctx.tload(&tile, &window, Flags::NONE).expect("tload");
    assert_eq!(tile.to_vec::<i16>(&ctx).expect("read"), [7, 8, 9, 13, 14, 15]);
    tile.write(&ctx, &[-1i16; 6]).expect("write");
    ctx.tstore(&window, &tile, Flags::NONE).expect("tstore");
    assert_eq!(window.to_vec::<i16>(&ctx).expect("read"), [-1; 6]);
    assert_eq!(window.write(&ctx, &[0u16; 6]).expect_err("wrong type").rule(), "element-type");
    assert_eq!(window.write(&ctx, &[0i16; 5]).expect_err("wrong length").rule(), "byte-count");
    let error = Tensor::new(&ctx, DType::I16, &[1; 6]).expect_err("six dimensions");
    assert_eq!(error.rule(), "tensor-rank");
    let odd = TensorBuilder::new(DType::I16, &[2, 3]).strides(&[1]).build(&ctx).expect_err("one stride");
    assert_eq!(odd.rule(), "tensor-stride");
    drop(window);
    drop(tensor);
    assert_eq!(memory[7..10], [-1; 3]);
}

#[test]
fn instructions_as_objects() {
    let ctx = cpu();
    let (dst, base) = (ctx.tile(DType::I32, 1, 2).expect("dst"), ctx.tile(DType::I32, 1, 2).expect("base"));
    base.write(&ctx, &[3i32, -2]).expect("write");
    let mut inst = Inst::new(&ctx, "tpow").expect("tpow");
    assert_eq!(inst.op(), Op::TPOW);
    for (index, tile) in [(0, &dst), (1, &base), (2, &base)] {
        inst.set_tile(&ctx, index, Some(tile)).expect("operand");
    }
    inst.set_int(&ctx, 4, 0).expect("flags");
    inst.check(&ctx).expect("legal");
    inst.run(&ctx).expect("run");
    assert_eq!(dst.to_vec::<i32>(&ctx).expect("read"), [27, 0]);
    assert_eq!(inst.set_tile(&ctx, 9, None).expect_err("no operand").rule(), "operand-index");
    assert_eq!(inst.set_float(&ctx, 4, 0.5).expect_err("no float").rule(), "operand-kind");
    assert_eq!(Inst::new(&ctx, "tnone").expect_err("unknown").rule(), "unknown-instruction");
    assert_eq!(Inst::new(&ctx, "tp\0w").expect_err("unknown").rule(), "unknown-instruction");
}

#[test]
fn the_library_tells_what_it_knows() {
    assert_eq!(pto::version(), 100 * pto::sys::PTO_VERSION_MINOR + 10000 * pto::sys::PTO_VERSION_MAJOR);
    assert!(pto::targets().any(|target| target.supported));
    let ops: Vec<Op> = Op::all().collect();
    assert!(ops.contains(&Op::TRSQRT) && ops.len() >= 6);
    assert_eq!(Op::find("tpow"), Some(Op::TPOW));
    assert_eq!(Op::find("tnone"), None);
    assert_eq!((Op::TPOW.name(), Op::from_raw(1 << 20).name()), (Some("tpow"), None));
    assert_eq!(Op::TPOW.operand_role(3), Some(Role::TMP));
    assert_eq!(Op::TPOW.operand_role(9), None);
    assert_eq!(Op::TPOW.flags(), Flags::HIGH_PRECISION);
    assert!(Op::TPOW.supports(Profile::CPU, DType::F16, Flags::NONE));
    assert!(!Op::TPOW.supports(Profile::A2A3, DType::F16, Flags::NONE));
    assert_eq!((DType::BF16.name(), DType::BF16.bytes()), ("bf16", 2));
    assert_eq!(format!("{:?} {:?}", DType::BF16, Flags::from_raw(2)), "BF16 Flags(2)");
}

#[test]
fn contexts_that_cannot_be_made() {
    let error = Context::with_target(Profile::CPU, "ABACUS").expect_err("no such target");
    assert_eq!((error.status(), error.rule()), (Status::UNKNOWN, "target"));
    assert!(error.message().contains("ABACUS"), "{error}");
    assert_eq!(Context::new(Profile::from_raw(9)).expect_err("no such profile").rule(), "profile");
    let best = pto::targets().find(|target| target.supported).expect("a target").name;
    assert_eq!(Context::with_target(Profile::A5, best).expect("a context").target(), best);
}

/// Each thread's errors are its own context's; tiles made here are used there.
#[test]
fn threads_have_their_own_errors() {
    std::thread::scope(|scope| {
        for cols in 1..=8 {
            let ctx = cpu();
            let tile = ctx.tile(DType::F32, 1, cols).expect("a tile");
            scope.spawn(move || {
                let own = cpu();
                for _ in 0..1000 {
                    let error = tile.write(&ctx, &[0.0f32; 9]).expect_err("wrong length");
                    assert!(error.message().contains(&format!("1x{cols} ")), "{error}");
                    let error = own.trsqrt(&tile, &tile, None, Flags::from_raw(1 << cols)).expect_err("flags");
                    assert_eq!(error.rule(), "flags");
                }
                tile.write(&own, &vec![4.0f32; cols as usize]).expect("a tile belongs to no context");
                own.trsqrt(&tile, &tile, None, Flags::NONE).expect("trsqrt");
                assert_eq!(tile.to_vec::<f32>(&ctx).expect("read"), vec![0.5; cols as usize]);
            });
        }
    });
}

#[test]
fn remedies_are_of_rust() {
    let ctx = cpu();
    let (tile, narrow) = (ctx.tile(DType::F32, 2, 2).expect("a tile"), ctx.tile(DType::F32, 2, 1).expect("a tile"));
    let error = ctx.tpow(&tile, &tile, &narrow, None, Flags::NONE).expect_err("shapes");
    assert_eq!(error.remedy(), "Widen the valid regions of the sources with Tile::set_valid.");
    let error = tile.set_valid(&ctx, 9, 9).expect_err("range");
    assert!(error.message().starts_with("Tile::set_valid: "), "{error}");
    assert_eq!(ctx.tile(DType::from_raw(99), 1, 1).expect_err("type").remedy(), "Use one of the DType values.");
}

/// What each handle shows of itself.
#[test]
fn handles_have_debug() {
    let ctx = cpu();
    let tile = ctx.tile(DType::F32, 2, 3).expect("a tile");
    let tensor = Tensor::new(&ctx, DType::I16, &[4, 6]).expect("a tensor");
    let inst = Inst::new(&ctx, "tpow").expect("tpow");
    let program = pto::Program::parse(&ctx, "%d = tpow %a\n", None).expect("read");
    for (shown, wanted) in [
        (format!("{ctx:?}"), &["Context", "CPU"][..]),
        (format!("{tile:?}"), &["Tile", "F32", "2", "3"]),
        (format!("{tensor:?}"), &["Tensor", "I16", "4", "6"]),
        (format!("{inst:?}"), &["Inst", "TPOW"]),
        (format!("{program:?}"), &["Program"]),
    ] {
        assert!(wanted.iter().all(|part| shown.contains(part)), "{shown}");
    }
}

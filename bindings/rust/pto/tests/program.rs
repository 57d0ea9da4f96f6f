//! PTO-AS programs through the safe crate: what is bound, what a run returns, what is refused.
use pto::{
    ArgKind, Context, DType, EventField, EventPart, Form, Profile, Program, Record, Status, Tensor, TensorBuilder,
};

/// y = x + x, and n times more; the tile of the last sum stays.
const SUMS: &str = "\
module attributes {pto.target_arch = \"a5\"} {
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
";

fn cpu() -> Context {
    Context::new(Profile::CPU).expect("a context")
}

fn parse<'t>(ctx: &Context, text: &str) -> Program<'t> {
    Program::parse(ctx, text, Some("test.pto")).expect("a program")
}

#[test]
fn a_program_computes_on_the_callers_memory() {
    let ctx = cpu();
    let mut memory: Vec<f32> = (0..32).map(|index| index as f32).collect();
    let (from, to) = memory.split_at_mut(16);
    {
        let shape = TensorBuilder::new(DType::F32, &[2, 8]);
        let (x, y) = (shape.wrap(&ctx, from).expect("x"), shape.wrap(&ctx, to).expect("y"));
        let mut program = parse(&ctx, SUMS);
        program.check(&ctx).expect("a program without faults");
        program.lint(&ctx, None).expect("advice is not an error");
        assert_eq!(program.lint(&ctx, Some("nothing")).expect_err("refused").rule(), "lint-check");
        program.bind_tensor(&ctx, "x", Some(&x)).expect("by name");
        program.bind_tensor(&ctx, "1", Some(&y)).expect("by position");
        program.bind_int(&ctx, "n", 3).expect("an integer");
        program.record(&ctx, Record::TILES, 1 << 20).expect("recorded");
        program.run(&ctx, Some("sums")).expect("run");
        assert_eq!(y.to_vec::<f32>(&ctx).expect("read")[15], 8.0 * 15.0);
        assert!(program.steps() > 3 && program.diagnostics().next().is_none());
        assert!(program.trace(&ctx).expect("a trace").contains("tpartadd"));
        assert!(program.report(&ctx).expect("a page").starts_with("<!doctype html>"));
        let fields = EventField::TILES.raw() as usize + 1;
        let mut events = vec![0; program.event_count(EventPart::EVENTS) as usize * fields * 8];
        program.read_events(&ctx, EventPart::EVENTS, 0, fields as i32, &mut events).expect("events");
        assert_eq!((program.events_lost(), events[EventField::COLS.raw() as usize * 8]), (0, 8));
        assert_eq!(
            program.read_events(&ctx, EventPart::TILES, 0, 0, &mut []).expect_err("no fields").rule(),
            "operand-value"
        );
        assert_eq!(program.tile_names().collect::<Vec<_>>(), ["t"]);
        let t = program.tile(&ctx, "t").expect("the tile of the run");
        assert_eq!((t.rows(), t.cols(), t.to_vec::<f32>(&ctx).expect("read")[1]), (2, 8, 8.0));
        assert_eq!(program.tile(&ctx, "u").expect_err("no such value").rule(), "argument-name");
    }
    assert_eq!(memory[16..24], [0.0, 8.0, 16.0, 24.0, 32.0, 40.0, 48.0, 56.0]);
    assert_eq!(memory[..3], [0.0, 1.0, 2.0]);
}

/// The rule that a run breaks, which the last diagnostic has, too.
fn refusal<'t>(program: &mut Program<'t>, ctx: &'t Context) -> String {
    let error = program.run(ctx, None).expect_err("what is bound does not fit");
    let last = program.diagnostics().last().expect("a diagnostic");
    assert_eq!((last.error, last.rule), (true, error.rule()), "{last}");
    error.rule().to_owned()
}

#[test]
fn bindings_that_do_not_fit_are_refused() {
    let ctx = cpu();
    let tensor = |dtype, dims: &[i64]| Tensor::new(&ctx, dtype, dims).expect("a tensor");
    let (x, y) = (tensor(DType::F32, &[2, 8]), tensor(DType::F32, &[2, 8]));
    let (halves, short) = (tensor(DType::F16, &[2, 8]), tensor(DType::F32, &[2, 7]));
    let tile = ctx.tile(DType::F32, 2, 8).expect("a tile");
    x.write(&ctx, &[1.0f32; 16]).expect("write");
    let mut program = parse(&ctx, SUMS);
    program.bind_tensor(&ctx, "x", Some(&x)).expect("bound");
    program.bind_int(&ctx, "n", 1).expect("bound");
    assert_eq!(refusal(&mut program, &ctx), "unbound-argument");
    for wrong in [&halves, &short] {
        program.bind_tensor(&ctx, "y", Some(wrong)).expect("shows when it runs");
        assert_eq!(refusal(&mut program, &ctx), "argument-type");
    }
    program.bind_tile(&ctx, "y", Some(&tile)).expect("shows when it runs");
    assert_eq!(refusal(&mut program, &ctx), "argument-kind");
    program.bind_tensor(&ctx, "y", Some(&y)).expect("bound");
    program.bind_float(&ctx, "n", 0.5).expect("shows when it runs");
    assert_eq!(refusal(&mut program, &ctx), "argument-kind");
    program.bind_int(&ctx, "n", 1).expect("bound");
    for unknown in ["m", "x\0", "3"] {
        program.bind_tensor(&ctx, unknown, Some(&x)).expect("shows when it runs");
        assert_eq!(refusal(&mut program, &ctx), "argument-name");
        program.bind_tensor(&ctx, unknown, None).expect("taken back");
    }
    assert_eq!(y.to_vec::<f32>(&ctx).expect("read"), [0.0; 16], "nothing ran");
    program.run(&ctx, None).expect("run");
    assert_eq!(y.to_vec::<f32>(&ctx).expect("read"), [2.0; 16]);
    assert_eq!(program.run(&ctx, Some("none")).expect_err("no such function").rule(), "unknown-entry");
    program.limit_steps(&ctx, 2).expect("a limit");
    assert_eq!(refusal(&mut program, &ctx), "step-limit");
    assert_eq!(program.set_blocks(&ctx, 0).expect_err("no block").rule(), "blocks");
    assert_eq!(program.limit_bytes(&ctx, -1).expect_err("fewer than none").rule(), "limit");
}

#[test]
fn bare_statements_take_tiles() {
    let ctx = cpu();
    let (base, exp) = (ctx.tile(DType::I32, 1, 3).expect("base"), ctx.tile(DType::I32, 1, 3).expect("exp"));
    base.write(&ctx, &[2i32, 3, -5]).expect("write");
    exp.write(&ctx, &[10i32, 3, 1]).expect("write");
    let mut program = parse(&ctx, "%d = tpow %base, %exp, %exp : !pto.tile<...>\n");
    for (name, tile) in [("base", &base), ("exp", &exp)] {
        program.bind_tile(&ctx, name, Some(tile)).expect("bound");
    }
    program.run(&ctx, None).expect("run");
    let d = program.tile(&ctx, "d").expect("the result");
    assert_eq!(d.to_vec::<i32>(&ctx).expect("read"), [1024, 27, -5]);
}

#[test]
fn programs_tell_what_they_take() {
    let ctx = cpu();
    let mut program = parse(&ctx, SUMS);
    assert_eq!((program.entry(), program.profile()), (Some("sums"), Some(Profile::A5)));
    let args = program.args(None).expect("the entry's");
    assert_eq!(args.iter().map(|arg| arg.name).collect::<Vec<_>>(), ["x", "y", "n"]);
    assert_eq!((args[0].kind, args[0].dtype, args[0].optional), (ArgKind::TENSOR, Some(DType::F32), false));
    assert_eq!((args[2].kind, args[2].dtype), (ArgKind::INT, None));
    assert_eq!(program.args(Some("none")), None);
    assert_eq!(program.arg_tile(&ctx, None, 0).expect_err("a tensor").rule(), "argument-kind");
    assert_eq!(program.arg_tile(&ctx, None, 9).expect_err("no argument").rule(), "argument-name");
    assert!(program.print(&ctx, Form::SSA).expect("text").contains("pto.tpartadd"));
    assert_eq!(program.print(&ctx, Form::from_raw(9)).expect_err("no form").rule(), "operand-value");

    let scaled = parse(&ctx, "func.func @scale(%t: !pto.tile_buf<vec, 4x8xf16>) {\n  return\n}\n");
    assert_eq!(scaled.profile(), None);
    let tile = scaled.arg_tile(&ctx, None, 0).expect("a tile of that type");
    assert_eq!((tile.dtype(), tile.rows(), tile.cols()), (DType::F16, 4, 8));
    let mut bound = parse(&ctx, "func.func @scale(%t: !pto.tile_buf<vec, 4x8xf16>) {\n  return\n}\n");
    bound.bind_tile(&ctx, "t", Some(&tile)).expect("bound");
    bound.run(&ctx, None).expect("run");
}

#[test]
fn programs_tell_what_is_wrong() {
    let ctx = cpu();
    let mut program = parse(&ctx, "%a = trsqrt %b\n%d = = tpow %a\n");
    let first = program.diagnostics().next().expect("a diagnostic");
    assert_eq!((first.error, first.line, first.column), (true, 2, 6));
    let (line, carets) = first.excerpt.split_once('\n').expect("two lines");
    assert!(line.contains("%d = = tpow %a") && carets.contains('^'), "{}", first.excerpt);
    let told = first.to_string();
    let head = format!("test.pto:2:6: error: {} [{}]\n", first.message, first.rule);
    assert!(told.starts_with(&head) && told.contains(first.excerpt) && told.contains(first.remedy), "{told}");
    assert_eq!(program.check(&ctx).expect_err("refused").status(), Status::PROGRAM);
    assert_eq!(program.run(&ctx, None).expect_err("refused").rule(), "program-errors");
    assert_eq!(program.print(&ctx, Form::KEEP).expect_err("refused").rule(), "program-errors");
    assert_eq!(format!("{:?}", parse(&ctx, "")), "Program { entry: None, args: None }");
}

#[test]
fn a_run_is_stopped_from_another_thread() {
    const ENDLESS: &str = "func.func @main() {\n %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n \
        %n = arith.constant 9000000000000000000 : index\n scf.for %i = %c0 to %n step %c1 {\n }\n return\n}\n";
    let ctx = cpu();
    let mut program = parse(&ctx, ENDLESS);
    program.limit_steps(&ctx, i64::MAX).expect("a limit");
    let stop = program.stop_handle();
    for _ in 0..20 {
        std::thread::scope(|scope| {
            scope.spawn(|| stop.stop());
            assert_eq!(refusal(&mut program, &ctx), "stopped");
        });
    }
    // Nothing of it is left for the next run.
    program.limit_time(&ctx, std::time::Duration::from_millis(5)).expect("a limit");
    assert_eq!(refusal(&mut program, &ctx), "time-limit");
    stop.stop();
    stop.clone().forget();
    assert_eq!(refusal(&mut program, &ctx), "time-limit");
    assert_eq!(program.limit_time(&ctx, std::time::Duration::ZERO).expect_err("no time").rule(), "limit");
    // The handle outlives what it stops.
    drop(program);
    stop.stop();
}

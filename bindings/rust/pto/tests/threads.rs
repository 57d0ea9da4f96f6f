//! Handles that are made, used and dropped on different threads. What the types forbid (a context or tile
//! on two threads at once, a tile dropped while a call uses it) is in the documentation tests; this
//! holds what they allow: moving. A test binary of its own, since it counts the handles of the process.
use std::sync::mpsc;
use std::time::{Duration, Instant};

use pto::{live_handles, Context, DType, Flags, Inst, Profile, Program, Tile};

#[test]
fn tiles_wander_between_threads() {
    let until = Instant::now() + Duration::from_secs(60);
    let mut moved = 0u64;
    std::thread::scope(|scope| {
        // A ring: each thread computes on what it gets and sends it on, with now and then the context too.
        let (first, mut from) = mpsc::channel::<(Tile, Option<Context>)>();
        let home = first.clone();
        let mut workers = Vec::new();
        for number in 0..4 {
            let (to, next) = mpsc::channel();
            let to = if number == 3 { home.clone() } else { to };
            let inbox = std::mem::replace(&mut from, next);
            workers.push(scope.spawn(move || {
                let own = Context::new(Profile::CPU).expect("a context");
                let mut count = 0u64;
                while let Ok((tile, ctx)) = inbox.recv_timeout(Duration::from_secs(2)) {
                    let used = ctx.as_ref().unwrap_or(&own);
                    used.tpartadd(&tile, &tile, &tile, Flags::NONE).expect("add");
                    used.tpow(&tile, &tile, &tile, None, Flags::from_raw(64)).expect_err("an unknown flag");
                    {
                        let mut inst = Inst::new(used, "tpartadd").expect("tpartadd");
                        (0..3).for_each(|index| inst.set_tile(used, index, Some(&tile)).expect("operand"));
                        inst.run(used).expect("run");
                        let mut program = Program::parse(used, "%d = tpartadd %a, %b\n", None).expect("read");
                        program.bind_tile(used, "a", Some(&tile)).expect("bind");
                        program.bind_tile(used, "b", Some(&tile)).expect("bind");
                        program.run(used, None).expect("run");
                    }
                    count += 1;
                    if Instant::now() > until || count > 500 {
                        continue; // dropped here, where it was not made
                    }
                    let tile = if count % 5 == 0 { used.tile(DType::F32, 16, 16).expect("a tile") } else { tile };
                    let _ = to.send((tile, ctx));
                }
                count
            }));
        }
        drop(home);
        for number in 0..8 {
            let ctx = Context::new(Profile::CPU).expect("a context");
            let tile = ctx.tile(DType::F32, 16, 16).expect("a tile");
            first.send((tile, (number % 2 == 0).then_some(ctx))).expect("a thread");
        }
        drop(first);
        drop(from);
        moved = workers.into_iter().map(|worker| worker.join().expect("no panic")).sum();
    });
    assert!(moved > 1000, "{moved}");
    assert_eq!(live_handles(), 0);
}

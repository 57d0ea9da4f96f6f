//! Replays ranks.txt, which tests/conformance/generate_ranks.c makes: calls between ranks, and the windows after them.
use std::collections::HashMap;

use pto::{
    Atomic, Context, DType, Group, Location, Notify, Profile, Reduce, Result, Tensor, TensorBuilder, TensorView, Tile,
    TileBuilder, WaitCmp, World,
};

mod common;
use common::said;

/// The operands of a call, by name.
struct Call<'a> {
    tensors: &'a HashMap<&'a str, TensorView<'a>>,
    tiles: &'a HashMap<&'a str, Tile>,
    group: Option<&'a Group<'a>>,
    words: &'a [&'a str],
}

impl Call<'_> {
    fn tensor(&self, at: usize) -> &Tensor {
        &self.tensors[self.words[at]]
    }
    fn tile(&self, at: usize) -> Option<&Tile> {
        self.tiles.get(self.words[at])
    }
    fn group(&self) -> &Group<'_> {
        self.group.expect("a group")
    }
    fn int(&self, at: usize) -> i32 {
        self.words[at].parse().expect("a number")
    }
    fn mode(&self, at: usize) -> u32 {
        self.words[at].parse().expect("a mode")
    }
}

/// The result of a call, as a word of the vectors.
fn call(ctx: &Context, name: &str, a: &Call<'_>) -> Result<String> {
    let none = |()| "-".to_owned();
    let truth = |holds: bool| i32::from(holds).to_string();
    match name {
        "comm_tput" => ctx.comm_tput(a.tensor(0), a.tensor(1), a.tile(2), a.tile(3), Atomic::from_raw(a.mode(4))).map(none),
        "comm_tget" => ctx.comm_tget(a.tensor(0), a.tensor(1), a.tile(2), a.tile(3)).map(none),
        "comm_tnotify" => ctx.comm_tnotify(a.tensor(0), a.int(1), Notify::from_raw(a.mode(2))).map(none),
        "comm_twait" => ctx.comm_twait(a.tensor(0), a.int(1), WaitCmp::from_raw(a.mode(2))).map(none),
        "ttest" => ctx.ttest(a.tensor(0), a.int(1), WaitCmp::from_raw(a.mode(2))).map(truth),
        "comm_tbroadcast" => ctx.comm_tbroadcast(a.group(), a.tensor(1), a.tile(2), a.tile(3)).map(none),
        "comm_tgather" => ctx.comm_tgather(a.tensor(0), a.group(), a.tile(2), a.tile(3)).map(none),
        "comm_tscatter" => ctx.comm_tscatter(a.group(), a.tensor(1), a.tile(2), a.tile(3)).map(none),
        "comm_treduce" => {
            ctx.comm_treduce(a.tensor(0), a.group(), a.tile(2), a.tile(3), a.tile(4), Reduce::from_raw(a.mode(5))).map(none)
        }
        "comm_allreduce" => ctx.comm_allreduce(a.group(), a.tile(1), a.tile(2), a.tile(3), Reduce::from_raw(a.mode(4))).map(none),
        "comm_allreduce_segment" => {
            ctx.comm_allreduce_segment(a.group(), a.tile(1), a.tile(2), a.tile(3), Reduce::from_raw(a.mode(4))).map(none)
        }
        "tput_async" => ctx.tput_async(a.tensor(0), a.tensor(1), a.int(2)).map(|event| event.to_string()),
        "tget_async" => ctx.tget_async(a.tensor(0), a.tensor(1), a.int(2)).map(|event| event.to_string()),
        "comm_wait_async_event" => ctx.comm_wait_async_event(a.int(0).into(), a.int(1)).map(none),
        "test_async_event" => ctx.test_async_event(a.int(0).into(), a.int(1)).map(truth),
        other => panic!("no function {other}"),
    }
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).expect("digits")).collect()
}

fn dtype(name: &str) -> DType {
    (0..32).map(DType::from_raw).find(|dtype| dtype.name() == name).unwrap_or_else(|| panic!("no type {name}"))
}

fn replay(name: &str, size: (i32, i64), before: &[Vec<u8>], lines: &[&str]) {
    let ctx = Context::new(Profile::CPU).expect("a context");
    let world = World::new(&ctx, size.0, size.1).expect("a world");
    let contexts: Vec<Context> = (0..size.0).map(|rank| world.context(&ctx, rank).expect("a context")).collect();
    let window = |rank| world.tensor(&ctx, rank, TensorBuilder::new(DType::U8, &[size.1]), 0).expect("a window");
    for rank in 0..size.0 {
        window(rank).write(&ctx, &before[rank as usize]).expect("write");
    }
    let mut after = before.to_vec();
    let split: Vec<Vec<&str>> = lines.iter().map(|line| line.split(' ').collect()).collect();
    let n = |words: &[&str], at: usize| words[at].parse::<i64>().expect("a number");
    let of = |key: &'static str| split.iter().filter(move |words| words[0] == key);
    let (mut views, mut tiles) = (HashMap::new(), HashMap::new());
    for words in of("tensor") {
        let shape = TensorBuilder::new(dtype(words[3]), &[n(words, 4), n(words, 5)]).strides(&[n(words, 6), 1]);
        views.insert(words[1], world.tensor(&ctx, n(words, 2) as i32, shape, n(words, 7)).expect("a tensor"));
    }
    for words in of("tile") {
        let location = Location::from_raw(n(words, 5) as u32);
        let tile = TileBuilder::new(dtype(words[2]), n(words, 3) as i32, n(words, 4) as i32).location(location);
        tiles.insert(words[1], tile.build(&ctx).expect("a tile"));
    }
    let mut group = None;
    for words in of("group") {
        let mut made = Group::new(&ctx, n(words, 2) as i32).expect("a group");
        for member in &words[3..] {
            made.add(&ctx, &views[member]).expect("a member");
        }
        group = Some(made);
    }
    let mut outcome = Ok(String::new());
    for (line, words) in lines.iter().zip(&split) {
        match words[0] {
            "call" => {
                let call_of = Call { tensors: &views, tiles: &tiles, group: group.as_ref(), words: &words[3..] };
                outcome = call(&contexts[n(words, 1) as usize], words[2], &call_of);
            }
            "want" => match &outcome {
                Ok(result) => assert_eq!(words[1..], ["0", "-", "-", result], "{name}"),
                Err(error) => {
                    let status = error.status().raw().to_string();
                    assert_eq!(words[1..], [&status, error.rule(), error.operand(), "-"], "{name}");
                }
            },
            "text" | "help" => {
                let error = outcome.as_ref().expect_err("an error");
                said(&line[5..], if words[0] == "text" { error.message() } else { error.remedy() }, name);
            }
            "after" => {
                let (data, at) = (bytes(words[3]), n(words, 2) as usize);
                after[n(words, 1) as usize][at..at + data.len()].copy_from_slice(&data);
            }
            _ => (),
        }
    }
    for rank in 0..size.0 {
        assert_eq!(window(rank).to_vec::<u8>(&ctx).expect("read"), after[rank as usize], "{name}: the window of rank {rank}");
    }
}

#[test]
fn every_vector() {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../build/tests/conformance/vectors.txt");
    let named = std::env::var("PTO_VECTORS");
    let path = std::path::Path::new(named.as_deref().unwrap_or(beside)).with_file_name("ranks.txt");
    let Ok(text) = std::fs::read_to_string(&path) else {
        // The published crate does not carry them.
        assert!(named.is_err(), "{} cannot be read", path.display());
        eprintln!("{} is not there: ./dev build makes it in the repository", path.display());
        return;
    };
    let (mut size, mut before, mut lines, mut name, mut count) = ((0, 0), Vec::new(), Vec::new(), "", 0);
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "world" => size = (words[1].parse().expect("ranks"), words[2].parse().expect("bytes")),
            "window" => before.push(bytes(words[2])),
            "case" => {
                name = words[1];
                lines.clear();
            }
            "end" => {
                replay(name, size, &before, &lines);
                count += 1;
            }
            _ => lines.push(line),
        }
    }
    assert!(count > 300, "{count} cases");
}

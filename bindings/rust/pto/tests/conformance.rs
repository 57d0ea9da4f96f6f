//! Replays vectors.txt, which tests/conformance/generate.c makes: inputs, expected bits and expected errors.
//! PTO_VECTORS names the file; without it the test looks in the build directory.
use std::collections::HashMap;

#[rustfmt::skip]
#[path = "generated/dispatch.rs"]
mod dispatch;

use pto::{
    BLayout, Context, DType, Float4E1M2x2, Float4E2M1x2, Float8E4M3, Float8E5M2, Float8E8M0, HiFloat8, Inst, Int4x2, Location,
    OnChipTile, Op, Profile, Role, SLayout, Scalar, ScalarKind, Tensor, Tile, TileBuilder,
};

mod common;
use common::said;

/// What an operand became, with the borrow that its kind needs.
enum Operand<'c> {
    Owned(Tile),
    OnChip(OnChipTile<'c>),
    Tensor(Tensor),
    Scalar(Scalar),
    Int(i32),
}

/// Operands by name; an absent one has none.
struct Operands<'c> {
    all: Vec<Operand<'c>>,
    by_name: HashMap<String, Option<usize>>,
}

impl Operands<'_> {
    fn get(&self, name: &str) -> Option<&Operand<'_>> {
        self.by_name[name].map(|at| &self.all[at])
    }
}

impl dispatch::Operands for Operands<'_> {
    fn tile(&self, name: &str) -> Option<&Tile> {
        match self.get(name)? {
            Operand::Owned(tile) => Some(tile),
            Operand::OnChip(tile) => Some(tile),
            _ => None,
        }
    }

    fn tensor(&self, name: &str) -> Option<&Tensor> {
        match self.get(name)? {
            Operand::Tensor(tensor) => Some(tensor),
            _ => None,
        }
    }

    fn scalar(&self, name: &str) -> Scalar {
        let Some(Operand::Scalar(scalar)) = self.get(name) else { panic!("{name} is not a scalar") };
        *scalar
    }

    fn int(&self, name: &str) -> i32 {
        let Some(Operand::Int(value)) = self.get(name) else { panic!("{name} is not an integer") };
        *value
    }
}

#[derive(Default)]
struct Case {
    head: Vec<String>,
    operands: Vec<Vec<String>>,
    want: Vec<String>,
    text: String,
    help: String,
    data: Vec<Vec<String>>,
}

fn cases(text: &str) -> Vec<Case> {
    let mut all = Vec::new();
    let mut case = Case::default();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
        let words = || line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        match key {
            "case" => case.head = words(),
            "tile" | "tensor" | "scalar" | "int" | "same" | "none" => case.operands.push(words()),
            "want" => case.want = words(),
            "text" => case.text = rest.to_owned(),
            "help" => case.help = rest.to_owned(),
            "data" => case.data.push(words()),
            "end" => all.push(std::mem::take(&mut case)),
            other => panic!("vectors.txt has a line that begins with {other}"),
        }
    }
    all
}

fn dtype(name: &str) -> DType {
    (0..32).map(DType::from_raw).find(|dtype| dtype.name() == name).unwrap_or_else(|| panic!("no type {name}"))
}

/// Moves hexadecimal elements through the typed calls of an element type.
macro_rules! by_type {
    ($dtype:expr, $action:ident($($arg:expr),*)) => {
        match $dtype {
            DType::I8 => $action::<i8, 1>($($arg,)* i8::from_le_bytes, i8::to_le_bytes),
            DType::U8 => $action::<u8, 1>($($arg,)* u8::from_le_bytes, u8::to_le_bytes),
            DType::I16 => $action::<i16, 2>($($arg,)* i16::from_le_bytes, i16::to_le_bytes),
            DType::U16 => $action::<u16, 2>($($arg,)* u16::from_le_bytes, u16::to_le_bytes),
            DType::I32 => $action::<i32, 4>($($arg,)* i32::from_le_bytes, i32::to_le_bytes),
            DType::U32 => $action::<u32, 4>($($arg,)* u32::from_le_bytes, u32::to_le_bytes),
            DType::I64 => $action::<i64, 8>($($arg,)* i64::from_le_bytes, i64::to_le_bytes),
            DType::U64 => $action::<u64, 8>($($arg,)* u64::from_le_bytes, u64::to_le_bytes),
            DType::F16 => $action::<half::f16, 2>($($arg,)* half::f16::from_le_bytes, half::f16::to_le_bytes),
            DType::BF16 => $action::<half::bf16, 2>($($arg,)* half::bf16::from_le_bytes, half::bf16::to_le_bytes),
            DType::F32 => $action::<f32, 4>($($arg,)* f32::from_le_bytes, f32::to_le_bytes),
            DType::E4M3 => $action::<Float8E4M3, 1>($($arg,)* |[code]| Float8E4M3(code), |x| [x.0]),
            DType::E5M2 => $action::<Float8E5M2, 1>($($arg,)* |[code]| Float8E5M2(code), |x| [x.0]),
            DType::HIF8 => $action::<HiFloat8, 1>($($arg,)* |[code]| HiFloat8(code), |x| [x.0]),
            DType::E8M0 => $action::<Float8E8M0, 1>($($arg,)* |[code]| Float8E8M0(code), |x| [x.0]),
            DType::E2M1 => $action::<Float4E2M1x2, 1>($($arg,)* |[codes]| Float4E2M1x2(codes), |x| [x.0]),
            DType::E1M2 => $action::<Float4E1M2x2, 1>($($arg,)* |[codes]| Float4E1M2x2(codes), |x| [x.0]),
            DType::I4 => $action::<Int4x2, 1>($($arg,)* |[codes]| Int4x2(codes), |x| [x.0]),
            other => panic!("{other:?} is not in the vectors"),
        }
    };
}

fn parse<T: pto::Element, const N: usize>(hex: &str, from: fn([u8; N]) -> T) -> Vec<T> {
    let element = |digits: &[u8]| {
        let bits = u64::from_str_radix(std::str::from_utf8(digits).expect("ASCII"), 16).expect("digits");
        from(bits.to_le_bytes()[..N].try_into().expect("N bytes"))
    };
    hex.as_bytes().chunks(2 * N).map(element).collect()
}

fn write<T: pto::Element, const N: usize>(
    ctx: &Context,
    operand: &Operand<'_>,
    hex: &str,
    from: fn([u8; N]) -> T,
    _: fn(T) -> [u8; N],
) {
    let data = parse(hex, from);
    match operand {
        Operand::Owned(tile) => tile.write(ctx, &data),
        Operand::OnChip(tile) => tile.write(ctx, &data),
        Operand::Tensor(tensor) => tensor.write(ctx, &data),
        Operand::Scalar(_) | Operand::Int(_) => panic!("no elements"),
    }
    .expect("write");
}

fn read<T: pto::Element, const N: usize>(
    ctx: &Context,
    operand: &Operand<'_>,
    _: fn([u8; N]) -> T,
    to: fn(T) -> [u8; N],
) -> String {
    let data = match operand {
        Operand::Owned(tile) => tile.to_vec::<T>(ctx),
        Operand::OnChip(tile) => tile.to_vec::<T>(ctx),
        Operand::Tensor(tensor) => tensor.to_vec::<T>(ctx),
        Operand::Scalar(_) | Operand::Int(_) => panic!("no elements"),
    };
    let element = |x: &T| to(*x).iter().rev().map(|byte| format!("{byte:02x}")).collect::<String>();
    data.expect("read").iter().map(element).collect()
}

fn tensor<'c>(ctx: &Context, words: &[String]) -> Operand<'c> {
    let dims: Vec<i64> = words[3..5].iter().map(|word| word.parse().expect("a number")).collect();
    let dtype = dtype(&words[2]);
    let operand = Operand::Tensor(Tensor::new(ctx, dtype, &dims).expect("a tensor"));
    by_type!(dtype, write(ctx, &operand, &words[5]));
    operand
}

fn scalar<'c>(words: &[String]) -> Operand<'c> {
    let bits = u64::from_str_radix(&words[3], 16).expect("digits");
    Operand::Scalar(match ScalarKind::from_raw(words[2].parse().expect("a kind")) {
        ScalarKind::INT => Scalar::from(bits as i64),
        ScalarKind::UINT => Scalar::from(bits),
        ScalarKind::FLOAT => Scalar::from(f64::from_bits(bits)),
        _ => Scalar::from_bits(bits),
    })
}

fn tile<'c>(ctx: &'c Context, words: &[String]) -> Operand<'c> {
    let n: Vec<i32> = words[3..11].iter().map(|word| word.parse().expect("a number")).collect();
    let [rows, cols, valid_rows, valid_cols, blayout, slayout, fractal, location] = n[..] else { panic!("short line") };
    let address: i64 = words[11].parse().expect("an address");
    let dtype = dtype(&words[2]);
    let builder = TileBuilder::new(dtype, rows, cols)
        .layout(BLayout::from_raw(blayout as u32), SLayout::from_raw(slayout as u32))
        .fractal(fractal)
        .location(Location::from_raw(location as u32));
    let operand = if address == -1 {
        Operand::Owned(builder.build(ctx).expect("a tile"))
    } else {
        let tile = builder.on_chip(ctx).expect("a tile");
        if address >= 0 {
            tile.assign(address).expect("an address");
        }
        Operand::OnChip(tile)
    };
    if words[12] != "-" {
        by_type!(dtype, write(ctx, &operand, &words[12]));
    }
    set_valid(ctx, &operand, valid_rows, valid_cols);
    operand
}

fn set_valid(ctx: &Context, operand: &Operand<'_>, rows: i32, cols: i32) {
    match operand {
        Operand::Owned(tile) => tile.set_valid(ctx, rows, cols).expect("a region"),
        Operand::OnChip(tile) => tile.set_valid(ctx, rows, cols).expect("a region"),
        Operand::Tensor(_) | Operand::Scalar(_) | Operand::Int(_) => (),
    }
}

fn run(case: &Case) {
    let name = &case.head[1];
    let named = |profile: &Profile| format!("{profile:?}") == case.head[2];
    let profile = (0..64).map(Profile::from_raw).find(named).expect("a profile");
    let ctx = Context::new(profile).expect("a context");
    let mut operands = Operands { all: Vec::new(), by_name: HashMap::new() };
    for words in &case.operands {
        let index = match words[0].as_str() {
            "same" => operands.by_name[&words[2]],
            "none" => None,
            kind => {
                operands.all.push(match kind {
                    "tensor" => tensor(&ctx, words),
                    "scalar" => scalar(words),
                    "int" => Operand::Int(words[2].parse().expect("a number")),
                    _ => tile(&ctx, words),
                });
                Some(operands.all.len() - 1)
            }
        };
        operands.by_name.insert(words[1].clone(), index);
    }
    let copy = case.head[3] == "copy";
    let outcome = if copy { Ok(()) } else { call(&ctx, case, &operands) };
    match outcome {
        Ok(()) => assert_eq!(case.want[1..], ["0", "-", "-"], "{name}"),
        Err(error) => {
            let dash = |text: &str| if text.is_empty() { "-".to_owned() } else { text.to_owned() };
            let got = [error.status().raw().to_string(), dash(error.rule()), dash(error.operand())];
            assert_eq!(case.want[1..], got, "{name}");
            said(&case.help, error.remedy(), name);
            if !case.text.is_empty() {
                said(&case.text, error.message(), name);
            }
        }
    }
    for words in &case.data {
        let written = operands.get(&words[1]).expect("an operand");
        if !copy {
            set_valid(&ctx, written, -1, -1);
        }
        let held = match written {
            Operand::Owned(tile) => tile.dtype(),
            Operand::OnChip(tile) => tile.dtype(),
            Operand::Tensor(tensor) => tensor.dtype(),
            Operand::Scalar(_) | Operand::Int(_) => panic!("no elements"),
        };
        assert_eq!(by_type!(held, read(&ctx, written)), words[2], "{name}");
    }
}

/// The instruction's method where every operand it needs is there, else the interpreters' door.
fn call(ctx: &Context, case: &Case, operands: &Operands<'_>) -> pto::Result<()> {
    use dispatch::Operands as _;
    let mnemonic = case.head[3].as_str();
    let flags: u32 = case.head[4].parse().expect("flags");
    if let Some(outcome) = dispatch::call(ctx, mnemonic, operands, flags) {
        return outcome;
    }
    let op = Op::find(mnemonic).expect("an instruction");
    let mut inst = Inst::new(ctx, mnemonic)?;
    for index in 0..op.operand_count() {
        let name = op.operand_name(index).unwrap_or_default();
        match op.operand_role(index) {
            Some(Role::FLAGS) => inst.set_int(ctx, index, flags.into())?,
            Some(Role::SCALAR) => inst.set_scalar(ctx, index, operands.scalar(name))?,
            Some(Role::INT | Role::MODE) => inst.set_int(ctx, index, operands.int(name).into())?,
            Some(Role::TENSOR_IN | Role::TENSOR_OUT) => inst.set_tensor(ctx, index, operands.tensor(name))?,
            _ => inst.set_tile(ctx, index, operands.tile(name))?,
        }
    }
    inst.run(ctx)
}

#[test]
fn every_vector() {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../build/tests/conformance/vectors.txt");
    let named = std::env::var("PTO_VECTORS");
    let path = named.as_deref().unwrap_or(beside);
    let Ok(text) = std::fs::read_to_string(path) else {
        // The published crate does not carry them.
        assert!(named.is_err(), "PTO_VECTORS names {path}, which cannot be read");
        eprintln!("{path} is not there: ./dev build makes it in the repository");
        return;
    };
    let cases = cases(&text);
    assert!(cases.len() > 300, "{} cases", cases.len());
    cases.iter().for_each(run);
}

//! Lifts the shadows of a row of grey values, as the photograph of libpto's demo: gamma, then what
//! is darker than a pivot is brought nearer to it.
use pto::{Context, DType, Flags, Profile, Result, Tile, TileBuilder};

fn main() -> Result<()> {
    let ctx = Context::new(Profile::CPU)?;
    let constant = |value: f32| -> Result<Tile> {
        let tile = ctx.tile(DType::F32, 1, 5)?;
        tile.write(&ctx, &[value; 5])?;
        Ok(tile)
    };
    let (gamma, slope, below, above) = (constant(0.5)?, constant(0.75)?, constant(-0.5)?, constant(0.5)?);

    let mut grey = [0.0f32, 0.0625, 0.25, 0.5625, 1.0];
    let pixels = TileBuilder::new(DType::F32, 1, 5).wrap(&ctx, &mut grey)?; // no copy
    ctx.tpow(&pixels, &pixels, &gamma, None, Flags::NONE)?;
    ctx.tpartadd(&pixels, &pixels, &below, Flags::NONE)?;
    ctx.tprelu(&pixels, &pixels, &slope, None, Flags::NONE)?;
    ctx.tpartadd(&pixels, &pixels, &above, Flags::NONE)?;
    drop(pixels);

    println!("{grey:?}");
    assert_eq!(grey, [0.125, 0.3125, 0.5, 0.75, 1.0]);
    Ok(())
}

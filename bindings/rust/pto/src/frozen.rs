//! Tiles that threads share.

use core::fmt;

use crate::{Context, DType, Element, Result, Tile};

/// A tile that nothing writes any more, so that any number of threads may read it, each with a
/// context of its own.
///
/// ```
/// use pto::{Context, DType, Profile};
///
/// # fn main() -> pto::Result<()> {
/// let ctx = Context::new(Profile::CPU)?;
/// let tile = ctx.tile(DType::F32, 1, 3)?;
/// tile.write(&ctx, &[1.0f32, 2.0, 3.0])?;
/// let table = tile.freeze();
/// std::thread::scope(|threads| {
///     for _ in 0..4 {
///         threads.spawn(|| {
///             let own = Context::new(Profile::CPU).unwrap();
///             assert_eq!(table.to_vec::<f32>(&own).unwrap(), [1.0, 2.0, 3.0]);
///             let sum = own.tile(DType::F32, 1, 3).unwrap();
///             // SAFETY: a source, which the instruction only reads.
///             own.tadd(&sum, unsafe { table.as_source() }, unsafe { table.as_source() }, pto::Flags::NONE).unwrap();
///             assert_eq!(sum.to_vec::<f32>(&own).unwrap(), [2.0, 4.0, 6.0]);
///         });
///     }
/// });
/// let again = table.thaw();
/// again.write(&ctx, &[0.0f32; 3])?;
/// # Ok(())
/// # }
/// ```
pub struct FrozenTile(Tile);

// SAFETY: the safe methods read, and the library lets any number of threads read a tile; who takes
// the tile itself promises as much.
unsafe impl Sync for FrozenTile {}

impl Tile {
    /// Gives up writing, so that the tile can be shared.
    pub fn freeze(self) -> FrozenTile {
        FrozenTile(self)
    }
}

impl FrozenTile {
    /// The tile, for its only owner to write again.
    pub fn thaw(self) -> Tile {
        self.0
    }

    /// Copies the valid region out.
    pub fn read<T: Element>(&self, ctx: &Context, data: &mut [T]) -> Result<()> {
        self.0.read(ctx, data)
    }

    /// The valid region, row by row.
    pub fn to_vec<T: Element>(&self, ctx: &Context) -> Result<Vec<T>> {
        self.0.to_vec(ctx)
    }

    /// The element type.
    pub fn dtype(&self) -> DType {
        self.0.dtype()
    }

    /// Rows and columns of the valid region.
    pub fn valid(&self) -> (usize, usize) {
        (self.0.valid_rows() as usize, self.0.valid_cols() as usize)
    }

    /// The tile as a source of instructions, which write through shared references where a tile is
    /// their output.
    ///
    /// # Safety
    ///
    /// While another thread can reach the frozen tile nothing may write this one: it is not an output of an
    /// instruction, and neither written, set valid nor given an address.
    pub unsafe fn as_source(&self) -> &Tile {
        &self.0
    }
}

impl fmt::Debug for FrozenTile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FrozenTile").field(&self.0).finish()
    }
}

//! Tiles: how to create them, and how to write and read typed data.

use core::marker::PhantomData;
use core::ops::Deref;
use core::ptr::NonNull;

use half::{bf16, f16};

use crate::{sys, BLayout, Compact, Context, DType, Error, Location, Pad, Result, SLayout};

/// What a tile can hold, as Rust calls it.
///
/// # Safety
///
/// The type has the size of `DTYPE`, or of two elements where that is packed, no padding, and every bit pattern is a
/// value of it.
pub unsafe trait Element: Copy + 'static {
    /// The element type of tiles that hold it.
    const DTYPE: DType;
    /// Zero, to fill buffers with.
    const ZERO: Self;
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $($(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[repr(transparent)]
        pub struct $name(
            /// Its bits; TCVT makes numbers of them.
            pub u8,
        );)*
    };
}

codes! {
    /// OCP FP8 E4M3: no infinity, NaN is S1111111.
    Float8E4M3;
    /// OCP FP8 E5M2: infinities and NaNs as IEEE 754.
    Float8E5M2;
    /// HiFloat8: 3 bits of fraction near 1, fewer far away.
    HiFloat8;
    /// OCP E8M0, a scale: 2^(x-127), 0xff is NaN.
    Float8E8M0;
    /// Two of OCP FP4 E2M1, the first in the low half; rows begin with a byte.
    Float4E2M1x2;
    /// Two of FP4 E1M2, the first in the low half; rows begin with a byte.
    Float4E1M2x2;
    /// Two integers of 4 bits, -8 to 7, the first in the low half; rows begin with a byte.
    Int4x2;
}

macro_rules! elements {
    ($($rust:ty, $dtype:ident, $zero:expr;)*) => {
        // SAFETY: plain numbers of the size that the header gives the element type.
        $(unsafe impl Element for $rust {
            const DTYPE: DType = DType::$dtype;
            const ZERO: Self = $zero;
        })*
    };
}

elements! {
    i8, I8, 0;
    u8, U8, 0;
    i16, I16, 0;
    u16, U16, 0;
    i32, I32, 0;
    u32, U32, 0;
    i64, I64, 0;
    u64, U64, 0;
    f16, F16, f16::ZERO;
    bf16, BF16, bf16::ZERO;
    f32, F32, 0.0;
    Float8E4M3, E4M3, Float8E4M3(0);
    Float8E5M2, E5M2, Float8E5M2(0);
    HiFloat8, HIF8, HiFloat8(0);
    Float8E8M0, E8M0, Float8E8M0(0);
    Float4E2M1x2, E2M1, Float4E2M1x2(0);
    Float4E1M2x2, E1M2, Float4E1M2x2(0);
    Int4x2, I4, Int4x2(0);
}

/// A tile: a two-dimensional typed buffer. Its valid region, the rectangle of the first rows and columns, holds data.
///
/// Instructions take `&Tile` for what they write, too, so that a tile may be input and output at
/// once. The crate's documentation explains why that is sound; it is why a tile cannot be shared
/// between threads, though it may move:
///
/// ```compile_fail,E0277
/// fn shared<T: Sync>() {}
/// shared::<pto::Tile>();
/// ```
pub struct Tile {
    ptr: NonNull<sys::pto_tile>,
}

// SAFETY: a Tile that can be moved owns its memory alone. Those that share some are out of reach
// of a move: OnChipTile and WrappedTile lend theirs by reference, Inst borrows what it counts.
unsafe impl Send for Tile {}

impl Drop for Tile {
    fn drop(&mut self) {
        // SAFETY: the reference that create() gave.
        unsafe { sys::pto_tile_release(self.ptr.as_ptr()) }
    }
}

impl Tile {
    /// The handle that a creator returned, or the error that it left.
    pub(crate) fn adopt(ctx: &Context, raw: *mut sys::pto_tile) -> Result<Self> {
        NonNull::new(raw).map(|ptr| Self { ptr }).ok_or_else(|| Error::of(ctx))
    }

    #[inline]
    pub(crate) fn as_ptr(&self) -> *mut sys::pto_tile {
        self.ptr.as_ptr()
    }

    /// Sets the valid region: the rectangle of the first rows and columns that holds data.
    ///
    /// [`sys::PTO_VALID_ALL`] means all of them.
    ///
    /// # Errors
    ///
    /// Rule: `valid-range`.
    #[inline]
    pub fn set_valid(&self, ctx: &Context, valid_rows: i32, valid_cols: i32) -> Result<()> {
        // SAFETY: both handles are alive.
        ctx.check(unsafe { sys::pto_tile_set_valid(ctx.as_ptr(), self.as_ptr(), valid_rows, valid_cols) })
    }

    /// Copies elements into the valid region, row by row, whatever the layout.
    ///
    /// # Errors
    ///
    /// Rules: `element-type`, `byte-count`, `storage`.
    #[inline]
    pub fn write<T: Element>(&self, ctx: &Context, data: &[T]) -> Result<()> {
        let bytes = size_of_val(data);
        // SAFETY: the slice has that many bytes, and the library reads no more.
        ctx.check(unsafe {
            sys::pto_tile_write_as(ctx.as_ptr(), self.as_ptr(), T::DTYPE.0, data.as_ptr().cast(), bytes as i64)
        })
    }

    /// Copies the valid region out, row by row, whatever the layout.
    ///
    /// # Errors
    ///
    /// Rules: `element-type`, `byte-count`, `storage`. The slice is then as it was.
    #[inline]
    pub fn read<T: Element>(&self, ctx: &Context, data: &mut [T]) -> Result<()> {
        let bytes = size_of_val(data);
        // SAFETY: the slice has that many bytes, the library writes no more, and any bits are a T.
        ctx.check(unsafe {
            sys::pto_tile_read_as(ctx.as_ptr(), self.as_ptr(), T::DTYPE.0, data.as_mut_ptr().cast(), bytes as i64)
        })
    }

    /// The valid region as a vector, row by row.
    ///
    /// # Errors
    ///
    /// Rules: `element-type`, `storage`.
    pub fn to_vec<T: Element>(&self, ctx: &Context) -> Result<Vec<T>> {
        // The element type is judged before memory is asked for.
        let count = if T::DTYPE == self.dtype() { self.valid_bytes() as usize / size_of::<T>() } else { 0 };
        let mut data = vec![T::ZERO; count];
        self.read(ctx, &mut data)?;
        Ok(data)
    }

    /// A tile over a rectangle of this one, without a copy: it shares the elements.
    ///
    /// # Errors
    ///
    /// Rules: `storage`, `view-range`, `view-box`, `memory`.
    pub fn view(&self, ctx: &Context, row: i32, col: i32, rows: i32, cols: i32) -> Result<TileView<'_>> {
        // SAFETY: both handles are alive; the view counts a reference to the memory.
        let raw = unsafe { sys::pto_tile_view(ctx.as_ptr(), self.as_ptr(), row, col, rows, cols) };
        TileView::adopt(ctx, raw)
    }

    /// A tile of another geometry over the bytes of this one, without a copy (TRESHAPE).
    ///
    /// # Errors
    ///
    /// Rules: as [`TileBuilder::build`], `storage`, `reshape-dense`, `reshape-boxes`,
    /// `reshape-bytes`, `data-alignment`.
    pub fn reshape(&self, ctx: &Context, shape: TileBuilder) -> Result<TileView<'_>> {
        // SAFETY: as in view(); the descriptor outlives the call.
        let raw = unsafe { sys::pto_tile_reshape(ctx.as_ptr(), self.as_ptr(), &shape.desc) };
        TileView::adopt(ctx, raw)
    }
}

/// A tile over elements of another one, or of a program, on the thread of that one.
///
/// ```compile_fail,E0277
/// fn sent<T: Send>() {}
/// sent::<pto::TileView<'static>>();
/// ```
#[derive(Debug)]
pub struct TileView<'t> {
    tile: Tile,
    of: PhantomData<&'t Tile>,
}

impl TileView<'_> {
    pub(crate) fn adopt(ctx: &Context, raw: *mut sys::pto_tile) -> Result<Self> {
        Ok(Self { tile: Tile::adopt(ctx, raw)?, of: PhantomData })
    }
}

impl Deref for TileView<'_> {
    type Target = Tile;

    #[inline]
    fn deref(&self) -> &Tile {
        &self.tile
    }
}

impl core::fmt::Debug for Tile {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(
            f,
            "Tile({:?} {}x{}, valid {}x{})",
            self.dtype(),
            self.rows(),
            self.cols(),
            self.valid_rows(),
            self.valid_cols()
        )
    }
}

/// The geometry of a tile to make: element type and extents, and what differs from a row-major
/// vector tile that is valid all over.
///
/// ```
/// # use pto::{BLayout, Context, DType, Profile, SLayout, TileBuilder};
/// # fn main() -> pto::Result<()> {
/// let ctx = Context::new(Profile::A5)?;
/// let boxed = TileBuilder::new(DType::F16, 32, 64)
///     .valid(30, 60)
///     .layout(BLayout::COL_MAJOR, SLayout::ROW_MAJOR)
///     .build(&ctx)?;
/// assert_eq!(boxed.valid_bytes(), 30 * 60 * 2);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct TileBuilder {
    desc: sys::pto_tile_desc,
}

impl TileBuilder {
    /// A row-major vector tile of this size, all of it valid.
    pub fn new(dtype: DType, rows: i32, cols: i32) -> Self {
        Self {
            desc: sys::pto_tile_desc {
                struct_size: size_of::<sys::pto_tile_desc>() as u32,
                dtype: dtype.0,
                rows,
                cols,
                valid_rows: sys::PTO_VALID_ALL,
                valid_cols: sys::PTO_VALID_ALL,
                location: Location::VEC.0,
                blayout: BLayout::ROW_MAJOR.0,
                slayout: SLayout::NONE_BOX.0,
                fractal: 0,
                pad: Pad::NULL.0,
                storage: sys::PTO_STORAGE_OWNED,
                pad_bits: 0,
                compact: Compact::NULL.0,
            },
        }
    }

    /// The first rows and columns, which hold data.
    pub fn valid(mut self, rows: i32, cols: i32) -> Self {
        // In a descriptor 0 means all.
        let extent = |count| if count == 0 { sys::PTO_VALID_NONE } else { count };
        (self.desc.valid_rows, self.desc.valid_cols) = (extent(rows), extent(cols));
        self
    }

    /// The memory that the tile lives in.
    pub fn location(mut self, location: Location) -> Self {
        self.desc.location = location.0;
        self
    }

    /// The order of boxes or elements, and the order inside a box.
    pub fn layout(mut self, blayout: BLayout, slayout: SLayout) -> Self {
        (self.desc.blayout, self.desc.slayout) = (blayout.0, slayout.0);
        self
    }

    /// The bytes of a box: 512, 1024 or 32.
    pub fn fractal(mut self, bytes: i32) -> Self {
        self.desc.fractal = bytes;
        self
    }

    /// The pad value.
    pub fn pad(mut self, pad: Pad) -> Self {
        self.desc.pad = pad.0;
        self
    }

    /// [`Pad::CUSTOM`], with the bits of an element in the low bits.
    pub fn pad_bits(mut self, bits: u32) -> Self {
        (self.desc.pad, self.desc.pad_bits) = (Pad::CUSTOM.0, bits);
        self
    }

    /// How columns of boxes are packed.
    pub fn compact(mut self, compact: Compact) -> Self {
        self.desc.compact = compact.0;
        self
    }

    /// Makes the tile over zeroed memory of its own.
    ///
    /// # Errors
    ///
    /// Rules: `dtype-known`, `tile-shape`, `tile-size`, `location`, `layout`, `fractal`, `box-shape`,
    /// `pad`, `valid-range`, `row-bytes`, `capacity`, `memory`.
    pub fn build(self, ctx: &Context) -> Result<Tile> {
        // SAFETY: the context is alive and the descriptor outlives the call.
        Tile::adopt(ctx, unsafe { sys::pto_tile_create_from(ctx.as_ptr(), &self.desc) })
    }

    /// Creates a tile for the context's on-chip memory; [`OnChipTile::assign`] gives it an address.
    ///
    /// # Errors
    ///
    /// Rules: as [`TileBuilder::build`].
    pub fn on_chip(self, ctx: &Context) -> Result<OnChipTile<'_>> {
        let desc = sys::pto_tile_desc { storage: sys::PTO_STORAGE_MANUAL, ..self.desc };
        // SAFETY: as in build().
        let tile = Tile::adopt(ctx, unsafe { sys::pto_tile_create_from(ctx.as_ptr(), &desc) })?;
        Ok(OnChipTile { tile, ctx })
    }

    /// Makes a tile over the caller's elements, without a copy.
    ///
    /// The slice holds the elements in the order of the layout, the part outside the valid region
    /// included. It is borrowed until the tile is dropped:
    ///
    /// ```
    /// # use pto::{Context, DType, Flags, Profile, TileBuilder};
    /// # fn main() -> pto::Result<()> {
    /// let ctx = Context::new(Profile::CPU)?;
    /// let mut pixels = [4.0f32, 16.0, 64.0, 0.25];
    /// let tile = TileBuilder::new(DType::F32, 2, 2).wrap(&ctx, &mut pixels)?;
    /// ctx.trsqrt(&tile, &tile, None, Flags::NONE)?;
    /// drop(tile);
    /// assert_eq!(pixels, [0.5, 0.25, 0.125, 2.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// ```compile_fail,E0502
    /// # use pto::{Context, DType, Profile, TileBuilder};
    /// # let ctx = Context::new(Profile::CPU).unwrap();
    /// let mut pixels = [0.0f32; 4];
    /// let tile = TileBuilder::new(DType::F32, 2, 2).wrap(&ctx, &mut pixels).unwrap();
    /// println!("{}", pixels[0]);
    /// drop(tile);
    /// ```
    ///
    /// # Errors
    ///
    /// Rules: as [`TileBuilder::build`], `element-type`, `wrap-bytes`.
    pub fn wrap<'a, T: Element>(self, ctx: &Context, data: &'a mut [T]) -> Result<WrappedTile<'a>> {
        if self.desc.dtype != T::DTYPE.0 {
            return Err(Error::element("pto_tile_wrap", "tile", T::DTYPE, DType(self.desc.dtype)));
        }
        let bytes = size_of_val(data) as i64;
        // SAFETY: as in build(); the memory is borrowed mutably as long as the tile lives.
        let raw = unsafe { sys::pto_tile_wrap(ctx.as_ptr(), &self.desc, data.as_mut_ptr().cast(), bytes) };
        Ok(WrappedTile { tile: Tile::adopt(ctx, raw)?, data: PhantomData })
    }
}

/// A tile in the on-chip memory of a context, where tiles may overlap.
///
/// It borrows the context, so that tiles which share memory stay on one thread:
///
/// ```compile_fail,E0277
/// fn sent<T: Send>() {}
/// sent::<pto::OnChipTile<'static>>();
/// ```
#[derive(Debug)]
pub struct OnChipTile<'c> {
    tile: Tile,
    ctx: &'c Context,
}

impl OnChipTile<'_> {
    /// Gives the tile an address in the on-chip memory of its location (TASSIGN).
    ///
    /// Tiles may be given equal or overlapping addresses; then they share elements.
    ///
    /// # Errors
    ///
    /// Rules: `address-alignment`, `address-range`, `memory`.
    pub fn assign(&self, address: i64) -> Result<()> {
        // SAFETY: both handles are alive; all tiles of this memory borrow this context.
        self.ctx.check(unsafe { sys::pto_tassign(self.ctx.as_ptr(), self.tile.as_ptr(), address) })
    }
}

impl Deref for OnChipTile<'_> {
    type Target = Tile;

    #[inline]
    fn deref(&self) -> &Tile {
        &self.tile
    }
}

/// A tile over a slice of the caller's, which stays borrowed as long as the tile lives.
#[derive(Debug)]
pub struct WrappedTile<'a> {
    tile: Tile,
    data: PhantomData<&'a mut [u8]>,
}

impl Deref for WrappedTile<'_> {
    type Target = Tile;

    #[inline]
    fn deref(&self) -> &Tile {
        &self.tile
    }
}

//! Tensors: global memory that TLOAD and TSTORE move from and to.

use core::marker::PhantomData;
use core::ops::Deref;
use core::ptr::NonNull;

use crate::{sys, Context, DType, Element, Error, Layout, Result, Status};

/// Global memory: up to five dimensions of elements, each with its stride.
///
/// Like a tile it may move to another thread but not be shared; a view borrows what it looks into.
pub struct Tensor {
    ptr: NonNull<sys::pto_tensor>,
}

// SAFETY: as for Tile: what can be moved owns its memory alone; views and wrapped slices lend
// theirs by reference only.
unsafe impl Send for Tensor {}

impl Drop for Tensor {
    fn drop(&mut self) {
        // SAFETY: the reference that create() gave.
        unsafe { sys::pto_tensor_release(self.ptr.as_ptr()) }
    }
}

impl Tensor {
    /// Zeroed elements of these dimensions, the outermost first, without gaps.
    ///
    /// ```
    /// # use pto::{Context, DType, Flags, Profile, Tensor};
    /// # fn main() -> pto::Result<()> {
    /// let ctx = Context::new(Profile::CPU)?;
    /// let (tensor, tile) = (Tensor::new(&ctx, DType::I32, &[2, 3])?, ctx.tile(DType::I32, 2, 3)?);
    /// tensor.write(&ctx, &[1, 2, 3, 4, 5, 6])?;
    /// ctx.tload(&tile, &tensor, Flags::NONE)?;
    /// assert_eq!(tile.to_vec::<i32>(&ctx)?, [1, 2, 3, 4, 5, 6]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Rules: as [`TensorBuilder::build`].
    pub fn new(ctx: &Context, dtype: DType, dims: &[i64]) -> Result<Self> {
        TensorBuilder::new(dtype, dims).build(ctx)
    }

    #[inline]
    pub(crate) fn as_ptr(&self) -> *mut sys::pto_tensor {
        self.ptr.as_ptr()
    }

    /// Copies elements, the last index fastest, to where the strides put them.
    ///
    /// # Errors
    ///
    /// Rules: `element-type`, `byte-count`.
    #[inline]
    pub fn write<T: Element>(&self, ctx: &Context, data: &[T]) -> Result<()> {
        let bytes = size_of_val(data) as i64;
        // SAFETY: the slice has that many bytes, and the library reads no more.
        ctx.check(unsafe {
            sys::pto_tensor_write_as(ctx.as_ptr(), self.as_ptr(), T::DTYPE.0, data.as_ptr().cast(), bytes)
        })
    }

    /// Copies the elements out, the last index fastest.
    ///
    /// # Errors
    ///
    /// Rules: `element-type`, `byte-count`. The slice is then as it was.
    #[inline]
    pub fn read<T: Element>(&self, ctx: &Context, data: &mut [T]) -> Result<()> {
        let bytes = size_of_val(data) as i64;
        // SAFETY: the slice has that many bytes, the library writes no more, and any bits are a T.
        ctx.check(unsafe {
            sys::pto_tensor_read_as(ctx.as_ptr(), self.as_ptr(), T::DTYPE.0, data.as_mut_ptr().cast(), bytes)
        })
    }

    /// The elements as a vector, the last index fastest.
    ///
    /// # Errors
    ///
    /// Rule: `element-type`.
    pub fn to_vec<T: Element>(&self, ctx: &Context) -> Result<Vec<T>> {
        let count = if T::DTYPE == self.dtype() { self.bytes() as usize / size_of::<T>() } else { 0 };
        let mut data = vec![T::ZERO; count];
        self.read(ctx, &mut data)?;
        Ok(data)
    }

    /// A tensor over a part of this tensor's memory, `offset` elements after its first one.
    ///
    /// A window has this tensor's strides and offset = sum of first index * stride; any other
    /// dimensions, strides and element type are legal too.
    ///
    /// # Errors
    ///
    /// Rules: as [`TensorBuilder::build`], `data-alignment`, `tensor-range`.
    pub fn view(&self, ctx: &Context, shape: TensorBuilder, offset: i64) -> Result<TensorView<'_>> {
        let desc = shape.desc()?;
        // SAFETY: the handles are alive and the descriptor outlives the call.
        let tensor = adopt(ctx, unsafe { sys::pto_tensor_view(ctx.as_ptr(), self.as_ptr(), &desc, offset) })?;
        Ok(TensorView { tensor, of: PhantomData })
    }
}

impl core::fmt::Debug for Tensor {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let dims: Vec<i64> = (0..self.rank()).map(|index| self.dim(index)).collect();
        write!(f, "Tensor({:?} {dims:?})", self.dtype())
    }
}

const MAX_RANK: usize = 5;

/// Element type, dimensions and strides of a tensor to make.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct TensorBuilder {
    dtype: DType,
    layout: Layout,
    rank: usize,
    dims: [i64; MAX_RANK],
    strides: Option<(usize, [i64; MAX_RANK])>,
}

/// The numbers that a descriptor has room for; the rank shows if there were more.
fn first_five(numbers: &[i64]) -> [i64; MAX_RANK] {
    core::array::from_fn(|index| numbers.get(index).copied().unwrap_or(0))
}

impl TensorBuilder {
    /// Dimensions, the outermost first; elements follow each other without gaps.
    pub fn new(dtype: DType, dims: &[i64]) -> Self {
        Self { dtype, layout: Layout::ND, rank: dims.len(), dims: first_five(dims), strides: None }
    }

    /// Elements from one index of a dimension to the next, for each dimension.
    pub fn strides(mut self, strides: &[i64]) -> Self {
        self.strides = Some((strides.len(), first_five(strides)));
        self
    }

    /// How transfers see the dimensions.
    pub fn layout(mut self, layout: Layout) -> Self {
        self.layout = layout;
        self
    }

    pub(crate) fn desc(&self) -> Result<sys::pto_tensor_desc> {
        let (count, stride) = self.strides.unwrap_or((self.rank, [0; MAX_RANK]));
        if count != self.rank {
            let message = format!("tensor: {count} strides where there are {} dimensions", self.rank);
            return Err(Error::own(
                Status::ARGUMENT,
                "tensor-stride",
                "strides",
                message,
                "Give one stride per dimension.",
            ));
        }
        Ok(sys::pto_tensor_desc {
            struct_size: size_of::<sys::pto_tensor_desc>() as u32,
            dtype: self.dtype.0,
            layout: self.layout.0,
            rank: i32::try_from(self.rank).unwrap_or(i32::MAX),
            strided: self.strides.is_some().into(),
            dim0: self.dims[0],
            dim1: self.dims[1],
            dim2: self.dims[2],
            dim3: self.dims[3],
            dim4: self.dims[4],
            stride0: stride[0],
            stride1: stride[1],
            stride2: stride[2],
            stride3: stride[3],
            stride4: stride[4],
        })
    }

    /// Makes the tensor over zeroed memory of its own.
    ///
    /// # Errors
    ///
    /// Rules: `dtype-known`, `tensor-layout`, `tensor-rank`, `tensor-dim`, `tensor-stride`,
    /// `tensor-size`, `memory`.
    pub fn build(self, ctx: &Context) -> Result<Tensor> {
        let desc = self.desc()?;
        // SAFETY: the context is alive and the descriptor outlives the call.
        adopt(ctx, unsafe { sys::pto_tensor_create(ctx.as_ptr(), &desc) })
    }

    /// Makes a tensor over the caller's elements, without a copy; they stay borrowed until it is dropped.
    ///
    /// # Errors
    ///
    /// Rules: as [`TensorBuilder::build`], `element-type`, `tensor-range`.
    pub fn wrap<'a, T: Element>(self, ctx: &Context, data: &'a mut [T]) -> Result<WrappedTensor<'a>> {
        if self.dtype != T::DTYPE {
            return Err(Error::element("pto_tensor_wrap", "tensor", T::DTYPE, self.dtype));
        }
        let desc = self.desc()?;
        let bytes = size_of_val(data) as i64;
        // SAFETY: as in build(); the memory is borrowed mutably as long as the tensor lives.
        let raw = unsafe { sys::pto_tensor_wrap(ctx.as_ptr(), &desc, data.as_mut_ptr().cast(), bytes) };
        Ok(WrappedTensor { tensor: adopt(ctx, raw)?, data: PhantomData })
    }
}

pub(crate) fn adopt(ctx: &Context, raw: *mut sys::pto_tensor) -> Result<Tensor> {
    NonNull::new(raw).map(|ptr| Tensor { ptr }).ok_or_else(|| Error::of(ctx))
}

/// A tensor over a part of another one's memory, on the thread of that one.
///
/// ```compile_fail,E0277
/// fn sent<T: Send>() {}
/// sent::<pto::TensorView<'static>>();
/// ```
#[derive(Debug)]
pub struct TensorView<'t> {
    tensor: Tensor,
    of: PhantomData<&'t Tensor>,
}

/// A tensor over a slice of the caller's, which stays borrowed as long as the tensor lives.
#[derive(Debug)]
pub struct WrappedTensor<'a> {
    tensor: Tensor,
    data: PhantomData<&'a mut [u8]>,
}

impl TensorView<'_> {
    pub(crate) fn of(tensor: Tensor) -> Self {
        Self { tensor, of: PhantomData }
    }
}

impl Deref for TensorView<'_> {
    type Target = Tensor;

    #[inline]
    fn deref(&self) -> &Tensor {
        &self.tensor
    }
}

impl Deref for WrappedTensor<'_> {
    type Target = Tensor;

    #[inline]
    fn deref(&self) -> &Tensor {
        &self.tensor
    }
}

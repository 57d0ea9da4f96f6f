//! What can be read of a PTO-AS program: its arguments and errors, what a run made and recorded, and its printed forms.

use crate::{
    c_text, sys, text, text_or_none, ArgKind, Context, DType, Error, EventPart, Form, Profile, Program, Record, Result,
    Tile, TileView,
};

impl<'t> Program<'t> {
    /// Sets what runs record, and the memory for it. By default they record nothing.
    ///
    /// # Errors
    ///
    /// Rules: `limit`, `operand-value`.
    pub fn record(&mut self, ctx: &Context, what: Record, max_bytes: i64) -> Result<()> {
        // SAFETY: both handles are alive.
        ctx.check(unsafe { sys::pto_program_record(ctx.as_ptr(), self.as_ptr(), what.0, max_bytes) })
    }

    /// How many events, tiles or bytes of elements the latest run recorded.
    pub fn event_count(&self, part: EventPart) -> i64 {
        // SAFETY: the handle is alive.
        unsafe { sys::pto_program_event_count(self.as_ptr(), part.0) }
    }

    /// How many events of the latest run had no room.
    pub fn events_lost(&self) -> i64 {
        // SAFETY: the handle is alive.
        unsafe { sys::pto_program_events_lost(self.as_ptr()) }
    }

    /// Copies what the latest run recorded: rows of `fields` 64-bit integers, until `data` is full; of
    /// [`EventPart::ELEMENTS`] bytes.
    ///
    /// # Errors
    ///
    /// Rules: `operand-value`, `byte-count`.
    pub fn read_events(&self, ctx: &Context, part: EventPart, first: i64, fields: i32, data: &mut [u8]) -> Result<()> {
        let (to, bytes) = (data.as_mut_ptr().cast(), data.len() as i64);
        // SAFETY: the handles are alive, and that number of bytes is writable.
        ctx.check(unsafe {
            sys::pto_program_read_events(ctx.as_ptr(), self.as_ptr(), part.0, first, fields, to, bytes)
        })
    }

    /// The tile that a value of the entry had when the latest run ended, in its last block; the last
    /// one of that name in the text.
    ///
    /// # Errors
    ///
    /// Rule: `argument-name`.
    pub fn tile(&self, ctx: &Context, name: &str) -> Result<TileView<'_>> {
        // SAFETY: the handles and the name are alive; what the tile may lie in stays borrowed by this.
        let raw = unsafe { sys::pto_program_tile(ctx.as_ptr(), self.as_ptr(), c_text(name).as_ptr()) };
        TileView::adopt(ctx, raw)
    }

    /// The names that [`tile`](Self::tile) can be asked for.
    pub fn tile_names(&self) -> impl Iterator<Item = &str> {
        // SAFETY: the handle is alive; the names change with a run, which needs this mutably.
        let count = unsafe { sys::pto_program_tile_count(self.as_ptr()) };
        (0..count).map(|index| text(unsafe { sys::pto_program_tile_name(self.as_ptr(), index) }))
    }

    /// The profile that the program's `pto.target_arch` names.
    pub fn profile(&self) -> Option<Profile> {
        // SAFETY: the handle is alive.
        let profile = unsafe { sys::pto_program_profile(self.as_ptr()) };
        (profile >= 0).then(|| Profile::from_raw(profile as u32))
    }

    /// The arguments of a function, [`entry`](Self::entry) unless it is named; `None` when there is no
    /// such function.
    ///
    /// The arguments of bare statements are the values that no statement defines.
    pub fn args(&self, entry: Option<&str>) -> Option<Vec<Arg<'_>>> {
        let entry = entry.map(c_text);
        let (ptr, named) = (self.as_ptr(), entry.as_ref().map_or(core::ptr::null(), |entry| entry.as_ptr()));
        // SAFETY: the handle and the name are alive; the library accepts any index.
        let count = unsafe { sys::pto_program_arg_count(ptr, named) };
        let arg = |index| unsafe {
            let dtype = sys::pto_program_arg_dtype(ptr, named, index);
            Arg {
                name: text(sys::pto_program_arg_name(ptr, named, index)),
                kind: ArgKind(sys::pto_program_arg_kind(ptr, named, index)),
                dtype: (dtype >= 0).then(|| DType::from_raw(dtype as u32)),
                optional: sys::pto_program_arg_optional(ptr, named, index) != 0,
            }
        };
        (count >= 0).then(|| (0..count).map(arg).collect())
    }

    /// A tile of the type that the program gives an argument, with zeroed memory of its own, to be
    /// filled and bound.
    ///
    /// # Errors
    ///
    /// Rules: `argument-name`, `argument-kind`, and as [`TileBuilder::build`](crate::TileBuilder::build).
    pub fn arg_tile(&self, ctx: &Context, entry: Option<&str>, index: i32) -> Result<Tile> {
        let entry = entry.map(c_text);
        let named = entry.as_ref().map_or(core::ptr::null(), |entry| entry.as_ptr());
        // SAFETY: the handles and the name are alive.
        Tile::adopt(ctx, unsafe { sys::pto_program_arg_tile(ctx.as_ptr(), self.as_ptr(), named, index) })
    }

    /// The trace of the latest run, in the JSON that Chrome's about:tracing reads: when each
    /// instruction ran.
    ///
    /// # Errors
    ///
    /// Rule: `memory`.
    pub fn trace(&mut self, ctx: &Context) -> Result<String> {
        // SAFETY: both handles are alive.
        answered(ctx, unsafe { sys::pto_program_trace(ctx.as_ptr(), self.as_ptr()) })
    }

    /// A page for a browser that shows what the latest run recorded: one document of HTML, which needs
    /// nothing else.
    ///
    /// # Errors
    ///
    /// Rule: `memory`.
    pub fn report(&mut self, ctx: &Context) -> Result<String> {
        // SAFETY: both handles are alive.
        answered(ctx, unsafe { sys::pto_program_report(ctx.as_ptr(), self.as_ptr()) })
    }

    /// The program in canonical form, comments included.
    ///
    /// # Errors
    ///
    /// Rules: `program-errors`, `operand-value`, `memory`.
    pub fn print(&mut self, ctx: &Context, form: Form) -> Result<String> {
        // SAFETY: both handles are alive.
        answered(ctx, unsafe { sys::pto_program_print(ctx.as_ptr(), self.as_ptr(), form.0) })
    }

    /// A C++ source with a kernel for each public function, which embeds the program and runs it through libpto.
    /// `library` is a path of libpto for kernels that the loader finds none for.
    ///
    /// # Errors
    ///
    /// Rules: `program-errors`, `unknown-entry`, `memory`.
    pub fn kernels(&mut self, ctx: &Context, library: Option<&str>) -> Result<String> {
        let library = library.map(c_text);
        let at = library.as_ref().map_or(core::ptr::null(), |text| text.as_ptr());
        // SAFETY: both handles and the path are alive.
        answered(ctx, unsafe { sys::pto_program_kernels(ctx.as_ptr(), self.as_ptr(), at) })
    }

    /// The program with the flags and barriers that a run of it lacks: it runs once for each flag.
    ///
    /// # Errors
    ///
    /// The rules of [`run`](Self::run).
    pub fn fix_sync(&mut self, ctx: &'t Context, entry: Option<&str>) -> Result<String> {
        let entry = entry.map(c_text);
        let at = entry.as_ref().map_or(core::ptr::null(), |text| text.as_ptr());
        // SAFETY: the handles and the name are alive; 't keeps on this thread whatever the program can write.
        answered(ctx, unsafe { sys::pto_program_fix_sync(ctx.as_ptr(), self.as_ptr(), at) })
    }

    /// What is wrong with the program: what parsing found, then what the latest check or run found.
    ///
    /// ```
    /// # use pto::{Context, Profile, Program};
    /// # fn main() -> pto::Result<()> {
    /// let ctx = Context::new(Profile::CPU)?;
    /// let mut program = Program::parse(&ctx, "%d = tpower %base, %exp\n", Some("bad.pto"))?;
    /// program.check(&ctx).unwrap_err();
    /// for diagnostic in program.diagnostics() {
    ///     eprintln!("{diagnostic}"); // bad.pto:1:6: error: ..., the line, carets, a remedy
    ///     assert_eq!((diagnostic.line, diagnostic.column, diagnostic.rule), (1, 6, "unknown-instruction"));
    /// }
    /// # assert_eq!(program.diagnostics().count(), 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn diagnostics(&self) -> impl Iterator<Item = Diagnostic<'_>> {
        let ptr = self.as_ptr();
        // SAFETY: the handle is alive; strings change with a check or run, which need this mutably.
        let count = unsafe { sys::pto_program_diagnostic_count(ptr) };
        (0..count).map(move |index| unsafe {
            Diagnostic {
                error: sys::pto_program_diagnostic_error(ptr, index) != 0,
                line: sys::pto_program_diagnostic_line(ptr, index),
                column: sys::pto_program_diagnostic_column(ptr, index),
                rule: text(sys::pto_program_diagnostic_rule(ptr, index)),
                message: text(sys::pto_program_diagnostic_message(ptr, index)),
                remedy: text(sys::pto_program_diagnostic_remedy(ptr, index)),
                excerpt: text(sys::pto_program_diagnostic_excerpt(ptr, index)),
                text: text(sys::pto_program_diagnostic_text(ptr, index)),
            }
        })
    }
}

/// A copy of a string that lives until the next call that returns one.
fn answered(ctx: &Context, raw: *const core::ffi::c_char) -> Result<String> {
    text_or_none(raw).map(str::to_owned).ok_or_else(|| Error::of(ctx))
}

/// An argument of a function of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Arg<'p> {
    /// Its name, without `%`.
    pub name: &'p str,
    /// What it takes.
    pub kind: ArgKind,
    /// Its element type; `None` when the program does not say, or one that no tile has.
    pub dtype: Option<DType>,
    /// Whether it may stay unbound: a tile that a bare statement makes.
    pub optional: bool,
}

/// Something that is wrong with a program, or looks so; it prints as a compiler's does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic<'p> {
    /// Whether it is an error; else it is a warning.
    pub error: bool,
    /// The line, from 1.
    pub line: i32,
    /// The column, from 1, in characters.
    pub column: i32,
    /// The id of the rule.
    pub rule: &'p str,
    /// The message, one line with the values.
    pub message: &'p str,
    /// One sentence that describes how to fix it.
    pub remedy: &'p str,
    /// The line of text, and below it a line with carets at the place.
    pub excerpt: &'p str,
    text: &'p str,
}

impl core::fmt::Display for Diagnostic<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.text)
    }
}

/*
 * pto_c.h: the C interface of libpto, the PTO tile instruction set on any CPU.
 *
 * This header is the specification of everything but the instructions; each
 * instruction has its contract in pto_c_ops.h, which this file includes. It is
 * plain C99, valid C++, and the one input of the Rust, Go and Java generators.
 *
 * Conventions, each told once in docs/conventions.md:
 *   - Argument order: context, outputs, inputs, tmp, scalars, modes, flags.
 *   - Creators answer a handle or NULL; other calls answer a pto_status. What
 *     went wrong is kept in the context: one line of text with the values in it,
 *     the id of the rule (docs/rules.md), the operand and a remedy.
 *   - A failing call changes nothing but that text.
 *   - Handles are reference counted and may be released in any order.
 *   - One thread at a time uses a context; tiles may be read by many.
 */
#ifndef PTO_C_H_
#define PTO_C_H_

#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(SWIG)
#define PTO_API
#elif defined(_WIN32)
#define PTO_API __declspec(dllimport)
#else
#define PTO_API __attribute__((visibility("default")))
#endif

/** Major version of this header. */
#define PTO_VERSION_MAJOR 0
/** Minor version of this header. */
#define PTO_VERSION_MINOR 1
/** Patch version of this header. */
#define PTO_VERSION_PATCH 0
/** A valid extent that means "all of it". */
#define PTO_VALID_ALL -1
/** A valid extent that means "none of it": in a pto_tile_desc, where 0 means all. */
#define PTO_VALID_NONE -2

/**
 * Class of a call's outcome.
 *
 * The class says what kind of mistake was made; the rule id, from
 * pto_context_error_rule(), says which one. Later versions may add classes.
 */
typedef enum pto_status {
  PTO_OK = 0,               /**< The call did what it says. */
  PTO_ERROR_NULL = 1,       /**< A required handle or pointer is NULL. */
  PTO_ERROR_ARGUMENT = 2,   /**< A value outside its range: an unknown enum value or flag, a negative size, a wrong byte count. */
  PTO_ERROR_DTYPE = 3,      /**< An element type that the instruction or the profile does not take. */
  PTO_ERROR_LAYOUT = 4,     /**< A location, layout or tile geometry that is not legal here. */
  PTO_ERROR_SHAPE = 5,      /**< Valid regions that do not fit together. */
  PTO_ERROR_ALIAS = 6,      /**< Operands that overlap where the profile forbids it. */
  PTO_ERROR_ADDRESS = 7,    /**< An on-chip address out of range or unaligned, or a tile without storage. */
  PTO_ERROR_MEMORY = 8,     /**< The system gave no memory. */
  PTO_ERROR_UNKNOWN = 9,    /**< A name that the library does not know: instruction, operand or SIMD target. */
  PTO_ERROR_PROGRAM = 10    /**< A PTO-AS program that is not correct, or a run of one that ended early; its diagnostics say where. */
} pto_status;

/** Element type of a tile. */
typedef enum pto_dtype {
  PTO_DTYPE_I8 = 0,    /**< Signed 8-bit integer. */
  PTO_DTYPE_U8 = 1,    /**< Unsigned 8-bit integer. */
  PTO_DTYPE_I16 = 2,   /**< Signed 16-bit integer. */
  PTO_DTYPE_U16 = 3,   /**< Unsigned 16-bit integer. */
  PTO_DTYPE_I32 = 4,   /**< Signed 32-bit integer. */
  PTO_DTYPE_U32 = 5,   /**< Unsigned 32-bit integer. */
  PTO_DTYPE_I64 = 6,   /**< Signed 64-bit integer. */
  PTO_DTYPE_U64 = 7,   /**< Unsigned 64-bit integer. */
  PTO_DTYPE_F16 = 8,   /**< IEEE 754 binary16. */
  PTO_DTYPE_BF16 = 9,  /**< bfloat16: the upper half of a binary32. */
  PTO_DTYPE_F32 = 10,  /**< IEEE 754 binary32. */
  PTO_DTYPE_E4M3 = 11, /**< OCP FP8 E4M3: no infinity, NaN is S1111111. Like those below stored only: moved and converted. */
  PTO_DTYPE_E5M2 = 12, /**< OCP FP8 E5M2: infinities and NaNs as IEEE 754. */
  PTO_DTYPE_HIF8 = 13, /**< HiFloat8: 3 bits of fraction near 1, fewer far away; 0x80 is NaN, 0x6F and 0xEF are infinite. */
  PTO_DTYPE_E8M0 = 14, /**< OCP E8M0, a scale: 2^(x-127); 0xFF is NaN. */
  PTO_DTYPE_E2M1 = 15, /**< OCP FP4 E2M1: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives. Like those below packed: two a byte, the first in its low half. */
  PTO_DTYPE_E1M2 = 16, /**< FP4 E1M2: 0, 0.25, 0.5 to 1.75 and their negatives. */
  PTO_DTYPE_I4 = 17    /**< Signed 4-bit integer. */
} pto_dtype;

/** Whose legality rules a context applies. Results do not depend on it. */
typedef enum pto_profile {
  PTO_PROFILE_CPU = 0,   /**< Everything with a defined meaning. */
  PTO_PROFILE_A2A3 = 1,  /**< What the A2 and A3 generation accepts. */
  PTO_PROFILE_A5 = 2     /**< What the A5 generation accepts. */
} pto_profile;

/** On-chip memory that a tile lives in (TileType in C++). */
typedef enum pto_location {
  PTO_LOCATION_VEC = 0,          /**< Unified buffer: operands of vector instructions. */
  PTO_LOCATION_MAT = 1,          /**< L1: staging of matrix operands. */
  PTO_LOCATION_LEFT = 2,         /**< L0A: left matrix operand. */
  PTO_LOCATION_RIGHT = 3,        /**< L0B: right matrix operand. */
  PTO_LOCATION_ACC = 4,          /**< L0C: matrix accumulator. */
  PTO_LOCATION_BIAS = 5,         /**< Bias table. */
  PTO_LOCATION_SCALING = 6,      /**< Fixpipe buffer. */
  PTO_LOCATION_SCALE_LEFT = 7,   /**< Block scales of the left operand; A5. */
  PTO_LOCATION_SCALE_RIGHT = 8   /**< Block scales of the right operand; A5. */
} pto_location;

/** Order of the boxes of a tile, or of its elements when it is unboxed. */
typedef enum pto_blayout {
  PTO_BLAYOUT_ROW_MAJOR = 0,  /**< Rows one after another: ND when unboxed. */
  PTO_BLAYOUT_COL_MAJOR = 1   /**< Columns one after another: DN when unboxed. */
} pto_blayout;

/** Order of the elements inside a box (a fractal). */
typedef enum pto_slayout {
  PTO_SLAYOUT_NONE_BOX = 0,   /**< The tile is unboxed. */
  PTO_SLAYOUT_ROW_MAJOR = 1,  /**< Rows one after another inside a box. */
  PTO_SLAYOUT_COL_MAJOR = 2   /**< Columns one after another inside a box. */
} pto_slayout;

/** What an instruction that pads writes outside the valid region. */
typedef enum pto_pad {
  PTO_PAD_NULL = 0,  /**< Nothing is promised. */
  PTO_PAD_ZERO = 1,  /**< Zero. */
  PTO_PAD_MAX = 2,   /**< The largest value of the type; +inf for floats. */
  PTO_PAD_MIN = 3,   /**< The smallest value of the type; -inf for floats. */
  PTO_PAD_CUSTOM = 4 /**< The element whose bits are the low ones of pad_bits; those above are 0. */
} pto_pad;

/** How the columns of boxes of a tile are packed: of Nz and Nn, whose boxes follow each other down the columns. */
typedef enum pto_compact {
  PTO_COMPACT_NULL = 0,                /**< Each has all rows of the tile. */
  PTO_COMPACT_NORMAL = 1,              /**< Each has the valid rows, rounded up to 16 and to whole boxes, though no more than a column of the tile; changing the valid rows moves elements. */
  PTO_COMPACT_ROW_PLUS_ONE = 2,        /**< Each has a row more than the tile, which holds nothing. */
  PTO_COMPACT_ROW_ALIGNED_PADDING = 3  /**< As PTO_COMPACT_NULL; TFILLPAD, of any layout, pads no rows beyond the valid ones rounded up to 16. */
} pto_compact;

/** How pto_tprint() writes numbers: floats with so many digits behind the point, everything at least so wide. */
typedef enum pto_print_format {
  PTO_PRINT_FORMAT_WIDTH8_PRECISION4 = 0,  /**< Four digits in eight columns. */
  PTO_PRINT_FORMAT_WIDTH8_PRECISION2 = 1,  /**< Two digits in eight columns. */
  PTO_PRINT_FORMAT_WIDTH10_PRECISION6 = 2  /**< Six digits in ten columns. */
} pto_print_format;

/** Where a tile's elements are kept. */
typedef enum pto_storage {
  PTO_STORAGE_OWNED = 0,   /**< The tile owns zeroed memory: the auto mode of PTO programs. */
  PTO_STORAGE_MANUAL = 1   /**< None until pto_tassign() gives the tile an on-chip address: the manual mode. */
} pto_storage;

/** Flags of instructions; each instruction's page says which it takes. */
typedef enum pto_flag {
  PTO_HIGH_PRECISION = 1  /**< The most accurate algorithm instead of the fastest. */
} pto_flag;

/** What an operand of an instruction is for. */
typedef enum pto_role {
  PTO_ROLE_OUT = 0,    /**< A tile that is written. */
  PTO_ROLE_IN = 1,     /**< A tile that is read. */
  PTO_ROLE_TMP = 2,    /**< A scratch tile; may be absent where the profile does not need it. */
  PTO_ROLE_FLAGS = 3,  /**< The flags, an integer. */
  PTO_ROLE_TENSOR_OUT = 4,  /**< A tensor that is written. */
  PTO_ROLE_TENSOR_IN = 5,   /**< A tensor that is read. */
  PTO_ROLE_INOUT = 6,  /**< A tile that is read and written. */
  PTO_ROLE_SCALAR = 7, /**< A pto_scalar. */
  PTO_ROLE_INT = 8,    /**< An int32_t. */
  PTO_ROLE_MODE = 9    /**< A value of an enum, see pto_op_operand_mode(). */
} pto_role;

/** What the bits of a pto_scalar are. */
typedef enum pto_scalar_kind {
  PTO_SCALAR_INT = 0,   /**< An int64_t. */
  PTO_SCALAR_UINT = 1,  /**< A uint64_t. */
  PTO_SCALAR_FLOAT = 2, /**< A double. */
  PTO_SCALAR_BITS = 3   /**< The bits of an element, in the low bits; those above must be 0. */
} pto_scalar_kind;

/**
 * A number that stands for an element: pto_int(), pto_uint(), pto_float() and pto_bits() make one.
 *
 * For an integer element it must be an integer in range (2.0 is, 2.5 is not); for a float it is rounded
 * once, to nearest with ties to even, and a NaN becomes the canonical one. pto_bits() reaches everything else.
 * Passed by value; 16 bytes.
 */
typedef struct pto_scalar {
  uint64_t bits;     /**< The number. */
  int32_t kind;      /**< A pto_scalar_kind. */
  int32_t reserved;  /**< 0. */
} pto_scalar;

#if !defined(SWIG)
/** A scalar that is a signed integer. @since 0.1 */
static inline pto_scalar pto_int(int64_t value) {
  pto_scalar scalar;
  scalar.bits = (uint64_t)value;
  scalar.kind = PTO_SCALAR_INT;
  scalar.reserved = 0;
  return scalar;
}

/** A scalar that is an unsigned integer. @since 0.1 */
static inline pto_scalar pto_uint(uint64_t value) {
  pto_scalar scalar;
  scalar.bits = value;
  scalar.kind = PTO_SCALAR_UINT;
  scalar.reserved = 0;
  return scalar;
}

/** A scalar that is a floating-point number. @since 0.1 */
static inline pto_scalar pto_float(double value) {
  pto_scalar scalar;
  memcpy(&scalar.bits, &value, sizeof value);
  scalar.kind = PTO_SCALAR_FLOAT;
  scalar.reserved = 0;
  return scalar;
}

/** A scalar that is the bits of an element, for instance of a NaN with a payload. @since 0.1 */
static inline pto_scalar pto_bits(uint64_t bits) {
  pto_scalar scalar;
  scalar.bits = bits;
  scalar.kind = PTO_SCALAR_BITS;
  scalar.reserved = 0;
  return scalar;
}
#endif

/** Which elements of a tile operand go with the valid region of R x C of the lead operand. */
typedef enum pto_extent {
  PTO_EXTENT_SAME = 0,         /**< R x C. */
  PTO_EXTENT_ROW = 1,          /**< One element a column: row 0, or a column-major tile of one column. */
  PTO_EXTENT_COLUMN = 2,       /**< One element a row: column 0. */
  PTO_EXTENT_REPEAT = 3,       /**< R x C, or fewer columns that repeat along each row. */
  PTO_EXTENT_PART = 4,         /**< A part of R x C. */
  PTO_EXTENT_BITS = 5,         /**< A bit for each element, every row from a byte on. */
  PTO_EXTENT_ROW_RESULTS = 6,  /**< One result a row, in column 0. */
  PTO_EXTENT_COL_RESULTS = 7,  /**< One result a column, in row 0. */
  PTO_EXTENT_FIRST = 8,        /**< Element (0, 0). */
  PTO_EXTENT_TRANSPOSED = 9,   /**< C x R. */
  PTO_EXTENT_WINDOW = 10,      /**< A rectangle of R x C that begins where integers say. */
  PTO_EXTENT_JOINED = 11,      /**< R rows, and with the others of the kind the C columns. */
  PTO_EXTENT_WHOLE = 12,       /**< All rows and columns of the tile, as many as the lead operand's tile has. */
  PTO_EXTENT_AROUND = 13,      /**< All rows and columns of the tile, at least as many as the lead operand's tile has. */
  PTO_EXTENT_OWN = 14,         /**< A valid region of its own. */
  PTO_EXTENT_DOUBLE = 15,      /**< R x 2C. */
  PTO_EXTENT_LEFT = 16,        /**< R x K: the left matrix of a product. */
  PTO_EXTENT_RIGHT = 17,       /**< K x C: the right one. */
  PTO_EXTENT_INDEX = 18,       /**< R x C, each the place of an element of another tile. */
  PTO_EXTENT_BLOCK_INDEX = 19, /**< Such a place for every 32 bytes of each row of R x C. */
  PTO_EXTENT_ROWS = 20,        /**< R rows, of any number of columns. */
  PTO_EXTENT_RECORDS = 21,     /**< Records of eight bytes, as the rules of the instruction say. */
  PTO_EXTENT_BINS = 22,        /**< 256 elements for each row. */
  PTO_EXTENT_TABLE_INDEX = 23, /**< An index for each row, in one row or column, or for each element of R x C. */
  PTO_EXTENT_LEFT_SCALES = 24, /**< R x K/32, rounded up: a scale for each 32 elements of a row of the left matrix. */
  PTO_EXTENT_RIGHT_SCALES = 25, /**< K/32, rounded up, x C: one for each 32 elements of a column of the right one. */
  PTO_EXTENT_ROW_GROUPS = 26,   /**< R x C/32, rounded up: one for each 32 elements of a row. */
  PTO_EXTENT_COL_GROUPS = 27    /**< R/32, rounded up, x C: one for each 32 elements of a column. */
} pto_extent;

/**
 * How a tensor is seen as the matrix that TLOAD and TSTORE move: which of its five dimensions (a tensor of fewer has
 * the last ones) give the rows and which the columns; of those that give the same, the last is the fastest. Strides
 * say where elements are. c0 is 32 bytes; n of a d or g that comes before it counts both.
 */
typedef enum pto_layout {
  PTO_LAYOUT_ND = 0,               /**< The last dimension gives the columns, the others the rows. */
  PTO_LAYOUT_DN = 1,               /**< The last but one gives the rows, the others the columns. */
  PTO_LAYOUT_NZ = 2,               /**< (_, columns / c0, rows / 16, 16, c0): boxes of 512 bytes. */
  PTO_LAYOUT_SCALE = 3,            /**< Quantisation words: not the order of a matrix, refused. */
  PTO_LAYOUT_MX_A_ND = 4,          /**< Block scales of A: (_, _, rows, columns / 2, 2). */
  PTO_LAYOUT_MX_A_DN = 5,          /**< (_, _, columns / 2, rows, 2). */
  PTO_LAYOUT_MX_A_ZZ = 6,          /**< (_, rows / 16, columns / 2, 16, 2). */
  PTO_LAYOUT_MX_B_ND = 7,          /**< Block scales of B: (_, _, rows / 2, columns, 2). */
  PTO_LAYOUT_MX_B_DN = 8,          /**< (_, _, columns, rows / 2, 2). */
  PTO_LAYOUT_MX_B_NN = 9,          /**< (_, columns / 16, rows / 2, 16, 2). */
  PTO_LAYOUT_HIF4_A_ZZ = 10,       /**< (_, rows / 16, columns / 4, 16, 4). */
  PTO_LAYOUT_HIF4_B_NN = 11,       /**< (_, columns / 16, rows / 4, 16, 4). */
  PTO_LAYOUT_NC1HWC0 = 12,         /**< An image of blocks of channels, n h w the rows, c1 c0 the columns: (n, c1, h, w, c0). */
  PTO_LAYOUT_GNC1HWC0 = 13,        /**< (g n, c1, h, w, c0). */
  PTO_LAYOUT_NCHW = 14,            /**< n h w the rows, c the columns: (_, n, c, h, w). */
  PTO_LAYOUT_GNCHW = 15,           /**< (g, n, c, h, w). */
  PTO_LAYOUT_NHWC = 16,            /**< (_, n, h, w, c). */
  PTO_LAYOUT_NDC1HWC0 = 17,        /**< (n d, c1, h, w, c0). */
  PTO_LAYOUT_NCDHW = 18,           /**< n d h w the rows, c the columns: (n, c, d, h, w). */
  PTO_LAYOUT_FRACTAL_Z = 19,       /**< A filter a row: (_, c1 h w, n / 16, 16, c0). */
  PTO_LAYOUT_FRACTAL_Z_S16S8 = 20, /**< The same of other boxes: (_, c1 h w, n / n0, n0, c0). */
  PTO_LAYOUT_FRACTAL_Z_3D = 21     /**< (_, c1 d h w, n / 16, 16, c0). */
} pto_layout;

/** A profile, a SIMD target, on-chip memory and the text of the last error. */
typedef struct pto_context pto_context;
/** A tile: a 2-D typed buffer, a prefix rectangle of which holds data. */
typedef struct pto_tile pto_tile;
/** Global memory: up to five dimensions of elements, each with its stride. */
typedef struct pto_tensor pto_tensor;
/** An instruction with its operands, for interpreters. */
typedef struct pto_inst pto_inst;
/** A PTO-AS program: text that was read, what is wrong with it, what its arguments are bound to. */
typedef struct pto_program pto_program;
/** A world: ranks that exchange data, each with contexts of its own and a window of memory that all ranks reach. */
typedef struct pto_world pto_world;
/** A group: one tensor of each rank that takes part in a collective instruction, and which of them is the root's. */
typedef struct pto_group pto_group;

/** What pto_comm_tnotify() does to a signal. */
typedef enum pto_notify {
  PTO_NOTIFY_ATOMIC_ADD = 0,  /**< Adds the value. */
  PTO_NOTIFY_SET = 1          /**< Replaces the signal by the value. */
} pto_notify;

/** How pto_comm_twait() and pto_context_ttest() compare a signal with a value. */
typedef enum pto_wait_cmp {
  PTO_WAIT_CMP_EQ = 0,  /**< Equal. */
  PTO_WAIT_CMP_NE = 1,  /**< Not equal. */
  PTO_WAIT_CMP_GT = 2,  /**< Greater. */
  PTO_WAIT_CMP_GE = 3,  /**< Greater or equal. */
  PTO_WAIT_CMP_LT = 4,  /**< Less. */
  PTO_WAIT_CMP_LE = 5   /**< Less or equal. */
} pto_wait_cmp;

/** How pto_comm_treduce() and pto_comm_allreduce() combine elements. */
typedef enum pto_reduce {
  PTO_REDUCE_SUM = 0,  /**< Their sum, as TADD adds. */
  PTO_REDUCE_MAX = 1,  /**< The greater one, as TMAX. */
  PTO_REDUCE_MIN = 2   /**< The less one, as TMIN. */
} pto_reduce;

/** What an argument of a program takes. */
typedef enum pto_arg_kind {
  PTO_ARG_TENSOR = 0,  /**< A tensor: the program has a pointer or a view. */
  PTO_ARG_TILE = 1,    /**< A tile. */
  PTO_ARG_INT = 2,     /**< An integer. */
  PTO_ARG_FLOAT = 3,   /**< A floating-point number. */
  PTO_ARG_OTHER = 4    /**< Something that cannot be bound. */
} pto_arg_kind;

/** How a program is spelled. */
typedef enum pto_form {
  PTO_FORM_KEEP = 0,  /**< Each statement as it was. */
  PTO_FORM_ASM = 1,   /**< %d = tadd %a, %b : T */
  PTO_FORM_SSA = 2,   /**< %d = pto.tadd %a, %b : (T, T) -> T */
  PTO_FORM_DPS = 3    /**< pto.tadd ins(%a, %b : T, T) outs(%d : T) */
} pto_form;

/** What a run of a program records. */
typedef enum pto_record {
  PTO_RECORD_OFF = 0,    /**< Nothing. */
  PTO_RECORD_TIMES = 1,  /**< An event for each instruction: when, where in the text, on how much. */
  PTO_RECORD_TILES = 2   /**< The same, and what was in its tiles. */
} pto_record;

/** What pto_program_read_events() reads. */
typedef enum pto_event_part {
  PTO_EVENT_PART_EVENTS = 0,    /**< Rows of numbers, an instruction each; columns are of pto_event_field. */
  PTO_EVENT_PART_TILES = 1,     /**< Rows of numbers, a tile of an instruction each; columns are of pto_event_tile_field. */
  PTO_EVENT_PART_ELEMENTS = 2   /**< Bytes: elements of tiles, where PTO_EVENT_TILE_DATA says. */
} pto_event_part;

/** Numbers of an event; later versions add some at the end. */
typedef enum pto_event_field {
  PTO_EVENT_BEGIN = 0,        /**< When the instruction began, in ns since the run did. */
  PTO_EVENT_END = 1,          /**< When it ended. */
  PTO_EVENT_OP = 2,           /**< The instruction, as a pto_op; -1: a statement of pto.comm; its name is in the text. */
  PTO_EVENT_STATUS = 3,       /**< How it ended, as a pto_status: all but the last event are PTO_OK. */
  PTO_EVENT_LINE = 4,         /**< The line of its statement, from 1. */
  PTO_EVENT_COLUMN = 5,       /**< The column, from 1, in characters. */
  PTO_EVENT_OFFSET = 6,       /**< Where the statement's name begins in the text, in bytes. */
  PTO_EVENT_LENGTH = 7,       /**< Bytes of the name. */
  PTO_EVENT_BLOCK = 8,        /**< The block that ran it. */
  PTO_EVENT_REPEAT = 9,       /**< How often the statement ran before in this run. */
  PTO_EVENT_PIPE = 10,        /**< Where it would run on hardware, as a pto_pipe. */
  PTO_EVENT_DTYPE = 11,       /**< Element type of its destination, or else of its first tile; -1: it has none. */
  PTO_EVENT_ROWS = 12,        /**< Valid rows of that. */
  PTO_EVENT_COLS = 13,        /**< Valid columns of that. */
  PTO_EVENT_ELEMENTS = 14,    /**< Elements of its largest valid region, at most 2^31 - 1. */
  PTO_EVENT_BYTES = 15,       /**< Bytes read and written: of the valid regions, and of global memory. */
  PTO_EVENT_FIRST_TILE = 16,  /**< Its first row of PTO_EVENT_PART_TILES. */
  PTO_EVENT_TILES = 17,       /**< How many rows there it has: sources before it, then destinations after it. */
  PTO_EVENT_RANK = 18,        /**< The rank that ran it; 0 without ranks. */
  PTO_EVENT_PEER = 19         /**< Of a statement of pto.comm, the one other rank whose window it reads or writes; -1: none, or several. */
} pto_event_field;

/** Numbers of a tile of an event; later versions add some at the end. */
typedef enum pto_event_tile_field {
  PTO_EVENT_TILE_OPERAND = 0,      /**< Which operand of the instruction. */
  PTO_EVENT_TILE_AFTER = 1,        /**< 0: as it was before the instruction; 1: after it. */
  PTO_EVENT_TILE_OFFSET = 2,       /**< Where the operand begins in the text, in bytes. */
  PTO_EVENT_TILE_LENGTH = 3,       /**< Bytes of it. */
  PTO_EVENT_TILE_DTYPE = 4,        /**< Element type, as a pto_dtype. */
  PTO_EVENT_TILE_LOCATION = 5,     /**< As a pto_location. */
  PTO_EVENT_TILE_BLAYOUT = 6,      /**< As a pto_blayout. */
  PTO_EVENT_TILE_SLAYOUT = 7,      /**< As a pto_slayout. */
  PTO_EVENT_TILE_FRACTAL = 8,      /**< Bytes of a box; 0: it has none. */
  PTO_EVENT_TILE_ROWS = 9,         /**< Allocated rows. */
  PTO_EVENT_TILE_COLS = 10,        /**< Allocated columns. */
  PTO_EVENT_TILE_VALID_ROWS = 11,  /**< Rows that hold data. */
  PTO_EVENT_TILE_VALID_COLS = 12,  /**< Columns that hold data. */
  PTO_EVENT_TILE_NANS = 13,        /**< How many elements of the valid region are NaN. */
  PTO_EVENT_TILE_INFS = 14,        /**< How many are infinite. */
  PTO_EVENT_TILE_SUBNORMALS = 15,  /**< How many are subnormal. */
  PTO_EVENT_TILE_MIN = 16,         /**< The bits of the least one that is no NaN. */
  PTO_EVENT_TILE_MAX = 17,         /**< The bits of the greatest one that is no NaN. */
  PTO_EVENT_TILE_DIGEST = 18,      /**< Of the bits of all: tiles that differ have the same once in 2^64 times. */
  PTO_EVENT_TILE_ROW_STEP = 19,    /**< Elements of every so many rows were kept, */
  PTO_EVENT_TILE_COL_STEP = 20,    /**< and of every so many columns. */
  PTO_EVENT_TILE_DATA = 21,        /**< Where these are in PTO_EVENT_PART_ELEMENTS, row by row. */
  PTO_EVENT_TILE_DATA_BYTES = 22   /**< Bytes of them; 0: they were not kept. */
} pto_event_tile_field;

/** Where an instruction runs on hardware. */
typedef enum pto_pipe {
  PTO_PIPE_V = 0,     /**< The vector unit. */
  PTO_PIPE_M = 1,     /**< The matrix unit. */
  PTO_PIPE_MTE1 = 2,  /**< Between on-chip memories. */
  PTO_PIPE_MTE2 = 3,  /**< From global memory. */
  PTO_PIPE_MTE3 = 4,  /**< To global memory. */
  PTO_PIPE_FIX = 5,   /**< Out of the accumulators. */
  PTO_PIPE_S = 6      /**< The scalar unit, which issues the instructions of the others. */
} pto_pipe;

/**
 * What a tile is made from.
 *
 * Set everything to zero, then struct_size, dtype, rows and cols; the zeros are a
 * row-major vector tile that owns its memory and is valid as a whole.
 */
typedef struct pto_tile_desc {
  uint32_t struct_size;   /**< sizeof(pto_tile_desc): lets the struct grow. */
  pto_dtype dtype;        /**< Element type. */
  int32_t rows;           /**< Allocated rows, at least 1. */
  int32_t cols;           /**< Allocated columns, at least 1. */
  int32_t valid_rows;     /**< Rows that hold data, 1 to rows; 0 or PTO_VALID_ALL for rows, PTO_VALID_NONE for 0. */
  int32_t valid_cols;     /**< Columns that hold data, 1 to cols; 0 or PTO_VALID_ALL for cols, PTO_VALID_NONE for 0. */
  pto_location location;  /**< Memory the tile lives in. */
  pto_blayout blayout;    /**< Order of boxes or elements. */
  pto_slayout slayout;    /**< Order inside a box. */
  int32_t fractal;        /**< Bytes of a box: 512, 1024 or 32; 0 means 512. */
  pto_pad pad;            /**< Pad value. */
  pto_storage storage;    /**< Where the elements are kept; ignored by pto_tile_wrap(). */
  uint32_t pad_bits;      /**< The bits of PTO_PAD_CUSTOM; since 48 bytes. */
  pto_compact compact;    /**< How columns of boxes are packed; since 48 bytes. */
} pto_tile_desc;

/**
 * What a tensor is made from.
 *
 * Set everything to zero, then struct_size, dtype, rank and the dimensions: dim0
 * is the outermost, and rank of them are looked at. Strides count elements.
 */
typedef struct pto_tensor_desc {
  uint32_t struct_size;  /**< sizeof(pto_tensor_desc): lets the struct grow. */
  pto_dtype dtype;       /**< Element type. */
  pto_layout layout;     /**< How transfers see the dimensions. */
  int32_t rank;          /**< Number of dimensions, 1 to 5. */
  int32_t strided;       /**< 0: elements follow each other without gaps, in row order for ND, the last two dimensions in column order for DN; 1: as the strides say. */
  int64_t dim0;          /**< Size of dimension 0, 0 or more. */
  int64_t dim1;          /**< Size of dimension 1. */
  int64_t dim2;          /**< Size of dimension 2. */
  int64_t dim3;          /**< Size of dimension 3. */
  int64_t dim4;          /**< Size of dimension 4. */
  int64_t stride0;       /**< Elements from one index of dimension 0 to the next, 0 or more. */
  int64_t stride1;       /**< The same of dimension 1. */
  int64_t stride2;       /**< The same of dimension 2. */
  int64_t stride3;       /**< The same of dimension 3. */
  int64_t stride4;       /**< The same of dimension 4. */
} pto_tensor_desc;

/* ---- library ------------------------------------------------------------ */

/**
 * Answers the version of the loaded library: major * 10000 + minor * 100 + patch.
 *
 * @since 0.1
 */
PTO_API int32_t pto_version(void);

/**
 * Answers the name of a status class, such as "PTO_ERROR_SHAPE".
 *
 * @param status any value; unknown ones answer "PTO_ERROR_?"
 * @return a string that lives as long as the library
 * @since 0.1
 */
PTO_API const char *pto_status_name(pto_status status);

/**
 * Answers the short name of an element type as PTO-AS writes it: "f32", "u8".
 *
 * @param dtype any value; unknown ones answer "?"
 * @since 0.1
 */
PTO_API const char *pto_dtype_name(pto_dtype dtype);

/**
 * Answers the size of an element in bytes; 0 for an unknown type. Of a packed type, two of whose elements share a byte, it is 1.
 *
 * @since 0.1
 */
PTO_API int32_t pto_dtype_bytes(pto_dtype dtype);

/**
 * Answers the size of an element in bits: 4 for the packed types; 0 for an unknown type.
 *
 * @since 0.1
 */
PTO_API int32_t pto_dtype_bits(pto_dtype dtype);

/**
 * Counts the handles of all kinds that are alive in this process, for leak tests.
 *
 * @since 0.1
 */
PTO_API int64_t pto_live_handles(void);

/**
 * Answers the number of SIMD targets compiled into the library.
 *
 * @since 0.1
 */
PTO_API int32_t pto_target_count(void);

/**
 * Answers the name of a SIMD target, such as "AVX3" or "NEON", best first.
 *
 * @param index 0 to pto_target_count() - 1; NULL is answered otherwise
 * @since 0.1
 */
PTO_API const char *pto_target_name(int32_t index);

/**
 * Answers 1 when this machine can run a SIMD target, else 0.
 *
 * @param index 0 to pto_target_count() - 1; 0 is answered otherwise
 * @since 0.1
 */
PTO_API int32_t pto_target_supported(int32_t index);

/* ---- contexts ----------------------------------------------------------- */

/**
 * Makes a context that runs on the best SIMD target of this machine.
 *
 * The environment variable PTO_TARGET, when it names a supported target,
 * chooses that one instead. Results are the same bits on every target.
 *
 * Large products of i8 and bf16 use the tile instructions of x86 processors (AMX) where
 * there are some. The first one asks the operating system for them, once for the whole
 * process. From then on, sigaltstack() refuses stacks that are too small for the tiles,
 * for example of 8192 bytes. PTO_AMX=off in the environment keeps libpto from asking.
 *
 * @param profile whose rules apply
 * @return the context, or NULL for an unknown profile or when memory is out
 * @since 0.1
 */
PTO_API pto_context *pto_context_create(pto_profile profile);

/**
 * Makes a context that runs on a SIMD target chosen by name.
 *
 * @param profile whose rules apply
 * @param target_name one of pto_target_name(), or NULL for the best
 * @return the context, or NULL for an unknown profile, an unknown or
 *         unsupported target, or when memory is out
 * @since 0.1
 */
PTO_API pto_context *pto_context_create_for(pto_profile profile, const char *target_name);

/**
 * Takes one more reference to a context.
 *
 * @param ctx the context; NULL is a no-op
 * @return ctx
 * @since 0.1
 */
PTO_API pto_context *pto_context_retain(pto_context *ctx);

/**
 * Gives a reference back; the last one frees the context, not its tiles.
 *
 * @param ctx the context; NULL is a no-op
 * @since 0.1
 */
PTO_API void pto_context_release(pto_context *ctx);

/** Answers the profile of a context; PTO_PROFILE_CPU for NULL. @since 0.1 */
PTO_API pto_profile pto_context_profile(const pto_context *ctx);

/**
 * Sets how far the on-chip memory of a context of PTO_PROFILE_CPU reaches.
 *
 * Without this call each location has 2^30 bytes. Memory is taken as it is touched, so that a high
 * limit costs nothing; if the system does not have the address space, pto_tassign() returns `on-chip-memory`.
 * The hardware profiles have the sizes of the hardware.
 *
 * @param ctx a context of PTO_PROFILE_CPU whose tiles have no addresses yet
 * @param bytes the bytes of each location, 1 to 2^40
 * @return PTO_OK; rules: null, limit, on-chip-limit
 * @since 0.1
 */
PTO_API pto_status pto_context_limit_on_chip(pto_context *ctx, int64_t bytes);

/**
 * Sets what becomes of f32 sums that leave an accumulator as f16 or bf16 and that these types do not have.
 *
 * At first they become infinity, and NaN stays NaN. Conversions by quantisation words saturate in any case. The hardware
 * has this choice in bit 48 of its control register, where 0 saturates.
 *
 * @param ctx the context whose instructions are meant
 * @param saturates 0: as at first; any other number: the largest finite number of their sign, and 0 for NaN
 * @return PTO_OK; rules: null
 * @since 0.1
 */
PTO_API pto_status pto_context_saturate(pto_context *ctx, int32_t saturates);

/**
 * Answers how many bytes of on-chip memory a location has under the context's profile.
 *
 * @param ctx the context; NULL answers 0
 * @param location the location; one that the profile does not have has 0
 * @return the bytes
 * @since 0.1
 */
PTO_API int64_t pto_context_capacity(const pto_context *ctx, pto_location location);

/** Answers the name of the SIMD target a context runs on; "" for NULL. @since 0.1 */
PTO_API const char *pto_context_target(const pto_context *ctx);

/**
 * Answers the status class of the context's latest failed call.
 *
 * A call that succeeds leaves it as it was.
 *
 * @param ctx the context; NULL answers PTO_ERROR_NULL
 * @return PTO_OK when no call has failed yet
 * @since 0.1
 */
PTO_API pto_status pto_context_error(const pto_context *ctx);

/**
 * Answers what the latest failed call was told: one line that contains the
 * offending values, such as
 * "tpow: exp is 16x8 where dst is 16x16 (valid rows x columns)".
 *
 * @return a string that lives until the context's next failing call; "" when
 *         no call has failed yet
 * @since 0.1
 */
PTO_API const char *pto_context_error_message(const pto_context *ctx);

/** Answers the id of the rule that was broken, such as "valid-equal" (docs/rules.md); "" when no call has failed yet. @since 0.1 */
PTO_API const char *pto_context_error_rule(const pto_context *ctx);

/** Answers the name of the operand or parameter at fault, such as "exp"; "" when there is none. @since 0.1 */
PTO_API const char *pto_context_error_operand(const pto_context *ctx);

/** Answers one sentence on how to mend the call; "" when no call has failed yet. @since 0.1 */
PTO_API const char *pto_context_error_remedy(const pto_context *ctx);

/**
 * Appends a text to the context's output, as pto_tprint() does.
 *
 * @param ctx the context whose output is meant and that keeps the error
 * @param text the text, in UTF-8
 * @return PTO_OK; rules: null, memory
 * @since 0.1
 */
PTO_API pto_status pto_context_print(pto_context *ctx, const char *text);

/**
 * Answers what was printed to a context since it was made or its output cleared, at most 1 MiB.
 *
 * @param ctx the context; NULL answers ""
 * @return a string that lives until the context prints again, or its output is cleared
 * @since 0.1
 */
PTO_API const char *pto_context_output(const pto_context *ctx);

/**
 * Empties the context's output.
 *
 * @param ctx the context; NULL is a no-op
 * @since 0.1
 */
PTO_API void pto_context_clear_output(pto_context *ctx);

/* ---- tiles -------------------------------------------------------------- */

/**
 * Makes a row-major vector tile that owns zeroed memory, all of it valid.
 *
 * @param ctx the context whose profile judges the geometry and that keeps the error
 * @param dtype element type
 * @param rows rows, at least 1
 * @param cols columns, at least 1; under A2A3 and A5 a row is a multiple of 32 bytes
 * @return the tile, or NULL with the error in ctx; rules: null, dtype-known, tile-shape,
 *         tile-size, row-bytes, capacity, memory
 * @since 0.1
 */
PTO_API pto_tile *pto_tile_create(pto_context *ctx, pto_dtype dtype, int32_t rows, int32_t cols);

/**
 * Makes a tile of any geometry.
 *
 * @param ctx the context whose profile judges the geometry and that keeps the error
 * @param desc the geometry; copied
 * @return the tile, or NULL with the error in ctx; rules: those of
 *         pto_tile_create(), struct-size, location, layout, fractal, box-shape,
 *         pad, compact, storage-kind, valid-range
 * @since 0.1
 */
PTO_API pto_tile *pto_tile_create_from(pto_context *ctx, const pto_tile_desc *desc);

/**
 * Makes a tile over the caller's memory, without a copy.
 *
 * The memory must stay valid until the tile and all that share it are released.
 *
 * @param ctx the context whose profile judges the geometry and that keeps the error
 * @param desc the geometry; copied
 * @param data first element; aligned to the element's size
 * @param bytes size of the memory, at least what the geometry needs
 * @return the tile, or NULL with the error in ctx; rules: those of
 *         pto_tile_create_from(), wrap-bytes, data-alignment
 * @since 0.1
 */
PTO_API pto_tile *pto_tile_wrap(pto_context *ctx, const pto_tile_desc *desc, void *data, int64_t bytes);

/**
 * Makes a tile over a rectangle of another tile, without a copy (PTO-AS subset).
 *
 * The view keeps type, location, layout and pad, shares the elements and has a
 * valid region of its own, at first where that of the tile and the rectangle meet.
 * It is not compact: its elements stay where they were when it was made.
 * Its storage, as pto_tile_bytes() counts it, ends behind its last element.
 *
 * @param ctx the context that keeps the error
 * @param tile the tile that is looked into
 * @param row first row; at the border of a box when the tile is boxed
 * @param col first column; at the border of a box when the tile is boxed
 * @param rows rows of the view, at least 1
 * @param cols columns of the view, at least 1
 * @return the view, or NULL with the error in ctx; rules: null, storage,
 *         view-range, view-box, memory
 * @since 0.1
 */
PTO_API pto_tile *pto_tile_view(pto_context *ctx, pto_tile *tile, int32_t row, int32_t col, int32_t rows, int32_t cols);

/**
 * Makes a tile of another geometry over the bytes of a tile, without a copy (TRESHAPE, PTO-AS bitcast).
 *
 * @param ctx the context whose profile judges the geometry and that keeps the error
 * @param tile the tile whose bytes are meant; no view with gaps
 * @param desc the geometry; copied; storage is ignored; no more bytes than tile
 * @return the tile, or NULL with the error in ctx; rules: those of
 *         pto_tile_create_from(), storage, reshape-dense, reshape-boxes,
 *         reshape-bytes, data-alignment
 * @since 0.1
 */
PTO_API pto_tile *pto_tile_reshape(pto_context *ctx, pto_tile *tile, const pto_tile_desc *desc);

/**
 * Takes one more reference to a tile.
 *
 * @param tile the tile; NULL is a no-op
 * @return tile
 * @since 0.1
 */
PTO_API pto_tile *pto_tile_retain(pto_tile *tile);

/**
 * Gives a reference back; the last one frees the tile.
 *
 * @param tile the tile; NULL is a no-op
 * @since 0.1
 */
PTO_API void pto_tile_release(pto_tile *tile);

/**
 * Sets the valid region: the rectangle of the first rows and columns that holds data.
 *
 * @param ctx the context that keeps the error
 * @param tile the tile
 * @param valid_rows 0 to rows, or PTO_VALID_ALL; PTO_VALID_NONE is 0
 * @param valid_cols 0 to cols, or PTO_VALID_ALL; PTO_VALID_NONE is 0
 * @return PTO_OK; rules: null, valid-range
 * @since 0.1
 */
PTO_API pto_status pto_tile_set_valid(pto_context *ctx, pto_tile *tile, int32_t valid_rows, int32_t valid_cols);

/**
 * Copies packed elements into the valid region, row by row, whatever the layout.
 *
 * @param ctx the context that keeps the error
 * @param tile the tile
 * @param data the elements; need not be aligned; may be NULL when bytes is 0
 * @param bytes valid rows * valid columns * element size, no more, no less
 * @return PTO_OK; rules: null, byte-count, storage
 * @since 0.1
 */
PTO_API pto_status pto_tile_write(pto_context *ctx, pto_tile *tile, const void *data, int64_t bytes);

/**
 * Copies the valid region out as packed elements, row by row, whatever the layout.
 *
 * @param ctx the context that keeps the error
 * @param tile the tile
 * @param data receives the elements; need not be aligned; may be NULL when bytes is 0
 * @param bytes valid rows * valid columns * element size, no more, no less
 * @return PTO_OK; rules: null, byte-count, storage
 * @since 0.1
 */
PTO_API pto_status pto_tile_read(pto_context *ctx, const pto_tile *tile, void *data, int64_t bytes);

/**
 * Does what pto_tile_write() does, after it has made sure that the caller's elements are
 * the tile's: the form for languages whose arrays know their element type.
 *
 * @param ctx the context that keeps the error
 * @param tile the tile
 * @param dtype type of the elements in data; must be the tile's
 * @param data the elements; need not be aligned; may be NULL when bytes is 0
 * @param bytes valid rows * valid columns * element size, no more, no less
 * @return PTO_OK; rules: null, element-type, byte-count, storage
 * @since 0.1
 */
PTO_API pto_status pto_tile_write_as(pto_context *ctx, pto_tile *tile, pto_dtype dtype, const void *data, int64_t bytes);

/**
 * Does what pto_tile_read() does, after it has made sure that the caller's elements are the tile's.
 *
 * @param ctx the context that keeps the error
 * @param tile the tile
 * @param dtype type of the elements in data; must be the tile's
 * @param data receives the elements; need not be aligned; may be NULL when bytes is 0
 * @param bytes valid rows * valid columns * element size, no more, no less
 * @return PTO_OK; rules: null, element-type, byte-count, storage
 * @since 0.1
 */
PTO_API pto_status pto_tile_read_as(pto_context *ctx, const pto_tile *tile, pto_dtype dtype, void *data, int64_t bytes);

/**
 * Gives a tile an address in the context's on-chip memory (TASSIGN).
 *
 * Tiles may be given equal or overlapping addresses; then they share elements.
 * The tile leaves its former storage and counts a reference to the on-chip memory.
 * The memory of a location is zeroed when it is first used. Its size is the
 * profile's, see pto_context_capacity(); under PTO_PROFILE_CPU it is taken as it is touched.
 *
 * @param ctx the context whose memory is meant and that keeps the error
 * @param tile the tile
 * @param address bytes from the start of the memory of the tile's location; a
 *        multiple of 32
 * @return PTO_OK; rules: null, address-alignment, address-range, on-chip-memory, memory
 * @since 0.1
 */
PTO_API pto_status pto_tassign(pto_context *ctx, pto_tile *tile, int64_t address);

/**
 * Prints a tile to the context's output, which pto_context_output() answers (TPRINT).
 *
 * A line `TPRINT RxC` with the size of the valid region, and one for each of its rows: floats rounded to nearest with
 * ties to even, `inf`, `-inf` and `nan`, integers of 8 bits as numbers. Standard output gets nothing.
 *
 * The output holds 1 MiB. What is longer is cut behind a whole line, and a line `... cut` says so; later prints add
 * nothing until pto_context_clear_output() is called.
 *
 * @param ctx the context whose output is meant and that keeps the error
 * @param src the tile; A2A3 and A5 print no i64, u64 and bf16
 * @param format how numbers look
 * @return PTO_OK; rules: null, mode, storage, those of its geometry, dtype, location-print, memory
 * @since 0.1
 */
PTO_API pto_status pto_tprint(pto_context *ctx, const pto_tile *src, pto_print_format format);

/**
 * Answers the first byte of a tile's storage, in the order of its layout.
 *
 * @return NULL for NULL and for a manual tile without an address
 * @since 0.1
 */
PTO_API void *pto_tile_data(pto_tile *tile);

/** Answers the size of a tile's storage in bytes, the part outside the valid region included; 0 for NULL. @since 0.1 */
PTO_API int64_t pto_tile_bytes(const pto_tile *tile);
/** Answers the bytes that pto_tile_write() and pto_tile_read() move; 0 for NULL. @since 0.1 */
PTO_API int64_t pto_tile_valid_bytes(const pto_tile *tile);
/** Answers the element type; PTO_DTYPE_I8 for NULL. @since 0.1 */
PTO_API pto_dtype pto_tile_dtype(const pto_tile *tile);
/** Answers the allocated rows; 0 for NULL. @since 0.1 */
PTO_API int32_t pto_tile_rows(const pto_tile *tile);
/** Answers the allocated columns; 0 for NULL. @since 0.1 */
PTO_API int32_t pto_tile_cols(const pto_tile *tile);
/** Answers the valid rows; 0 for NULL. @since 0.1 */
PTO_API int32_t pto_tile_valid_rows(const pto_tile *tile);
/** Answers the valid columns; 0 for NULL. @since 0.1 */
PTO_API int32_t pto_tile_valid_cols(const pto_tile *tile);
/** Answers the location; PTO_LOCATION_VEC for NULL. @since 0.1 */
PTO_API pto_location pto_tile_location(const pto_tile *tile);
/** Answers the order of boxes or elements; PTO_BLAYOUT_ROW_MAJOR for NULL. @since 0.1 */
PTO_API pto_blayout pto_tile_blayout(const pto_tile *tile);
/** Answers the order inside a box; PTO_SLAYOUT_NONE_BOX for NULL. @since 0.1 */
PTO_API pto_slayout pto_tile_slayout(const pto_tile *tile);
/** Answers the bytes of a box; 0 for NULL. @since 0.1 */
PTO_API int32_t pto_tile_fractal(const pto_tile *tile);
/**
 * Answers the bytes from one line of a tile's storage to the next: of a row-major tile from row to row, of a column-major one
 * from column to column, of a boxed one from one row or column of boxes to the next, as its blayout says; 0 for NULL.
 *
 * @since 0.1
 */
PTO_API int64_t pto_tile_stride(const pto_tile *tile);
/** Answers the pad value; PTO_PAD_NULL for NULL. @since 0.1 */
PTO_API pto_pad pto_tile_pad(const pto_tile *tile);
/** Answers the bits of PTO_PAD_CUSTOM; 0 for other pad values and NULL. @since 0.1 */
PTO_API uint32_t pto_tile_pad_bits(const pto_tile *tile);
/** Answers how columns of boxes are packed; PTO_COMPACT_NULL for NULL, and for a view, whose elements stay where they were. @since 0.1 */
PTO_API pto_compact pto_tile_compact(const pto_tile *tile);

/* ---- tensors ------------------------------------------------------------ */

/**
 * Makes a tensor that owns zeroed memory.
 *
 * @param ctx the context that keeps the error
 * @param desc dimensions and strides; copied
 * @return the tensor, or NULL with the error in ctx; rules: null, struct-size,
 *         dtype-known, tensor-layout, tensor-rank, tensor-dim, tensor-stride,
 *         tensor-size, memory
 * @since 0.1
 */
PTO_API pto_tensor *pto_tensor_create(pto_context *ctx, const pto_tensor_desc *desc);

/**
 * Makes a tensor over the caller's memory, without a copy.
 *
 * The memory must stay valid until the tensor and all its views are released.
 *
 * @param ctx the context that keeps the error
 * @param desc dimensions and strides; copied
 * @param data the element with all indices 0; aligned to the element's size
 * @param bytes size of the memory; every element lies in it
 * @return the tensor, or NULL with the error in ctx; rules: those of
 *         pto_tensor_create(), data-alignment, tensor-range
 * @since 0.1
 */
PTO_API pto_tensor *pto_tensor_wrap(pto_context *ctx, const pto_tensor_desc *desc, void *data, int64_t bytes);

/**
 * Makes a tensor over a part of another one's memory, without a copy.
 *
 * A window has the tensor's strides and offset = sum of first index * stride; any
 * other dimensions, strides and element type are legal too.
 *
 * @param ctx the context that keeps the error
 * @param tensor the tensor whose memory is meant: from its first element to the
 *        end of what was created or wrapped
 * @param desc dimensions and strides; copied
 * @param offset elements of desc's type from the tensor's first element to the
 *        view's, 0 or more
 * @return the view, or NULL with the error in ctx; rules: those of
 *         pto_tensor_create(), data-alignment, tensor-range
 * @since 0.1
 */
PTO_API pto_tensor *pto_tensor_view(pto_context *ctx, pto_tensor *tensor, const pto_tensor_desc *desc, int64_t offset);

/**
 * Takes one more reference to a tensor.
 *
 * @param tensor the tensor; NULL is a no-op
 * @return tensor
 * @since 0.1
 */
PTO_API pto_tensor *pto_tensor_retain(pto_tensor *tensor);

/**
 * Gives a reference back; the last one frees the tensor.
 *
 * @param tensor the tensor; NULL is a no-op
 * @since 0.1
 */
PTO_API void pto_tensor_release(pto_tensor *tensor);

/**
 * Copies packed elements, the last index fastest, to where the strides put them.
 *
 * @param ctx the context that keeps the error
 * @param tensor the tensor
 * @param data the elements; need not be aligned; may be NULL when bytes is 0
 * @param bytes pto_tensor_bytes(tensor), no more, no less
 * @return PTO_OK; rules: null, byte-count
 * @since 0.1
 */
PTO_API pto_status pto_tensor_write(pto_context *ctx, pto_tensor *tensor, const void *data, int64_t bytes);

/**
 * Copies the elements out, packed, the last index fastest.
 *
 * @param ctx the context that keeps the error
 * @param tensor the tensor
 * @param data receives the elements; need not be aligned; may be NULL when bytes is 0
 * @param bytes pto_tensor_bytes(tensor), no more, no less
 * @return PTO_OK; rules: null, byte-count
 * @since 0.1
 */
PTO_API pto_status pto_tensor_read(pto_context *ctx, const pto_tensor *tensor, void *data, int64_t bytes);

/**
 * Does what pto_tensor_write() does, after it has made sure that the caller's elements are the tensor's.
 *
 * @param ctx the context that keeps the error
 * @param tensor the tensor
 * @param dtype type of the elements in data; must be the tensor's
 * @param data the elements; need not be aligned; may be NULL when bytes is 0
 * @param bytes pto_tensor_bytes(tensor), no more, no less
 * @return PTO_OK; rules: null, dtype-known, element-type, byte-count
 * @since 0.1
 */
PTO_API pto_status pto_tensor_write_as(pto_context *ctx, pto_tensor *tensor, pto_dtype dtype, const void *data, int64_t bytes);

/**
 * Does what pto_tensor_read() does, after it has made sure that the caller's elements are the tensor's.
 *
 * @param ctx the context that keeps the error
 * @param tensor the tensor
 * @param dtype type of the elements in data; must be the tensor's
 * @param data receives the elements; need not be aligned; may be NULL when bytes is 0
 * @param bytes pto_tensor_bytes(tensor), no more, no less
 * @return PTO_OK; rules: null, dtype-known, element-type, byte-count
 * @since 0.1
 */
PTO_API pto_status pto_tensor_read_as(pto_context *ctx, const pto_tensor *tensor, pto_dtype dtype, void *data, int64_t bytes);

/** Answers the element with all indices 0; NULL for NULL. @since 0.1 */
PTO_API void *pto_tensor_data(pto_tensor *tensor);
/** Answers the bytes that pto_tensor_write() and pto_tensor_read() move; 0 for NULL. @since 0.1 */
PTO_API int64_t pto_tensor_bytes(const pto_tensor *tensor);
/** Answers the element type; PTO_DTYPE_I8 for NULL. @since 0.1 */
PTO_API pto_dtype pto_tensor_dtype(const pto_tensor *tensor);
/** Answers the layout; PTO_LAYOUT_ND for NULL. @since 0.1 */
PTO_API pto_layout pto_tensor_layout(const pto_tensor *tensor);
/** Answers the number of dimensions; 0 for NULL. @since 0.1 */
PTO_API int32_t pto_tensor_rank(const pto_tensor *tensor);
/** Answers the size of a dimension, 0 the outermost; 0 when there is none. @since 0.1 */
PTO_API int64_t pto_tensor_dim(const pto_tensor *tensor, int32_t index);
/** Answers the stride of a dimension in elements; 0 when there is none. @since 0.1 */
PTO_API int64_t pto_tensor_stride(const pto_tensor *tensor, int32_t index);

/* ---- several devices ------------------------------------------------------ */

/**
 * Creates a world of ranks, in this process or, with the environment variable PTO_TRANSPORT=shm, in processes of their own.
 *
 * A rank represents one device. Each has a window: memory of the same size on every rank, zeroed, which every rank
 * reads and writes as ordinary tensors. docs/ranks.md describes the model.
 *
 * With PTO_TRANSPORT=shm the process makes the world, then forks a process for each rank. A forked process creates the
 * context of its rank with pto_world_context(), and releases it before it ends. If a process ends without that, waits of
 * other ranks fail with `deadlock` and name it. With PTO_TRANSPORT=mpi each process that mpirun started is a rank and calls this.
 *
 * @param ctx the context that keeps the error
 * @param ranks the number of ranks, 1 to 64
 * @param window_bytes the size of each rank's window, 0 or more
 * @return the world, or NULL with the error in ctx; rules: ranks, window-bytes, mode, memory
 * @since 0.1
 */
PTO_API pto_world *pto_world_create(pto_context *ctx, int32_t ranks, int64_t window_bytes);

/** Takes one more reference to a world; NULL is a no-op. @since 0.1 */
PTO_API pto_world *pto_world_retain(pto_world *world);

/** Gives a reference back; the last one frees the world. Tensors and contexts of the world keep what they need. NULL is a no-op. @since 0.1 */
PTO_API void pto_world_release(pto_world *world);

/** Returns the number of ranks; 0 for NULL. @since 0.1 */
PTO_API int32_t pto_world_ranks(const pto_world *world);

/** Returns the bytes of each rank's window; 0 for NULL. @since 0.1 */
PTO_API int64_t pto_world_window_bytes(const pto_world *world);

/** Returns how the ranks of the world reach each other: "local", "shm" or "mpi"; "" for NULL. @since 0.1 */
PTO_API const char *pto_world_transport(const pto_world *world);

/**
 * Creates a context of a rank, with the profile, SIMD target and limit of on-chip memory of ctx.
 *
 * Each call creates a new one: a rank may have several contexts, one for each thread that works for it. The context
 * holds a reference to the world.
 *
 * @param ctx the context that keeps the error
 * @param world the world
 * @param rank the rank, 0 to pto_world_ranks() - 1; with PTO_TRANSPORT=mpi only the rank of the process, which -1 selects
 * @return the context, or NULL with the error in ctx; rules: null, rank, memory
 * @since 0.1
 */
PTO_API pto_context *pto_world_context(pto_context *ctx, pto_world *world, int32_t rank);

/** Returns the rank that a context belongs to; -1 for a context of no world, and for NULL. @since 0.1 */
PTO_API int32_t pto_context_rank(const pto_context *ctx);

/**
 * Creates a tensor over a part of a rank's window, without a copy.
 *
 * It is an ordinary tensor: pto_tload(), pto_tstore(), pto_mgather() and all other calls take the window of any rank.
 * The same desc and offset mean the same place in every window. The tensor keeps the memory of the window.
 *
 * @param ctx the context that keeps the error
 * @param world the world
 * @param rank the rank whose window it is, 0 to pto_world_ranks() - 1
 * @param desc dimensions and strides; copied
 * @param offset bytes from the beginning of the window to the element with all indices 0; a multiple of the size of an element
 * @return the tensor, or NULL with the error in ctx; rules: as pto_tensor_create(), and rank, world-offset, data-alignment,
 *         tensor-range
 * @since 0.1
 */
PTO_API pto_tensor *pto_world_tensor(pto_context *ctx, pto_world *world, int32_t rank, const pto_tensor_desc *desc, int64_t offset);

/**
 * Limits how long pto_comm_twait() waits; 60000 milliseconds unless set.
 *
 * @param ctx the context that keeps the error
 * @param world the world
 * @param milliseconds the time, 1 or more
 * @return PTO_OK, or the broken rule: null, limit
 * @since 0.1
 */
PTO_API pto_status pto_world_limit_wait(pto_context *ctx, pto_world *world, int64_t milliseconds);

/* ---- instructions known to the library ---------------------------------- */

/**
 * Answers the number of instructions. Ids need not be dense: walk them by pto_op_at().
 *
 * @since 0.1
 */
PTO_API int32_t pto_op_count(void);

/** Answers the id of the instruction at an index in the order of names, -1 when out of range. @since 0.1 */
PTO_API int32_t pto_op_at(int32_t index);

/** Answers the id of the instruction with a mnemonic, such as "tpow"; -1 when there is none. @since 0.1 */
PTO_API int32_t pto_op_find(const char *name);

/** Answers the name of an instruction, as the C function has it behind pto_; NULL for an unknown id. @since 0.1 */
PTO_API const char *pto_op_name(int32_t op);

/** Answers what an instruction does, in one sentence; NULL for an unknown id. @since 0.1 */
PTO_API const char *pto_op_brief(int32_t op);

/** Answers the formula of an instruction; NULL for an unknown id. @since 0.1 */
PTO_API const char *pto_op_formula(int32_t op);

/** Answers the number of operands, flags included; 0 for an unknown id. @since 0.1 */
PTO_API int32_t pto_op_operand_count(int32_t op);

/** Answers the name of an operand; NULL when there is none. @since 0.1 */
PTO_API const char *pto_op_operand_name(int32_t op, int32_t index);

/** Answers the role of an operand as a pto_role; -1 when there is none. @since 0.1 */
PTO_API int32_t pto_op_operand_role(int32_t op, int32_t index);

/** Answers the name of the enum of a mode operand without `pto_`, for instance "cmp"; NULL when the operand is none. @since 0.1 */
PTO_API const char *pto_op_operand_mode(int32_t op, int32_t index);

/** Answers the name of a value of a mode operand, for instance "EQ" for 0; NULL when there is none. @since 0.1 */
PTO_API const char *pto_op_operand_mode_value(int32_t op, int32_t index, int32_t value);

/** Answers the extent of a tile operand as a pto_extent; -1 when the operand is no tile, or tmp. @since 0.1 */
PTO_API int32_t pto_op_operand_extent(int32_t op, int32_t index);

/**
 * Answers which element types an output or input may have beside a lead operand of the given type, and to which
 * type a scalar is brought. Where several operands have the same set of more than one type, they have the same
 * type, the scalar too.
 *
 * @param op the id of an instruction
 * @param index which operand
 * @param profile the profile
 * @param lead the element type of the lead operand
 * @return a set, bit 1 << dtype each; 0 where the instruction does not take the call
 * @since 0.1
 */
PTO_API uint32_t pto_op_operand_dtypes(int32_t op, int32_t index, pto_profile profile, pto_dtype lead);

/** Answers the index of the operand whose element type and valid region rule the others; -1 for an unknown id. @since 0.1 */
PTO_API int32_t pto_op_lead(int32_t op);

/** Answers what programs and C++ call the instruction: forms of one share it; NULL for an unknown id. @since 0.1 */
PTO_API const char *pto_op_mnemonic(int32_t op);

/** Answers the flags that an instruction takes, or-ed together; 0 for an unknown id. @since 0.1 */
PTO_API int32_t pto_op_flags(int32_t op);

/**
 * Answers 1 when a profile runs an instruction on an element type with these flags.
 *
 * @param op id of the instruction
 * @param profile whose rules apply
 * @param dtype element type of dst
 * @param flags flags of the call
 * @return 1, or 0 also for unknown values
 * @since 0.1
 */
PTO_API int32_t pto_op_supports(int32_t op, pto_profile profile, pto_dtype dtype, uint32_t flags);

/* ---- instructions as objects, for interpreters --------------------------- */

/**
 * Makes an instruction whose operands are not set yet.
 *
 * @param ctx the context that keeps the error
 * @param name the mnemonic, such as "tpow"
 * @return the instruction, or NULL with the error in ctx; rules: null,
 *         unknown-instruction, memory
 * @since 0.1
 */
PTO_API pto_inst *pto_inst_create(pto_context *ctx, const char *name);

/** Takes one more reference to an instruction; NULL is a no-op. @since 0.1 */
PTO_API pto_inst *pto_inst_retain(pto_inst *inst);

/** Gives a reference back; the last one frees the instruction and lets go of its tiles and tensors; NULL is a no-op. @since 0.1 */
PTO_API void pto_inst_release(pto_inst *inst);

/** Answers the id of the instruction; -1 for NULL. @since 0.1 */
PTO_API int32_t pto_inst_op(const pto_inst *inst);

/**
 * Sets a tile operand; the instruction counts a reference to the tile.
 *
 * @param ctx the context that keeps the error
 * @param inst the instruction
 * @param index which operand, in the order of pto_op_operand_name()
 * @param tile the tile; NULL unsets the operand
 * @return PTO_OK; rules: null, operand-index, operand-kind
 * @since 0.1
 */
PTO_API pto_status pto_inst_set_tile(pto_context *ctx, pto_inst *inst, int32_t index, pto_tile *tile);

/**
 * Sets a tensor operand; the instruction counts a reference to the tensor.
 *
 * @param ctx the context that keeps the error
 * @param inst the instruction
 * @param index which operand, in the order of pto_op_operand_name()
 * @param tensor the tensor; NULL unsets the operand
 * @return PTO_OK; rules: null, operand-index, operand-kind
 * @since 0.1
 */
PTO_API pto_status pto_inst_set_tensor(pto_context *ctx, pto_inst *inst, int32_t index, pto_tensor *tensor);

/**
 * Sets a scalar operand.
 *
 * @param ctx the context that keeps the error
 * @param inst the instruction
 * @param index which operand
 * @param value the value; whether the element type has it is looked at when the instruction is checked or run
 * @return PTO_OK; rules: null, operand-index, operand-kind, scalar-kind
 * @since 0.1
 */
PTO_API pto_status pto_inst_set_scalar(pto_context *ctx, pto_inst *inst, int32_t index, pto_scalar value);

/**
 * Sets a scalar operand to an integer, or an integer, a mode or the flags.
 *
 * @param ctx the context that keeps the error
 * @param inst the instruction
 * @param index which operand
 * @param value the value
 * @return PTO_OK; rules: null, operand-index, operand-kind, operand-value
 * @since 0.1
 */
PTO_API pto_status pto_inst_set_int(pto_context *ctx, pto_inst *inst, int32_t index, int64_t value);

/**
 * Sets a scalar operand to a floating-point number.
 *
 * @param ctx the context that keeps the error
 * @param inst the instruction
 * @param index which operand
 * @param value the value
 * @return PTO_OK; rules: null, operand-index, operand-kind
 * @since 0.1
 */
PTO_API pto_status pto_inst_set_float(pto_context *ctx, pto_inst *inst, int32_t index, double value);

/**
 * Applies every rule of the instruction to its operands, without running it.
 *
 * Elements are not read. Errors that depend on them, such as an index out of bounds, are reported by pto_inst_run()
 * alone.
 *
 * @param ctx the context whose profile applies and that keeps the error
 * @param inst the instruction
 * @return PTO_OK if pto_inst_run() can fail only because of the data or of memory; else its error
 * @since 0.1
 */
PTO_API pto_status pto_inst_check(pto_context *ctx, const pto_inst *inst);

/**
 * Runs the instruction: the same as calling its function, and faster if only data changed. One thread at a time runs an instruction.
 *
 * @param ctx the context
 * @param inst the instruction
 * @return what the instruction's function answers
 * @since 0.1
 */
PTO_API pto_status pto_inst_run(pto_context *ctx, const pto_inst *inst);

/* ---- programs ------------------------------------------------------------ */

/**
 * Reads a PTO-AS program, in any of its spellings.
 *
 * A text with errors answers a program too, so that its diagnostics can be read;
 * pto_program_check() and pto_program_run() refuse it.
 *
 * @param ctx the context that keeps the error
 * @param text the program; copied; need not end in 0
 * @param bytes size of the text, 0 or more
 * @param name what diagnostics call the text, such as its file name; NULL for "program"
 * @return the program, or NULL with the error in ctx; rules: null, byte-count, memory
 * @since 0.1
 */
PTO_API pto_program *pto_program_parse(pto_context *ctx, const char *text, int64_t bytes, const char *name);

/** Takes one more reference to a program; NULL is a no-op. @since 0.1 */
PTO_API pto_program *pto_program_retain(pto_program *program);

/** Gives a reference back; the last one frees the program and lets go of what is bound; NULL is a no-op. @since 0.1 */
PTO_API void pto_program_release(pto_program *program);

/**
 * Applies the rules of the language, and those of the instructions as far as types and constants say.
 *
 * Its diagnostics take the place of those of a check or run before.
 *
 * @param ctx the context whose profile applies and that keeps the error
 * @param program the program
 * @return PTO_OK when there is no error; rules: null, memory, or that of the first diagnostic
 * @since 0.1
 */
PTO_API pto_status pto_program_check(pto_context *ctx, pto_program *program);

/**
 * Looks for what is no error but probably a mistake, or work for nothing: docs/lint.md has the checks.
 *
 * Findings are warnings among the diagnostics, which take the place of those of a check or run before; their rule is
 * the id of a check. A comment `lint: allow ID: reason` in the program keeps a finding of its line, or of the next
 * statement, out; `lint: allow-file ID: reason` those of the whole program. A program with errors has those only.
 *
 * @param ctx the context whose profile applies and that keeps the error
 * @param program the program
 * @param checks ids with commas between: these only; or all but those that have - before them; NULL for all
 * @return PTO_OK when there is no error; rules: null, lint-check, memory, or that of the first diagnostic
 * @since 0.1
 */
PTO_API pto_status pto_program_lint(pto_context *ctx, pto_program *program, const char *checks);

/** Answers the number of checks of pto_program_lint(). @since 0.1 */
PTO_API int32_t pto_lint_count(void);

/** Answers the id of a check, which later versions keep; NULL when there is none. @since 0.1 */
PTO_API const char *pto_lint_id(int32_t index);

/** Answers what a check finds, in a few words; NULL when there is none. @since 0.1 */
PTO_API const char *pto_lint_title(int32_t index);

/** Answers why what a check finds is bad; NULL when there is none. @since 0.1 */
PTO_API const char *pto_lint_why(int32_t index);

/** Answers one sentence on how to mend what a check finds; NULL when there is none. @since 0.1 */
PTO_API const char *pto_lint_remedy(int32_t index);

/** Answers the profile that the program's pto.target_arch names, as a pto_profile; -1 when it names none. @since 0.1 */
PTO_API int32_t pto_program_profile(const pto_program *program);

/** Answers the function that runs when none is named; NULL when that is not decided. @since 0.1 */
PTO_API const char *pto_program_entry(const pto_program *program);

/**
 * Answers the number of arguments of a function; -1 when there is none of that name.
 *
 * The arguments of bare statements are the values that no statement defines.
 *
 * @param program the program
 * @param entry the function's name; NULL for pto_program_entry()
 * @since 0.1
 */
PTO_API int32_t pto_program_arg_count(const pto_program *program, const char *entry);

/** Answers the name of an argument, without %; NULL when there is none. @since 0.1 */
PTO_API const char *pto_program_arg_name(const pto_program *program, const char *entry, int32_t index);

/** Answers what an argument takes; PTO_ARG_OTHER when there is none. @since 0.1 */
PTO_API pto_arg_kind pto_program_arg_kind(const pto_program *program, const char *entry, int32_t index);

/** Answers the element type of an argument as a pto_dtype; -1 when the program does not say, or one that no tile has. @since 0.1 */
PTO_API int32_t pto_program_arg_dtype(const pto_program *program, const char *entry, int32_t index);

/**
 * Makes a tile of the type that the program gives an argument, with zeroed memory of its own.
 *
 * @param ctx the context whose profile judges the geometry and that keeps the error
 * @param program the program
 * @param entry the function's name; NULL for pto_program_entry()
 * @param index which argument
 * @return the tile, to be released by the caller, or NULL with the error in ctx; rules:
 *         null, argument-name, argument-kind, those of pto_tile_create_from()
 * @since 0.1
 */
PTO_API pto_tile *pto_program_arg_tile(pto_context *ctx, const pto_program *program, const char *entry, int32_t index);

/** Answers 1 when an argument may stay unbound: a tile that a bare statement makes; else 0. @since 0.1 */
PTO_API int32_t pto_program_arg_optional(const pto_program *program, const char *entry, int32_t index);

/**
 * Binds an argument to a tensor; the program counts a reference to it.
 *
 * Whether the entry has the argument, and of that type, shows when it runs.
 *
 * @param ctx the context that keeps the error
 * @param program the program
 * @param arg name of the argument, without %, or its number in decimal
 * @param tensor the tensor; NULL takes the binding back
 * @return PTO_OK; rules: null, memory
 * @since 0.1
 */
PTO_API pto_status pto_program_bind_tensor(pto_context *ctx, pto_program *program, const char *arg, pto_tensor *tensor);

/** Binds an argument to a tile; as pto_program_bind_tensor(). @since 0.1 */
PTO_API pto_status pto_program_bind_tile(pto_context *ctx, pto_program *program, const char *arg, pto_tile *tile);

/**
 * Says whether the memory that an argument is bound to is for results only, and holds no data before a run.
 *
 * A run that reads an element of an output that it has not written before ends with unbound-argument. Which elements an
 * MSCATTER writes is not looked at: it counts as one that writes all of its table. A new binding of the argument holds
 * data.
 *
 * @param ctx the context that keeps the error
 * @param program the program
 * @param arg name of the argument, without %, or its number in decimal, as it was bound
 * @param on 0 or not
 * @return PTO_OK; rules: null, unbound-argument, argument-kind
 * @since 0.1
 */
PTO_API pto_status pto_program_set_output(pto_context *ctx, pto_program *program, const char *arg, int32_t on);

/**
 * Binds an argument to memory of unknown length, for kernels that get bare pointers.
 *
 * A pointer argument takes the memory from there on. The views that the program makes of it are the only bounds: what they
 * describe, and the elements that the program loads and stores by the pointer, must exist. An argument that is itself a
 * view takes the memory that its type describes; the type gives all sizes. Such memory holds data before a run.
 *
 * @param ctx the context that keeps the error
 * @param program the program
 * @param arg name of the argument, without %, or its number in decimal
 * @param address address of the first element, aligned to the element's size; 0 takes the binding back
 * @return PTO_OK; rules: null, memory
 * @since 0.1
 */
PTO_API pto_status pto_program_bind_address(pto_context *ctx, pto_program *program, const char *arg, int64_t address);

/** Binds an argument to an integer; as pto_program_bind_tensor(). @since 0.1 */
PTO_API pto_status pto_program_bind_int(pto_context *ctx, pto_program *program, const char *arg, int64_t value);

/** Binds an argument to a floating-point number; as pto_program_bind_tensor(). @since 0.1 */
PTO_API pto_status pto_program_bind_float(pto_context *ctx, pto_program *program, const char *arg, double value);

/**
 * Binds an argument to a floating-point number that is written in decimal.
 *
 * The number is rounded once, to the type of the argument, as a literal of a program is. A double that was rounded
 * from the same text may lie on the middle between two numbers of a narrower type, on which the text does not.
 *
 * @param ctx the context that keeps the error
 * @param program the program
 * @param arg name of the argument, without %, or its number in decimal
 * @param text perhaps a sign, digits with at most one point, perhaps an exponent: "-1.5e-3"
 * @return PTO_OK; rules: null, argument-type, memory
 * @since 0.1
 */
PTO_API pto_status pto_program_bind_decimal(pto_context *ctx, pto_program *program, const char *arg, const char *text);

/**
 * Limits the steps of a run, all blocks together; 10^9 unless set.
 *
 * A step is a statement, a round of a loop, a block, or 64 elements that a statement works on,
 * so that a limit bounds the work of a run, whatever its tiles are.
 *
 * @param ctx the context that keeps the error
 * @param program the program
 * @param steps the limit, 1 or more
 * @return PTO_OK, or the broken rule: null, limit
 * @since 0.1
 */
PTO_API pto_status pto_program_limit_steps(pto_context *ctx, pto_program *program, int64_t steps);

/**
 * Limits the bytes that each block of a run holds; 2^32 unless set.
 *
 * Counted are the tiles that it makes, 512 bytes for each handle (of a tile, of what shares its
 * elements, of a view, of an array of events, and 8 for each event), 32 for each value of a function that is under way,
 * what was printed, and the trace. What is bound is the caller's and not counted.
 *
 * @param ctx the context that keeps the error
 * @param program the program
 * @param bytes the limit, 1 or more
 * @return PTO_OK, or the broken rule: null, limit
 * @since 0.1
 */
PTO_API pto_status pto_program_limit_bytes(pto_context *ctx, pto_program *program, int64_t bytes);

/**
 * Limits the time that a run takes; there is no limit unless set.
 *
 * It is looked at between steps and within products of matrices; any other instruction that began is finished.
 *
 * @param ctx the context that keeps the error
 * @param program the program
 * @param milliseconds the limit, 1 or more
 * @return PTO_OK, or the broken rule: null, limit
 * @since 0.1
 */
PTO_API pto_status pto_program_limit_time(pto_context *ctx, pto_program *program, int64_t milliseconds);

/**
 * Asks a run to end: the one under way, or the next when there is none.
 *
 * May be called at any time from any thread, and from a signal handler, as long as the program is
 * alive; it returns at once. The run ends between two steps or within a product of matrices, with
 * PTO_ERROR_PROGRAM, rule stopped, and uses the request up. Requests are not counted: two before a
 * run ends are one.
 *
 * @param program the program; NULL is a no-op
 * @since 0.1
 */
PTO_API void pto_program_stop(pto_program *program);

/** Takes back a pto_program_stop() that no run has ended by; from any thread; NULL is a no-op. @since 0.1 */
PTO_API void pto_program_forget_stop(pto_program *program);

/** Sets how often the entry runs, as block 0, 1 and so on; 1 unless set. Rules: null, blocks. @since 0.1 */
PTO_API pto_status pto_program_set_blocks(pto_context *ctx, pto_program *program, int32_t blocks);

/**
 * Sets which core a run is, for launchers that start a thread of their own for each block or core.
 *
 * Such a launcher runs the program once on each thread: blocks of the run are then numbered from `block` on, out of `blocks`. A
 * program that runs on one kind of core only learns `lane` as the number of its vector core. The cores of a program with
 * both kinds run together and have their own numbers.
 *
 * @param ctx the context that keeps the error
 * @param program the program
 * @param block number of the run's first block, 0 or more
 * @param blocks number of blocks that the launcher has, more than block
 * @param lane number of the vector core in its block, 0 or 1
 * @return PTO_OK, or the broken rule: null, blocks
 * @since 0.1
 */
PTO_API pto_status pto_program_set_core(pto_context *ctx, pto_program *program, int32_t block, int32_t blocks, int32_t lane);

/**
 * Sets on how many threads a run works, at most; 1 unless set.
 *
 * Each block runs on one thread, with on-chip memory of its own. Results, what is printed, errors and steps do not
 * depend on the number, but for programs whose blocks write what others read or write; only the place of a step-limit
 * in a block other than the first is then that of the entry. Additions to global memory happen in the order of the
 * blocks. A program with a tile among its arguments runs on one thread. Threads are kept for the next run; after a
 * fork the child makes its own.
 *
 * @param ctx the context that keeps the error
 * @param program the program
 * @param threads the caller's thread and those that help it, 1 to 1024
 * @return PTO_OK, or the broken rule: null, threads
 * @since 0.1
 */
PTO_API pto_status pto_program_set_threads(pto_context *ctx, pto_program *program, int32_t threads);

/**
 * Sets the world that runs of the program use; one device unless set.
 *
 * Each rank runs the entry, its blocks and its cores. All ranks take turns on one thread: a rank runs until it waits for
 * a signal. Arguments bound so far stay bound on every rank; arguments bound on single ranks are no longer bound.
 *
 * @param ctx the context that keeps the error
 * @param program the program; holds a reference to the world
 * @param world the world; NULL: one device
 * @return PTO_OK, or the broken rule: null
 * @since 0.1
 */
PTO_API pto_status pto_program_set_world(pto_context *ctx, pto_program *program, pto_world *world);

/**
 * Sets the rank that later calls of pto_program_bind_tensor() and its like are for; every rank unless set.
 *
 * On its rank, an argument bound there takes precedence over one that is bound on every rank.
 *
 * @param ctx the context that keeps the error
 * @param program the program
 * @param rank the rank; -1: every rank
 * @return PTO_OK, or the broken rule: null, rank
 * @since 0.1
 */
PTO_API pto_status pto_program_bind_on(pto_context *ctx, pto_program *program, int32_t rank);

/**
 * Sets the order in which ranks, blocks that wait for each other, and cores take turns.
 *
 * With 0, the default, each runs until it waits, the first one first. Any other number is the seed of a random order, in
 * which turns also end before communication. The same seed gives the same order. A correct program computes the same with
 * every order.
 *
 * @param ctx the context that keeps the error
 * @param program the program
 * @param seed 0, or the seed
 * @return PTO_OK, or the broken rule: null
 * @since 0.1
 */
PTO_API pto_status pto_program_set_schedule(pto_context *ctx, pto_program *program, int64_t seed);

/**
 * Sets when data of `comm.tput` becomes visible to other ranks in runs of the program; 0 unless set.
 *
 * With 0 it is visible at once. With any other number it is visible as late as the order of pipes allows: after the next
 * barrier of all pipes or of the pipe that stores, or the next wait for a flag of that pipe. A program that has neither
 * leaves that order to a compiler, and the data arrives before the next notification. A correct program computes the same.
 *
 * @param ctx the context that keeps the error
 * @param program the program
 * @param on whether data arrives late
 * @return PTO_OK, or the broken rule: null
 * @since 0.1
 */
PTO_API pto_status pto_program_set_late_data(pto_context *ctx, pto_program *program, int32_t on);

/**
 * Says whether runs of the program check its synchronisation; they do not unless set.
 *
 * Instructions run in the order of the program in any case. A check tells where the device could take another one: two
 * accesses to the same bytes by pipes, or by blocks, that no flag, barrier or buffer orders. What it finds are
 * diagnostics of the run; docs/sync.md explains them. A run that checks works on one thread.
 *
 * @param ctx the context that keeps the error
 * @param program the program
 * @param on 0 or not
 * @return PTO_OK, or the broken rule: null
 * @since 0.1
 */
PTO_API pto_status pto_program_set_sync(pto_context *ctx, pto_program *program, int32_t on);

/**
 * Sets what inactive lanes of registers hold in runs of the program; 0 unless set.
 *
 * Masked operations of the vector level leave 0 in the lanes that their mask excludes. With poison these lanes hold 0xA5 in
 * each byte. A program that depends on them then computes something else. docs/vector.md lists the exceptions.
 *
 * @param ctx the context that keeps the error
 * @param program the program
 * @param on 1: poison, 0: zeros
 * @return PTO_OK, or the broken rule: null
 * @since 0.1
 */
PTO_API pto_status pto_program_set_poison(pto_context *ctx, pto_program *program, int32_t on);

/**
 * Lets copies of the vector level run past the end of bound arrays; 0 bytes unless set.
 *
 * Programs for devices often copy whole blocks although an array is shorter. Without slack such a copy breaks the rule
 * memory-range. With slack it gives a warning. The run then has that many bytes of its own after each array, zero at the start.
 *
 * @param ctx the context that keeps the error
 * @param program the program
 * @param bytes the bytes after each array, 0 to 2^20
 * @return PTO_OK, or the broken rule: null, limit
 * @since 0.1
 */
PTO_API pto_status pto_program_set_slack(pto_context *ctx, pto_program *program, int64_t bytes);

/** As pto_program_record() of PTO_RECORD_TIMES in 128 MiB, or of PTO_RECORD_OFF. Rules: null. @since 0.1 */
PTO_API pto_status pto_program_set_trace(pto_context *ctx, pto_program *program, int32_t on);

/**
 * Says what runs of the program record, and how much memory that may take; nothing unless set.
 *
 * Where the elements of tiles come to need more than half of it, those of every second time that a statement ran are let
 * go, and so on; the first NaN and the first infinity stay. Events for which there is no room are counted and left out. Of a
 * tile with more than 64 KiB of elements every second, fourth and so on row and column is kept. What is recorded counts
 * for pto_program_limit_bytes(). A run that records tiles works on one thread.
 *
 * @param ctx the context that keeps the error
 * @param program the program
 * @param what what is recorded
 * @param max_bytes the memory for it, 1 or more
 * @return PTO_OK, or the broken rule: null, limit, operand-value
 * @since 0.1
 */
PTO_API pto_status pto_program_record(pto_context *ctx, pto_program *program, pto_record what, int64_t max_bytes);

/**
 * Runs a function of the program, after a check under the context's profile.
 *
 * Bound tensors and tiles hold the results, those of what ran before an error too. Synchronisation does nothing: statements run
 * one after another, and so do blocks, or on several threads: pto_program_set_threads(). Bind other data and run again: this is
 * the fast way. Later runs keep the code of the first one, if entry, profile and target are the same and no run failed.
 *
 * @param ctx the context: its profile applies, it executes the instructions, and it keeps the error
 * @param program the program
 * @param entry the function's name; NULL for pto_program_entry()
 * @return PTO_OK when the run came to its end; rules: null, memory, program-errors,
 *         unknown-entry, argument-name, unbound-argument, argument-kind, argument-type, argument-shape, argument-range,
 *         step-limit, byte-limit, time-limit, stopped, call-depth, unassigned, division-by-zero,
 *         loop-step, window, copy-shape, unsupported, trap, and those of every call that the
 *         program makes; with pto_program_set_sync() those of docs/sync.md, once the run came to its end; the last diagnostic says where, and the operand of the error is the
 *         argument when one is not bound, is of another type, or is a tensor smaller than a
 *         view of it
 * @since 0.1
 */
PTO_API pto_status pto_program_run(pto_context *ctx, pto_program *program, const char *entry);

/** Answers the steps that the latest run took, as pto_program_limit_steps() counts them; 0 for NULL. @since 0.1 */
PTO_API int64_t pto_program_steps(const pto_program *program);

/**
 * Answers what the latest run printed, at most 1 MiB; "" for NULL; valid until the next run. What is longer is cut
 * behind a whole line, and a line `... cut` says so. @since 0.1
 */
PTO_API const char *pto_program_output(const pto_program *program);

/**
 * Answers the trace of the latest run, in the JSON that Perfetto and Chrome's about:tracing read: when each instruction ran.
 *
 * A process is a block, a thread of it a pipe. An event's arguments are its place in the text, the type and shape of its
 * destination, elements, bytes, and the GB/s that these are.
 *
 * @param ctx the context that keeps the error
 * @param program the program
 * @return a string that lives until the next call that answers one, or NULL; rules: null, memory
 * @since 0.1
 */
PTO_API const char *pto_program_trace(pto_context *ctx, pto_program *program);

/**
 * Returns a part of pto_program_trace(), so that a long trace can be written without being in memory as a whole.
 *
 * The parts one after another are the trace: the first one begins with the names of processes and threads, and the one
 * with the last event ends the list.
 *
 * @param ctx the context that keeps the error
 * @param program the program
 * @param first the part's first event, from 0 to pto_program_event_count() of PTO_EVENT_PART_EVENTS
 * @param count the number of events, 1 or more; of fewer if there are no more
 * @return a string that lives until the next call that returns one, or NULL; rules: null, memory, operand-value
 * @since 0.1
 */
PTO_API const char *pto_program_trace_part(pto_context *ctx, pto_program *program, int64_t first, int64_t count);

/**
 * Answers how many events, tiles or bytes of elements the latest run recorded, an unfinished one too.
 *
 * May be called at any time from any thread, as long as the program is alive. Of a run that is under way there are events
 * only, those of a run on several threads when their block is done; which tiles are kept is known at its end.
 *
 * @param program the program; 0 for NULL
 * @param part what is counted
 * @return the number of rows that pto_program_read_events() reads now
 * @since 0.1
 */
PTO_API int64_t pto_program_event_count(const pto_program *program, pto_event_part part);

/** Answers how many events of the latest run had no room; 0 for NULL; as pto_program_event_count() from any thread. @since 0.1 */
PTO_API int64_t pto_program_events_lost(const pto_program *program);

/**
 * Copies what the latest run recorded, as many rows of it at a time as there is room for.
 *
 * Rows are of 64-bit integers. Columns that this version does not know are 0. May be called while a run is under way, as
 * pto_program_event_count(), with another context than the run's: events that are there stay as they are, but for their
 * times, which are estimates to some parts in a thousand until it ends. A run that begins takes those of the one before away.
 *
 * @param ctx the context that keeps the error; not that of a run under way
 * @param program the program
 * @param part what is read
 * @param first the first row; of PTO_EVENT_PART_ELEMENTS the first byte
 * @param fields the columns that a row has in data, 1 or more; of no meaning for PTO_EVENT_PART_ELEMENTS
 * @param data where it goes
 * @param bytes the size of data: as many whole rows as are wanted, all of which must be there
 * @return PTO_OK, or the broken rule: null, operand-value, byte-count
 * @since 0.1
 */
PTO_API pto_status pto_program_read_events(pto_context *ctx, const pto_program *program, pto_event_part part, int64_t first, int32_t fields, void *data, int64_t bytes);

/**
 * Marks an event of the latest run: reports have a button that leads to it, and show the note.
 *
 * One event at most is marked; the next run takes the mark back.
 *
 * @param ctx the context that keeps the error
 * @param program the program
 * @param event a row of PTO_EVENT_PART_EVENTS
 * @param note what is to be seen there, such as how it differs from what was wanted; copied; NULL takes the mark back
 * @return PTO_OK; rules: null, operand-value, memory
 * @since 0.1
 */
PTO_API pto_status pto_program_mark(pto_context *ctx, pto_program *program, int64_t event, const char *note);

/**
 * Answers a page for a browser that shows what the latest run recorded: one document of HTML, which needs nothing else.
 *
 * It has the text with its diagnostics, a timeline, and for every instruction its tiles, as far as they were recorded.
 *
 * @param ctx the context that keeps the error
 * @param program the program
 * @return a string that lives until the next call that answers one, or NULL; rules: null, memory
 * @since 0.1
 */
PTO_API const char *pto_program_report(pto_context *ctx, pto_program *program);

/**
 * Answers about how many steps the run under way has taken.
 *
 * May be called at any time from any thread, as long as the program is alive.
 *
 * @param program the program; 0 for NULL
 * @return the steps, or those of the latest run
 * @since 0.1
 */
PTO_API int64_t pto_program_steps_so_far(const pto_program *program);

/** Answers the block that the run under way is in, or the number of blocks that the latest one finished; as pto_program_steps_so_far(). @since 0.1 */
PTO_API int32_t pto_program_blocks_so_far(const pto_program *program);

/**
 * Answers the tile that a value of the entry had when the latest run ended, in its last block.
 *
 * The tile is yours: it keeps what it holds, also when this or another program runs. A tile that you bound is
 * itself, and the next run may write it.
 *
 * @param ctx the context that keeps the error
 * @param program the program
 * @param name the value, without %; the last one of that name in the text
 * @return the tile, to be released by the caller, or NULL; rules: null, argument-name
 * @since 0.1
 */
PTO_API pto_tile *pto_program_tile(pto_context *ctx, pto_program *program, const char *name);

/** Answers the number of names that pto_program_tile() can be asked for; 0 for NULL. @since 0.1 */
PTO_API int32_t pto_program_tile_count(const pto_program *program);

/** Answers the name of a tile of the latest run; NULL when there is none. @since 0.1 */
PTO_API const char *pto_program_tile_name(const pto_program *program, int32_t index);

/**
 * Prints the program in canonical form, comments included.
 *
 * @param ctx the context that keeps the error
 * @param program the program; without errors of parsing
 * @param form the spelling of instructions
 * @return a string that lives until the next call that answers one, or NULL; rules:
 *         null, program-errors, operand-value, memory
 * @since 0.1
 */
PTO_API const char *pto_program_print(pto_context *ctx, pto_program *program, pto_form form);

/**
 * Returns a C++ source with a kernel for each public function of the program.
 *
 * A kernel has the name and the parameters of its function and no result. The source embeds the text of the program;
 * a kernel binds its arguments (pto_program_bind_address()) and runs the text through libpto, under the profile of the
 * context. It finds libpto by dlopen(): the path in the environment variable PTO_LIBRARY, the loader's search, then `library`.
 * An error prints its diagnostics and ends the process with status 70, or returns if PTO_ON_ERROR is "return".
 * Functions with results, private functions and functions with tiles as arguments have no kernel.
 *
 * @param ctx the context whose profile applies and that keeps the error
 * @param program the program
 * @param library a path of libpto; NULL for none
 * @return a string that lives until the next call that returns one, or NULL; rules:
 *         null, program-errors, unknown-entry, memory
 * @since 0.1
 */
PTO_API const char *pto_program_kernels(pto_context *ctx, pto_program *program, const char *library);

/**
 * Returns the program with the flags and barriers that a run of it lacks, in canonical form.
 *
 * Runs the function with what is bound, under pto_program_set_sync(), once for each flag that it inserts or tries to
 * leave out. A program without addresses, flags and barriers gets its flags, too. The result has no findings for a run
 * with the same bindings, and no inserted flag can be left out. Tensors hold the results of several runs.
 * Diagnostics describe the new text's run: what no flag or barrier can order, such as accesses of two blocks.
 *
 * @param ctx the context: its profile applies, it executes the instructions, and it keeps the error
 * @param program the program; not changed
 * @param entry the function's name; NULL for pto_program_entry()
 * @return a string that lives until the next call that returns one, or NULL; rules: as pto_program_run() for a
 *         run that ends early
 * @since 0.1
 */
PTO_API const char *pto_program_fix_sync(pto_context *ctx, pto_program *program, const char *entry);

/** Answers the number of diagnostics of parsing and of the latest check or run, in that order; 0 for NULL. @since 0.1 */
PTO_API int32_t pto_program_diagnostic_count(const pto_program *program);

/** Answers 1 when a diagnostic is an error, 0 when it is a warning or there is none. @since 0.1 */
PTO_API int32_t pto_program_diagnostic_error(const pto_program *program, int32_t index);

/** Answers the line of a diagnostic, from 1; 0 when there is none. @since 0.1 */
PTO_API int32_t pto_program_diagnostic_line(const pto_program *program, int32_t index);

/** Answers the column of a diagnostic, from 1, in characters; 0 when there is none. @since 0.1 */
PTO_API int32_t pto_program_diagnostic_column(const pto_program *program, int32_t index);

/** Answers the id of the rule; NULL when there is none. @since 0.1 */
PTO_API const char *pto_program_diagnostic_rule(const pto_program *program, int32_t index);

/** Answers one line that says what is wrong, values included; NULL when there is none. @since 0.1 */
PTO_API const char *pto_program_diagnostic_message(const pto_program *program, int32_t index);

/** Answers one sentence on how to mend it; NULL when there is none. @since 0.1 */
PTO_API const char *pto_program_diagnostic_remedy(const pto_program *program, int32_t index);

/** Answers the line of text, and below it a line with carets at the place; NULL when there is none. @since 0.1 */
PTO_API const char *pto_program_diagnostic_excerpt(const pto_program *program, int32_t index);

/** Answers all of it as a compiler prints it: "name:line:column: error: message [rule]", excerpt, remedy; NULL when there is none. @since 0.1 */
PTO_API const char *pto_program_diagnostic_text(const pto_program *program, int32_t index);

#ifdef __cplusplus
}
#endif

#include "pto_c_ops.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- communication between ranks ------------------------------------------ */

/**
 * Creates an empty group.
 *
 * @param ctx the context that keeps the error
 * @param root which member's rank calls the collective instructions, 0 to 63
 * @return the group, or NULL with the error in ctx; rules: group, memory
 * @since 0.1
 */
PTO_API pto_group *pto_group_create(pto_context *ctx, int32_t root);

/** Takes one more reference to a group; NULL is a no-op. @since 0.1 */
PTO_API pto_group *pto_group_retain(pto_group *group);

/** Gives a reference back; the last one frees the group and releases its tensors. NULL is a no-op. @since 0.1 */
PTO_API void pto_group_release(pto_group *group);

/**
 * Adds the tensor of the next rank to a group: first the tensor of member 0, then 1 and so on.
 *
 * @param ctx the context that keeps the error
 * @param group the group; holds a reference to the tensor from now on
 * @param tensor the tensor; all members have the same shape, layout and element type
 * @return PTO_OK, or the broken rule: null, group, comm-dtype
 * @since 0.1
 */
PTO_API pto_status pto_group_add(pto_context *ctx, pto_group *group, pto_tensor *tensor);

/** Returns the number of members; 0 for NULL. @since 0.1 */
PTO_API int32_t pto_group_size(const pto_group *group);

/** Returns which member is the root's; 0 for NULL. @since 0.1 */
PTO_API int32_t pto_group_root(const pto_group *group);

/**
 * Copies a tensor to one of another rank, or adds it there (TPUT).
 *
 *     dst[i] = src[i], or dst[i] = dst[i] + src[i]
 *
 * Each addition is one step that other ranks see whole. Sums of floats by several ranks depend on the order in which
 * they arrive.
 *
 * @param ctx the context
 * @param dst the destination, in the window of any rank
 * @param src the source; same dimensions, layout and element type
 * @param ping the staging tile that a device needs, in vec; what it holds afterwards is undefined; NULL: none
 * @param pong a second one of the same shape; NULL: none
 * @param atomic PTO_ATOMIC_NONE or PTO_ATOMIC_ADD
 * @return PTO_OK, or the broken rule: null, comm-dtype, comm-shape, staging, mode
 * @see PTO ISA, communication: TPUT
 * @since 0.1
 */
PTO_API pto_status pto_comm_tput(pto_context *ctx, pto_tensor *dst, const pto_tensor *src, pto_tile *ping, pto_tile *pong, pto_atomic atomic);

/**
 * Copies a tensor from another rank (TGET): dst[i] = src[i].
 *
 * Both may be in the window of any rank, or in memory of no window.
 *
 * @param ctx the context
 * @param dst the destination
 * @param src the source, in the window of any rank; same dimensions, layout and element type
 * @param ping the staging tile, as for pto_comm_tput(); NULL: none
 * @param pong a second one; NULL: none
 * @return PTO_OK, or the broken rule: null, comm-dtype, comm-shape, staging
 * @see PTO ISA, communication: TGET
 * @since 0.1
 */
PTO_API pto_status pto_comm_tget(pto_context *ctx, pto_tensor *dst, const pto_tensor *src, pto_tile *ping, pto_tile *pong);

/**
 * Sets a signal, or adds to it, in one step (TNOTIFY).
 *
 * Everything that this rank stored before is visible to whoever has seen the signal.
 *
 * @param ctx the context
 * @param signal one element of i32, in the window of any rank
 * @param value what is added or set
 * @param op which of the two
 * @return PTO_OK, or the broken rule: null, signal, mode
 * @see PTO ISA, communication: TNOTIFY
 * @since 0.1
 */
PTO_API pto_status pto_comm_tnotify(pto_context *ctx, pto_tensor *signal, int32_t value, pto_notify op);

/**
 * Waits until all elements of a signal compare true with a value (TWAIT).
 *
 * Other threads of the caller run the other ranks. The wait fails with `deadlock` as soon as every rank waits that has a
 * context, where each rank has had one; and with `time-limit` after the time of pto_world_limit_wait().
 *
 * @param ctx the context of the rank that waits
 * @param signal elements of i32, in the rank's own window
 * @param value the value
 * @param cmp the comparison
 * @return PTO_OK once it holds, or the broken rule: null, signal, signal-own, mode, deadlock, time-limit
 * @see PTO ISA, communication: TWAIT
 * @since 0.1
 */
PTO_API pto_status pto_comm_twait(pto_context *ctx, const pto_tensor *signal, int32_t value, pto_wait_cmp cmp);

/**
 * Returns whether all elements of a signal compare true with a value now (TTEST).
 *
 * @param ctx the context of the rank that asks
 * @param signal elements of i32, in the rank's own window
 * @param value the value
 * @param cmp the comparison
 * @return 1 when they do, 0 when not, -1 with the error in ctx; rules: null, signal, signal-own, mode
 * @see PTO ISA, communication: TTEST
 * @since 0.1
 */
PTO_API int32_t pto_context_ttest(pto_context *ctx, const pto_tensor *signal, int32_t value, pto_wait_cmp cmp);

/**
 * Copies a tensor to each member of a group; the root calls it (TBROADCAST).
 *
 * @param ctx the context of the root
 * @param group the destination of each rank
 * @param src the source; same shape and element type
 * @param ping the staging tile, as for pto_comm_tput(); NULL: none
 * @param pong a second one; NULL: none
 * @return PTO_OK, or the broken rule: null, group, group-root, comm-dtype, comm-shape, staging
 * @see PTO ISA, communication: TBROADCAST
 * @since 0.1
 */
PTO_API pto_status pto_comm_tbroadcast(pto_context *ctx, const pto_group *group, const pto_tensor *src, pto_tile *ping, pto_tile *pong);

/**
 * Copies the members of a group into one tensor, one after another; the root calls it (TGATHER of ranks).
 *
 * With H rows in each member, member r is copied to rows r * H to r * H + H - 1; rows are dimension 3 of five. Further rows
 * of dst stay as they are.
 *
 * @param ctx the context of the root
 * @param dst the destination, with at least the rows of all members
 * @param group the source of each rank
 * @param ping the staging tile, as for pto_comm_tput(); NULL: none
 * @param pong a second one; NULL: none
 * @return PTO_OK, or the broken rule: null, group, group-root, group-rows, comm-dtype, staging
 * @see PTO ISA, communication: TGATHER
 * @since 0.1
 */
PTO_API pto_status pto_comm_tgather(pto_context *ctx, pto_tensor *dst, const pto_group *group, pto_tile *ping, pto_tile *pong);

/**
 * Copies parts of one tensor to the members of a group; the root calls it (TSCATTER of ranks).
 *
 * It is the inverse of pto_comm_tgather(). Rows of src after the last member's are not read.
 *
 * @param ctx the context of the root
 * @param group the destination of each rank
 * @param src the source, with at least the rows of all members
 * @param ping the staging tile, as for pto_comm_tput(); NULL: none
 * @param pong a second one; NULL: none
 * @return PTO_OK, or the broken rule: null, group, group-root, group-rows, comm-dtype, staging
 * @see PTO ISA, communication: TSCATTER
 * @since 0.1
 */
PTO_API pto_status pto_comm_tscatter(pto_context *ctx, const pto_group *group, const pto_tensor *src, pto_tile *ping, pto_tile *pong);

/**
 * Combines the members of a group element by element; the root calls it (TREDUCE).
 *
 *     dst = ((root + member 0) + member 1) + ..., without the root's member among those after it
 *
 * The order is fixed and each step is rounded to the element type, so that the result never depends on timing. dst may be
 * a member.
 *
 * @param ctx the context of the root
 * @param dst the destination; shape and element type of a member
 * @param group the source of each rank
 * @param acc the tile that a device accumulates in, as ping of pto_comm_tput(); NULL: none
 * @param ping the staging tile; NULL: none
 * @param pong a second one; NULL: none
 * @param op how elements are combined
 * @return PTO_OK, or the broken rule: null, group, group-root, comm-dtype, comm-shape, staging, mode
 * @see PTO ISA, communication: TREDUCE
 * @since 0.1
 */
PTO_API pto_status pto_comm_treduce(pto_context *ctx, pto_tensor *dst, const pto_group *group, pto_tile *acc, pto_tile *ping, pto_tile *pong, pto_reduce op);

/**
 * Combines the members of a group element by element and stores the result in each of them; the root calls it.
 *
 * It is pto_comm_treduce() followed by pto_comm_tbroadcast(): the same bits in every member, which depend on the members and
 * the root alone. The ISA has no such instruction.
 *
 * @param ctx the context of the root
 * @param group the part of each rank, and its result
 * @param acc the tile that a device accumulates in, as for pto_comm_treduce(); NULL: none
 * @param ping the staging tile; NULL: none
 * @param pong a second one; NULL: none
 * @param op how elements are combined
 * @return PTO_OK, or the broken rule: null, group, group-root, comm-dtype, staging, mode
 * @since 0.1
 */
PTO_API pto_status pto_comm_allreduce(pto_context *ctx, const pto_group *group, pto_tile *acc, pto_tile *ping, pto_tile *pong, pto_reduce op);

#ifdef __cplusplus
}
#endif

#endif /* PTO_C_H_ */

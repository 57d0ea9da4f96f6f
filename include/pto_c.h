/*
 * pto_c.h: the C interface of libpto, the PTO tile instruction set on any CPU.
 *
 * This header is the specification of everything but the instructions; each
 * instruction has its contract in pto_c_ops.h, which this file includes. It is
 * plain C99 and valid C++, and all bindings are generated from it.
 *
 * Conventions (docs/conventions.md has the details):
 *   - Argument order: context, outputs, inputs, tmp, scalars, modes, flags.
 *   - Functions that create objects return a handle, or NULL on failure. All other
 *     fallible functions return a pto_status. The context stores the error: a one-line
 *     message with the values, the id of the rule (docs/rules.md), the operand and a remedy.
 *   - A failing call changes nothing but the stored error.
 *   - Handles are reference counted and may be released in any order.
 *   - Only one thread at a time may use a context. Any number of threads may read a tile.
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
/** A valid extent that means "none of it", for a pto_tile_desc, where 0 means all. */
#define PTO_VALID_NONE -2

/**
 * Category of a call's result.
 *
 * The category is the kind of error; pto_context_error_rule() returns the id of the
 * rule that was broken. Later versions may add categories.
 */
typedef enum pto_status {
  PTO_OK = 0,               /**< The call succeeded. */
  PTO_ERROR_NULL = 1,       /**< A required handle or pointer is NULL. */
  PTO_ERROR_ARGUMENT = 2,   /**< A value is out of range: an unknown enum value or flag, a negative size, a wrong byte count. */
  PTO_ERROR_DTYPE = 3,      /**< The instruction or the profile does not accept the element type. */
  PTO_ERROR_LAYOUT = 4,     /**< The location, layout or tile geometry is not legal here. */
  PTO_ERROR_SHAPE = 5,      /**< The valid regions do not match. */
  PTO_ERROR_ALIAS = 6,      /**< Operands overlap where the profile forbids it. */
  PTO_ERROR_ADDRESS = 7,    /**< An on-chip address is out of range or misaligned, or a tile has no storage. */
  PTO_ERROR_MEMORY = 8,     /**< The system is out of memory. */
  PTO_ERROR_UNKNOWN = 9,    /**< The library does not know the name of an instruction, operand or SIMD target. */
  PTO_ERROR_PROGRAM = 10    /**< A PTO-AS program has errors, or a run ended early; the diagnostics have the position. */
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
  PTO_DTYPE_E4M3 = 11, /**< OCP FP8 E4M3: no infinity, NaN is S1111111. Storage only, like the types below: moved and converted. */
  PTO_DTYPE_E5M2 = 12, /**< OCP FP8 E5M2: infinities and NaNs as IEEE 754. */
  PTO_DTYPE_HIF8 = 13, /**< HiFloat8: 3 bits of fraction near 1, fewer far away; 0x80 is NaN, 0x6F and 0xEF are infinite. */
  PTO_DTYPE_E8M0 = 14, /**< OCP E8M0, a scale: 2^(x-127); 0xFF is NaN. */
  PTO_DTYPE_E2M1 = 15, /**< OCP FP4 E2M1: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives. Packed, like the types below: two per byte, the first in the low half. */
  PTO_DTYPE_E1M2 = 16, /**< FP4 E1M2: 0, 0.25, 0.5 to 1.75 and their negatives. */
  PTO_DTYPE_I4 = 17    /**< Signed 4-bit integer. */
} pto_dtype;

/** The legality rules that a context applies. Results do not depend on the profile. */
typedef enum pto_profile {
  PTO_PROFILE_CPU = 0,   /**< Accepts everything that has a defined meaning. */
  PTO_PROFILE_A2A3 = 1,  /**< Accepts what the A2 and A3 generation accepts. */
  PTO_PROFILE_A5 = 2     /**< Accepts what the A5 generation accepts. */
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
  PTO_PAD_NULL = 0,  /**< Undefined values. */
  PTO_PAD_ZERO = 1,  /**< Zero. */
  PTO_PAD_MAX = 2,   /**< The largest value of the type; +inf for floats. */
  PTO_PAD_MIN = 3,   /**< The smallest value of the type; -inf for floats. */
  PTO_PAD_CUSTOM = 4 /**< The element whose bits are the low bits of pad_bits; the higher bits are 0. */
} pto_pad;

/** How the columns of boxes of a tile are packed, for layouts Nz and Nn, which order boxes by column. */
typedef enum pto_compact {
  PTO_COMPACT_NULL = 0,                /**< Each column has all rows of the tile. */
  PTO_COMPACT_NORMAL = 1,              /**< Each column has the valid rows, rounded up to 16 and to whole boxes, at most the rows of the tile; changing the valid rows moves elements. */
  PTO_COMPACT_ROW_PLUS_ONE = 2,        /**< Each column has one unused row more than the tile. */
  PTO_COMPACT_ROW_ALIGNED_PADDING = 3  /**< As PTO_COMPACT_NULL, but TFILLPAD, in any layout, pads only up to the valid rows rounded up to 16. */
} pto_compact;

/** How pto_tprint() writes numbers: the least width, and the digits after the point of floats. */
typedef enum pto_print_format {
  PTO_PRINT_FORMAT_WIDTH8_PRECISION4 = 0,  /**< Four digits in eight columns. */
  PTO_PRINT_FORMAT_WIDTH8_PRECISION2 = 1,  /**< Two digits in eight columns. */
  PTO_PRINT_FORMAT_WIDTH10_PRECISION6 = 2  /**< Six digits in ten columns. */
} pto_print_format;

/** Where a tile's elements are kept. */
typedef enum pto_storage {
  PTO_STORAGE_OWNED = 0,   /**< The tile owns zeroed memory: the auto mode of PTO programs. */
  PTO_STORAGE_MANUAL = 1   /**< The tile has no memory until pto_tassign() gives it an on-chip address: the manual mode. */
} pto_storage;

/** Flags of instructions; the page of each instruction lists the flags that it accepts. */
typedef enum pto_flag {
  PTO_HIGH_PRECISION = 1  /**< Selects the most accurate algorithm instead of the fastest. */
} pto_flag;

/** What an operand of an instruction is for. */
typedef enum pto_role {
  PTO_ROLE_OUT = 0,    /**< A tile that is written. */
  PTO_ROLE_IN = 1,     /**< A tile that is read. */
  PTO_ROLE_TMP = 2,    /**< A scratch tile; optional where the profile does not need one. */
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
  PTO_SCALAR_BITS = 3   /**< The bits of an element, in the low bits; the higher bits must be 0. */
} pto_scalar_kind;

/**
 * A number that is converted to an element; create one with pto_int(), pto_uint(), pto_float() or pto_bits().
 *
 * An integer element requires an integer in its range (2.0 is accepted, 2.5 is not). A float element rounds the number
 * once, to nearest with ties to even; a NaN becomes the canonical NaN. Use pto_bits() for all other bit patterns.
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

/** The elements of a tile operand that an instruction uses, if the valid region of the lead operand is R x C. */
typedef enum pto_extent {
  PTO_EXTENT_SAME = 0,         /**< R x C. */
  PTO_EXTENT_ROW = 1,          /**< One element per column: row 0, or a column-major tile of one column. */
  PTO_EXTENT_COLUMN = 2,       /**< One element per row: column 0. */
  PTO_EXTENT_REPEAT = 3,       /**< R x C, or fewer columns, which repeat along each row. */
  PTO_EXTENT_PART = 4,         /**< A part of R x C. */
  PTO_EXTENT_BITS = 5,         /**< One bit per element; each row starts at a byte. */
  PTO_EXTENT_ROW_RESULTS = 6,  /**< One result per row, in column 0. */
  PTO_EXTENT_COL_RESULTS = 7,  /**< One result per column, in row 0. */
  PTO_EXTENT_FIRST = 8,        /**< Element (0, 0). */
  PTO_EXTENT_TRANSPOSED = 9,   /**< C x R. */
  PTO_EXTENT_WINDOW = 10,      /**< A rectangle of R x C whose first row and column are integer operands. */
  PTO_EXTENT_JOINED = 11,      /**< R rows; the operands of this kind have C columns together. */
  PTO_EXTENT_WHOLE = 12,       /**< All rows and columns of the tile, which has the same number of rows and columns as the lead operand's tile. */
  PTO_EXTENT_AROUND = 13,      /**< All rows and columns of the tile, which has at least the rows and columns of the lead operand's tile. */
  PTO_EXTENT_OWN = 14,         /**< A valid region of its own. */
  PTO_EXTENT_DOUBLE = 15,      /**< R x 2C. */
  PTO_EXTENT_LEFT = 16,        /**< R x K: the left matrix of a product. */
  PTO_EXTENT_RIGHT = 17,       /**< K x C: the right matrix of a product. */
  PTO_EXTENT_INDEX = 18,       /**< R x C indices, each of an element of another tile. */
  PTO_EXTENT_BLOCK_INDEX = 19, /**< One index for each 32 bytes of each row of R x C. */
  PTO_EXTENT_ROWS = 20,        /**< R rows, of any number of columns. */
  PTO_EXTENT_RECORDS = 21,     /**< Records of eight bytes; see the page of the instruction. */
  PTO_EXTENT_BINS = 22,        /**< 256 elements for each row. */
  PTO_EXTENT_TABLE_INDEX = 23, /**< An index for each row, in one row or column, or for each element of R x C. */
  PTO_EXTENT_LEFT_SCALES = 24, /**< R x K/32, rounded up: a scale for each 32 elements of a row of the left matrix. */
  PTO_EXTENT_RIGHT_SCALES = 25, /**< K/32, rounded up, x C: a scale for each 32 elements of a column of the right matrix. */
  PTO_EXTENT_ROW_GROUPS = 26,   /**< R x C/32, rounded up: one element for each 32 elements of a row. */
  PTO_EXTENT_COL_GROUPS = 27    /**< R/32, rounded up, x C: one element for each 32 elements of a column. */
} pto_extent;

/**
 * How TLOAD and TSTORE map the five dimensions of a tensor to the rows and columns of a matrix.
 *
 * A tensor with fewer dimensions has the last ones. Where several dimensions form the rows, or the columns, the last of
 * them varies fastest. Strides give the position of each element. c0 is 32 bytes. A "d" or "g" before n is part of the
 * same dimension as n.
 */
typedef enum pto_layout {
  PTO_LAYOUT_ND = 0,               /**< The last dimension forms the columns, the others form the rows. */
  PTO_LAYOUT_DN = 1,               /**< The last dimension but one forms the rows, the others form the columns. */
  PTO_LAYOUT_NZ = 2,               /**< (_, columns / c0, rows / 16, 16, c0): boxes of 512 bytes. */
  PTO_LAYOUT_SCALE = 3,            /**< Quantisation words; transfers reject this layout. */
  PTO_LAYOUT_MX_A_ND = 4,          /**< Block scales of A: (_, _, rows, columns / 2, 2). */
  PTO_LAYOUT_MX_A_DN = 5,          /**< (_, _, columns / 2, rows, 2). */
  PTO_LAYOUT_MX_A_ZZ = 6,          /**< (_, rows / 16, columns / 2, 16, 2). */
  PTO_LAYOUT_MX_B_ND = 7,          /**< Block scales of B: (_, _, rows / 2, columns, 2). */
  PTO_LAYOUT_MX_B_DN = 8,          /**< (_, _, columns, rows / 2, 2). */
  PTO_LAYOUT_MX_B_NN = 9,          /**< (_, columns / 16, rows / 2, 16, 2). */
  PTO_LAYOUT_HIF4_A_ZZ = 10,       /**< (_, rows / 16, columns / 4, 16, 4). */
  PTO_LAYOUT_HIF4_B_NN = 11,       /**< (_, columns / 16, rows / 4, 16, 4). */
  PTO_LAYOUT_NC1HWC0 = 12,         /**< An image in blocks of channels; n h w form the rows, c1 c0 the columns: (n, c1, h, w, c0). */
  PTO_LAYOUT_GNC1HWC0 = 13,        /**< (g n, c1, h, w, c0). */
  PTO_LAYOUT_NCHW = 14,            /**< n h w form the rows, c the columns: (_, n, c, h, w). */
  PTO_LAYOUT_GNCHW = 15,           /**< (g, n, c, h, w). */
  PTO_LAYOUT_NHWC = 16,            /**< (_, n, h, w, c). */
  PTO_LAYOUT_NDC1HWC0 = 17,        /**< (n d, c1, h, w, c0). */
  PTO_LAYOUT_NCDHW = 18,           /**< n d h w form the rows, c the columns: (n, c, d, h, w). */
  PTO_LAYOUT_FRACTAL_Z = 19,       /**< One filter per row: (_, c1 h w, n / 16, 16, c0). */
  PTO_LAYOUT_FRACTAL_Z_S16S8 = 20, /**< The same with other boxes: (_, c1 h w, n / n0, n0, c0). */
  PTO_LAYOUT_FRACTAL_Z_3D = 21     /**< (_, c1 d h w, n / 16, 16, c0). */
} pto_layout;

/** An execution context: a profile, a SIMD target, on-chip memory and the last error. */
typedef struct pto_context pto_context;
/** A tile: a two-dimensional typed buffer. Its valid region, the rectangle of the first rows and columns, holds data. */
typedef struct pto_tile pto_tile;
/** Global memory: up to five dimensions of elements, each with its stride. */
typedef struct pto_tensor pto_tensor;
/** An instruction with its operands, for interpreters. */
typedef struct pto_inst pto_inst;
/** A PTO-AS program: its statements, its diagnostics and the bindings of its arguments. */
typedef struct pto_program pto_program;
/** A world: ranks that exchange data. Each rank has its own contexts and a window of memory that all ranks can access. */
typedef struct pto_world pto_world;
/** A group: one tensor for each rank that takes part in a collective instruction, and the index of the root. */
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
  PTO_REDUCE_MIN = 2   /**< The smaller one, as TMIN. */
} pto_reduce;

/** The kind of value that an argument of a program accepts. */
typedef enum pto_arg_kind {
  PTO_ARG_TENSOR = 0,  /**< A tensor, for a pointer or a view. */
  PTO_ARG_TILE = 1,    /**< A tile. */
  PTO_ARG_INT = 2,     /**< An integer. */
  PTO_ARG_FLOAT = 3,   /**< A floating-point number. */
  PTO_ARG_OTHER = 4    /**< Something that cannot be bound. */
} pto_arg_kind;

/** How a program is spelled. */
typedef enum pto_form {
  PTO_FORM_KEEP = 0,  /**< Each statement keeps its form. */
  PTO_FORM_ASM = 1,   /**< %d = tadd %a, %b : T */
  PTO_FORM_SSA = 2,   /**< %d = pto.tadd %a, %b : (T, T) -> T */
  PTO_FORM_DPS = 3    /**< pto.tadd ins(%a, %b : T, T) outs(%d : T) */
} pto_form;

/** What a run of a program records. */
typedef enum pto_record {
  PTO_RECORD_OFF = 0,    /**< Nothing. */
  PTO_RECORD_TIMES = 1,  /**< An event for each instruction: its time, its place in the text, the number of elements. */
  PTO_RECORD_TILES = 2   /**< The same, and the contents of its tiles. */
} pto_record;

/** What pto_program_read_events() reads. */
typedef enum pto_event_part {
  PTO_EVENT_PART_EVENTS = 0,    /**< Rows of numbers, one per instruction; the columns are those in pto_event_field. */
  PTO_EVENT_PART_TILES = 1,     /**< Rows of numbers, one per tile of an instruction; the columns are those in pto_event_tile_field. */
  PTO_EVENT_PART_ELEMENTS = 2,  /**< Bytes: elements of tiles, at the offset PTO_EVENT_TILE_DATA. */
  PTO_EVENT_PART_VECTOR_EVENTS = 3,     /**< As PTO_EVENT_PART_EVENTS, one row per statement of the vector level. */
  PTO_EVENT_PART_REGISTERS = 4,         /**< As PTO_EVENT_PART_TILES, one row per register or mask of such a statement. */
  PTO_EVENT_PART_REGISTER_ELEMENTS = 5  /**< Bytes: elements of registers and masks. */
} pto_event_part;

/** Numbers of an event; later versions add some at the end. */
typedef enum pto_event_field {
  PTO_EVENT_BEGIN = 0,        /**< When the instruction began, in ns after the start of the run. */
  PTO_EVENT_END = 1,          /**< When it ended. */
  PTO_EVENT_OP = 2,           /**< The instruction, as a pto_op; -1 for a statement of pto.comm, whose name is in the text. */
  PTO_EVENT_STATUS = 3,       /**< Its result, as a pto_status; only the last event can be an error. */
  PTO_EVENT_LINE = 4,         /**< The line of its statement, from 1. */
  PTO_EVENT_COLUMN = 5,       /**< The column, from 1, in characters. */
  PTO_EVENT_OFFSET = 6,       /**< Position of the statement's name in the text, in bytes. */
  PTO_EVENT_LENGTH = 7,       /**< Bytes of the name. */
  PTO_EVENT_BLOCK = 8,        /**< The block that ran it. */
  PTO_EVENT_REPEAT = 9,       /**< The number of times that the statement ran before in this run. */
  PTO_EVENT_PIPE = 10,        /**< The pipe on which it would run on hardware, as a pto_pipe. */
  PTO_EVENT_DTYPE = 11,       /**< Element type of its destination, or of its first tile if it has none; -1 without tiles. */
  PTO_EVENT_ROWS = 12,        /**< Valid rows of the same tile. */
  PTO_EVENT_COLS = 13,        /**< Valid columns of the same tile. */
  PTO_EVENT_ELEMENTS = 14,    /**< Elements of its largest valid region, at most 2^31 - 1. */
  PTO_EVENT_BYTES = 15,       /**< Bytes read and written, in valid regions and in global memory. */
  PTO_EVENT_FIRST_TILE = 16,  /**< Its first row in PTO_EVENT_PART_TILES. */
  PTO_EVENT_TILES = 17,       /**< The number of its rows there: sources before the instruction, then destinations after it. */
  PTO_EVENT_RANK = 18,        /**< The rank that ran it; 0 without ranks. */
  PTO_EVENT_PEER = 19         /**< For a statement of pto.comm, the only other rank whose window it reads or writes; -1 for none or several. */
} pto_event_field;

/** Numbers of a tile of an event; later versions add some at the end. */
typedef enum pto_event_tile_field {
  PTO_EVENT_TILE_OPERAND = 0,      /**< Which operand of the instruction. */
  PTO_EVENT_TILE_AFTER = 1,        /**< 0: the state before the instruction; 1: the state after it. */
  PTO_EVENT_TILE_OFFSET = 2,       /**< Position of the operand in the text, in bytes. */
  PTO_EVENT_TILE_LENGTH = 3,       /**< Bytes of the operand's text. */
  PTO_EVENT_TILE_DTYPE = 4,        /**< Element type, as a pto_dtype. */
  PTO_EVENT_TILE_LOCATION = 5,     /**< As a pto_location. */
  PTO_EVENT_TILE_BLAYOUT = 6,      /**< As a pto_blayout. */
  PTO_EVENT_TILE_SLAYOUT = 7,      /**< As a pto_slayout. */
  PTO_EVENT_TILE_FRACTAL = 8,      /**< Bytes of a box; 0 for an unboxed tile. */
  PTO_EVENT_TILE_ROWS = 9,         /**< Allocated rows. */
  PTO_EVENT_TILE_COLS = 10,        /**< Allocated columns. */
  PTO_EVENT_TILE_VALID_ROWS = 11,  /**< Rows that hold data. */
  PTO_EVENT_TILE_VALID_COLS = 12,  /**< Columns that hold data. */
  PTO_EVENT_TILE_NANS = 13,        /**< The number of NaN elements in the valid region. */
  PTO_EVENT_TILE_INFS = 14,        /**< The number of infinite elements. */
  PTO_EVENT_TILE_SUBNORMALS = 15,  /**< The number of subnormal elements. */
  PTO_EVENT_TILE_MIN = 16,         /**< The bits of the smallest element that is not NaN. */
  PTO_EVENT_TILE_MAX = 17,         /**< The bits of the largest element that is not NaN. */
  PTO_EVENT_TILE_DIGEST = 18,      /**< A hash of all elements' bits; two different tiles have the same hash with a probability of 2^-64. */
  PTO_EVENT_TILE_ROW_STEP = 19,    /**< The step between rows whose elements were kept. */
  PTO_EVENT_TILE_COL_STEP = 20,    /**< The step between columns whose elements were kept. */
  PTO_EVENT_TILE_DATA = 21,        /**< Offset of the kept elements in PTO_EVENT_PART_ELEMENTS, row by row. */
  PTO_EVENT_TILE_DATA_BYTES = 22   /**< Bytes of the kept elements; 0 if they were not kept. */
} pto_event_tile_field;

/** The hardware pipe that runs an instruction. */
typedef enum pto_pipe {
  PTO_PIPE_V = 0,     /**< The vector unit. */
  PTO_PIPE_M = 1,     /**< The matrix unit. */
  PTO_PIPE_MTE1 = 2,  /**< Transfers between on-chip memories. */
  PTO_PIPE_MTE2 = 3,  /**< Transfers from global memory. */
  PTO_PIPE_MTE3 = 4,  /**< Transfers to global memory. */
  PTO_PIPE_FIX = 5,   /**< Transfers out of the accumulators. */
  PTO_PIPE_S = 6      /**< The scalar unit, which issues the instructions of all pipes. */
} pto_pipe;

/**
 * Describes a tile to create.
 *
 * Set everything to zero, then struct_size, dtype, rows and cols. The zeros describe a
 * row-major vector tile that owns its memory and is entirely valid.
 */
typedef struct pto_tile_desc {
  uint32_t struct_size;   /**< sizeof(pto_tile_desc): lets the struct grow. */
  pto_dtype dtype;        /**< Element type. */
  int32_t rows;           /**< Allocated rows, at least 1. */
  int32_t cols;           /**< Allocated columns, at least 1. */
  int32_t valid_rows;     /**< Rows that hold data, 1 to rows; 0 or PTO_VALID_ALL for rows, PTO_VALID_NONE for 0. */
  int32_t valid_cols;     /**< Columns that hold data, 1 to cols; 0 or PTO_VALID_ALL for cols, PTO_VALID_NONE for 0. */
  pto_location location;  /**< The memory that holds the tile. */
  pto_blayout blayout;    /**< Order of boxes or elements. */
  pto_slayout slayout;    /**< Order inside a box. */
  int32_t fractal;        /**< Bytes of a box: 512, 1024 or 32; 0 means 512. */
  pto_pad pad;            /**< Pad value. */
  pto_storage storage;    /**< Where the elements are kept; ignored by pto_tile_wrap(). */
  uint32_t pad_bits;      /**< The bits of PTO_PAD_CUSTOM; part of the struct from a size of 48 bytes. */
  pto_compact compact;    /**< How columns of boxes are packed; part of the struct from a size of 48 bytes. */
} pto_tile_desc;

/**
 * Describes a tensor to create.
 *
 * Set everything to zero, then struct_size, dtype, rank and the dimensions. dim0 is
 * the outermost dimension; only the first `rank` dimensions are used. Strides count elements.
 */
typedef struct pto_tensor_desc {
  uint32_t struct_size;  /**< sizeof(pto_tensor_desc): lets the struct grow. */
  pto_dtype dtype;       /**< Element type. */
  pto_layout layout;     /**< How transfers map the dimensions to rows and columns. */
  int32_t rank;          /**< Number of dimensions, 1 to 5. */
  int32_t strided;       /**< 0: no gaps between elements, in row order for ND, with the last two dimensions in column order for DN; 1: use the strides. */
  int64_t dim0;          /**< Size of dimension 0, at least 0. */
  int64_t dim1;          /**< Size of dimension 1. */
  int64_t dim2;          /**< Size of dimension 2. */
  int64_t dim3;          /**< Size of dimension 3. */
  int64_t dim4;          /**< Size of dimension 4. */
  int64_t stride0;       /**< Elements from one index of dimension 0 to the next, at least 0. */
  int64_t stride1;       /**< The same for dimension 1. */
  int64_t stride2;       /**< The same for dimension 2. */
  int64_t stride3;       /**< The same for dimension 3. */
  int64_t stride4;       /**< The same for dimension 4. */
} pto_tensor_desc;

/* ---- library ------------------------------------------------------------ */

/**
 * Returns the version of the loaded library: major * 10000 + minor * 100 + patch.
 *
 * @since 0.1
 */
PTO_API int32_t pto_version(void);

/**
 * Returns the name of a status class, such as "PTO_ERROR_SHAPE".
 *
 * @param status any value; an unknown one gives "PTO_ERROR_?"
 * @return a string that stays valid as long as the library is loaded
 * @since 0.1
 */
PTO_API const char *pto_status_name(pto_status status);

/**
 * Returns the short name of an element type as PTO-AS writes it: "f32", "u8".
 *
 * @param dtype any value; an unknown one gives "?"
 * @since 0.1
 */
PTO_API const char *pto_dtype_name(pto_dtype dtype);

/**
 * Returns the size of an element in bytes: 1 for a packed type, which holds two elements per byte; 0 for an unknown type.
 *
 * @since 0.1
 */
PTO_API int32_t pto_dtype_bytes(pto_dtype dtype);

/**
 * Returns the size of an element in bits: 4 for the packed types; 0 for an unknown type.
 *
 * @since 0.1
 */
PTO_API int32_t pto_dtype_bits(pto_dtype dtype);

/**
 * Counts all live handles in this process, for leak tests.
 *
 * @since 0.1
 */
PTO_API int64_t pto_live_handles(void);

/**
 * Returns the number of SIMD targets compiled into the library.
 *
 * @since 0.1
 */
PTO_API int32_t pto_target_count(void);

/**
 * Returns the name of a SIMD target, such as "AVX3" or "NEON", best first.
 *
 * @param index 0 to pto_target_count() - 1; otherwise the function returns NULL
 * @since 0.1
 */
PTO_API const char *pto_target_name(int32_t index);

/**
 * Returns 1 if this machine can run a SIMD target, else 0.
 *
 * @param index 0 to pto_target_count() - 1; otherwise the function returns 0
 * @since 0.1
 */
PTO_API int32_t pto_target_supported(int32_t index);

/* ---- contexts ----------------------------------------------------------- */

/**
 * Creates a context that runs on the best SIMD target of this machine.
 *
 * If the environment variable PTO_TARGET names a supported target, the context uses
 * that one instead. All targets compute the same bits.
 *
 * Large products of i8 and bf16 use AMX, the tile instructions of x86 processors, if the
 * processor has them. The first such product asks the operating system for AMX, once for
 * the whole process. From then on, sigaltstack() rejects stacks that are too small for the
 * tiles, for example 8192 bytes. Set PTO_AMX=off in the environment to disable AMX.
 *
 * @param profile the rules to apply
 * @return the context, or NULL if the profile is unknown or memory is out
 * @since 0.1
 */
PTO_API pto_context *pto_context_create(pto_profile profile);

/**
 * Creates a context that runs on a SIMD target chosen by name.
 *
 * @param profile the rules to apply
 * @param target_name one of pto_target_name(), or NULL for the best
 * @return the context, or NULL if the profile is unknown, the target is unknown or
 *         unsupported, or memory is out
 * @since 0.1
 */
PTO_API pto_context *pto_context_create_for(pto_profile profile, const char *target_name);

/**
 * Adds a reference to a context.
 *
 * @param ctx the context; NULL is a no-op
 * @return ctx
 * @since 0.1
 */
PTO_API pto_context *pto_context_retain(pto_context *ctx);

/**
 * Releases a reference. The last release frees the context, but not its tiles.
 *
 * @param ctx the context; NULL is a no-op
 * @since 0.1
 */
PTO_API void pto_context_release(pto_context *ctx);

/** Returns the profile of a context; PTO_PROFILE_CPU for NULL. @since 0.1 */
PTO_API pto_profile pto_context_profile(const pto_context *ctx);

/**
 * Sets the size of the on-chip memory of a context with PTO_PROFILE_CPU.
 *
 * By default each location has 2^30 bytes. The system provides memory when it is first accessed, so a high
 * limit costs nothing. If the address space is not available, pto_tassign() reports `on-chip-memory`.
 * The hardware profiles have the sizes of the hardware.
 *
 * @param ctx a context with PTO_PROFILE_CPU whose tiles have no addresses yet
 * @param bytes the bytes of each location, 1 to 2^40
 * @return PTO_OK; rules: null, limit, on-chip-limit
 * @since 0.1
 */
PTO_API pto_status pto_context_limit_on_chip(pto_context *ctx, int64_t bytes);

/**
 * Sets the result for f32 sums that are out of range when they leave an accumulator as f16 or bf16.
 *
 * By default such sums become infinity, and NaN stays NaN. Conversions by quantisation words always saturate. On the
 * hardware, this is bit 48 of the control register, where 0 saturates.
 *
 * @param ctx the context whose instructions the setting affects
 * @param saturates 0: the default; any other number: the largest finite number with the sign of the sum, and 0 for NaN
 * @return PTO_OK; rules: null
 * @since 0.1
 */
PTO_API pto_status pto_context_saturate(pto_context *ctx, int32_t saturates);

/**
 * Returns the bytes of on-chip memory that a location has under the context's profile.
 *
 * @param ctx the context; the result is 0 for NULL
 * @param location the location
 * @return the bytes; 0 if the profile does not have the location
 * @since 0.1
 */
PTO_API int64_t pto_context_capacity(const pto_context *ctx, pto_location location);

/** Returns the name of the SIMD target that a context runs on; "" for NULL. @since 0.1 */
PTO_API const char *pto_context_target(const pto_context *ctx);

/**
 * Returns the status of the context's latest failed call.
 *
 * A successful call does not change it.
 *
 * @param ctx the context; the result is PTO_ERROR_NULL for NULL
 * @return PTO_OK if no call has failed yet
 * @since 0.1
 */
PTO_API pto_status pto_context_error(const pto_context *ctx);

/**
 * Returns the message of the latest failed call: one line with the values at fault, such as
 * "tpow: exp is valid in 16x8 where dst is in 16x16 (rows x columns)".
 *
 * @return a string that stays valid until the context's next failing call; "" if
 *         no call has failed yet
 * @since 0.1
 */
PTO_API const char *pto_context_error_message(const pto_context *ctx);

/** Returns the id of the rule that was broken, such as "valid-equal" (docs/rules.md); "" if no call has failed yet. @since 0.1 */
PTO_API const char *pto_context_error_rule(const pto_context *ctx);

/** Returns the name of the operand or parameter at fault, such as "exp"; "" if the error has no operand. @since 0.1 */
PTO_API const char *pto_context_error_operand(const pto_context *ctx);

/** Returns one sentence that describes how to fix the call; "" if no call has failed yet. @since 0.1 */
PTO_API const char *pto_context_error_remedy(const pto_context *ctx);

/**
 * Appends a string to the context's output, as pto_tprint() does.
 *
 * @param ctx the context that receives the output and stores the error
 * @param text the string, in UTF-8
 * @return PTO_OK; rules: null, memory
 * @since 0.1
 */
PTO_API pto_status pto_context_print(pto_context *ctx, const char *text);

/**
 * Returns the output of a context since its creation or the last pto_context_clear_output(), at most 1 MiB.
 *
 * @param ctx the context; the result is "" for NULL
 * @return a string that stays valid until the context prints again or its output is cleared
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
 * Creates a row-major vector tile that owns zeroed memory and is entirely valid.
 *
 * @param ctx the context: its profile validates the geometry, and it stores the error
 * @param dtype element type
 * @param rows rows, at least 1
 * @param cols columns, at least 1; under A2A3 and A5 a row is a multiple of 32 bytes
 * @return the tile, or NULL with the error in ctx; rules: null, dtype-known, tile-shape,
 *         tile-size, row-bytes, capacity, memory
 * @since 0.1
 */
PTO_API pto_tile *pto_tile_create(pto_context *ctx, pto_dtype dtype, int32_t rows, int32_t cols);

/**
 * Creates a tile of any geometry.
 *
 * @param ctx the context: its profile validates the geometry, and it stores the error
 * @param desc the geometry; copied
 * @return the tile, or NULL with the error in ctx; rules: as pto_tile_create(), struct-size, location, layout, fractal, box-shape,
 *         pad, compact, storage-kind, valid-range
 * @since 0.1
 */
PTO_API pto_tile *pto_tile_create_from(pto_context *ctx, const pto_tile_desc *desc);

/**
 * Creates a tile over the caller's memory, without a copy.
 *
 * The memory must stay valid until the tile and all tiles that share it are released.
 *
 * @param ctx the context: its profile validates the geometry, and it stores the error
 * @param desc the geometry; copied
 * @param data the first element, aligned to the element's size
 * @param bytes size of the memory; at least the size that the geometry needs
 * @return the tile, or NULL with the error in ctx; rules: as pto_tile_create_from(), wrap-bytes, data-alignment
 * @since 0.1
 */
PTO_API pto_tile *pto_tile_wrap(pto_context *ctx, const pto_tile_desc *desc, void *data, int64_t bytes);

/**
 * Creates a tile over a rectangle of another tile, without a copy (PTO-AS subset).
 *
 * The view has the type, location, layout and pad of the tile and shares its elements. It has its
 * own valid region: initially the intersection of the rectangle and the tile's valid region.
 * A view is not compact: its elements stay where they were at its creation.
 * Its storage, as pto_tile_bytes() counts it, ends after its last element.
 *
 * @param ctx the context that stores the error
 * @param tile the tile
 * @param row first row; the first row of a box if the tile is boxed
 * @param col first column; the first column of a box if the tile is boxed
 * @param rows rows of the view, at least 1
 * @param cols columns of the view, at least 1
 * @return the view, or NULL with the error in ctx; rules: null, storage,
 *         view-range, view-box, memory
 * @since 0.1
 */
PTO_API pto_tile *pto_tile_view(pto_context *ctx, pto_tile *tile, int32_t row, int32_t col, int32_t rows, int32_t cols);

/**
 * Creates a tile of another geometry over the bytes of a tile, without a copy (TRESHAPE, PTO-AS bitcast).
 *
 * @param ctx the context: its profile validates the geometry, and it stores the error
 * @param tile the tile whose bytes are used; must not be a view with gaps
 * @param desc the geometry; copied; its storage is ignored; it must not need more bytes than the tile has
 * @return the tile, or NULL with the error in ctx; rules: as pto_tile_create_from(), storage, reshape-dense, reshape-boxes,
 *         reshape-bytes, data-alignment
 * @since 0.1
 */
PTO_API pto_tile *pto_tile_reshape(pto_context *ctx, pto_tile *tile, const pto_tile_desc *desc);

/**
 * Adds a reference to a tile.
 *
 * @param tile the tile; NULL is a no-op
 * @return tile
 * @since 0.1
 */
PTO_API pto_tile *pto_tile_retain(pto_tile *tile);

/**
 * Releases a reference. The last release frees the tile.
 *
 * @param tile the tile; NULL is a no-op
 * @since 0.1
 */
PTO_API void pto_tile_release(pto_tile *tile);

/**
 * Sets the valid region: the rectangle of the first rows and columns that holds data.
 *
 * @param ctx the context that stores the error
 * @param tile the tile
 * @param valid_rows 0 to rows, or PTO_VALID_ALL; PTO_VALID_NONE is 0
 * @param valid_cols 0 to cols, or PTO_VALID_ALL; PTO_VALID_NONE is 0
 * @return PTO_OK; rules: null, valid-range
 * @since 0.1
 */
PTO_API pto_status pto_tile_set_valid(pto_context *ctx, pto_tile *tile, int32_t valid_rows, int32_t valid_cols);

/**
 * Copies packed elements, row by row, into the valid region of a tile of any layout.
 *
 * @param ctx the context that stores the error
 * @param tile the tile
 * @param data the elements; need not be aligned; may be NULL when bytes is 0
 * @param bytes exactly valid rows * valid columns * element size
 * @return PTO_OK; rules: null, byte-count, storage
 * @since 0.1
 */
PTO_API pto_status pto_tile_write(pto_context *ctx, pto_tile *tile, const void *data, int64_t bytes);

/**
 * Copies the valid region of a tile of any layout to packed elements, row by row.
 *
 * @param ctx the context that stores the error
 * @param tile the tile
 * @param data receives the elements; need not be aligned; may be NULL when bytes is 0
 * @param bytes exactly valid rows * valid columns * element size
 * @return PTO_OK; rules: null, byte-count, storage
 * @since 0.1
 */
PTO_API pto_status pto_tile_read(pto_context *ctx, const pto_tile *tile, void *data, int64_t bytes);

/**
 * Does the same as pto_tile_write(), and also checks the type of the caller's elements.
 *
 * Bindings use this form, since arrays in their languages know their element type.
 *
 * @param ctx the context that stores the error
 * @param tile the tile
 * @param dtype type of the elements in data; must be the tile's element type
 * @param data the elements; need not be aligned; may be NULL when bytes is 0
 * @param bytes exactly valid rows * valid columns * element size
 * @return PTO_OK; rules: null, element-type, byte-count, storage
 * @since 0.1
 */
PTO_API pto_status pto_tile_write_as(pto_context *ctx, pto_tile *tile, pto_dtype dtype, const void *data, int64_t bytes);

/**
 * Does the same as pto_tile_read(), and also checks the type of the caller's elements.
 *
 * @param ctx the context that stores the error
 * @param tile the tile
 * @param dtype type of the elements in data; must be the tile's element type
 * @param data receives the elements; need not be aligned; may be NULL when bytes is 0
 * @param bytes exactly valid rows * valid columns * element size
 * @return PTO_OK; rules: null, element-type, byte-count, storage
 * @since 0.1
 */
PTO_API pto_status pto_tile_read_as(pto_context *ctx, const pto_tile *tile, pto_dtype dtype, void *data, int64_t bytes);

/**
 * Gives a tile an address in the context's on-chip memory (TASSIGN).
 *
 * Tiles with equal or overlapping addresses share elements. The tile releases its
 * former storage and holds a reference to the on-chip memory. The memory of a location
 * is zero at first. pto_context_capacity() returns its size, which depends on the profile.
 *
 * @param ctx the context that has the memory and stores the error
 * @param tile the tile
 * @param address bytes from the start of the memory of the tile's location; a
 *        multiple of 32
 * @return PTO_OK; rules: null, address-alignment, address-range, on-chip-memory, memory
 * @since 0.1
 */
PTO_API pto_status pto_tassign(pto_context *ctx, pto_tile *tile, int64_t address);

/**
 * Prints a tile to the context's output, which pto_context_output() returns (TPRINT).
 *
 * The output is a line `TPRINT RxC` with the size of the valid region, and one line for each of its rows. Floats are
 * rounded to nearest with ties to even; special values are `inf`, `-inf` and `nan`. Integers of 8 bits are printed as
 * numbers. The call does not write to standard output.
 *
 * The output holds 1 MiB. Longer output is cut after a whole line and ends with a line `... cut`; later prints add
 * nothing until pto_context_clear_output() is called.
 *
 * @param ctx the context that receives the output and stores the error
 * @param src the tile; A2A3 and A5 do not print i64, u64 and bf16
 * @param format the format of numbers
 * @return PTO_OK; rules: null, mode, storage, the rules of its geometry, dtype, location-print, memory
 * @since 0.1
 */
PTO_API pto_status pto_tprint(pto_context *ctx, const pto_tile *src, pto_print_format format);

/**
 * Returns a pointer to the first byte of a tile's storage. The elements are in the order of the layout.
 *
 * @return the pointer; NULL for NULL and for a manual tile without an address
 * @since 0.1
 */
PTO_API void *pto_tile_data(pto_tile *tile);

/** Returns the size of a tile's storage in bytes, including the part outside the valid region; 0 for NULL. @since 0.1 */
PTO_API int64_t pto_tile_bytes(const pto_tile *tile);
/** Returns the bytes that pto_tile_write() and pto_tile_read() move; 0 for NULL. @since 0.1 */
PTO_API int64_t pto_tile_valid_bytes(const pto_tile *tile);
/** Returns the element type; PTO_DTYPE_I8 for NULL. @since 0.1 */
PTO_API pto_dtype pto_tile_dtype(const pto_tile *tile);
/** Returns the allocated rows; 0 for NULL. @since 0.1 */
PTO_API int32_t pto_tile_rows(const pto_tile *tile);
/** Returns the allocated columns; 0 for NULL. @since 0.1 */
PTO_API int32_t pto_tile_cols(const pto_tile *tile);
/** Returns the valid rows; 0 for NULL. @since 0.1 */
PTO_API int32_t pto_tile_valid_rows(const pto_tile *tile);
/** Returns the valid columns; 0 for NULL. @since 0.1 */
PTO_API int32_t pto_tile_valid_cols(const pto_tile *tile);
/** Returns the location; PTO_LOCATION_VEC for NULL. @since 0.1 */
PTO_API pto_location pto_tile_location(const pto_tile *tile);
/** Returns the order of boxes or elements; PTO_BLAYOUT_ROW_MAJOR for NULL. @since 0.1 */
PTO_API pto_blayout pto_tile_blayout(const pto_tile *tile);
/** Returns the order inside a box; PTO_SLAYOUT_NONE_BOX for NULL. @since 0.1 */
PTO_API pto_slayout pto_tile_slayout(const pto_tile *tile);
/** Returns the bytes of a box; 0 for NULL. @since 0.1 */
PTO_API int32_t pto_tile_fractal(const pto_tile *tile);
/**
 * Returns the bytes from one line of a tile's storage to the next; 0 for NULL.
 *
 * A line is a row of a row-major tile, a column of a column-major tile, and in a boxed tile a row or column of boxes,
 * depending on blayout.
 *
 * @since 0.1
 */
PTO_API int64_t pto_tile_stride(const pto_tile *tile);
/** Returns the pad value; PTO_PAD_NULL for NULL. @since 0.1 */
PTO_API pto_pad pto_tile_pad(const pto_tile *tile);
/** Returns the bits of PTO_PAD_CUSTOM; 0 for other pad values and NULL. @since 0.1 */
PTO_API uint32_t pto_tile_pad_bits(const pto_tile *tile);
/** Returns how columns of boxes are packed; PTO_COMPACT_NULL for a view and for NULL. @since 0.1 */
PTO_API pto_compact pto_tile_compact(const pto_tile *tile);

/* ---- tensors ------------------------------------------------------------ */

/**
 * Creates a tensor that owns zeroed memory.
 *
 * @param ctx the context that stores the error
 * @param desc dimensions and strides; copied
 * @return the tensor, or NULL with the error in ctx; rules: null, struct-size,
 *         dtype-known, tensor-layout, tensor-rank, tensor-dim, tensor-stride,
 *         tensor-size, memory
 * @since 0.1
 */
PTO_API pto_tensor *pto_tensor_create(pto_context *ctx, const pto_tensor_desc *desc);

/**
 * Creates a tensor over the caller's memory, without a copy.
 *
 * The memory must stay valid until the tensor and all its views are released.
 *
 * @param ctx the context that stores the error
 * @param desc dimensions and strides; copied
 * @param data the element with all indices 0, aligned to the element's size
 * @param bytes size of the memory, which must contain every element
 * @return the tensor, or NULL with the error in ctx; rules: as pto_tensor_create(), data-alignment, tensor-range
 * @since 0.1
 */
PTO_API pto_tensor *pto_tensor_wrap(pto_context *ctx, const pto_tensor_desc *desc, void *data, int64_t bytes);

/**
 * Creates a tensor over a part of another tensor's memory, without a copy.
 *
 * For a window, use the tensor's strides and offset = sum of first index * stride. The view may
 * also have other dimensions, strides and another element type.
 *
 * @param ctx the context that stores the error
 * @param tensor the tensor whose memory is used, from its first element to the end of
 *        the memory that was created or wrapped
 * @param desc dimensions and strides; copied
 * @param offset elements of desc's type from the tensor's first element to the
 *        view's first element, at least 0
 * @return the view, or NULL with the error in ctx; rules: as pto_tensor_create(), data-alignment, tensor-range
 * @since 0.1
 */
PTO_API pto_tensor *pto_tensor_view(pto_context *ctx, pto_tensor *tensor, const pto_tensor_desc *desc, int64_t offset);

/**
 * Adds a reference to a tensor.
 *
 * @param tensor the tensor; NULL is a no-op
 * @return tensor
 * @since 0.1
 */
PTO_API pto_tensor *pto_tensor_retain(pto_tensor *tensor);

/**
 * Releases a reference. The last release frees the tensor.
 *
 * @param tensor the tensor; NULL is a no-op
 * @since 0.1
 */
PTO_API void pto_tensor_release(pto_tensor *tensor);

/**
 * Copies packed elements into a tensor. The last index varies fastest; the strides give each position.
 *
 * @param ctx the context that stores the error
 * @param tensor the tensor
 * @param data the elements; need not be aligned; may be NULL when bytes is 0
 * @param bytes exactly pto_tensor_bytes(tensor)
 * @return PTO_OK; rules: null, byte-count
 * @since 0.1
 */
PTO_API pto_status pto_tensor_write(pto_context *ctx, pto_tensor *tensor, const void *data, int64_t bytes);

/**
 * Copies the elements of a tensor to packed memory. The last index varies fastest.
 *
 * @param ctx the context that stores the error
 * @param tensor the tensor
 * @param data receives the elements; need not be aligned; may be NULL when bytes is 0
 * @param bytes exactly pto_tensor_bytes(tensor)
 * @return PTO_OK; rules: null, byte-count
 * @since 0.1
 */
PTO_API pto_status pto_tensor_read(pto_context *ctx, const pto_tensor *tensor, void *data, int64_t bytes);

/**
 * Does the same as pto_tensor_write(), and also checks the type of the caller's elements.
 *
 * @param ctx the context that stores the error
 * @param tensor the tensor
 * @param dtype type of the elements in data; must be the tensor's element type
 * @param data the elements; need not be aligned; may be NULL when bytes is 0
 * @param bytes exactly pto_tensor_bytes(tensor)
 * @return PTO_OK; rules: null, dtype-known, element-type, byte-count
 * @since 0.1
 */
PTO_API pto_status pto_tensor_write_as(pto_context *ctx, pto_tensor *tensor, pto_dtype dtype, const void *data, int64_t bytes);

/**
 * Does the same as pto_tensor_read(), and also checks the type of the caller's elements.
 *
 * @param ctx the context that stores the error
 * @param tensor the tensor
 * @param dtype type of the elements in data; must be the tensor's element type
 * @param data receives the elements; need not be aligned; may be NULL when bytes is 0
 * @param bytes exactly pto_tensor_bytes(tensor)
 * @return PTO_OK; rules: null, dtype-known, element-type, byte-count
 * @since 0.1
 */
PTO_API pto_status pto_tensor_read_as(pto_context *ctx, const pto_tensor *tensor, pto_dtype dtype, void *data, int64_t bytes);

/** Returns a pointer to the element with all indices 0; NULL for NULL. @since 0.1 */
PTO_API void *pto_tensor_data(pto_tensor *tensor);
/** Returns the bytes that pto_tensor_write() and pto_tensor_read() move; 0 for NULL. @since 0.1 */
PTO_API int64_t pto_tensor_bytes(const pto_tensor *tensor);
/** Returns the element type; PTO_DTYPE_I8 for NULL. @since 0.1 */
PTO_API pto_dtype pto_tensor_dtype(const pto_tensor *tensor);
/** Returns the layout; PTO_LAYOUT_ND for NULL. @since 0.1 */
PTO_API pto_layout pto_tensor_layout(const pto_tensor *tensor);
/** Returns the number of dimensions; 0 for NULL. @since 0.1 */
PTO_API int32_t pto_tensor_rank(const pto_tensor *tensor);
/** Returns the size of a dimension, where dimension 0 is the outermost; 0 if there is no such dimension. @since 0.1 */
PTO_API int64_t pto_tensor_dim(const pto_tensor *tensor, int32_t index);
/** Returns the stride of a dimension in elements; 0 if there is no such dimension. @since 0.1 */
PTO_API int64_t pto_tensor_stride(const pto_tensor *tensor, int32_t index);

/* ---- several devices ------------------------------------------------------ */

/**
 * Creates a world of ranks, in this process or, with the environment variable PTO_TRANSPORT=shm, in one process per rank.
 *
 * A rank represents one device. Each has a window: memory of the same size on every rank, zeroed, which every rank
 * reads and writes as ordinary tensors. docs/ranks.md describes the model.
 *
 * With PTO_TRANSPORT=shm the caller creates the world, then forks one process per rank. A forked process creates the
 * context of its rank with pto_world_context(), and releases it before it ends. If a process ends without a release,
 * waits of other ranks fail with `deadlock` and name the rank. With PTO_TRANSPORT=mpi, each process that mpirun started is a
 * rank and makes this call.
 *
 * @param ctx the context that stores the error
 * @param ranks the number of ranks, 1 to 64
 * @param window_bytes the size of each rank's window, at least 0
 * @return the world, or NULL with the error in ctx; rules: ranks, window-bytes, transport, memory
 * @since 0.1
 */
PTO_API pto_world *pto_world_create(pto_context *ctx, int32_t ranks, int64_t window_bytes);

/** Adds a reference to a world; NULL is a no-op. @since 0.1 */
PTO_API pto_world *pto_world_retain(pto_world *world);

/** Releases a reference. The last release frees the world; its tensors and contexts keep the memory that they need. NULL is a no-op. @since 0.1 */
PTO_API void pto_world_release(pto_world *world);

/** Returns the number of ranks; 0 for NULL. @since 0.1 */
PTO_API int32_t pto_world_ranks(const pto_world *world);

/** Returns the bytes of each rank's window; 0 for NULL. @since 0.1 */
PTO_API int64_t pto_world_window_bytes(const pto_world *world);

/** Returns the transport between the ranks of the world: "local", "shm" or "mpi"; "" for NULL. @since 0.1 */
PTO_API const char *pto_world_transport(const pto_world *world);

/**
 * Creates a context of a rank, with the profile, SIMD target and limit of on-chip memory of ctx.
 *
 * Each call creates a new context: a rank may have several contexts, one per thread. The context
 * holds a reference to the world.
 *
 * @param ctx the context that stores the error
 * @param world the world
 * @param rank the rank, 0 to pto_world_ranks() - 1; with PTO_TRANSPORT=mpi only the rank of the process, which -1 selects
 * @return the context, or NULL with the error in ctx; rules: null, rank, memory
 * @since 0.1
 */
PTO_API pto_context *pto_world_context(pto_context *ctx, pto_world *world, int32_t rank);

/** Returns the rank that a context belongs to; -1 for a context without a world, and for NULL. @since 0.1 */
PTO_API int32_t pto_context_rank(const pto_context *ctx);

/**
 * Creates a tensor over a part of a rank's window, without a copy.
 *
 * It is an ordinary tensor: pto_tload(), pto_tstore(), pto_mgather() and all other calls accept the window of any rank.
 * The same desc and offset mean the same position in every window. The tensor keeps the window's memory alive.
 *
 * @param ctx the context that stores the error
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
 * Limits how long pto_comm_twait() waits. The default is 60000 milliseconds.
 *
 * @param ctx the context that stores the error
 * @param world the world
 * @param milliseconds the time, at least 1
 * @return PTO_OK; rules: null, limit
 * @since 0.1
 */
PTO_API pto_status pto_world_limit_wait(pto_context *ctx, pto_world *world, int64_t milliseconds);

/* ---- instructions known to the library ---------------------------------- */

/**
 * Returns the number of instructions. Ids may have gaps; use pto_op_at() to list them.
 *
 * @since 0.1
 */
PTO_API int32_t pto_op_count(void);

/** Returns the id of the instruction at an index in the order of names; -1 if the index is out of range. @since 0.1 */
PTO_API int32_t pto_op_at(int32_t index);

/** Returns the id of the instruction with a mnemonic, such as "tpow"; -1 for an unknown name. @since 0.1 */
PTO_API int32_t pto_op_find(const char *name);

/** Returns the name of an instruction: the name of its C function without pto_; NULL for an unknown id. @since 0.1 */
PTO_API const char *pto_op_name(int32_t op);

/** Returns one sentence that describes an instruction; NULL for an unknown id. @since 0.1 */
PTO_API const char *pto_op_brief(int32_t op);

/** Returns the formula of an instruction; NULL for an unknown id. @since 0.1 */
PTO_API const char *pto_op_formula(int32_t op);

/** Returns the number of operands, including the flags; 0 for an unknown id. @since 0.1 */
PTO_API int32_t pto_op_operand_count(int32_t op);

/** Returns the name of an operand; NULL for an unknown operand. @since 0.1 */
PTO_API const char *pto_op_operand_name(int32_t op, int32_t index);

/** Returns the role of an operand as a pto_role; -1 for an unknown operand. @since 0.1 */
PTO_API int32_t pto_op_operand_role(int32_t op, int32_t index);

/** Returns the name of the enum of a mode operand without `pto_`, for example "cmp"; NULL if the operand is not a mode. @since 0.1 */
PTO_API const char *pto_op_operand_mode(int32_t op, int32_t index);

/** Returns the name of a value of a mode operand, for example "EQ" for 0; NULL for an unknown value. @since 0.1 */
PTO_API const char *pto_op_operand_mode_value(int32_t op, int32_t index, int32_t value);

/** Returns the extent of a tile operand as a pto_extent; -1 if the operand is tmp or not a tile. @since 0.1 */
PTO_API int32_t pto_op_operand_extent(int32_t op, int32_t index);

/**
 * Returns the element types that an operand accepts when the lead operand has the given type.
 *
 * For a scalar, this is the type that it is converted to. Operands, including scalars, that have the same set of more
 * than one type must all have the same type.
 *
 * @param op the id of an instruction
 * @param index the index of the operand
 * @param profile the profile
 * @param lead the element type of the lead operand
 * @return a set with bit 1 << dtype for each type; 0 if the instruction rejects the call
 * @since 0.1
 */
PTO_API uint32_t pto_op_operand_dtypes(int32_t op, int32_t index, pto_profile profile, pto_dtype lead);

/** Returns the index of the lead operand, which determines the element types and valid regions of the others; -1 for an unknown id. @since 0.1 */
PTO_API int32_t pto_op_lead(int32_t op);

/** Returns the name of the instruction in programs and C++, which all its forms share; NULL for an unknown id. @since 0.1 */
PTO_API const char *pto_op_mnemonic(int32_t op);

/** Returns the flags that an instruction accepts, or-ed together; 0 for an unknown id. @since 0.1 */
PTO_API int32_t pto_op_flags(int32_t op);

/**
 * Returns 1 if a profile accepts an instruction on an element type with these flags.
 *
 * @param op id of the instruction
 * @param profile the rules to apply
 * @param dtype element type of dst
 * @param flags flags of the call
 * @return 1 or 0; 0 for unknown values
 * @since 0.1
 */
PTO_API int32_t pto_op_supports(int32_t op, pto_profile profile, pto_dtype dtype, uint32_t flags);

/* ---- instructions as objects, for interpreters --------------------------- */

/**
 * Creates an instruction whose operands are not set yet.
 *
 * @param ctx the context that stores the error
 * @param name the mnemonic, such as "tpow"
 * @return the instruction, or NULL with the error in ctx; rules: null,
 *         unknown-instruction, memory
 * @since 0.1
 */
PTO_API pto_inst *pto_inst_create(pto_context *ctx, const char *name);

/** Adds a reference to an instruction; NULL is a no-op. @since 0.1 */
PTO_API pto_inst *pto_inst_retain(pto_inst *inst);

/** Releases a reference. The last release frees the instruction and releases its tiles and tensors. NULL is a no-op. @since 0.1 */
PTO_API void pto_inst_release(pto_inst *inst);

/** Returns the id of the instruction; -1 for NULL. @since 0.1 */
PTO_API int32_t pto_inst_op(const pto_inst *inst);

/**
 * Sets a tile operand. The instruction holds a reference to the tile.
 *
 * @param ctx the context that stores the error
 * @param inst the instruction
 * @param index the index of the operand, in the order of pto_op_operand_name()
 * @param tile the tile; NULL unsets the operand
 * @return PTO_OK; rules: null, operand-index, operand-kind
 * @since 0.1
 */
PTO_API pto_status pto_inst_set_tile(pto_context *ctx, pto_inst *inst, int32_t index, pto_tile *tile);

/**
 * Sets a tensor operand. The instruction holds a reference to the tensor.
 *
 * @param ctx the context that stores the error
 * @param inst the instruction
 * @param index the index of the operand, in the order of pto_op_operand_name()
 * @param tensor the tensor; NULL unsets the operand
 * @return PTO_OK; rules: null, operand-index, operand-kind
 * @since 0.1
 */
PTO_API pto_status pto_inst_set_tensor(pto_context *ctx, pto_inst *inst, int32_t index, pto_tensor *tensor);

/**
 * Sets a scalar operand.
 *
 * @param ctx the context that stores the error
 * @param inst the instruction
 * @param index the index of the operand
 * @param value the value; the check and the run of the instruction report a value that is out of range
 * @return PTO_OK; rules: null, operand-index, operand-kind, scalar-kind
 * @since 0.1
 */
PTO_API pto_status pto_inst_set_scalar(pto_context *ctx, pto_inst *inst, int32_t index, pto_scalar value);

/**
 * Sets an integer operand, a mode or the flags, or sets a scalar operand to an integer.
 *
 * @param ctx the context that stores the error
 * @param inst the instruction
 * @param index the index of the operand
 * @param value the value
 * @return PTO_OK; rules: null, operand-index, operand-kind, operand-value
 * @since 0.1
 */
PTO_API pto_status pto_inst_set_int(pto_context *ctx, pto_inst *inst, int32_t index, int64_t value);

/**
 * Sets a scalar operand to a floating-point number.
 *
 * @param ctx the context that stores the error
 * @param inst the instruction
 * @param index the index of the operand
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
 * @param ctx the context: its profile applies, and it stores the error
 * @param inst the instruction
 * @return PTO_OK if pto_inst_run() can fail only because of the data or of memory; otherwise the error of that call
 * @since 0.1
 */
PTO_API pto_status pto_inst_check(pto_context *ctx, const pto_inst *inst);

/**
 * Runs the instruction. The effect is the same as a call of its function; pto_inst_run() is faster if only data changed since the last run.
 *
 * Only one thread at a time may run an instruction.
 *
 * @param ctx the context
 * @param inst the instruction
 * @return the result of the instruction's function
 * @since 0.1
 */
PTO_API pto_status pto_inst_run(pto_context *ctx, const pto_inst *inst);

/* ---- programs ------------------------------------------------------------ */

/**
 * Parses a PTO-AS program in any of its forms.
 *
 * If the text has errors, the call still returns a program, which holds the diagnostics;
 * pto_program_check() and pto_program_run() reject it.
 *
 * @param ctx the context that stores the error
 * @param text the program; copied; needs no terminating 0
 * @param bytes size of the text, at least 0
 * @param name the name of the text in diagnostics, such as its file name; NULL for "program"
 * @return the program, or NULL with the error in ctx; rules: null, byte-count, memory
 * @since 0.1
 */
PTO_API pto_program *pto_program_parse(pto_context *ctx, const char *text, int64_t bytes, const char *name);

/** Adds a reference to a program; NULL is a no-op. @since 0.1 */
PTO_API pto_program *pto_program_retain(pto_program *program);

/** Releases a reference. The last release frees the program and releases everything bound to it. NULL is a no-op. @since 0.1 */
PTO_API void pto_program_release(pto_program *program);

/**
 * Applies the rules of the language, and the rules of the instructions that types and constants can decide.
 *
 * Its diagnostics replace the diagnostics of the previous check or run.
 *
 * @param ctx the context: its profile applies, and it stores the error
 * @param program the program
 * @return PTO_OK if there is no error; rules: null, memory, or the rule of the first diagnostic
 * @since 0.1
 */
PTO_API pto_status pto_program_check(pto_context *ctx, pto_program *program);

/**
 * Reports code that is valid but probably wrong or useless; docs/lint.md lists the checks.
 *
 * Findings are warnings among the diagnostics, which replace the diagnostics of the previous check or run. The rule of a finding
 * is the id of its check. A comment `lint: allow ID: reason` in the program suppresses findings on its line or on the next
 * statement; `lint: allow-file ID: reason` suppresses them in the whole program. If the program has errors, only these are
 * reported.
 *
 * @param ctx the context: its profile applies, and it stores the error
 * @param program the program
 * @param checks ids separated by commas: only these checks, or, if each id starts with -, all except these; NULL for all
 * @return PTO_OK if there is no error; rules: null, lint-check, memory, or the rule of the first diagnostic
 * @since 0.1
 */
PTO_API pto_status pto_program_lint(pto_context *ctx, pto_program *program, const char *checks);

/** Returns the number of checks of pto_program_lint(). @since 0.1 */
PTO_API int32_t pto_lint_count(void);

/** Returns the id of a check, which later versions keep; NULL if there is no such check. @since 0.1 */
PTO_API const char *pto_lint_id(int32_t index);

/** Returns a short title of a check; NULL if there is no such check. @since 0.1 */
PTO_API const char *pto_lint_title(int32_t index);

/** Returns the reason for a check; NULL if there is no such check. @since 0.1 */
PTO_API const char *pto_lint_why(int32_t index);

/** Returns one sentence that describes how to fix a finding of the check; NULL if there is no such check. @since 0.1 */
PTO_API const char *pto_lint_remedy(int32_t index);

/** Returns the profile that the program's pto.target_arch names, as a pto_profile; -1 if it names none. @since 0.1 */
PTO_API int32_t pto_program_profile(const pto_program *program);

/** Returns the function that runs by default; NULL if there is no single candidate. @since 0.1 */
PTO_API const char *pto_program_entry(const pto_program *program);

/**
 * Returns the number of arguments of a function; -1 if there is no such function.
 *
 * If the program has statements outside functions, their arguments are the values that no statement defines.
 *
 * @param program the program
 * @param entry the function's name; NULL for pto_program_entry()
 * @since 0.1
 */
PTO_API int32_t pto_program_arg_count(const pto_program *program, const char *entry);

/** Returns the name of an argument, without %; NULL if there is no such argument. @since 0.1 */
PTO_API const char *pto_program_arg_name(const pto_program *program, const char *entry, int32_t index);

/** Returns the kind of value that an argument accepts; PTO_ARG_OTHER if there is no such argument. @since 0.1 */
PTO_API pto_arg_kind pto_program_arg_kind(const pto_program *program, const char *entry, int32_t index);

/** Returns the element type of an argument as a pto_dtype; -1 if the program does not specify one or tiles do not have it. @since 0.1 */
PTO_API int32_t pto_program_arg_dtype(const pto_program *program, const char *entry, int32_t index);

/**
 * Creates a tile of an argument's type, with its own zeroed memory.
 *
 * @param ctx the context: its profile validates the geometry, and it stores the error
 * @param program the program
 * @param entry the function's name; NULL for pto_program_entry()
 * @param index the index of the argument
 * @return the tile, which the caller releases, or NULL with the error in ctx; rules:
 *         null, argument-name, argument-kind, and as pto_tile_create_from()
 * @since 0.1
 */
PTO_API pto_tile *pto_program_arg_tile(pto_context *ctx, const pto_program *program, const char *entry, int32_t index);

/** Returns 1 if an argument may stay unbound because a statement outside functions creates its tile, else 0. @since 0.1 */
PTO_API int32_t pto_program_arg_optional(const pto_program *program, const char *entry, int32_t index);

/**
 * Binds an argument to a tensor. The program holds a reference to it.
 *
 * A run checks that its entry has the argument and that the type matches.
 *
 * @param ctx the context that stores the error
 * @param program the program
 * @param arg name of the argument, without %, or its number in decimal
 * @param tensor the tensor; NULL removes the binding
 * @return PTO_OK; rules: null, memory
 * @since 0.1
 */
PTO_API pto_status pto_program_bind_tensor(pto_context *ctx, pto_program *program, const char *arg, pto_tensor *tensor);

/** Binds an argument to a tile; as pto_program_bind_tensor(). @since 0.1 */
PTO_API pto_status pto_program_bind_tile(pto_context *ctx, pto_program *program, const char *arg, pto_tile *tile);

/**
 * Sets whether the memory bound to an argument is for results only, without data before a run.
 *
 * A run that reads an element of such an output before it has written it ends with unbound-argument. An MSCATTER counts
 * as if it writes its whole table. A new binding of the argument resets this setting.
 *
 * @param ctx the context that stores the error
 * @param program the program
 * @param arg name of the argument, without %, or its number in decimal, as it was bound
 * @param on 1 for results only, 0 for memory with data
 * @return PTO_OK; rules: null, unbound-argument, argument-kind
 * @since 0.1
 */
PTO_API pto_status pto_program_set_output(pto_context *ctx, pto_program *program, const char *arg, int32_t on);

/**
 * Binds an argument to memory of unknown length, for kernels that receive bare pointers.
 *
 * The views that the program creates are the only bounds of a pointer argument. The memory that they describe, and the
 * elements that the program loads and stores through the pointer, must exist. If the argument is itself a view, its type
 * gives all sizes. The memory holds data before a run.
 *
 * @param ctx the context that stores the error
 * @param program the program
 * @param arg name of the argument, without %, or its number in decimal
 * @param address address of the first element, aligned to the element's size; 0 removes the binding
 * @return PTO_OK; rules: null, memory
 * @since 0.1
 */
PTO_API pto_status pto_program_bind_address(pto_context *ctx, pto_program *program, const char *arg, int64_t address);

/** Binds an argument to an integer; as pto_program_bind_tensor(). @since 0.1 */
PTO_API pto_status pto_program_bind_int(pto_context *ctx, pto_program *program, const char *arg, int64_t value);

/** Binds an argument to a floating-point number; as pto_program_bind_tensor(). @since 0.1 */
PTO_API pto_status pto_program_bind_float(pto_context *ctx, pto_program *program, const char *arg, double value);

/**
 * Binds an argument to a floating-point number in decimal notation.
 *
 * The number is rounded once, to the type of the argument, like a literal of a program. Rounding it to a double first could
 * change the result: the double may lie exactly halfway between two numbers of a narrower type although the text does not.
 *
 * @param ctx the context that stores the error
 * @param program the program
 * @param arg name of the argument, without %, or its number in decimal
 * @param text an optional sign, digits with at most one point, and an optional exponent: "-1.5e-3"
 * @return PTO_OK; rules: null, argument-type, memory
 * @since 0.1
 */
PTO_API pto_status pto_program_bind_decimal(pto_context *ctx, pto_program *program, const char *arg, const char *text);

/**
 * Limits the steps of all blocks of a run together. The default is 10^9.
 *
 * A step is a statement, an iteration of a loop, a block, or 64 elements that a statement processes.
 * The limit therefore bounds the work of a run for tiles of any size.
 *
 * @param ctx the context that stores the error
 * @param program the program
 * @param steps the limit, at least 1
 * @return PTO_OK; rules: null, limit
 * @since 0.1
 */
PTO_API pto_status pto_program_limit_steps(pto_context *ctx, pto_program *program, int64_t steps);

/**
 * Limits the bytes that each block of a run allocates. The default is 2^32.
 *
 * The count includes the tiles that the block creates, 512 bytes per handle (of a tile, a view or an array of events, plus
 * 8 per event), 32 bytes per value of an active function, the output, and the trace. Memory that the caller has bound does
 * not count.
 *
 * @param ctx the context that stores the error
 * @param program the program
 * @param bytes the limit, at least 1
 * @return PTO_OK; rules: null, limit
 * @since 0.1
 */
PTO_API pto_status pto_program_limit_bytes(pto_context *ctx, pto_program *program, int64_t bytes);

/**
 * Limits the time that a run takes. By default there is no limit.
 *
 * The run checks the time between steps and inside matrix products; it finishes any other instruction first.
 *
 * @param ctx the context that stores the error
 * @param program the program
 * @param milliseconds the limit, at least 1
 * @return PTO_OK; rules: null, limit
 * @since 0.1
 */
PTO_API pto_status pto_program_limit_time(pto_context *ctx, pto_program *program, int64_t milliseconds);

/**
 * Asks the current run to stop, or the next run if none is active.
 *
 * Any thread and any signal handler may call this at any time while the program exists; it returns
 * immediately. The run ends between two steps or inside a matrix product, with PTO_ERROR_PROGRAM and
 * rule stopped, and clears the request. Several requests before a run ends count as one.
 *
 * @param program the program; NULL is a no-op
 * @since 0.1
 */
PTO_API void pto_program_stop(pto_program *program);

/** Cancels a pto_program_stop() that has not stopped a run yet. Any thread may call this; NULL is a no-op. @since 0.1 */
PTO_API void pto_program_forget_stop(pto_program *program);

/** Sets the number of blocks: the entry runs once for each of them. The default is 1. Rules: null, blocks. @since 0.1 */
PTO_API pto_status pto_program_set_blocks(pto_context *ctx, pto_program *program, int32_t blocks);

/**
 * Sets the core that a run represents, for launchers that start their own thread for each block or core.
 *
 * Such a launcher runs the program once on each thread. The blocks of the run are then numbered from `block` on, out of
 * `blocks`. A program for one kind of core sees `lane` as the number of its vector core. In a program for both kinds of
 * cores, the cores run together and have their own numbers.
 *
 * @param ctx the context that stores the error
 * @param program the program
 * @param block number of the run's first block, at least 0
 * @param blocks number of blocks that the launcher has, more than block
 * @param lane number of the vector core in its block, 0 or 1
 * @return PTO_OK; rules: null, blocks
 * @since 0.1
 */
PTO_API pto_status pto_program_set_core(pto_context *ctx, pto_program *program, int32_t block, int32_t blocks, int32_t lane);

/**
 * Sets the maximum number of threads of a run. The default is 1.
 *
 * Each block runs on one thread, with its own on-chip memory. Results, output, errors and steps do not depend on the
 * number of threads, unless a block writes memory that another block reads or writes. With several threads, a step-limit
 * in a block other than the first is reported at the entry. Additions to global memory happen in the order of the
 * blocks. A program that has a tile as an argument runs on one thread. The next run uses the same threads; after a
 * fork, the child creates its own.
 *
 * @param ctx the context that stores the error
 * @param program the program
 * @param threads the number, including the caller's thread, 1 to 1024
 * @return PTO_OK; rules: null, threads
 * @since 0.1
 */
PTO_API pto_status pto_program_set_threads(pto_context *ctx, pto_program *program, int32_t threads);

/**
 * Sets the world that runs of the program use. The default is one device.
 *
 * Each rank runs the entry, its blocks and its cores. All ranks take turns on one thread: a rank runs until it waits for
 * a signal. Arguments bound so far stay bound on every rank; bindings on single ranks are removed.
 *
 * @param ctx the context that stores the error
 * @param program the program; holds a reference to the world
 * @param world the world; NULL: one device
 * @return PTO_OK; rules: null
 * @since 0.1
 */
PTO_API pto_status pto_program_set_world(pto_context *ctx, pto_program *program, pto_world *world);

/**
 * Sets the rank that later calls of the pto_program_bind functions apply to. The default is every rank.
 *
 * A binding on one rank takes precedence there over a binding on every rank.
 *
 * @param ctx the context that stores the error
 * @param program the program
 * @param rank the rank; -1: every rank
 * @return PTO_OK; rules: null, rank
 * @since 0.1
 */
PTO_API pto_status pto_program_bind_on(pto_context *ctx, pto_program *program, int32_t rank);

/**
 * Sets the order in which ranks, blocks that wait for each other, and cores take turns.
 *
 * With 0, the default, each runs until it waits, starting with the first one. Any other number is the seed of a random
 * order, in which turns also end before communication. The same seed gives the same order. A correct program computes the
 * same results in every order.
 *
 * @param ctx the context that stores the error
 * @param program the program
 * @param seed 0, or the seed
 * @return PTO_OK; rules: null
 * @since 0.1
 */
PTO_API pto_status pto_program_set_schedule(pto_context *ctx, pto_program *program, int64_t seed);

/**
 * Sets when data of `comm.tput` becomes visible to other ranks in runs of the program. The default is 0.
 *
 * With 0 it is visible at once. With any other number it is visible as late as the order of pipes allows: after the next
 * barrier of all pipes or of the pipe that stores, or the next wait for a flag of that pipe. A program that has neither
 * leaves that order to a compiler; its data arrives before the next notification. A correct program computes the same
 * results.
 *
 * @param ctx the context that stores the error
 * @param program the program
 * @param on whether data arrives late
 * @return PTO_OK; rules: null
 * @since 0.1
 */
PTO_API pto_status pto_program_set_late_data(pto_context *ctx, pto_program *program, int32_t on);

/**
 * Sets whether runs of the program check its synchronisation. By default they do not.
 *
 * Instructions always run in the order of the program. The check reports where a device could run them in another order:
 * two accesses to the same bytes, by pipes or by blocks, that no flag, barrier or buffer orders. Its findings are
 * diagnostics of the run; docs/sync.md explains them. A run with the check uses one thread.
 *
 * @param ctx the context that stores the error
 * @param program the program
 * @param on 1 to check, 0 not to
 * @return PTO_OK; rules: null
 * @since 0.1
 */
PTO_API pto_status pto_program_set_sync(pto_context *ctx, pto_program *program, int32_t on);

/**
 * Sets what inactive lanes of registers hold in runs of the program. The default is 0.
 *
 * Masked operations of the vector level leave 0 in the lanes that their mask excludes. With poison these lanes hold 0xA5 in
 * each byte. A program that depends on them then computes other results. docs/vector.md lists the exceptions.
 *
 * @param ctx the context that stores the error
 * @param program the program
 * @param on 1: poison, 0: zeros
 * @return PTO_OK; rules: null
 * @since 0.1
 */
PTO_API pto_status pto_program_set_poison(pto_context *ctx, pto_program *program, int32_t on);

/**
 * Lets copies of the vector level run past the end of bound arrays. The default is 0 bytes.
 *
 * Programs for devices often copy whole blocks although an array is shorter. Without slack such a copy breaks the rule
 * memory-range. With slack it gives a warning. The run then adds this number of zero bytes after each array.
 *
 * @param ctx the context that stores the error
 * @param program the program
 * @param bytes the bytes after each array, 0 to 2^20
 * @return PTO_OK; rules: null, limit
 * @since 0.1
 */
PTO_API pto_status pto_program_set_slack(pto_context *ctx, pto_program *program, int64_t bytes);

/** Calls pto_program_record() with PTO_RECORD_TIMES and 128 MiB, or with PTO_RECORD_OFF. Rules: null. @since 0.1 */
PTO_API pto_status pto_program_set_trace(pto_context *ctx, pto_program *program, int32_t on);

/**
 * Sets what runs of the program record, and the memory for it. By default they record nothing.
 *
 * When the elements of tiles need more than half of the memory, the elements of every second execution of a statement are
 * released, then of every fourth, and so on; the first NaN and the first infinity stay. Events for which there is no room
 * are counted and left out. For a tile with more than 64 KiB of elements, every second, fourth and so on row and column is
 * kept. The recorded data counts for pto_program_limit_bytes(). A run that records tiles uses one thread.
 *
 * @param ctx the context that stores the error
 * @param program the program
 * @param what the kind of recording
 * @param max_bytes the memory for it, at least 1
 * @return PTO_OK; rules: null, limit, operand-value
 * @since 0.1
 */
PTO_API pto_status pto_program_record(pto_context *ctx, pto_program *program, pto_record what, int64_t max_bytes);

/**
 * Checks the program under the context's profile, then runs one of its functions.
 *
 * Bound tensors and tiles receive the results. After an error they hold the results of the statements that ran before it.
 * Statements run one after another, so synchronisation has no effect. Blocks also run one after another, or on several
 * threads (pto_program_set_threads()). To run a program often, keep it, bind other data and run it again: later runs reuse
 * the code of the first run if entry, profile and target are the same and no run has failed.
 *
 * @param ctx the context: its profile applies, it executes the instructions, and it stores the error
 * @param program the program
 * @param entry the function's name; NULL for pto_program_entry()
 * @return PTO_OK if the run is complete; rules: null, memory, program-errors,
 *         unknown-entry, argument-name, unbound-argument, argument-kind, argument-type, argument-shape, argument-range,
 *         step-limit, byte-limit, time-limit, stopped, call-depth, unassigned, division-by-zero,
 *         loop-step, window, copy-shape, unsupported, trap, and the rules of every call that the
 *         program makes; with pto_program_set_sync() the rules of docs/sync.md after a complete run. The last
 *         diagnostic has the position. The operand of the error is the argument if it is not bound, has another
 *         type, or is a tensor smaller than a view of it
 * @since 0.1
 */
PTO_API pto_status pto_program_run(pto_context *ctx, pto_program *program, const char *entry);

/** Returns the steps of the latest run, as pto_program_limit_steps() counts them; 0 for NULL. @since 0.1 */
PTO_API int64_t pto_program_steps(const pto_program *program);

/**
 * Returns the output of the latest run, at most 1 MiB; "" for NULL. The string stays valid until the next run. Longer
 * output is cut after a whole line and ends with a line `... cut`. @since 0.1
 */
PTO_API const char *pto_program_output(const pto_program *program);

/**
 * Returns the trace of the latest run, in the JSON format of Perfetto and Chrome's about:tracing.
 *
 * Each block is a process with one thread per pipe. The arguments of an event are its place in the text, the type and
 * shape of its destination, elements, bytes, and the rate in GB/s.
 *
 * @param ctx the context that stores the error
 * @param program the program
 * @return a string that stays valid until the next call that returns a string, or NULL; rules: null, memory
 * @since 0.1
 */
PTO_API const char *pto_program_trace(pto_context *ctx, pto_program *program);

/**
 * Returns a part of pto_program_trace(), so that a long trace never has to be in memory as a whole.
 *
 * The concatenation of all parts is the trace. The first part begins with the names of processes and threads; the part
 * with the last event ends the list.
 *
 * @param ctx the context that stores the error
 * @param program the program
 * @param first the part's first event, from 0 to pto_program_event_count() of PTO_EVENT_PART_EVENTS
 * @param count the number of events, at least 1; the last part may have fewer
 * @return a string that stays valid until the next call that returns a string, or NULL; rules: null, memory, operand-value
 * @since 0.1
 */
PTO_API const char *pto_program_trace_part(pto_context *ctx, pto_program *program, int64_t first, int64_t count);

/**
 * Returns the number of events, tiles or bytes of elements that the current or latest run has recorded.
 *
 * Any thread may call this at any time while the program exists. During a run there are only events; if the run uses
 * several threads, the events of a block appear when the block is done. Tiles appear at the end of the run.
 *
 * @param program the program; the result is 0 for NULL
 * @param part the part to count
 * @return the number of rows that pto_program_read_events() can read now
 * @since 0.1
 */
PTO_API int64_t pto_program_event_count(const pto_program *program, pto_event_part part);

/** Returns the number of events of the latest run that did not fit; 0 for NULL. Any thread may call this. @since 0.1 */
PTO_API int64_t pto_program_events_lost(const pto_program *program);

/**
 * Copies recorded rows of the current or latest run.
 *
 * Rows consist of 64-bit integers. Columns that this version does not know are 0. You can call this during a run with
 * another context than the run's. Recorded events do not change, except for their times, which are estimates with an error
 * of some parts in a thousand until the run ends. The next run discards them.
 *
 * @param ctx the context that stores the error; not the context of a current run
 * @param program the program
 * @param part the part to read
 * @param first the first row; for elements the first byte
 * @param fields the number of columns in each row of data, at least 1; ignored for elements
 * @param data receives the rows
 * @param bytes the size of data: a whole number of rows that are all recorded already
 * @return PTO_OK; rules: null, operand-value, byte-count
 * @since 0.1
 */
PTO_API pto_status pto_program_read_events(pto_context *ctx, const pto_program *program, pto_event_part part, int64_t first, int32_t fields, void *data, int64_t bytes);

/**
 * Marks an event of the latest run: reports show the note and a button that jumps to the event.
 *
 * At most one event is marked; the next run removes the mark.
 *
 * @param ctx the context that stores the error
 * @param program the program
 * @param event a row of PTO_EVENT_PART_EVENTS; for a row of PTO_EVENT_PART_VECTOR_EVENTS, the number of rows of
 *   PTO_EVENT_PART_EVENTS plus that row
 * @param note what to look at, such as the difference from the expected result; copied; NULL removes the mark
 * @return PTO_OK; rules: null, operand-value, memory
 * @since 0.1
 */
PTO_API pto_status pto_program_mark(pto_context *ctx, pto_program *program, int64_t event, const char *note);

/**
 * Returns an HTML page that shows the recording of the latest run. The page is one self-contained document.
 *
 * It has the program with its diagnostics, a timeline, and the recorded tiles of every instruction.
 *
 * @param ctx the context that stores the error
 * @param program the program
 * @return a string that stays valid until the next call that returns a string, or NULL; rules: null, memory
 * @since 0.1
 */
PTO_API const char *pto_program_report(pto_context *ctx, pto_program *program);

/**
 * Returns the approximate number of steps of the current run.
 *
 * Any thread may call this at any time while the program exists.
 *
 * @param program the program; the result is 0 for NULL
 * @return the steps of the current run, or of the latest run if none is active
 * @since 0.1
 */
PTO_API int64_t pto_program_steps_so_far(const pto_program *program);

/** Returns the block that the current run executes, or the number of blocks that the latest run finished. Any thread may call this. @since 0.1 */
PTO_API int32_t pto_program_blocks_so_far(const pto_program *program);

/**
 * Returns the tile that a value of the entry had at the end of the latest run, in the last block.
 *
 * The tile is a snapshot: later runs of any program do not change it. For a tile that you bound, the call returns that
 * tile itself, which the next run may write.
 *
 * @param ctx the context that stores the error
 * @param program the program
 * @param name the value, without %; if several values have the name, the last one in the text
 * @return the tile, which the caller releases, or NULL; rules: null, argument-name
 * @since 0.1
 */
PTO_API pto_tile *pto_program_tile(pto_context *ctx, pto_program *program, const char *name);

/** Returns the number of names that pto_program_tile() accepts; 0 for NULL. @since 0.1 */
PTO_API int32_t pto_program_tile_count(const pto_program *program);

/** Returns the name of a tile of the latest run; NULL if there is no such tile. @since 0.1 */
PTO_API const char *pto_program_tile_name(const pto_program *program, int32_t index);

/**
 * Prints the program in canonical form, including comments.
 *
 * @param ctx the context that stores the error
 * @param program the program, without syntax errors
 * @param form the form of instructions
 * @return a string that stays valid until the next call that returns a string, or NULL; rules:
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
 * @param ctx the context: its profile applies, and it stores the error
 * @param program the program
 * @param library a path to libpto; NULL for none
 * @return a string that stays valid until the next call that returns a string, or NULL; rules:
 *         null, program-errors, unknown-entry, memory
 * @since 0.1
 */
PTO_API const char *pto_program_kernels(pto_context *ctx, pto_program *program, const char *library);

/**
 * Returns the program in canonical form, with the missing flags and barriers inserted.
 *
 * The call runs the function with the current bindings under pto_program_set_sync(), once for each flag that it inserts or
 * tries to omit. It also inserts flags into a program without addresses, flags and barriers. A run of the result with the
 * same bindings has no findings, and every inserted flag is necessary. Tensors hold the results of several runs.
 * Diagnostics describe the run of the new text: accesses that no flag or barrier can order, such as accesses of two blocks.
 *
 * @param ctx the context: its profile applies, it executes the instructions, and it stores the error
 * @param program the program; not changed
 * @param entry the function's name; NULL for pto_program_entry()
 * @return a string that stays valid until the next call that returns a string, or NULL; rules: as pto_program_run() for a
 *         run that ends early
 * @since 0.1
 */
PTO_API const char *pto_program_fix_sync(pto_context *ctx, pto_program *program, const char *entry);

/** Returns the number of diagnostics, first of parsing, then of the latest check or run; 0 for NULL. @since 0.1 */
PTO_API int32_t pto_program_diagnostic_count(const pto_program *program);

/** Returns 1 if a diagnostic is an error, 0 if it is a warning or does not exist. @since 0.1 */
PTO_API int32_t pto_program_diagnostic_error(const pto_program *program, int32_t index);

/** Returns the line of a diagnostic, from 1; 0 if there is no such diagnostic. @since 0.1 */
PTO_API int32_t pto_program_diagnostic_line(const pto_program *program, int32_t index);

/** Returns the column of a diagnostic, from 1, in characters; 0 if there is no such diagnostic. @since 0.1 */
PTO_API int32_t pto_program_diagnostic_column(const pto_program *program, int32_t index);

/** Returns the id of the broken rule; NULL if there is no such diagnostic. @since 0.1 */
PTO_API const char *pto_program_diagnostic_rule(const pto_program *program, int32_t index);

/** Returns the message, one line with the values; NULL if there is no such diagnostic. @since 0.1 */
PTO_API const char *pto_program_diagnostic_message(const pto_program *program, int32_t index);

/** Returns one sentence that describes how to fix the error; NULL if there is no such diagnostic. @since 0.1 */
PTO_API const char *pto_program_diagnostic_remedy(const pto_program *program, int32_t index);

/** Returns the source line, followed by a line with carets below the place; NULL if there is no such diagnostic. @since 0.1 */
PTO_API const char *pto_program_diagnostic_excerpt(const pto_program *program, int32_t index);

/** Returns the diagnostic in the format of a compiler: "name:line:column: error: message [rule]", excerpt, remedy; NULL if there is no such diagnostic. @since 0.1 */
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
 * @param ctx the context that stores the error
 * @param root the index of the member whose rank calls the collective instructions, 0 to 63
 * @return the group, or NULL with the error in ctx; rules: group, memory
 * @since 0.1
 */
PTO_API pto_group *pto_group_create(pto_context *ctx, int32_t root);

/** Adds a reference to a group; NULL is a no-op. @since 0.1 */
PTO_API pto_group *pto_group_retain(pto_group *group);

/** Releases a reference. The last release frees the group and releases its tensors. NULL is a no-op. @since 0.1 */
PTO_API void pto_group_release(pto_group *group);

/**
 * Adds the tensor of the next rank to a group: first member 0, then member 1 and so on.
 *
 * @param ctx the context that stores the error
 * @param group the group; it holds a reference to the tensor
 * @param tensor the tensor; all members have the same shape, layout and element type
 * @return PTO_OK; rules: null, group, comm-dtype
 * @since 0.1
 */
PTO_API pto_status pto_group_add(pto_context *ctx, pto_group *group, pto_tensor *tensor);

/** Returns the number of members; 0 for NULL. @since 0.1 */
PTO_API int32_t pto_group_size(const pto_group *group);

/** Returns the index of the root's member; 0 for NULL. @since 0.1 */
PTO_API int32_t pto_group_root(const pto_group *group);

/**
 * Copies a tensor to a tensor of another rank, or adds it there (TPUT).
 *
 *     dst[i] = src[i], or dst[i] = dst[i] + src[i]
 *
 * Each addition is atomic. If several ranks add floats, the sum depends on the order of their additions.
 *
 * @param ctx the context
 * @param dst the destination, in the window of any rank
 * @param src the source; same dimensions, layout and element type
 * @param ping the staging tile that a device needs, in vec; undefined after the call; NULL: none
 * @param pong a second staging tile of the same shape; NULL: none
 * @param atomic PTO_ATOMIC_NONE or PTO_ATOMIC_ADD
 * @return PTO_OK; rules: null, comm-dtype, comm-shape, staging, mode, far-window, transport-failed
 * @see PTO ISA, communication: TPUT
 * @since 0.1
 */
PTO_API pto_status pto_comm_tput(pto_context *ctx, pto_tensor *dst, const pto_tensor *src, pto_tile *ping, pto_tile *pong, pto_atomic atomic);

/**
 * Copies a tensor from another rank (TGET): dst[i] = src[i].
 *
 * Both may be in the window of any rank or outside all windows.
 *
 * @param ctx the context
 * @param dst the destination
 * @param src the source, in the window of any rank; same dimensions, layout and element type
 * @param ping the staging tile, as for pto_comm_tput(); NULL: none
 * @param pong a second staging tile; NULL: none
 * @return PTO_OK; rules: null, comm-dtype, comm-shape, staging, transport-failed
 * @see PTO ISA, communication: TGET
 * @since 0.1
 */
PTO_API pto_status pto_comm_tget(pto_context *ctx, pto_tensor *dst, const pto_tensor *src, pto_tile *ping, pto_tile *pong);

/**
 * Begins to copy a tensor to a tensor of another rank (TPUT_ASYNC): dst[i] = src[i].
 *
 * A context has eight sessions. The copies of a session complete in the order in which they began. Until
 * pto_comm_wait_async_event() has returned, the contents of dst are undefined and src must not change. In this version a
 * copy completes when the call returns.
 *
 * @param ctx the context
 * @param dst the destination, in the window of any rank, without gaps between elements
 * @param src the source; same dimensions, layout and element type, without gaps
 * @param session the session, 0 to 7
 * @return the event, from 1 on and ascending in each session; 0 with the error in ctx; rules: null, async-event, comm-flat, transport-failed,
 *         comm-dtype, comm-shape
 * @see PTO ISA, communication: TPUT_ASYNC
 * @since 0.1
 */
PTO_API int64_t pto_context_tput_async(pto_context *ctx, pto_tensor *dst, const pto_tensor *src, int32_t session);

/**
 * Begins to copy a tensor from another rank (TGET_ASYNC), as pto_context_tput_async() does to one.
 *
 * @param ctx the context
 * @param dst the destination, without gaps between elements
 * @param src the source, in the window of any rank; same dimensions, layout and element type, without gaps
 * @param session the session, 0 to 7
 * @return the event, or 0 with the error in ctx; rules: as pto_context_tput_async()
 * @see PTO ISA, communication: TGET_ASYNC
 * @since 0.1
 */
PTO_API int64_t pto_context_tget_async(pto_context *ctx, pto_tensor *dst, const pto_tensor *src, int32_t session);

/**
 * Returns whether an asynchronous copy and all earlier copies of its session are complete.
 *
 * @param ctx the context that began the copy
 * @param event the event that the copy returned
 * @param session the session of the copy
 * @return 1 if they are, 0 if not, -1 with the error in ctx; rules: async-event
 * @see PTO ISA, communication: event.Test
 * @since 0.1
 */
PTO_API int32_t pto_context_test_async_event(pto_context *ctx, int64_t event, int32_t session);

/**
 * Waits until an asynchronous copy and all earlier copies of its session are complete.
 *
 * @param ctx the context that began the copy
 * @param event the event that the copy returned
 * @param session the session of the copy
 * @return PTO_OK; rules: async-event
 * @see PTO ISA, communication: event.Wait
 * @since 0.1
 */
PTO_API pto_status pto_comm_wait_async_event(pto_context *ctx, int64_t event, int32_t session);

/**
 * Atomically sets a signal or adds to it (TNOTIFY).
 *
 * A rank that has seen the signal also sees everything that this rank stored before.
 *
 * @param ctx the context
 * @param signal one element of i32, in the window of any rank
 * @param value the value to add or set
 * @param op the operation
 * @return PTO_OK; rules: null, signal, mode, transport-failed
 * @see PTO ISA, communication: TNOTIFY
 * @since 0.1
 */
PTO_API pto_status pto_comm_tnotify(pto_context *ctx, pto_tensor *signal, int32_t value, pto_notify op);

/**
 * Waits until every element of a signal satisfies a comparison (TWAIT).
 *
 * Other threads of the caller run the other ranks. The wait fails with `deadlock` as soon as all ranks that still have a
 * context wait, provided that every rank has had a context. It fails with `time-limit` after the time of
 * pto_world_limit_wait().
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
 * Returns whether every element of a signal satisfies a comparison now (TTEST).
 *
 * @param ctx the context of the rank that asks
 * @param signal elements of i32, in the rank's own window
 * @param value the value
 * @param cmp the comparison
 * @return 1 if they do, 0 if not, -1 with the error in ctx; rules: null, signal, signal-own, mode
 * @see PTO ISA, communication: TTEST
 * @since 0.1
 */
PTO_API int32_t pto_context_ttest(pto_context *ctx, const pto_tensor *signal, int32_t value, pto_wait_cmp cmp);

/**
 * Copies a tensor to each member of a group (TBROADCAST). Only the root calls it.
 *
 * @param ctx the context of the root
 * @param group the destination of each rank
 * @param src the source; same shape and element type
 * @param ping the staging tile, as for pto_comm_tput(); NULL: none
 * @param pong a second staging tile; NULL: none
 * @return PTO_OK; rules: null, group, group-root, comm-dtype, comm-shape, staging, transport-failed
 * @see PTO ISA, communication: TBROADCAST
 * @since 0.1
 */
PTO_API pto_status pto_comm_tbroadcast(pto_context *ctx, const pto_group *group, const pto_tensor *src, pto_tile *ping, pto_tile *pong);

/**
 * Copies the members of a group into one tensor, one after another (TGATHER of ranks). Only the root calls it.
 *
 * With H rows in each member, member r is copied to rows r * H to r * H + H - 1; rows are dimension 3 of five. Further rows
 * of dst do not change.
 *
 * @param ctx the context of the root
 * @param dst the destination, with at least the rows of all members
 * @param group the source of each rank
 * @param ping the staging tile, as for pto_comm_tput(); NULL: none
 * @param pong a second staging tile; NULL: none
 * @return PTO_OK; rules: null, group, group-root, group-rows, comm-dtype, staging, transport-failed
 * @see PTO ISA, communication: TGATHER
 * @since 0.1
 */
PTO_API pto_status pto_comm_tgather(pto_context *ctx, pto_tensor *dst, const pto_group *group, pto_tile *ping, pto_tile *pong);

/**
 * Copies parts of one tensor to the members of a group (TSCATTER of ranks). Only the root calls it.
 *
 * It is the inverse of pto_comm_tgather(). Rows of src after the last member's are not read.
 *
 * @param ctx the context of the root
 * @param group the destination of each rank
 * @param src the source, with at least the rows of all members
 * @param ping the staging tile, as for pto_comm_tput(); NULL: none
 * @param pong a second staging tile; NULL: none
 * @return PTO_OK; rules: null, group, group-root, group-rows, comm-dtype, staging, transport-failed
 * @see PTO ISA, communication: TSCATTER
 * @since 0.1
 */
PTO_API pto_status pto_comm_tscatter(pto_context *ctx, const pto_group *group, const pto_tensor *src, pto_tile *ping, pto_tile *pong);

/**
 * Combines the members of a group element by element (TREDUCE). Only the root calls it.
 *
 *     dst = ((root + member 0) + member 1) + ..., where the root's member appears only once
 *
 * The order is fixed and each step rounds to the element type, so the result never depends on timing. dst may be a member.
 *
 * @param ctx the context of the root
 * @param dst the destination; shape and element type of a member
 * @param group the source of each rank
 * @param acc the tile in which a device accumulates, as ping of pto_comm_tput(); NULL: none
 * @param ping the staging tile; NULL: none
 * @param pong a second staging tile; NULL: none
 * @param op how elements are combined
 * @return PTO_OK; rules: null, group, group-root, comm-dtype, comm-shape, staging, mode, transport-failed
 * @see PTO ISA, communication: TREDUCE
 * @since 0.1
 */
PTO_API pto_status pto_comm_treduce(pto_context *ctx, pto_tensor *dst, const pto_group *group, pto_tile *acc, pto_tile *ping, pto_tile *pong, pto_reduce op);

/**
 * Combines the members of a group element by element and stores the result in each of them. Only the root calls it.
 *
 * This is pto_comm_treduce() followed by pto_comm_tbroadcast(). All members get the same bits, which depend only on the
 * members and the root. The ISA has no such instruction.
 *
 * @param ctx the context of the root
 * @param group the part of each rank; receives the result
 * @param acc the tile that a device accumulates in, as for pto_comm_treduce(); NULL: none
 * @param ping the staging tile; NULL: none
 * @param pong a second staging tile; NULL: none
 * @param op how elements are combined
 * @return PTO_OK; rules: null, group, group-root, comm-dtype, staging, mode, transport-failed
 * @since 0.1
 */
PTO_API pto_status pto_comm_allreduce(pto_context *ctx, const pto_group *group, pto_tile *acc, pto_tile *ping, pto_tile *pong, pto_reduce op);

/**
 * Does the part of pto_comm_allreduce() that belongs to the calling rank. Every rank of the group calls it.
 *
 * The elements of a member are split into one segment for each member of the group. The rank of member i combines
 * segment i of all members and stores it in all of them. So the ranks share the work, and each element has the bits that
 * pto_comm_allreduce() gives it. No rank accesses the segment of another one, and the calls may run at the same time.
 * Before a rank calls it, all members must have their data; a member has the whole result after all ranks have returned.
 *
 * @param ctx the context of a rank that has a member; a context without a world does all segments
 * @param group the part of each rank, without gaps between elements; receives the result
 * @param acc the tile that a device accumulates in, as for pto_comm_treduce(); NULL: none
 * @param ping the staging tile; NULL: none
 * @param pong a second staging tile; NULL: none
 * @param op how elements are combined
 * @return PTO_OK; rules: null, group, group-member, comm-flat, comm-dtype, staging, mode, transport-failed
 * @since 0.1
 */
PTO_API pto_status pto_comm_allreduce_segment(pto_context *ctx, const pto_group *group, pto_tile *acc, pto_tile *ping, pto_tile *pong, pto_reduce op);

#ifdef __cplusplus
}
#endif

#endif /* PTO_C_H_ */

// The tiles and registers that a run recorded, from the library or from a file.
#ifndef PTO_SRC_CLI_RECORDING_H_
#define PTO_SRC_CLI_RECORDING_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/cli/array.h"
#include "src/cli/session.h"

namespace pto::cli {

struct Recording {
  std::string name;             // of the program, for messages
  std::vector<int64_t> events;  // rows of kEventFields
  std::vector<int64_t> tiles;   // rows of kTileFields
  std::vector<int64_t> marks;   // of each event, its number for pto_program_mark(); empty: the same
  std::string data;             // elements
  std::string text;             // of the program: operands are called as there
  bool golden = false;          // an event has its own time
  int64_t lost = 0;             // events for which there was no room
};
inline constexpr int32_t kEventFields = PTO_EVENT_TILES + 1;
inline constexpr int32_t kTileFields = PTO_EVENT_TILE_DATA_BYTES + 1;

// For the latest run of a session.
Recording TakeRecording(const Session& session, const std::string& name, const std::string& text);

// As a file: a line `pto-recording 3 EVENTS TILES BYTES TEXT LOST`, then the rows, little-endian numbers of 64 bits,
// the elements, and the text.
std::string FormatRecording(const Recording& recording);
Recording ReadRecording(const std::string& path);

// A tile that an instruction wrote, or a register.
struct Written {
  int64_t event;
  std::string_view tile;  // its name, in the recording's text: of all writes to tiles of that name the same characters
  int64_t block, line, column, op;
  int64_t time;  // how often this block wrote it before
  const int64_t* row;
};
// The recording must outlive what it returns.
std::vector<Written> WritesOf(const Recording& recording);

// Arrays that tiles are to be equal to, NAME=FILE: R x C to what block 0 writes last, K x R x C to each of K times.
// `writes` belong to `run`.
Recording GoldenRecording(const std::vector<std::string>& goldens, const Recording& run,
                          const std::vector<Written>& writes);

// Where two recordings part: the first tile of one name, block and time that differs.
struct Parting {
  int64_t event = -1;  // of `a`, as pto_program_mark() numbers it; -1: none differs
  std::string text;    // lines: here, there, how
  int64_t same = 0;
  int64_t unknown = 0;  // the deciding elements were not kept
  int64_t alone = 0;    // written in `a` only
  int64_t alone_there = 0;
};
Parting FirstDifference(const Recording& a, const std::vector<Written>& ours, const Recording& b,
                        const std::vector<Written>& theirs);

}  // namespace pto::cli

#endif  // PTO_SRC_CLI_RECORDING_H_

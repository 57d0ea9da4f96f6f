// TSORT32 and TMRGSORT: groups and lists of records, which kernels sort and merge.
#include "src/kernels/sort.h"

#include <algorithm>
#include <cstring>

#include "src/engine/irregular.h"

namespace pto {

namespace {

constexpr auto kGroup = static_cast<int64_t>(kSortGroup);
constexpr auto kSortRecord = static_cast<int64_t>(kRecordBytes);

// Records that fill a row of a tile.
int64_t RecordsOf(const pto_tile& tile) { return int64_t{tile.ValidCols()} * tile.ElementBytes() / kSortRecord; }

}  // namespace

// Whole groups first, then what rows end with: kernels take several alike at a time.
void RunSort(const Rows& rows) {
  constexpr size_t kSome = 64;
  SortWork some[kSome];
  size_t count = 0;
  const SortOrder order = OrderOf(rows.Lead().dtype());
  const int64_t size = rows.Lead().ElementBytes();
  const auto cols = static_cast<int64_t>(rows.Count());
  const int64_t whole = cols / kGroup * kGroup;
  const RowPlane& dst = rows.At(0);
  const RowPlane& src = rows.At(1);
  const RowPlane& idx = rows.At(2);
  const int64_t idx_line = rows.Tile(2).ValidRows() == 1 ? 0 : idx.line;  // one row may serve all
  for (const bool rest : {false, true}) {
    const int64_t first = rest ? whole : 0;
    const int64_t end = rest ? cols : whole;
    for (int64_t r = 0; r < static_cast<int64_t>(rows.Lines()) && first != end; ++r) {
      for (int64_t c = first; c < end; c += kGroup) {
        some[count++] = {
            src.data + (r * src.line + c) * size, reinterpret_cast<const uint32_t*>(idx.data + (r * idx_line + c) * 4),
            dst.data + r * dst.line * size + c * kSortRecord, static_cast<size_t>(std::min(kGroup, end - c))};
        if (count != kSome) continue;
        SortGroups(rows.Target(), order, some, count);
        count = 0;
      }
    }
  }
  if (count != 0) SortGroups(rows.Target(), order, some, count);
}

// Bytes of scratch for the keys of a merge: of one row.
int64_t MergeRoom(const OpInfo& op, const Args& args) {
  int64_t records = 0;
  for (int i = op.Outputs(); i < op.Needed(); ++i) records += RecordsOf(*args.tiles[i]);
  return 2 * kSortRecord * records;
}

// Blocks of one tile, four at a time.
void RunMergeBlocks(const Rows& rows) {
  const SortOrder order = OrderOf(rows.Lead().dtype());
  const int64_t size = rows.Lead().ElementBytes();
  const int64_t block = int64_t{rows.Integer()} * size;
  const int64_t bytes = static_cast<int64_t>(rows.Count()) * size;
  for (int64_t r = 0; r < static_cast<int64_t>(rows.Lines()); ++r) {
    const uint8_t* const from = rows.At(1).data + r * rows.At(1).line * size;
    uint8_t* const to = rows.At(0).data + r * rows.At(0).line * size;
    for (int64_t at = 0; at + 4 * block <= bytes; at += 4 * block) {
      MergeList lists[kMergeLists];
      size_t taken[kMergeLists];
      for (int i = 0; i < kMergeLists; ++i)
        lists[i] = {from + at + i * block, static_cast<size_t>(block / kSortRecord)};
      MergeRecords(order, lists, kMergeLists, to + at, static_cast<size_t>(4 * block / kSortRecord), false, rows.Room(),
                   taken);
    }
  }
}

// Rows of several tiles, each into one; the second output receives the number of used records of each.
void RunMergeLists(const Rows& rows, const OpInfo& op) {
  const SortOrder order = OrderOf(rows.Lead().dtype());
  const int64_t size = rows.Lead().ElementBytes();
  const int count = op.Inputs();
  for (int64_t r = 0; r < static_cast<int64_t>(rows.Lines()); ++r) {
    MergeList lists[kMergeLists];
    size_t taken[kMergeLists] = {};
    for (int i = 0; i < count; ++i) {
      const RowPlane& list = rows.At(2 + i);
      lists[i] = {list.data + r * list.line * size, static_cast<size_t>(RecordsOf(rows.Tile(2 + i)))};
    }
    MergeRecords(order, lists, count, rows.At(0).data + r * rows.At(0).line * size,
                 static_cast<size_t>(RecordsOf(rows.Tile(0))), rows.Number(kMergeEndMode) == 1, rows.Room(), taken);
    for (int i = 0; i < kMergeLists; ++i) {
      const auto used = static_cast<uint16_t>(taken[i]);
      std::memcpy(rows.At(1).data + (r * rows.At(1).line + i) * 2, &used, sizeof used);
    }
  }
}

// For each row and value, the number of elements whose byte is at most the value and whose higher bytes match a filter.
void RunHistogram(const Rows& rows) {
  const int64_t size = rows.Lead().ElementBytes();
  const int byte = rows.Number(kHistMode);
  const bool shared = size == 4;  // filters are in rows 0, 1 and 2, and apply to all rows
  const RowPlane& filter = rows.At(2);
  for (int64_t r = 0; r < static_cast<int64_t>(rows.Lines()); ++r) {
    // Bytes above the one that is counted, the highest first.
    uint32_t above = 0;
    for (int64_t k = 0; k < size - 1 - byte; ++k) above = above << 8 | filter.data[(shared ? k : r) * filter.line];
    uint32_t counts[256] = {};
    const uint8_t* const line = rows.At(1).data + r * rows.At(1).line * size;
    for (int64_t c = 0; c < static_cast<int64_t>(rows.Count()); ++c) {
      uint32_t bits = 0;
      std::memcpy(&bits, line + c * size, static_cast<size_t>(size));
      const uint32_t shifted = bits >> (8 * byte);
      counts[shifted & 255] += shifted >> 8 == above ? 1 : 0;
    }
    for (int b = 1; b < 256; ++b) counts[b] += counts[b - 1];
    std::memcpy(rows.At(0).data + r * rows.At(0).line * 4, counts, sizeof counts);
  }
}

namespace {

struct PhiloxBlock {
  uint32_t word[4];
};

// Philox4x32 of Salmon and others, "Parallel random numbers: as easy as 1, 2, 3".
PhiloxBlock Philox(PhiloxBlock counter, uint32_t key0, uint32_t key1, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    const uint64_t a = uint64_t{0xD2511F53} * counter.word[0];
    const uint64_t b = uint64_t{0xCD9E8D57} * counter.word[2];
    counter = {{static_cast<uint32_t>(b >> 32) ^ counter.word[1] ^ key0, static_cast<uint32_t>(b),
                static_cast<uint32_t>(a >> 32) ^ counter.word[3] ^ key1, static_cast<uint32_t>(a)}};
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
  return counter;
}

// counter + n, of 128 bits.
PhiloxBlock Advanced(const uint32_t* counter, uint64_t n) {
  PhiloxBlock block{};
  for (int i = 0; i < 4; ++i) {
    const uint64_t sum = (n & 0xffffffff) + counter[i];
    block.word[i] = static_cast<uint32_t>(sum);
    n = (n >> 32) + (sum >> 32);
  }
  return block;
}

}  // namespace

// Numbers are key and counter, then how many rounds.
void RunRandom(const Rows& rows) {
  uint32_t words[6];
  for (int i = 0; i < 6; ++i) words[i] = static_cast<uint32_t>(rows.Numbers()[i]);
  const int rounds = rows.Number(kRoundsMode) == 0 ? 10 : 7;
  const auto cols = static_cast<int64_t>(rows.Count());
  const int64_t blocks = (cols + 3) / 4;
  for (int64_t r = 0; r < static_cast<int64_t>(rows.Lines()); ++r) {
    uint8_t* const line = rows.At(0).data + r * rows.At(0).line * 4;
    for (int64_t b = 0; b < blocks; ++b) {
      const PhiloxBlock block =
          Philox(Advanced(words + 2, static_cast<uint64_t>(r * blocks + b)), words[0], words[1], rounds);
      std::memcpy(line + b * 16, block.word, static_cast<size_t>(std::min<int64_t>(4, cols - 4 * b)) * 4);
    }
  }
}

}  // namespace pto

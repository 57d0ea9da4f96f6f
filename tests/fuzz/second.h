// A second executor of PTO-AS for tests: it reads a program's text as the library prints it and runs it one statement
// at a time on plain arrays. It shares no code with the library, and reports what it does not know (Strange).
#ifndef PTO_TESTS_FUZZ_SECOND_H_
#define PTO_TESTS_FUZZ_SECOND_H_

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/fuzz/second_pipes.h"

namespace second {

class Executor {
 public:
  Executor(const std::string& text, int64_t most, Others* others = nullptr, Place place = {})
      : functions_(Reader(text).Functions()), left_(most), others_(others), place_(place) {}

  Outcome Run(const std::string& entry, Values args) {
    Outcome outcome;
    try {
      Call(entry, std::move(args));
    } catch (const Stop& stop) {
      outcome.rule = stop.rule;
    }
    outcome.output = std::move(output_);
    return outcome;
  }

 private:
  using Names = std::map<std::string, Value>;
  enum class After { kNext, kYield, kReturn, kBranch };

  // ---- control flow

  Values Call(const std::string& name, Values args) {
    const Function& function = functions_.at(name);
    Names names;
    for (size_t i = 0; i < function.args.size(); ++i) names[function.args[i]] = args.at(i);
    size_t block = 0;
    const std::vector<Block>& blocks = function.body.blocks;
    while (Inside(blocks[block], &names) == After::kBranch) {
      block = 0;
      while (blocks.at(block).label != target_) ++block;
      Assign(blocks[block].args, 0, &names);
    }
    return std::move(given_);
  }

  After Inside(const Block& block, Names* names) {
    for (const Line& line : block.lines) {
      if (--left_ < 0) throw Strange{"too long"};
      try {
        const After after = Do(line, names);
        if (after != After::kNext) return after;
      } catch (const std::out_of_range&) {
        throw Strange{"a name, or an element, of " + line.op + " " + line.rest};
      } catch (const Strange& strange) {
        throw strange.what.find(" of ") != std::string::npos
            ? strange
            : Strange{strange.what + " of " + line.op + " " + line.rest};
      }
    }
    given_.clear();
    return After::kNext;
  }
  After Inside(const Region& region, Names* names) { return Inside(region.blocks.at(0), names); }

  void Give(const std::vector<std::string>& uses, size_t first, size_t end, Names* names) {
    Values given;
    for (size_t i = first; i < end; ++i) given.push_back(names->at(uses.at(i)));
    given_ = std::move(given);
  }
  void Give(const Line& line, size_t first, Names* names) { Give(line.uses, first, line.uses.size(), names); }
  void Assign(const std::vector<std::string>& to, size_t first, Names* names) {
    for (size_t i = first; i < to.size(); ++i) (*names)[to[i]] = given_.at(i - first);
  }

  // %i = %from to %end step %by iter_args(%a = %x, %b = %y) -> ...
  After For(const Line& line, Names* names) {
    std::vector<std::string> carried;
    std::vector<std::string> begins;
    for (size_t i = 4; i + 1 < line.uses.size(); i += 2)
      carried.push_back(line.uses[i]), begins.push_back(line.uses[i + 1]);
    Give(begins, 0, begins.size(), names);
    Assign(carried, 0, names);
    const int64_t end = Int(line, 2, names);
    const int64_t by = Int(line, 3, names);
    if (by < 1) throw Stop{"loop-step"};
    for (int64_t i = Int(line, 1, names); i < end; i += by) {
      if (--left_ < 0) throw Strange{"too long"};
      (*names)[line.uses[0]].bits = static_cast<uint64_t>(i);
      Inside(line.regions.at(0), names);
      Assign(carried, 0, names);
    }
    Give(carried, 0, line.results.size(), names);
    Assign(line.results, 0, names);
    return After::kNext;
  }

  // (%a = %x, ...) : (...) -> ...
  After While(const Line& line, Names* names) {
    std::vector<std::string> carried;
    std::vector<std::string> begins;
    for (size_t i = 0; i + 1 < line.uses.size(); i += 2)
      carried.push_back(line.uses[i]), begins.push_back(line.uses[i + 1]);
    Give(begins, 0, begins.size(), names);
    while (true) {
      if (--left_ < 0) throw Strange{"too long"};
      Assign(carried, 0, names);
      Inside(line.regions.at(0), names);
      if (!goes_on_) break;
      Assign(line.regions.at(1).blocks.at(0).args, 0, names);
      Inside(line.regions[1], names);
    }
    Assign(line.results, 0, names);
    return After::kNext;
  }

  After If(const Line& line, Names* names) {
    const size_t which = (names->at(line.uses.at(0)).bits & 1) != 0 ? 0 : 1;
    given_.clear();
    if (which < line.regions.size()) Inside(line.regions[which], names);
    Assign(line.results, 0, names);
    return After::kNext;
  }

  // ^label(%a, %b : types)
  After Branch(const std::string& text, Names* names) {
    target_ = Between(text, "^", "(");
    target_ = target_.substr(0, target_.find_first_of(", "));
    const std::vector<std::string> uses = NamesIn(text);
    Give(uses, 0, uses.size(), names);
    return After::kBranch;
  }

  After CondBranch(const Line& line, Names* names) {
    const size_t first = line.rest.find('^');
    const size_t second = line.rest.find('^', first + 1);
    const bool holds = (names->at(line.uses.at(0)).bits & 1) != 0;
    return Branch(holds ? line.rest.substr(first, second - first) : line.rest.substr(second), names);
  }

  // %flag : i32, [default: ^a(...), 3: ^b(...)]
  After Switch(const Line& line, Names* names) {
    const Elem e = ElemOf(Between(line.rest, " : ", ","));
    const std::string number = std::to_string(Signed(names->at(line.uses.at(0)).bits, e.bits));
    std::string way = Between(line.rest, " " + number + ": ", "]");
    if (way.empty()) way = Between(line.rest, "default: ", "]");
    return Branch(way.substr(0, way.find('^', 1)), names);
  }

  After Do(const Line& line, Names* names) {
    const std::string& op = line.op;
    if (op == "scf.for") return For(line, names);
    if (op == "scf.while") return While(line, names);
    if (op == "scf.if") return If(line, names);
    if (op == "scf.yield") return Give(line, 0, names), After::kYield;
    if (op == "return" || op == "func.return") return Give(line, 0, names), After::kReturn;
    if (op == "cf.br") return Branch(line.rest, names);
    if (op == "cf.switch") return Switch(line, names);
    if (op == "cf.cond_br") return CondBranch(line, names);
    if (op == "scf.condition") {
      goes_on_ = (names->at(line.uses.at(0)).bits & 1) != 0;
      return Give(line, 1, names), After::kYield;
    }
    if (op == "func.call" || op == "call") {
      Give(line, 0, names);
      given_ = Call(Between(line.rest, "@", "("), std::move(given_));
      return Assign(line.results, 0, names), After::kNext;
    }
    if (op.starts_with("arith.") || op.starts_with("math.")) {
      (*names)[line.results.at(0)] = Number(op.substr(op.find('.') + 1), line, names);
    } else {
      Pto(op.substr(op.find('.') + 1), line, names);
    }
    return After::kNext;
  }

  // ---- cores

  // Code of one kind of core, the place of a core, and flags. Other statements are left to other functions.
  bool OfCores(const std::string& op, const Line& line, Names* names) {
    const std::pair<const char*, int64_t> asked[] = {{"get_block_idx", place_.block},
                                                     {"get_block_num", place_.blocks},
                                                     {"get_subblock_idx", place_.lane},
                                                     {"get_subblock_num", place_.lanes}};
    for (const auto& [name, number] : asked) {
      if (op == name) return (*names)[line.results.at(0)] = Of(static_cast<uint64_t>(number), 64), true;
    }
    if (op == "fence.barrier_all" || op == "cmo.cacheinvalid") return true;
    if (others_ == nullptr) return false;
    if (op == "section.cube" || op == "section.vector") {
      if (place_.cube == (op == "section.cube")) Inside(line.regions.at(0), names);
      return true;
    }
    if (op == "syncall") return others_->Meet(place_, Between(line.rest, "sync_core_type<", ">")), true;
    if (op != "sync.set" && op != "sync.wait") return OfPipes(op, line, names);
    const int64_t id = line.uses.empty() ? std::atoll(Between(line.rest, ", ", " ").c_str()) : Int(line, 0, names);
    const std::string mode = Between(line.rest, "ffts_mode = ", " ");
    if (op == "sync.set") return others_->Set(place_, id, mode.empty() ? 2 : std::atoll(mode.c_str())), true;
    return others_->Wait(place_, id), true;
  }

  // ---- pipes

  // tpush, tpop, tfree and talloc, by the handle of a pipe or to and from the other kind of core.
  bool OfPipes(const std::string& op, const Line& line, Names* names) {
    if (op == "declare_tile") return (*names)[line.results.at(0)] = Of(TileOf(line.rest)), true;
    if (op == "declare_global") return globals_[line.results.at(0)] = TypeMade(line), true;
    if (op.ends_with("_pipe")) return MakePipe(op, line, names), true;
    const bool pushes = op.starts_with("tpush"), pops = op.starts_with("tpop");
    if (!pushes && !pops && !op.starts_with("tfree") && !op.starts_with("talloc")) return false;
    const bool handle = op.find('_') == std::string::npos;
    Pipe& pipe = pipes_.at(handle ? names->at(line.uses.back()).bits : static_cast<uint64_t>(Attribute(line, "id", 0)));
    const int64_t split = Attribute(line, "split", 0);
    // Between the cube core and the first vector core, or both of these.
    std::vector<int64_t> lanes;
    for (int64_t lane = 0; lane < (split == 0 ? 1 : place_.lanes); ++lane) {
      if (place_.cube || lane == place_.lane) lanes.push_back(lane);
    }
    // A slot is what the statement makes, or a view that was declared.
    const std::string slot_name = !line.results.empty() ? line.results[0] : line.uses.empty() ? "" : line.uses[0];
    const auto declared = globals_.find(slot_name);
    const std::string slot_type = !line.results.empty()        ? TypeMade(line)
                                  : declared != globals_.end() ? declared->second
                                                               : "";
    if (op.starts_with("talloc")) {
      const int64_t number = others_->Take(place_, pipe.name, pipe.slots, lanes);
      const View slot = SlotOf(pipe, place_, split, slot_type, !place_.cube, number);
      pipe.allocated.push_back(slot.first);
      (*names)[slot_name] = Of(slot);
    } else if (pushes) {
      const Value& what = names->at(line.uses.at(0));
      if (what.view != nullptr) {
        PushSlot(*what.view, &pipe, lanes);
      } else {
        PushTile(*what.tile, pipe, place_.cube ? split : 0, lanes);
      }
    } else if (!pops) {
      others_->Free(place_, pipe.name, lanes);
    } else if (slot_type.find("view<") != std::string::npos) {
      int64_t number = 0;
      for (const auto& [lane, parcel] : others_->Pop(place_, pipe.name, lanes, true)) number = parcel.number;
      (*names)[slot_name] = Of(SlotOf(pipe, place_, split, slot_type, place_.cube, number));
    } else {
      Pop(Popped(line, names), pipe, place_.cube ? split : 0, lanes);
    }
    return true;
  }

  // Both kinds of cores know a pipe by its id, by its flags, or by how many they made before.
  void MakePipe(const std::string& op, const Line& line, Names* names) {
    const bool both = Attribute(line, "dir_mask", 0) == 3;
    Pipe pipe;
    pipe.both = both;
    pipe.slots = Attribute(line, "slot_num", both ? 4 : 8);
    pipe.slot_bytes = Attribute(line, "slot_size", 0);
    uint64_t number = 0;
    if (op.starts_with("initialize")) {
      const int64_t flags = Attribute(line, "flag_base", -1);
      pipe.name = flags < 0 ? "made " + std::to_string(made_++) : "flags " + std::to_string(flags);
      number = 1000 + pipes_.size();
      if (op == "initialize_l2g2l_pipe") pipe.memory = names->at(line.uses.at(0));
      (*names)[line.results.at(0)] = Of(number, 64);
    } else {
      number = static_cast<uint64_t>(Attribute(line, "id", 0));
      pipe.name = "id " + std::to_string(number);
      if (line.rest.find("gm_slot_tensor") != std::string::npos) pipe.memory = names->at(line.uses.at(0));
    }
    if (pipe.memory.view != nullptr) {  // of the first slot
      pipe.memory.memory = pipe.memory.view->memory;
      pipe.memory.bits = static_cast<uint64_t>(pipe.memory.view->first);
    }
    pipes_[number] = pipe;
  }

  void PushTile(const Tile& tile, const Pipe& pipe, int64_t split, const std::vector<int64_t>& lanes) {
    if (!pipe.allocated.empty()) throw Stop{"pipe-order"};
    others_->Take(place_, pipe.name, pipe.slots, lanes);
    if (tile.rows * tile.cols * tile.memory->elem.bytes() > pipe.slot_bytes) throw Stop{"pipe-slot"};
    std::map<int64_t, Parcel> parcels;
    for (const int64_t lane : lanes) {
      const Part part = PartOf(tile, split, lane);
      Parcel& parcel = parcels[lane] = {tile.memory->elem, part.rows, part.cols, {}};
      for (int64_t r = 0; r < part.rows; ++r) {
        for (int64_t c = 0; c < part.cols; ++c) parcel.at.push_back(tile.At(part.row + r, part.col + c));
      }
    }
    others_->Push(place_, pipe.name, std::move(parcels));
  }

  void PushSlot(const View& slot, Pipe* pipe, const std::vector<int64_t>& lanes) {
    if (pipe->allocated.empty() || pipe->allocated.front() != slot.first) throw Stop{"pipe-order"};
    pipe->allocated.pop_front();
    std::map<int64_t, Parcel> parcels;
    for (const int64_t lane : lanes) parcels[lane].slot = true;
    others_->Push(place_, pipe->name, std::move(parcels));
  }

  // A tile that the statement names, or makes: then its valid extents may be what it takes.
  Tile& Popped(const Line& line, Names* names) {
    if (line.results.empty()) return TileAt(line, 0, names);
    Tile tile = TileOf(line.rest);
    if (line.uses.size() == 2) tile.valid_rows = Int(line, 0, names), tile.valid_cols = Int(line, 1, names);
    return *((*names)[line.results[0]] = Of(std::move(tile))).tile;
  }

  // The vector core that has no part in a tile gets zeros.
  void Pop(const Tile& tile, const Pipe& pipe, int64_t split, const std::vector<int64_t>& lanes) {
    for (int64_t r = 0; r < tile.valid_rows && lanes.empty(); ++r) {
      for (int64_t c = 0; c < tile.valid_cols; ++c) tile.At(r, c) = 0;
    }
    for (const auto& [lane, parcel] : others_->Pop(place_, pipe.name, lanes, false)) {
      const Part part = PartOf(tile, split, lane);
      if (tile.memory->elem != parcel.elem || parcel.rows < part.rows || parcel.cols < part.cols)
        throw Stop{"pipe-tile"};
      for (int64_t r = 0; r < part.rows; ++r) {
        for (int64_t c = 0; c < part.cols; ++c)
          tile.At(part.row + r, part.col + c) = parcel.at[static_cast<size_t>(r * parcel.cols + c)];
      }
    }
  }

  // ---- numbers

  int64_t Int(const Line& line, size_t use, Names* names) {
    return static_cast<int64_t>(names->at(line.uses.at(use)).bits);
  }

  Value Number(const std::string& op, const Line& line, Names* names) {
    if (op == "constant") return Constant(line.rest);
    const std::string type = TypeOf(line.rest);
    const Value a = names->at(line.uses.at(0));
    const Value b = names->at(line.uses.at(line.uses.size() > 1 ? 1 : 0));
    if (op == "select") return (a.bits & 1) != 0 ? b : names->at(line.uses.at(2));
    const size_t to = type.find(" to ");
    if (to != std::string::npos) return Cast(op, a, ElemOf(type.substr(0, to)), ElemOf(type.substr(to + 4)));
    const Elem e = ElemOf(type);
    if (op == "cmpi")
      return Of(CompareInt(line.rest.substr(0, line.rest.find(',')), a.bits, b.bits, e.bits) ? 1 : 0, 1);
    if (op == "cmpf") return Of(CompareFloat(line.rest.substr(0, line.rest.find(',')), a.number, b.number) ? 1 : 0, 1);
    if (op == "fma") return Of(Fma(a.number, b.number, names->at(line.uses.at(2)).number, e));
    if (e.is_float && line.uses.size() == 1) return Of(FloatUnary(op, a.number, e));
    if (e.is_float) return Of(FloatBinary(op, a.number, b.number, e));
    if (line.uses.size() == 1) return Of(IntUnary(op, a.bits, e.bits), e.bits);
    return Of(IntBinary(op, a.bits, b.bits, e.bits), e.bits);
  }

  // ---- tiles and memory

  Tile& TileAt(const Line& line, size_t use, Names* names) { return *names->at(line.uses.at(use)).tile; }

  void Pto(const std::string& op, const Line& line, Names* names) {
    const std::vector<std::string>& uses = line.uses;
    const auto give = [&](Value value) { (*names)[line.results.at(0)] = std::move(value); };
    if (OfCores(op, line, names)) return;
    if (op == "print") return Print(line, names);
    if (op == "tprint") return PrintTile(line, names);
    if (op == "alloc_tile") {
      Tile tile = TileOf(line.rest);
      if (uses.size() == 2) tile.valid_rows = Int(line, 0, names), tile.valid_cols = Int(line, 1, names);
      return give(Of(std::move(tile)));
    }
    if (op == "alloc_multi_tile") {
      const std::string type = line.rest.substr(line.rest.find("!pto.tile_buf"));
      Value tiles;
      for (int64_t i = std::atoll(Between(type, "count=", ">").c_str()); i > 0; --i) {
        tiles.tiles.push_back(std::make_shared<Tile>(TileOf(type)));
      }
      return give(tiles);
    }
    if (op == "multi_tile_get") {
      const std::vector<std::shared_ptr<Tile>>& tiles = names->at(uses.at(0)).tiles;
      const int64_t at = Int(line, 1, names);
      if (at < 0 || static_cast<size_t>(at) >= tiles.size()) throw Stop{"view-range"};
      Value tile;
      tile.tile = tiles[static_cast<size_t>(at)];
      return give(tile);
    }
    if (op == "tile_valid_rows") return give(Of(static_cast<uint64_t>(TileAt(line, 0, names).valid_rows), 64));
    if (op == "tile_valid_cols") return give(Of(static_cast<uint64_t>(TileAt(line, 0, names).valid_cols), 64));
    if (op == "declare_local_array") {
      const std::string type = Between(line.rest, "<", ">");
      Value made;
      int64_t count = 1;
      const char* at = type.c_str();
      for (char* end = nullptr; *at >= '0' && *at <= '9'; at = end + 1) {
        made.dims.push_back(std::strtoll(at, &end, 10));
        count *= made.dims.back();
      }
      made.array = std::make_shared<std::vector<Value>>(static_cast<size_t>(count));
      return give(made);
    }
    if (op == "local_array_get" || op == "local_array_set") {
      const Value& array = names->at(uses.at(0));
      const std::vector<int64_t> places = Ints(Between(line.rest, "[", "]"), names);
      int64_t at = 0;
      for (size_t i = 0; i < places.size(); ++i) {
        if (places[i] < 0 || places[i] >= array.dims[i]) throw Stop{"window"};
        at = at * array.dims[i] + places[i];
      }
      Value& element = array.array->at(static_cast<size_t>(at));
      if (op == "local_array_get") return give(element);
      element = names->at(uses.back());
      return;
    }
    if (op == "set_validshape") {
      Tile& tile = TileAt(line, 0, names);
      const int64_t rows = Int(line, 1, names);
      const int64_t cols = Int(line, 2, names);
      if (rows < 0 || cols < 0 || rows > tile.rows || cols > tile.cols) throw Stop{"valid-range"};
      tile.valid_rows = rows, tile.valid_cols = cols;
      return;
    }
    if (op == "treshape") {
      Tile tile = TileOf(Between(line.rest, " -> ", ""));
      tile.memory = TileAt(line, 0, names).memory;
      return give(Of(std::move(tile)));
    }
    if (op == "subset" || op == "subview") {
      Tile tile = TileAt(line, 0, names);
      const std::vector<int64_t> from = Ints(Between(line.rest, "[", "]"), names);
      const std::vector<int64_t> sizes = Ints(Between(line.rest, "sizes [", "]"), names);
      const int64_t r = from.at(0), c = from.at(1), rows = sizes.at(0), cols = sizes.at(1);
      if (r < 0 || c < 0 || r + rows > tile.rows || c + cols > tile.cols) throw Stop{"subset"};
      tile.first += r * tile.down + c * tile.right;
      tile.rows = rows, tile.cols = cols;
      tile.valid_rows = std::clamp<int64_t>(tile.valid_rows - r, 0, rows);
      tile.valid_cols = std::clamp<int64_t>(tile.valid_cols - c, 0, cols);
      if (op == "subview") {
        std::vector<int64_t> valid = {rows, cols};
        if (line.rest.find("valid [") != std::string::npos) valid = Ints(Between(line.rest, "valid [", "]"), names);
        tile.valid_rows = valid.at(0), tile.valid_cols = valid.at(1);
        if (tile.valid_rows < 0 || tile.valid_cols < 0 || tile.valid_rows > rows || tile.valid_cols > cols)
          throw Stop{"valid-range"};
      }
      return give(Of(std::move(tile)));
    }
    if (op == "tile_buf_addr") {
      Value pointer;
      pointer.memory = TileAt(line, 0, names).memory;
      pointer.bits = static_cast<uint64_t>(TileAt(line, 0, names).first);
      return give(pointer);
    }
    if (op == "addptr") {
      Value pointer = names->at(uses.at(0));
      pointer.bits += names->at(uses.at(1)).bits;
      return give(pointer);
    }
    if (op == "load_scalar") return give(FromIn(Scalar(line, 0, names), names->at(uses[0]).memory->elem));
    if (op == "store_scalar") {
      Scalar(line, 1, names) = BitsIn(names->at(uses[0]), names->at(uses[1]).memory->elem);
      return;
    }
    if (op == "tgetval")
      return give(FromIn(Element(TileAt(line, 0, names), Int(line, 1, names)), TileAt(line, 0, names).memory->elem));
    if (op == "tsetval") {
      const Tile& tile = TileAt(line, 2, names);
      Element(tile, Int(line, 0, names)) = BitsIn(names->at(uses[1]), tile.memory->elem);
      return;
    }
    if (op == "load") return give(FromIn(Indexed(line, line.uses.at(0), names), ElemIn(names->at(line.uses.at(0)))));
    if (op == "store") {
      Indexed(line, uses.at(1), names) = BitsIn(names->at(uses.at(0)), ElemIn(names->at(uses.at(1))));
      return;
    }
    if (op == "get_tensor_view_dim") {
      const View& view = *names->at(uses.at(0)).view;
      const auto which = static_cast<size_t>(Int(line, 1, names));
      if (which >= view.dims.size()) throw Stop{"outside"};
      return give(Of(static_cast<uint64_t>(view.dims[which]), 64));
    }
    if (op == "make_tensor_view") return give(MakeView(line, names));
    if (op == "partition_view") return give(Partition(line, names));
    if (op == "tload") return Move(TileAt(line, 1, names), *names->at(uses[0]).view, false);
    if (op == "tstore") return Move(TileAt(line, 0, names), *names->at(uses[1]).view, true);
    Elementwise(op, line, names);
  }

  uint64_t& Scalar(const Line& line, size_t use, Names* names) {
    const Value& pointer = names->at(line.uses.at(use));
    const int64_t at = static_cast<int64_t>(pointer.bits) + Int(line, use + 1, names);
    if (at < 0 || static_cast<size_t>(at) >= pointer.memory->at.size()) throw Stop{"outside"};
    return pointer.memory->at[static_cast<size_t>(at)];
  }

  // %name, or a number, separated by commas.
  std::vector<int64_t> Ints(const std::string& list, Names* names) {
    std::vector<int64_t> ints;
    for (size_t at = 0; at < list.size();) {
      const size_t end = std::min(list.find(", ", at), list.size());
      const std::string item = list.substr(at, end - at);
      ints.push_back(item[0] == '%' ? static_cast<int64_t>(names->at(item.substr(1)).bits) : std::atoll(item.c_str()));
      at = end + 2;
    }
    return ints;
  }

  // By its place in each dimension, of a view or a tile.
  uint64_t& Indexed(const Line& line, const std::string& name, Names* names) {
    const Value& value = names->at(name);
    const std::vector<int64_t> at = Ints(Between(line.rest, "[", "]"), names);
    if (value.tile != nullptr) {
      const Tile& tile = *value.tile;
      if (at.at(0) < 0 || at[0] >= tile.rows || at.at(1) < 0 || at[1] >= tile.cols) throw Stop{"window"};
      return tile.At(at[0], at[1]);
    }
    int64_t place = value.view->first;
    for (size_t i = 0; i < value.view->dims.size(); ++i) {
      if (at.at(i) < 0 || at[i] >= value.view->dims[i]) throw Stop{"window"};
      place += at[i] * value.view->strides[i];
    }
    return value.view->memory->at.at(static_cast<size_t>(place));
  }

  // By its place in the storage.
  static uint64_t& Element(const Tile& tile, int64_t at) {
    if (at < 0 || at >= static_cast<int64_t>(tile.memory->at.size())) throw Stop{"outside"};
    return tile.memory->at.at(static_cast<size_t>(tile.first + at));
  }

  Value MakeView(const Line& line, Names* names) {
    View view;
    const Value& pointer = names->at(line.uses.at(0));
    view.memory = pointer.memory;
    view.first = static_cast<int64_t>(pointer.bits);
    const size_t rank = (line.uses.size() - 1) / 2;
    for (size_t i = 0; i < rank; ++i) {
      view.dims.push_back(Int(line, 1 + i, names));
      view.strides.push_back(Int(line, 1 + rank + i, names));
    }
    Value value;
    value.view = std::make_shared<View>(std::move(view));
    return value;
  }

  Value Partition(const Line& line, Names* names) {
    View view = *names->at(line.uses.at(0)).view;
    const std::vector<int64_t> offsets = Ints(Between(line.rest, "offsets = [", "]"), names);
    const std::vector<int64_t> sizes = Ints(Between(line.rest, "sizes = [", "]"), names);
    for (size_t i = 0; i < view.dims.size(); ++i) {
      const int64_t offset = offsets.at(i);
      const int64_t size = sizes.at(i);
      if (offset < 0 || size < 1 || offset + size > view.dims[i]) throw Stop{"outside"};
      view.first += offset * view.strides[i];
      view.dims[i] = size;
    }
    Value value;
    value.view = std::make_shared<View>(std::move(view));
    return value;
  }

  // The tile's valid region, from or to the window of a view at its origin.
  static void Move(const Tile& tile, const View& view, bool store) {
    for (int64_t r = 0; r < tile.valid_rows; ++r) {
      for (int64_t c = 0; c < tile.valid_cols; ++c) {
        uint64_t& global =
            view.memory->at.at(static_cast<size_t>(view.first + r * view.strides.at(0) + c * view.strides.at(1)));
        (store ? global : tile.At(r, c)) = store ? tile.At(r, c) : global;
      }
    }
  }

  // Sources, then the destination: a tile that the statement names, or makes like its first source.
  void Elementwise(const std::string& op, const Line& line, Names* names) {
    const bool makes = !line.results.empty();
    std::vector<Value> sources;
    for (const std::string& use : line.uses) sources.push_back(names->at(use));
    Value to;
    if (makes) {
      const std::string made = Between(line.rest, " -> ", "");
      Tile tile = TileOf(made.empty() ? TypeOf(line.rest) : made);
      to = Of(std::move(tile));
      (*names)[line.results[0]] = to;
    } else {
      to = sources.back();
      sources.pop_back();
    }
    if (to.tile == nullptr) throw Strange{"what " + op + " writes"};
    const Tile& tile = *to.tile;
    const Elem e = tile.memory->elem;
    // All sources are read before anything is written.
    std::vector<uint64_t> results;
    for (int64_t r = 0; r < tile.valid_rows; ++r) {
      for (int64_t c = 0; c < tile.valid_cols; ++c) {
        uint64_t in[2] = {};
        for (size_t i = 0; i < sources.size(); ++i) {
          in[i] = sources[i].tile != nullptr ? sources[i].tile->At(r, c) : BitsIn(sources[i], e);
        }
        results.push_back(One(op, in[0], in[1], e));
      }
    }
    size_t next = 0;
    for (int64_t r = 0; r < tile.valid_rows; ++r) {
      for (int64_t c = 0; c < tile.valid_cols; ++c) tile.At(r, c) = results[next++];
    }
  }

  // ---- printed text

  // The number replaces the first directive; `\n` ends a line, and so does the end of what is printed.
  void Print(const Line& line, Names* names) {
    const size_t open = line.rest.find('"');
    const std::string format = line.rest.substr(open + 1, line.rest.rfind('"') - open - 1);
    const std::string type = TypeOf(line.rest.substr(0, line.rest.size() - 1));
    const Value& value = names->at(NamesIn(line.rest.substr(line.rest.rfind('"') + 1)).at(0));
    const Elem e = ElemOf(type);
    const size_t percent = format.find('%');
    std::string said = format;
    if (percent != std::string::npos) {
      const size_t letter = format.find_first_of("diuxXfFeEgG", percent);
      said = format.substr(0, percent) +
             (e.is_float ? Shown(value.number) : std::to_string(Signed(value.bits, e.bits))) +
             format.substr(letter + 1);
    }
    const bool ended = said.ends_with("\\n");
    for (size_t at = said.find("\\n"); at != std::string::npos; at = said.find("\\n", at)) said.replace(at, 2, "\n");
    output_ += said + (ended ? "" : "\n");
  }

  void PrintTile(const Line& line, Names* names) {
    output_ += "%" + line.uses[0] + ": " + Shown(TileAt(line, 0, names));
  }

  std::map<std::string, Function> functions_;
  int64_t left_;
  Others* others_;  // nullptr: one core, of no kind
  Place place_;
  std::map<uint64_t, Pipe> pipes_;  // by what a name of one holds, or by id
  int64_t made_ = 0;
  std::map<std::string, std::string> globals_;  // declared views of slots, with their types
  Values given_;                                // by what ended a block
  std::string target_;
  bool goes_on_ = false;
  std::string output_;
};

}  // namespace second

#endif  // PTO_TESTS_FUZZ_SECOND_H_

// A function of work items, for grammar.h: statements of each form, in branches and loops, and its launches.
#ifndef PTO_TESTS_FUZZ_GRAMMAR_SIMT_H_
#define PTO_TESTS_FUZZ_GRAMMAR_SIMT_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// DiceT is Dice of grammar.h.
template <class DiceT>
class WorkItems {
 public:
  explicit WorkItems(DiceT* dice) : dice_(dice) {}

  std::string Text() {
    Say("func.func private @items(%p: !pto.ptr<f32>, %b: !pto.ptr<i32, ub>) attributes {pto.simt_entry} {");
    if (dice_->Below(8) == 0) Say("%kept = pto.resume {slot = 3 : i64} : i32");
    Say("%k0 = arith.constant 0 : index\n%k1 = arith.constant 1 : index\n%f0 = arith.constant 1.5 : f32");
    Say("%i0 = pto.get_tid_x : i32\n%i1 = pto.get_laneid : i32\n%b0 = arith.cmpi slt, %i0, %i1 : i32");
    ints_ = 2;
    floats_ = bits_ = 1;
    for (uint32_t n = dice_->Below(10); n > 0; --n) Statement(0);
    if (dice_->Below(4) == 0) Say("pto.keep " + Int() + " {slot = 3 : i64} : i32");
    Say("return\n}");
    return std::move(text_);
  }

  static std::string Launch(DiceT* dice, int number, const std::string& to) {
    const std::string id = "_" + std::to_string(number);
    std::string text = "  %w" + id + " = arith.constant 128 : i64\n  %u" + id + " = pto.castptr %w" + id +
                       " : i64 -> !pto.ptr<i32, ub>\n";
    for (const char* axis : {"x", "y", "z"}) {
      text += std::string("  %") + axis + id + " = arith.constant " + std::to_string(1 + dice->Below(8)) + " : i32\n";
    }
    const std::string types = ") : (!pto.ptr<f32>, !pto.ptr<i32, ub>) -> ()\n";
    if (dice->Below(2) == 0) {
      return text + "  pto.store_vfsimt_info %z" + id + ", %y" + id + ", %x" + id +
             " : i32, i32, i32\n  func.call @items(" + to + ", %u" + id + types;
    }
    return text + "  pto.simt_launch @items<<<%x" + id + ", %y" + id + ", %z" + id + ">>>(" + to + ", %u" + id + types;
  }

 private:
  void Say(const std::string& line) { text_ += line + "\n"; }
  std::string Int() { return "%i" + std::to_string(dice_->Below(ints_)); }
  std::string Float() { return "%f" + std::to_string(dice_->Below(floats_)); }
  std::string Bit() { return "%b" + std::to_string(dice_->Below(bits_)); }
  std::string NewInt() { return "%i" + std::to_string(ints_++); }
  std::string NewFloat() { return "%f" + std::to_string(floats_++); }
  std::string NewBit() { return "%b" + std::to_string(bits_++); }

  void Statement(int depth) {
    const std::string i = Int();
    const std::string f = Float();
    switch (dice_->Below(12)) {
      case 0:
        Say(NewBit() + " = pto.vote_" + dice_->Of({"all", "any", "uni"}) + " " + Bit() + " : i1 -> i1");
        return;
      case 1:
        Say(NewInt() + " = pto.vote_ballot " + Bit() + " : i1 -> i32");
        return;
      case 2:
        Say(NewInt() + " = pto.shuffle_" + dice_->Of({"idx", "up", "down", "bfly"}) + " " + i + ", " + Int() +
            dice_->Of({"", " {width = 16 : i32}", " {width = 32 : i32}"}) + " : i32, i32 -> i32");
        return;
      case 3:
        Say(NewInt() + " = pto.redux_" + dice_->Of({"add", "max", "min"}) + " " + i + " " +
            dice_->Of({"signed", "unsigned"}) + " : i32 -> i32");
        return;
      case 4:
        Say(NewFloat() + " = pto.redux_" + dice_->Of({"add", "max", "min"}) + " " + f + " : f32 -> f32");
        return;
      case 5:
        Say(NewInt() + " = pto.atomic_" + dice_->Of({"add", "sub", "exch", "and", "or", "xor"}) + " %b, " + i +
            dice_->Of({" l2cache(nmfv)", " signed", " unsigned", ""}) + " : !pto.ptr<i32, ub>, i32 -> i32");
        return;
      case 6:
        Say(NewInt() + " = pto.atomic_cas %b, " + i + ", " + Int() + " : !pto.ptr<i32, ub>, i32, i32 -> i32");
        return;
      case 7:
        Say(NewFloat() + " = pto.ldg %p[%k" + (dice_->Below(2) != 0 ? "1" : "0") + "]" +
            dice_->Of({"", " l1cache(cache)", " l2cache(nmfv)"}) + " : !pto.ptr<f32> -> f32");
        Say("pto.stg " + f + ", %p[%k1] : !pto.ptr<f32>, f32");
        return;
      case 8:
        Say(NewInt() + " = pto.convert " + f + " round(" + dice_->Of({"r", "f", "c", "z"}) + ") sat " +
            dice_->Of({"signed", "unsigned"}) + " : f32 -> i32");
        return;
      case 9:
        Say(NewFloat() + " = pto." + dice_->Of({"absf", "sqrt", "exp", "log", "ceil", "floor", "rint", "round"}) + " " +
            f + " : f32 -> f32");
        return;
      case 10:
        Say(dice_->Of({"pto.syncthreads", "pto.threadfence", "pto.threadfence_block"}));
        return;
      default:
        if (depth > 2) return Say("pto.store " + i + ", %b[%k0] : !pto.ptr<i32, ub>, i32");
        const uint32_t ints = ints_;
        const uint32_t floats = floats_;
        const uint32_t bits = bits_;
        Say(dice_->Below(2) == 0 ? "scf.if " + Bit() + " {"
                                 : "scf.for %n" + std::to_string(loops_++) + " = %k0 to %k1 step %k1 {");
        for (uint32_t n = dice_->Below(4); n > 0; --n) Statement(depth + 1);
        Say("}");
        // Names of a block end with it; later blocks use them again.
        ints_ = ints;
        floats_ = floats;
        bits_ = bits;
    }
  }

  DiceT* dice_;
  std::string text_;
  uint32_t ints_ = 0, floats_ = 0, bits_ = 0, loops_ = 0;
};

#endif  // PTO_TESTS_FUZZ_GRAMMAR_SIMT_H_

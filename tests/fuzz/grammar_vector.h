// Scopes of registers, for grammar.h: loads, operations of each form, stores, and a copy to global memory.
#ifndef PTO_TESTS_FUZZ_GRAMMAR_VECTOR_H_
#define PTO_TESTS_FUZZ_GRAMMAR_VECTOR_H_

#include <cstdint>
#include <string>
#include <vector>

// DiceT is Dice of grammar.h. Names end in the number, so that they are new. `to` is a pointer to f32 in global memory.
template <class DiceT>
class VectorScope {
 public:
  VectorScope(DiceT* dice, int number) : dice_(dice), id_("_" + std::to_string(number)) {}

  std::string Text(const char* to) {
    Say("  %z" + id_ + " = arith.constant " + std::to_string(32 * dice_->Below(64)) + " : i64");
    Say("  %o" + id_ + " = arith.constant 1 : i64");
    Say("  %l" + id_ + " = arith.constant " + std::to_string(4 * dice_->Below(20)) + " : i64");
    Say("  %i" + id_ + " = arith.constant " + std::to_string(8 * dice_->Below(16)) + " : index");
    Say("  %n" + id_ + " = arith.constant " + std::to_string(dice_->Below(100)) + " : i32");
    Say("  %s" + id_ + " = arith.constant " + dice_->Of({"1.5", "-0.0", "0x7F800000", "3.0e-39"}) + " : f32");
    Say("  %p" + id_ + " = pto.castptr %z" + id_ + " : i64 -> " + kPointer);
    Say("  pto.vecscope {");
    Masks();
    Registers();
    for (uint32_t n = dice_->Below(12); n > 0; --n) Operation();
    Say("    pto.vsts " + Register() + ", %p" + id_ + "[%i" + id_ + "], " + Mask() + " : " + kRegister + ", " +
        kPointer + ", " + kMask);
    Say("  }");
    if (dice_->Below(2) == 0) {
      Say(std::string("  pto.mte_ub_gm %p") + id_ + ", " + to + ", %l" + id_ + " nburst(%o" + id_ + ", %l" + id_ +
          ", %l" + id_ + ") : " + kPointer + ", !pto.ptr<f32>, i64, i64, i64, i64");
    }
    return std::move(text_);
  }

 private:
  static constexpr const char* kRegister = "!pto.vreg<64xf32>";
  static constexpr const char* kMask = "!pto.mask<b32>";
  static constexpr const char* kPointer = "!pto.ptr<f32, ub>";

  void Say(const std::string& line) { text_ += line + "\n"; }
  std::string Register() { return "%v" + std::to_string(dice_->Below(registers_)) + id_; }
  std::string Mask() { return "%k" + std::to_string(dice_->Below(masks_)) + id_; }
  std::string NewRegister() { return "%v" + std::to_string(registers_++) + id_; }
  std::string NewMask() { return "%k" + std::to_string(masks_++) + id_; }

  void Masks() {
    const std::string first = NewMask();
    Say("    " + first + " = pto.pset_b32 \"" + dice_->Of({"PAT_ALL", "PAT_ALLF", "PAT_H", "PAT_M3", "PAT_VL8"}) +
        "\" : " + kMask);
    const std::string second = NewMask();
    Say("    " + second + ", %r" + id_ + " = pto.plt_b32 %n" + id_ + " : i32 -> " + kMask + ", i32");
  }

  void Registers() {
    const std::string first = NewRegister();
    const char* dist = dice_->Of({"", " {dist = \"BRC_B32\"}", " {dist = \"US_B16\"}", " {dist = \"E2B_B32\"}"});
    Say("    " + first + " = pto.vlds %p" + id_ + "[%i" + id_ + "]" + dist + " : " + kPointer + " -> " + kRegister);
    const std::string second = NewRegister();
    Say("    " + second + " = pto.vbr %s" + id_ + " : f32 -> " + kRegister);
  }

  void Operation() {
    const std::string a = Register(), b = Register(), m = Mask();
    const std::string v = kRegister, k = kMask;
    switch (dice_->Below(7)) {
      case 0:
        Say("    " + NewRegister() + " = pto." +
            dice_->Of({"vadd", "vsub", "vmul", "vdiv", "vmax", "vmin", "vand", "vsel"}) + " " + a + ", " + b + ", " +
            m + " : " + v + ", " + v + ", " + k + " -> " + v);
        return;
      case 1:
        Say("    " + NewRegister() + " = pto." +
            dice_->Of({"vabs", "vneg", "vexp", "vsqrt", "vcadd", "vcmax", "vsqz"}) + " " + a + ", " + m + " : " + v +
            ", " + k + " -> " + v);
        return;
      case 2:
        Say("    " + NewRegister() + " = pto." + dice_->Of({"vadds", "vmuls", "vmins", "vlrelu"}) + " " + a + ", %s" +
            id_ + ", " + m + " : " + v + ", f32, " + k + " -> " + v);
        return;
      case 3:
        Say("    " + NewMask() + " = pto.vcmp " + a + ", " + b + ", " + m + ", \"" +
            dice_->Of({"lt", "eq", "ge", "ne"}) + "\" : " + v + ", " + v + ", " + k + " -> " + k);
        return;
      case 4:
        Say("    " + NewMask() + " = pto." + dice_->Of({"pand", "por", "pxor"}) + " " + m + ", " + Mask() + ", " +
            Mask() + " : " + k + ", " + k + ", " + k + " -> " + k);
        return;
      case 5: {
        const std::string low = NewRegister(), high = NewRegister();
        Say("    " + low + ", " + high + " = pto." + dice_->Of({"vintlv", "vdintlv"}) + " " + a + ", " + b + " : " + v +
            ", " + v + " -> " + v + ", " + v);
        return;
      }
      default: {
        const std::string h = "%h" + std::to_string(halves_++) + id_;
        Say("    " + h + " = pto.vcvt " + a + ", " + m + " {rnd = \"" + dice_->Of({"R", "Z", "C"}) + "\", sat = \"" +
            dice_->Of({"SAT", "NOSAT"}) + "\", part = \"" + dice_->Of({"EVEN", "ODD"}) + "\"} : " + v + ", " + k +
            " -> !pto.vreg<128xf16>");
        Say("    " + NewRegister() + " = pto.vbitcast " + h + " : !pto.vreg<128xf16> -> " + v);
      }
    }
  }

  DiceT* dice_;
  std::string id_, text_;
  uint32_t registers_ = 0, masks_ = 0, halves_ = 0;
};

#endif  // PTO_TESTS_FUZZ_GRAMMAR_VECTOR_H_

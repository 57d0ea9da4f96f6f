// Names without a row, and why: messages have it for the author of a program.
#ifndef PTO_SRC_PTOAS_VECTOR_ROWS_REFUSED_H_
#define PTO_SRC_PTOAS_VECTOR_ROWS_REFUSED_H_

#include <string_view>

namespace pto::ptoas::vec {

struct RefusedName {
  std::string_view name, why;
};
inline constexpr std::string_view kUnusedLoop =
    "it configures copies that compilers pack, and no program uses it; mte_gm_l1 and mte_gm_l1_frac have clauses for "
    "it";
inline constexpr std::string_view kUnusedOut =
    "it configures packed copies, and no program uses it; mte_l0c_gm has clauses for it";
inline constexpr RefusedName kRefusedNames[] = {
    {"pld", "no program uses it; write pto.plds or pto.pldi"},
    {"pst", "no program uses it; write pto.psts or pto.psti"},
    {"set_atomic_s32", kUnusedOut},
    {"set_atomic_s8", kUnusedOut},
    {"set_channel_para", kUnusedLoop},
    {"set_cross_core", "documents call pto.sync.set so; write pto.sync.set <PIPE>, flag"},
    {"set_fix_clip_relu", kUnusedOut},
    {"set_fpc", kUnusedOut},
    {"set_intra_block", "documents call pto.sync.set so; write pto.sync.set <PIPE>, flag"},
    {"set_loop1_stride_outtol1", kUnusedLoop},
    {"set_loop2_stride_outtol1", kUnusedLoop},
    {"set_loop3_para", kUnusedOut},
    {"set_loop_size_outtol1", kUnusedLoop},
    {"set_mov_pad_val", "it configures packed copies, and no program uses it; mte_gm_ub has pad(...)"},
    {"set_mte2_nz_para", kUnusedLoop},
    {"set_pad_val_outtol1", kUnusedLoop},
    {"set_quant_pre", kUnusedOut},
    {"set_relu_alpha", kUnusedOut},
    {"uvld", "the assembler has it under another name; write pto.vldas and pto.vldus"},
    {"vsld", "no program uses it; write pto.vlds or pto.vsldb"},
    {"vsst", "no program uses it; write pto.vsts or pto.vsstb"},
    {"vsta", "no program uses it; write pto.vstas or pto.vstar"},
    {"vstu", "no program uses it; write pto.vstus or pto.vstur"},
    {"wait_flag_dev", "documents call pto.sync.wait so; write pto.sync.wait <PIPE>, flag"},
    {"wait_intra_core", "documents call pto.sync.wait so; write pto.sync.wait <PIPE>, flag"},
};

}  // namespace pto::ptoas::vec

#endif  // PTO_SRC_PTOAS_VECTOR_ROWS_REFUSED_H_

// ptoas.cc: what reading, checking and running PTO-AS programs costs, through the C API and the pto command.
// ./dev bench ptoas runs it; docs/lab-book.md keeps what it printed.
#include <fcntl.h>
#include <pto_c.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "bench/harness.h"

namespace bench {
namespace {

pto_context* ctx;

void Must(bool good, const std::string& what) {
  if (good) return;
  std::fprintf(stderr, "ptoas-bench: %s: %s\n", what.c_str(), pto_context_error_message(ctx));
  std::exit(1);
}

std::string Read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  Must(in.good(), path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// ---- text ------------------------------------------------------------------

constexpr char kTile[] = "!pto.tile_buf<vec, 16x16xf32>";
constexpr size_t kTextBytes = size_t{2} << 20;

// Kernels of two megabytes: views, a loop, loads, instructions, a store.
std::string Kernels() {
  const std::string tile = kTile;
  const std::string view = "!pto.tensor_view<?x16xf32>";
  const std::string part = "!pto.partition_tensor_view<16x16xf32>";
  std::string text = "module {\n";
  for (int k = 0; text.size() < kTextBytes; ++k) {
    text += "  func.func @kernel" + std::to_string(k) +
            "(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %rows: index) attributes {pto.entry} {\n"
            "    %c0 = arith.constant 0 : index\n    %c1 = arith.constant 1 : index\n"
            "    %c16 = arith.constant 16 : index\n";
    for (const char* of : {"x", "y"}) {
      text += std::string("    %") + of + "v = pto.make_tensor_view %" + of +
              ", shape = [%rows, %c16], strides = [%c16, %c1] : " + view + "\n";
    }
    text += "    %a = pto.alloc_tile : " + tile + "\n    %b = pto.alloc_tile : " + tile +
            "\n    scf.for %i = %c0 to %rows step %c16 {\n";
    for (const char* of : {"x", "y"}) {
      text += std::string("      %") + of + "w = pto.partition_view %" + of +
              "v, offsets = [%i, %c0], sizes = [%c16, %c16] : " + view + " -> " + part + "\n";
    }
    text += "      pto.tload ins(%xw : " + part + ") outs(%a : " + tile + ")\n";
    for (int i = 0; i < 8; ++i) {
      text += "      pto.tpartadd ins(%a, %b : " + tile + ", " + tile + ") outs(%b : " + tile + ")\n";
    }
    text += "      pto.tstore ins(%b : " + tile + ") outs(%yw : " + part + ")\n    }\n    return\n  }\n";
  }
  return text + "}\n";
}

// The shortest statements there are: each byte of text asks for the most work.
std::string OneLiners() {
  std::string text;
  for (int i = 0; text.size() < kTextBytes; ++i) {
    text += "%d" + std::to_string(i % 100) + " = tpow %a, %b : !pto.tile<16x16xf32>\n";
  }
  return text;
}

void Use(const std::string& name, const std::string& text) {
  pto_program* program = pto_program_parse(ctx, text.data(), static_cast<int64_t>(text.size()), name.c_str());
  Must(program != nullptr && pto_program_check(ctx, program) == PTO_OK, name);
  pto_program_release(program);
}

void MeasureText(const std::vector<std::string>& files) {
  struct Group {
    std::string name;
    std::vector<std::pair<std::string, std::string>> programs;
    double bytes = 0;
  };
  Group groups[] = {
      {"kernels", {{"kernels", Kernels()}}}, {"one-liners", {{"one-liners", OneLiners()}}}, {"files", {}}};
  for (const std::string& file : files) groups[2].programs.emplace_back(file, Read(file));
  std::printf("parse and check\n");
  for (Group& group : groups) {
    for (const auto& [name, text] : group.programs) group.bytes += static_cast<double>(text.size());
    std::vector<Contestant> one(1);
    one[0].run = Timed([&] {
      for (const auto& [name, text] : group.programs) Use(name, text);
    });
    Race(one, 15, 5e7);
    std::printf("  %-12s %8.1f KB in %3zu programs  %6.1f MB/s\n", group.name.c_str(), group.bytes / 1e3,
                group.programs.size(), group.bytes / Median(one[0].ns) * 1e3);
  }
}

// ---- the command -----------------------------------------------------------

double WallMs() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// A program of a hundred lines that each do something; it prints at the end.
std::string HundredLines() {
  const std::string tile = kTile;
  std::string text =
      "func.func @main() {\n  %a = pto.alloc_tile : " + tile + "\n  %b = pto.alloc_tile : " + tile + "\n";
  for (int line = 4; line <= 97; ++line) {
    text += "  pto.tpow ins(%a, %b : " + tile + ", " + tile + ") outs(%b : " + tile + ")\n";
  }
  return text + "  pto.tprint ins(%b : " + tile + ")\n  return\n}\n";
}

void MeasureCommand(const std::string& command) {
  const std::string path = "/tmp/pto-bench-" + std::to_string(getpid()) + ".pto";
  std::ofstream(path) << HundredLines();
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<double> ms;
  for (int round = 0; round < 101; ++round) {
    const std::string words[] = {command, "run", path};
    char* argv[] = {const_cast<char*>(words[0].c_str()), const_cast<char*>(words[1].c_str()),
                    const_cast<char*>(words[2].c_str()), nullptr};
    const double start = WallMs();
    pid_t child = 0;
    int status = 1;
    const bool ran = posix_spawn(&child, argv[0], &quiet, nullptr, argv, environ) == 0 &&
                     waitpid(child, &status, 0) == child && status == 0;
    ms.push_back(WallMs() - start);
    Must(ran, command);
  }
  posix_spawn_file_actions_destroy(&quiet);
  unlink(path.c_str());
  std::printf("pto run of 100 lines, start to exit, ms\n  best %.2f, median %.2f, 9 of 10 within %.2f\n",
              Quantile(ms, 0), Median(ms), Quantile(ms, 0.9));
}

// ---- the runner ------------------------------------------------------------

constexpr int kInLoop = 100;
constexpr int kRounds = 100;

// A loop whose body is one instruction on tiles of 16x16, many times.
pto_program* Loop(const std::string& statement) {
  std::string text = "func.func @main(%a: " + std::string(kTile) + ", %b: " + kTile + ", %c: " + kTile +
                     ") {\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %n = arith.constant " +
                     std::to_string(kRounds) + " : index\n  scf.for %i = %c0 to %n step %c1 {\n";
  for (int i = 0; i < kInLoop; ++i) text += "    " + statement + "\n";
  text += "  }\n  return\n}\n";
  pto_program* program = pto_program_parse(ctx, text.data(), static_cast<int64_t>(text.size()), "loop");
  Must(program != nullptr && pto_program_check(ctx, program) == PTO_OK, text);
  return program;
}

void MeasureRunner() {
  pto_tile* tiles[3];
  std::vector<float> data(256);
  for (int t = 0; t < 3; ++t) {
    for (size_t i = 0; i < data.size(); ++i) data[i] = 1.0F + static_cast<float>(i) / 300.0F;
    tiles[t] = pto_tile_create(ctx, PTO_DTYPE_F32, 16, 16);
    Must(tiles[t] != nullptr && pto_tile_write(ctx, tiles[t], data.data(), 1024) == PTO_OK, "tile");
  }
  struct Case {
    const char* name;
    const char* statement;
    std::function<pto_status()> direct;
  };
  const Case cases[] = {
      {"tpartadd", "pto.tpartadd ins(%a, %b) outs(%c)",
       [&] { return pto_tpartadd(ctx, tiles[2], tiles[0], tiles[1], 0); }},
      {"tprelu", "pto.tprelu ins(%a, %b) outs(%c)",
       [&] { return pto_tprelu(ctx, tiles[2], tiles[0], tiles[1], nullptr, 0); }},
      {"trsqrt", "pto.trsqrt ins(%a) outs(%c)", [&] { return pto_trsqrt(ctx, tiles[2], tiles[0], nullptr, 0); }},
      {"tcolexpandmul", "pto.tcolexpandmul ins(%a, %b) outs(%c)",
       [&] { return pto_tcolexpandmul(ctx, tiles[2], tiles[0], tiles[1], 0); }},
      {"tpow", "pto.tpow ins(%a, %b) outs(%c)",
       [&] { return pto_tpow(ctx, tiles[2], tiles[0], tiles[1], nullptr, 0); }},
      {"tmov", "pto.tmov ins(%a) outs(%c)", [&] { return pto_tmov(ctx, tiles[2], tiles[0], 0); }},
  };
  std::printf("an instruction on 16x16 f32, ns          direct  runner   above\n");
  for (const Case& c : cases) {
    pto_program* program = Loop(c.statement);
    for (int t = 0; t < 3; ++t) {
      const std::string name(1, static_cast<char>('a' + t));
      Must(pto_program_bind_tile(ctx, program, name.c_str(), tiles[t]) == PTO_OK, name);
    }
    std::vector<Contestant> pair(2);
    pair[0].run = Timed([&] {
      for (int i = 0; i < kRounds * kInLoop; ++i) Must(c.direct() == PTO_OK, c.name);
    });
    pair[1].run = Timed([&] { Must(pto_program_run(ctx, program, nullptr) == PTO_OK, c.name); });
    Race(pair, 31, 1e6);
    std::vector<double> above;
    for (size_t i = 0; i < pair[0].ns.size(); ++i)
      above.push_back((pair[1].ns[i] - pair[0].ns[i]) / (kRounds * kInLoop));
    std::printf("  %-36s %8.1f %7.1f %7.1f\n", c.name, Median(pair[0].ns) / (kRounds * kInLoop),
                Median(pair[1].ns) / (kRounds * kInLoop), Median(above));
    pto_program_release(program);
  }
  for (pto_tile* tile : tiles) pto_tile_release(tile);
}

// ---- a program again --------------------------------------------------------

// One statement on tiles of 16x16, again and again: with what is bound, bound anew each time, and as a call.
void MeasureAgain() {
  pto_tile* tiles[4];
  const std::vector<float> data(256, 1.0F);
  for (pto_tile*& tile : tiles) {
    tile = pto_tile_create(ctx, PTO_DTYPE_F32, 16, 16);
    Must(tile != nullptr && pto_tile_write(ctx, tile, data.data(), 1024) == PTO_OK, "tile");
  }
  const std::string text = "func.func @main(%a: " + std::string(kTile) + ", %b: " + kTile + ", %c: " + kTile +
                           ") {\n  pto.tadd ins(%a, %b) outs(%c)\n  return\n}\n";
  pto_program* program = pto_program_parse(ctx, text.data(), static_cast<int64_t>(text.size()), "again");
  Must(program != nullptr && pto_program_check(ctx, program) == PTO_OK, text);
  const auto bind = [&](int which) {
    pto_tile* const bound[] = {tiles[which], tiles[1], tiles[2 + which]};
    for (int t = 0; t < 3; ++t) {
      const char name[2] = {static_cast<char>('a' + t), 0};
      Must(pto_program_bind_tile(ctx, program, name, bound[t]) == PTO_OK, name);
    }
  };
  bind(0);
  int which = 0;
  std::vector<Contestant> runs(3);
  runs[0].run = Timed([&] { Must(pto_tadd(ctx, tiles[2], tiles[0], tiles[1], 0) == PTO_OK, "tadd"); });
  runs[1].run = Timed([&] { Must(pto_program_run(ctx, program, nullptr) == PTO_OK, text); });
  runs[2].run = Timed([&] {
    bind(which ^= 1);
    Must(pto_program_run(ctx, program, nullptr) == PTO_OK, text);
  });
  Race(runs, 31, 1e6);
  std::printf("a program of one tadd, again, ns          call     run  bind 3 and run\n  %-36s %8.1f %7.1f %15.1f\n",
              "16x16 f32", Median(runs[0].ns), Median(runs[1].ns), Median(runs[2].ns));
  pto_program_release(program);
  for (pto_tile* tile : tiles) pto_tile_release(tile);
}

// ---- plans -------------------------------------------------------------------

// A loop of load, two maps and store, of one tensor to another and in place, with its plan and without.
void MeasurePlans() {
  std::printf("load, two maps, store, ns a round         without    plan   times\n");
  constexpr int kTimes = 200;
  for (const auto& [rows, cols] : {std::pair(8, 64), {16, 64}, {64, 64}, {16, 1024}, {64, 1024}}) {
    const std::string shape = std::to_string(rows) + "x" + std::to_string(cols) + "xf32";
    const std::string tile = "!pto.tile_buf<vec, " + shape + ">", part = "!pto.partition_tensor_view<" + shape + ">";
    const std::string view = "!pto.tensor_view<" + shape + ">";
    std::string text = "func.func @main(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {\n  %one = arith.constant 1.0 : f32\n";
    for (const auto& [name, value] :
         {std::pair("c0", 0), {"c1", 1}, {"rows", rows}, {"cols", cols}, {"times", kTimes}}) {
      text += std::string("  %") + name + " = arith.constant " + std::to_string(value) + " : index\n";
    }
    for (const std::string of : {"x", "y"}) {
      text += "  %" + of + "v = pto.make_tensor_view %" + of +
              ", shape = [%rows, %cols], strides = [%cols, %c1] : " + view + "\n  %" + of + "w = pto.partition_view %" +
              of + "v, offsets = [%c0, %c0], sizes = [%rows, %cols] : " + view + " -> " + part + "\n";
    }
    text += "  %t = pto.alloc_tile : " + tile + "\n  %u = pto.alloc_tile : " + tile +
            "\n  scf.for %i = %c0 to %times step %c1 {\n    pto.tload ins(%xw : " + part + ") outs(%t : " + tile +
            ")\n    pto.tmuls ins(%t, %one : " + tile + ", f32) outs(%u : " + tile +
            ")\n    pto.tmins ins(%u, %one : " + tile + ", f32) outs(%t : " + tile +
            ")\n    pto.tstore ins(%t : " + tile + ") outs(%yw : " + part + ")\n  }\n  return\n}\n";
    std::vector<float> data(static_cast<size_t>(rows * cols), 0.5F), other = data;
    pto_tensor_desc desc{};
    desc.struct_size = sizeof desc;
    desc.dtype = PTO_DTYPE_F32;
    desc.rank = 1;
    desc.dim0 = rows * cols;
    const auto wrap = [&](std::vector<float>& of) {
      return pto_tensor_wrap(ctx, &desc, of.data(), static_cast<int64_t>(of.size() * sizeof(float)));
    };
    for (const bool apart : {true, false}) {
      pto_tensor* tensors[] = {wrap(data), wrap(apart ? other : data)};
      pto_program* programs[2];
      std::vector<Contestant> pair(2);
      for (size_t planned = 0; planned < 2; ++planned) {
        pto_program* program = pto_program_parse(ctx, text.data(), static_cast<int64_t>(text.size()), "plan");
        Must(program != nullptr && pto_program_bind_tensor(ctx, program, "x", tensors[0]) == PTO_OK &&
                 pto_program_bind_tensor(ctx, program, "y", tensors[1]) == PTO_OK,
             text);
        pair[planned].run = Timed([program, &text] { Must(pto_program_run(ctx, program, nullptr) == PTO_OK, text); });
        // What the first run sees counts for all.
        planned == 0 ? setenv("PTO_PLAN", "off", 1) : unsetenv("PTO_PLAN");
        pair[planned].run(1);
        programs[planned] = program;
      }
      Race(pair, 31, 1e6);
      std::vector<double> times;
      for (size_t i = 0; i < pair[0].ns.size(); ++i) times.push_back(pair[0].ns[i] / pair[1].ns[i]);
      std::printf("  %-36s %9.0f %8.0f %7.2f\n", (shape + (apart ? "" : ", in place")).c_str(),
                  Median(pair[0].ns) / kTimes, Median(pair[1].ns) / kTimes, Median(times));
      for (int i = 0; i < 2; ++i) {
        pto_program_release(programs[i]);
        pto_tensor_release(tensors[i]);
      }
    }
  }
}

// ---- recordings ------------------------------------------------------------

// The cost of recording per instruction: nothing, its times, its tiles within the memory that `pto run --report` takes,
// and all of them, in turn. The tile that is read and written is another one each time.
void MeasureRecording() {
  std::printf("a tadd of f32 in a loop, ns           off   times   above   tiles     all\n");
  constexpr int kTimes = 2000;
  constexpr struct {
    pto_record what;
    int64_t bytes;
  } kWays[] = {{PTO_RECORD_OFF, 1},
               {PTO_RECORD_TIMES, int64_t{1} << 28},
               {PTO_RECORD_TILES, int64_t{1} << 24},
               {PTO_RECORD_TILES, int64_t{1} << 28}};
  for (const char* shape : {"1x8", "16x16", "64x64"}) {
    const std::string tile = "!pto.tile_buf<vec, " + std::string(shape) + "xf32>";
    const std::string text =
        "func.func @main() {\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %n = "
        "arith.constant " +
        std::to_string(kTimes) + " : index\n  %one = arith.constant 1.0 : f32\n  %t = pto.alloc_tile : " + tile +
        "\n  %u = pto.alloc_tile : " + tile + "\n  pto.texpands ins(%one : f32) outs(%u : " + tile +
        ")\n  pto.texpands ins(%one : f32) outs(%t : " + tile +
        ")\n  scf.for %i = %c0 to %n step %c1 {\n    pto.tadd ins(%t, %u) outs(%t)\n  }\n  return\n}\n";
    std::vector<Contestant> runs(std::size(kWays));
    std::vector<pto_program*> programs;
    for (size_t way = 0; way < std::size(kWays); ++way) {
      pto_program* program = pto_program_parse(ctx, text.data(), static_cast<int64_t>(text.size()), "recorded");
      Must(program != nullptr && pto_program_check(ctx, program) == PTO_OK, text);
      Must(pto_program_record(ctx, program, kWays[way].what, kWays[way].bytes) == PTO_OK, text);
      runs[way].run = Timed([program, &text] { Must(pto_program_run(ctx, program, nullptr) == PTO_OK, text); });
      programs.push_back(program);
    }
    Race(runs, 15, 1e6);
    double ns[std::size(kWays)];
    for (size_t way = 0; way < std::size(kWays); ++way) ns[way] = Median(runs[way].ns) / kTimes;
    std::printf("  %-31s %8.1f %7.1f %7.1f %7.0f %7.0f\n", shape, ns[0], ns[1], ns[1] - ns[0], ns[2], ns[3]);
    for (pto_program* program : programs) pto_program_release(program);
  }
}

// ---- the checker of synchronisation ----------------------------------------

// A loop of load, compute, store with a flag for each way: what the checker costs, which finds nothing.
void MeasureSync() {
  std::printf("load, tsqrt, store, six flags, us a run   off    sync   times\n");
  constexpr int64_t kRows = 4096;
  std::vector<float> data(kRows * 64, 2.0F);
  for (const int rows : {8, 64}) {
    const std::string shape = std::to_string(rows) + "x64xf32";
    const std::string tile = "!pto.tile_buf<vec, " + shape + ">";
    const std::string view = "!pto.tensor_view<4096x64xf32>";
    const std::string part = "!pto.partition_tensor_view<" + shape + ">";
    std::string text =
        "func.func @main(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {\n  %c0 = arith.constant 0 : index\n  %c1 = "
        "arith.constant 1 : index\n  %c64 = arith.constant 64 : index\n  %all = arith.constant 4096 : index\n  %rows "
        "= arith.constant " +
        std::to_string(rows) + " : index\n  %at = arith.constant 0 : i64\n  %t = pto.alloc_tile addr = %at : " + tile +
        "\n";
    for (const char* of : {"x", "y"}) {
      text += std::string("  %") + of + "v = pto.make_tensor_view %" + of +
              ", shape = [%all, %c64], strides = [%c64, %c1] : " + view + "\n";
    }
    text += "  scf.for %i = %c0 to %all step %rows {\n";
    for (const char* of : {"x", "y"}) {
      text += std::string("    %") + of + "w = pto.partition_view %" + of +
              "v, offsets = [%i, %c0], sizes = [%rows, %c64] : " + view + " -> " + part + "\n";
    }
    const auto flag = [&](const char* from, const char* to) {
      for (const char* what : {"set", "wait"})
        text += std::string("    pto.") + what + "_flag[<PIPE_" + from + ">, <PIPE_" + to + ">, <EVENT_ID0>]\n";
    };
    text += "    pto.tload ins(%xw : " + part + ") outs(%t : " + tile + ")\n";
    flag("MTE2", "V");
    text += "    pto.tsqrt ins(%t : " + tile + ") outs(%t : " + tile + ")\n";
    flag("V", "MTE3");
    text += "    pto.tstore ins(%t : " + tile + ") outs(%yw : " + part + ")\n";
    flag("MTE3", "MTE2");
    text += "  }\n  return\n}\n";
    pto_tensor_desc desc{};
    desc.struct_size = sizeof desc;
    desc.dtype = PTO_DTYPE_F32;
    desc.rank = 2;
    desc.dim0 = kRows;
    desc.dim1 = 64;
    std::vector<float> out(data.size());
    pto_tensor* tensors[] = {
        pto_tensor_wrap(ctx, &desc, data.data(), static_cast<int64_t>(data.size() * sizeof(float))),
        pto_tensor_wrap(ctx, &desc, out.data(), static_cast<int64_t>(out.size() * sizeof(float)))};
    std::vector<Contestant> pair(2);
    pto_program* programs[2];
    for (int on = 0; on < 2; ++on) {
      pto_program* program = pto_program_parse(ctx, text.data(), static_cast<int64_t>(text.size()), "sync");
      Must(program != nullptr && pto_program_check(ctx, program) == PTO_OK, text);
      Must(pto_program_bind_tensor(ctx, program, "x", tensors[0]) == PTO_OK &&
               pto_program_bind_tensor(ctx, program, "y", tensors[1]) == PTO_OK &&
               pto_program_set_sync(ctx, program, on) == PTO_OK,
           text);
      pair[static_cast<size_t>(on)].run =
          Timed([program, &text] { Must(pto_program_run(ctx, program, nullptr) == PTO_OK, text); });
      programs[on] = program;
    }
    Race(pair, 31, 1e6);
    std::vector<double> times;
    for (size_t i = 0; i < pair[0].ns.size(); ++i) times.push_back(pair[1].ns[i] / pair[0].ns[i]);
    std::printf("  %-33s %8.1f %7.1f %7.2f\n", shape.c_str(), Median(pair[0].ns) / 1e3, Median(pair[1].ns) / 1e3,
                Median(times));
    for (int on = 0; on < 2; ++on) {
      pto_program_release(programs[on]);
      pto_tensor_release(tensors[on]);
    }
  }
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: ptoas-bench PTO FILE...\n");
    return 2;
  }
  bench::ctx = pto_context_create(PTO_PROFILE_CPU);
  bench::MeasureText({argv + 2, argv + argc});
  bench::MeasureCommand(argv[1]);
  bench::MeasureRunner();
  bench::MeasureAgain();
  bench::MeasurePlans();
  bench::MeasureRecording();
  bench::MeasureSync();
  pto_context_release(bench::ctx);
  return 0;
}

// `pto gen`: inputs for a program's arguments, and what it makes of them.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "src/cli/cli.h"
#include "src/cli/distribution.h"
#include "src/cli/files.h"
#include "src/cli/numbers.h"
#include "src/cli/session.h"

namespace pto::cli {

namespace {

struct GenOptions {
  RunOptions run;
  std::vector<std::string> in;   // NAME=DISTRIBUTION
  std::vector<std::string> out;  // names
  std::string folder = ".";
  uint64_t seed = 0;
  bool force = false;
};

// The shape and type of an argument: from --shape, otherwise from the type of a tile.
Array Drawn(const Loaded& loaded, const GenOptions& options, const std::string& name, const std::string& distribution,
            Pairs* shapes) {
  const char* entry = options.run.entry.empty() ? nullptr : options.run.entry.c_str();
  pto_program* program = loaded.program.get();
  for (int32_t i = 0; i < pto_program_arg_count(program, entry); ++i) {
    if (name != pto_program_arg_name(program, entry, i) && name != std::to_string(i)) continue;
    const int32_t dtype = pto_program_arg_dtype(program, entry, i);
    const TileHandle tile(pto_program_arg_tile(loaded.ctx.get(), program, entry, i));
    ShapeSpec spec;
    if (const auto given = shapes->find(name); given != shapes->end()) spec = ParseShape(given->second);
    if (!spec.has_shape && tile != nullptr) {
      spec.shape = {pto_tile_valid_rows(tile.get()), pto_tile_valid_cols(tile.get())};
      spec.has_shape = true;
    }
    if (!spec.has_dtype && dtype >= 0) {
      spec.dtype = static_cast<pto_dtype>(dtype);
      spec.has_dtype = true;
    }
    if (!spec.has_shape || !spec.has_dtype) {
      Fail("--in %s: the program does not say what it is; add --shape %s=RxC:DTYPE", name.c_str(), name.c_str());
    }
    shapes->erase(name);
    return Draw(distribution, spec.dtype, spec.shape, options.seed, pto_program_arg_name(program, entry, i));
  }
  Fail("--in %s: the entry has no such argument", name.c_str());
}

int RunGen(GenOptions options) {
  if (options.force) AllowReplacing();
  std::error_code failed;
  std::filesystem::create_directories(options.folder, failed);
  if (failed) Fail("--folder %s: %s", options.folder.c_str(), failed.message().c_str());
  // The caller named arguments and not files, and so did not ask to replace any.
  const auto path = [&](const std::string& name, const char* suffix) {
    std::string made = (std::filesystem::path(options.folder) / (name + suffix)).string();
    if (!options.force && std::filesystem::exists(made)) Fail("%s: exists; add --force to replace it", made.c_str());
    return made;
  };
  Outputs inputs;
  {
    const Loaded loaded = LoadProgram(options.run.file, options.run.profile);
    if (!IsCorrect(loaded, false)) {
      PrintDiagnostics(loaded.program.get());
      return kFound;
    }
    Pairs shapes = Split(options.run.shape, "--shape");
    for (const auto& [name, distribution] : Split(options.in, "--in")) {
      NeedDistribution(distribution);
      Array array = Drawn(loaded, options, name, distribution, &shapes);
      inputs.Add(path(name, ".npy"), FormatNpy(array));
      options.run.arrays[name] = std::move(array);
    }
    options.run.shape.clear();
    for (const auto& [name, shape] : shapes) options.run.shape.push_back(name + "=" + shape);
  }
  if (options.out.empty()) {
    inputs.Commit();
    return kOk;
  }
  for (const std::string& name : options.out) {
    const std::string plain = name.substr(name[0] == '%' ? 1 : 0);
    options.run.out.push_back(plain + "=" + path(plain, ".golden.npy"));
  }
  // SCALAR computes one element at a time, without vectors. A library that was built for one target does not have it;
  // that target gives the same bits.
  for (int32_t i = 0; i < pto_target_count(); ++i) {
    if (pto_target_supported(i) != 0 && std::string_view(pto_target_name(i)) == "SCALAR") options.run.target = "SCALAR";
  }
  Session session(options.run);
  if (!session.Prepare(false)) return kFound;
  if (session.Run(true) != PTO_OK) {
    if (!session.HasError()) Fail("%s", Reason(session.ctx()).c_str());
    session.BlameArgument();
    PrintDiagnostics(session.program());
    return kFound;
  }
  session.AddOutputs(&inputs);
  inputs.Commit();
  return kOk;
}

}  // namespace

void AddGen(CLI::App& app, int* code) {
  auto options = std::make_shared<GenOptions>();
  CLI::App* command = app.add_subcommand("gen", "Makes inputs for a program, and what it makes of them.");
  command->add_option("FILE", options->run.file, "A program; a file, since it is read twice")->required();
  AddRunOptions(command, &options->run);
  std::string list;
  for (const Distribution& d : Distributions()) list += std::string(list.empty() ? "" : ", ") + d.name;
  command->add_option("--in", options->in, "NAME=DISTRIBUTION: an argument to be made, to NAME.npy: " + list)
      ->allow_extra_args(false);
  command->add_option("--out", options->out, "NAME: an argument or tile to write to NAME.golden.npy after the run")
      ->allow_extra_args(false);
  AddInteger(command, "--seed", &options->seed, "Other numbers for each; the default is 0");
  command->add_option("--folder", options->folder,
                      "The folder of the files, which is made if it does not exist; the default is this one");
  command->add_flag("--force", options->force, "Replaces files that exist");
  command->callback([options, code] { *code = RunGen(*options); });
}

}  // namespace pto::cli

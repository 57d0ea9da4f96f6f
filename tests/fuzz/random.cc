// Feeds a fuzz target without a fuzzer, if there is no fuzzer or coverage is counted: bytes at random, or
// the named files with changes at random.
//   random ROUNDS [FILE or FOLDER...]
// PTO_FUZZ_ROUNDS in the environment replaces ROUNDS, PTO_FUZZ_SEED chooses others.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using Dice = std::mt19937;

size_t Below(Dice* dice, size_t n) { return n == 0 ? 0 : (*dice)() % n; }

std::vector<std::string> Seeds(int count, char** paths) {
  std::vector<std::string> files;
  for (int i = 0; i < count; ++i) {
    if (!std::filesystem::is_directory(paths[i])) {
      files.emplace_back(paths[i]);
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(paths[i])) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> seeds;
  for (const std::string& name : files) {
    std::ifstream file(name, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return seeds;
}

std::string Bytes(Dice* dice) {
  std::string bytes(Below(dice, 3000), '\0');
  for (char& byte : bytes) byte = static_cast<char>((*dice)());
  return bytes;
}

// Where a word, a number or a mark begins, at or after some place.
size_t Token(Dice* dice, const std::string& text) {
  const size_t from = Below(dice, text.size());
  const size_t at = text.find_first_of(" \n%,:<>()[]{}=", from);
  return at == std::string::npos ? from : at;
}

std::string Changed(Dice* dice, const std::vector<std::string>& seeds) {
  std::string text = seeds[Below(dice, seeds.size())];
  for (size_t i = Below(dice, 5); i > 0 && !text.empty(); --i) {
    const size_t at = Token(dice, text);
    const size_t length = Below(dice, 1 + std::min<size_t>(text.size() - at, 40));
    const std::string& other = seeds[Below(dice, seeds.size())];
    switch (Below(dice, 5)) {
      case 0:
        text[Below(dice, text.size())] = static_cast<char>((*dice)());
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(Token(dice, text), text.substr(at, length));
        break;
      case 3:
        text.insert(at, other.substr(Token(dice, other), Below(dice, 40)));
        break;
      default:
        text.replace(at, length, other.substr(Token(dice, other), length));
    }
  }
  return text;
}

unsigned long Setting(const char* name, const char* usual) {
  const char* set = std::getenv(name);
  return std::strtoul(set == nullptr ? usual : set, nullptr, 10);
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned long rounds = Setting("PTO_FUZZ_ROUNDS", argc > 1 ? argv[1] : "1000");
  const unsigned long seed = Setting("PTO_FUZZ_SEED", "1");
  const std::vector<std::string> seeds = Seeds(argc - 2, argv + 2);
  for (unsigned long round = 0; round < rounds; ++round) {
    Dice dice(static_cast<uint32_t>(seed * 1000003 + round));
    const std::string input = seeds.empty() ? Bytes(&dice) : Changed(&dice, seeds);
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
  }
  std::printf("%lu inputs from the seed %lu\n", rounds, seed);
  return 0;
}

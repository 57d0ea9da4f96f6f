// Without exceptions: a handler gets each error once, and the call at fault does nothing. This file is
// compiled with -fno-exceptions and linked with handler_partner.cc, which has them.
#include <pto/pto-inst.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "check.h"

#if !defined(PTO_NO_EXCEPTIONS)
#error "-fno-exceptions implies PTO_NO_EXCEPTIONS"
#endif

// In handler_partner.cc: the rule of an error that was thrown and caught there.
const char* ThrownRule();

using namespace pto;

namespace {

int told = 0;
char last_rule[32];

void Tell(const Error& error) {
  ++told;
  std::snprintf(last_rule, sizeof(last_rule), "%s", error.rule().c_str());
}

bool Told(const char* rule) {
  const bool right = told == 1 && std::strcmp(last_rule, rule) == 0;
  if (!right) std::fprintf(stderr, "told %d times, last of %s\n", told, last_rule);
  told = 0;
  return right;
}

using Dynamic = Tile<TileType::Vec, float, 16, 16, BLayout::RowMajor, DYNAMIC, DYNAMIC>;

void TestHandler() {
  CHECK(SetErrorHandler(Tell) == nullptr);
  Dynamic dst(4, 4), src(4, 3), unset, none;
  dst(0, 0) = 7.0F;
  src(0, 0) = 4.0F;
  TRSQRT(dst, src);
  CHECK(Told("valid-covers") && dst(0, 0) == 7.0F);
  TRSQRT(dst, unset);
  CHECK(Told("valid-range") && dst(0, 0) == 7.0F);
  TASSIGN(dst, 5);
  CHECK(Told("address-alignment") && dst(0, 0) == 7.0F);
  dst.SetValidShape(20, 20);
  CHECK(Told("valid-range") && dst.GetValidRow() == 4);
  SetMode(Mode::Manual);
  Dynamic manual(4, 4);
  CHECK(manual.data() == nullptr && Told("storage"));
  manual(1, 1) = 5.0F;
  CHECK(Told("storage"));
  CHECK(manual.GetValue(17) == 0.0F && Told("storage"));
  dst(16, 0) = 5.0F;
  CHECK(Told("element-range"));
  dst.SetValue(256, 5.0F);
  CHECK(Told("element-range") && dst.GetValue(-1) == 0.0F && Told("element-range"));
  SetMode(Mode::Auto);
  src.SetValidShape(4, 4);
  dst.SetValidShape(4, 4);
  TRSQRT(dst, src);
  CHECK(told == 0 && dst(0, 0) == 0.5F);
  CHECK(SetErrorHandler(nullptr) == Tell);
}

// With no handler an error ends the program, with its text.
void TestDefault() {
  int ends[2];
  CHECK(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 2);
    Dynamic(17, 1).data();
    _exit(0);
  }
  close(ends[1]);
  char text[256] = {};
  CHECK(read(ends[0], text, sizeof(text) - 1) > 0);
  close(ends[0]);
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
  CHECK(std::strstr(text, "ValidRow is 17 where the tile has 16 [valid-range]") != nullptr);
}

}  // namespace

int main() {
  TestHandler();
  TestDefault();
  CHECK(std::strcmp(ThrownRule(), "valid-range") == 0);
  return check::Report("handler");
}

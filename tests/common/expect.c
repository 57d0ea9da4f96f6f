/* expect.c: the assertion on a context's error. */
#include "expect.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "testing.h"

static void expect_text(const char *message, const char *texts) {
  char part[128];
  while (*texts != '\0') {
    const size_t n = strcspn(texts, "|");
    assert_true(n < sizeof part);
    memcpy(part, texts, n);
    part[n] = '\0';
    if (strstr(message, part) == NULL) fail_msg("\"%s\" does not say \"%s\"", message, part);
    texts += n + (texts[n] == '|');
  }
}

void expect_error(pto_context *ctx, pto_status status, pto_status want, const char *rule, const char *operand,
                  const char *texts) {
  const char *message = pto_context_error_message(ctx);
  const char *remedy = pto_context_error_remedy(ctx);
  if (status != want || pto_context_error(ctx) != want) {
    fail_msg("%s kept %s, not %s: %s", pto_status_name(status), pto_status_name(pto_context_error(ctx)),
             pto_status_name(want), message);
  }
  if (strcmp(pto_context_error_rule(ctx), rule) != 0) {
    fail_msg("rule %s, not %s: %s", pto_context_error_rule(ctx), rule, message);
  }
  if (strcmp(pto_context_error_operand(ctx), operand) != 0) {
    fail_msg("operand \"%s\", not \"%s\": %s", pto_context_error_operand(ctx), operand, message);
  }
  expect_text(message, texts);
  /* A line: something before the colon, no control character, not cut off. */
  assert_non_null(strstr(message, ": "));
  for (const char *p = message; *p != '\0'; ++p) assert_true((unsigned char)*p >= ' ');
  assert_true(strlen(message) < 250);
  /* A remedy is a sentence. */
  const size_t n = strlen(remedy);
  assert_true(n > 10 && remedy[n - 1] == '.');
}

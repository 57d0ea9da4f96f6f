/*
 * test_ranks.c: PTO-AS on several ranks: every statement of pto.comm, programs that exchange data in every order of
 * turns, and what a run reports of those that cannot go on.
 */
#include <stdio.h>

#include "expect.h"
#include "ranks_help.h"

#define V "!pto.partition_tensor_view<1x16xf32>"
#define S "!pto.partition_tensor_view<1x1xi32>"
#define TILE "!pto.tile_buf<vec, 1x16xf32>"
/* %own and %next: 16 floats and a signal after 256 bytes, of this rank and of the next one. */
#define HEAD                                                                                                        \
  "func.func @k(%own: !pto.ptr<f32>, %sig: !pto.ptr<i32>, %next: !pto.ptr<f32>, %nsig: !pto.ptr<i32>, %rank: i32, " \
  "%ranks: i32) attributes {pto.entry} {\n"                                                                         \
  " %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n %c16 = arith.constant 16 : index\n"           \
  " %i1 = arith.constant 1 : i32\n %i0 = arith.constant 0 : i32\n"                                                  \
  " %vo = pto.make_tensor_view %own, shape = [%c1, %c16], strides = [%c16, %c1] : !pto.tensor_view<1x16xf32>\n"     \
  " %vn = pto.make_tensor_view %next, shape = [%c1, %c16], strides = [%c16, %c1] : !pto.tensor_view<1x16xf32>\n"    \
  " %so = pto.make_tensor_view %sig, shape = [%c1, %c1], strides = [%c1, %c1] : !pto.tensor_view<1x1xi32>\n"        \
  " %sn = pto.make_tensor_view %nsig, shape = [%c1, %c1], strides = [%c1, %c1] : !pto.tensor_view<1x1xi32>\n"       \
  " %po = pto.partition_view %vo, offsets = [%c0, %c0], sizes = [%c1, %c16] : !pto.tensor_view<1x16xf32> -> " V     \
  "\n"                                                                                                              \
  " %pn = pto.partition_view %vn, offsets = [%c0, %c0], sizes = [%c1, %c16] : !pto.tensor_view<1x16xf32> -> " V     \
  "\n"                                                                                                              \
  " %qo = pto.partition_view %so, offsets = [%c0, %c0], sizes = [%c1, %c1] : !pto.tensor_view<1x1xi32> -> " S       \
  "\n"                                                                                                              \
  " %qn = pto.partition_view %sn, offsets = [%c0, %c0], sizes = [%c1, %c1] : !pto.tensor_view<1x1xi32> -> " S       \
  "\n"                                                                                                              \
  " %ping = pto.alloc_tile : " TILE "\n %pong = pto.alloc_tile : " TILE "\n"
#define TAIL " return\n}\n"
#define ADD_ONE                                                    \
  " %one = arith.constant 1.0 : f32\n %t = pto.alloc_tile : " TILE \
  "\n"                                                             \
  " pto.tload ins(%po : " V ") outs(%t : " TILE                    \
  ")\n"                                                            \
  " pto.tadds ins(%t, %one : " TILE ", f32) outs(%t : " TILE       \
  ")\n"                                                            \
  " pto.tstore ins(%t : " TILE ") outs(%po : " V ")\n"
#define NOTIFY(what, value, op) \
  " pto.comm.tnotify(%" what ", %" value " : " S ", i32) {notifyOp = #pto<notify_op " op ">}\n"
#define WAIT(value, cmp) " pto.comm.twait(%qo, %" value " : " S ", i32) {cmp = #pto<wait_cmp " cmp ">}\n"
#define PUT \
  " pto.comm.tput(%pn, %po, buf(%ping) : " V ", " V ", " TILE ") {atomicType = #pto<atomic_type atomic_none>}\n"

/* The token travels round once: each rank adds one and hands it on; rank 0 begins, and ends with the number of ranks.
 */
static const char k_ring[] = HEAD
    " %first = arith.cmpi eq, %rank, %i0 : i32\n"
    " scf.if %first {\n } else {\n" WAIT("i1", "ge") " }\n" ADD_ONE PUT NOTIFY(
        "qn", "i1", "atomic_add") " scf.if %first {\n" WAIT("i1", "ge") " }\n" TAIL;

typedef struct run {
  pto_context *ctx;
  pto_world *world;
  pto_program *program;
  int32_t ranks;
} run;

/* The arguments of the program on each rank of a world. */
static void bind(const run *r, pto_world *world) {
  ok(r->ctx, pto_program_set_world(r->ctx, r->program, world));
  ok(r->ctx, pto_program_bind_int(r->ctx, r->program, "ranks", r->ranks));
  for (int32_t rank = 0; rank < r->ranks; ++rank) {
    const int32_t next = (rank + 1) % r->ranks;
    pto_tensor *of[] = {
        window(r->ctx, world, rank, PTO_DTYPE_F32, 1, 16, 0), window(r->ctx, world, rank, PTO_DTYPE_I32, 1, 1, 256),
        window(r->ctx, world, next, PTO_DTYPE_F32, 1, 16, 0), window(r->ctx, world, next, PTO_DTYPE_I32, 1, 1, 256)};
    static const char *const k_names[] = {"own", "sig", "next", "nsig"};
    ok(r->ctx, pto_program_bind_on(r->ctx, r->program, rank));
    for (int i = 0; i < 4; ++i) {
      ok(r->ctx, pto_program_bind_tensor(r->ctx, r->program, k_names[i], of[i]));
      pto_tensor_release(of[i]);
    }
    ok(r->ctx, pto_program_bind_int(r->ctx, r->program, "rank", rank));
  }
}

static run begin(const char *text, int32_t ranks) {
  run r;
  r.ranks = ranks;
  r.ctx = pto_context_create(PTO_PROFILE_CPU);
  r.world = pto_world_create(r.ctx, ranks, 4096);
  r.program = pto_program_parse(r.ctx, text, (int64_t)strlen(text), "r.pto");
  assert_non_null(r.program);
  bind(&r, r.world);
  return r;
}

static void end(run *r) {
  pto_program_release(r->program);
  pto_world_release(r->world);
  pto_context_release(r->ctx);
  assert_int_equal(pto_live_handles(), 0);
}

static float element(const run *r, int32_t rank, int at) {
  pto_tensor *tensor = window(r->ctx, r->world, rank, PTO_DTYPE_F32, 1, 16, 0);
  const float value = ((const float *)pto_tensor_data(tensor))[at];
  pto_tensor_release(tensor);
  return value;
}

static void clear(const run *r) {
  for (int32_t rank = 0; rank < r->ranks; ++rank) {
    pto_tensor *tensor = window(r->ctx, r->world, rank, PTO_DTYPE_I8, 1, 4096, 0);
    memset(pto_tensor_data(tensor), 0, 4096);
    pto_tensor_release(tensor);
  }
}

static void runs(const run *r) {
  if (pto_program_run(r->ctx, r->program, NULL) == PTO_OK) return;
  const int32_t n = pto_program_diagnostic_count(r->program);
  fail_msg("%s\n%s", pto_context_error_message(r->ctx), n == 0 ? "" : pto_program_diagnostic_text(r->program, n - 1));
}

static void test_ring(void **state) {
  (void)state;
  for (int32_t ranks = 1; ranks <= 64; ranks = ranks * 3 + 1) {
    run r = begin(k_ring, ranks);
    for (int64_t seed = 0; seed < 20; ++seed) {
      clear(&r);
      ok(r.ctx, pto_program_set_schedule(r.ctx, r.program, seed));
      runs(&r);
      for (int i = 0; i < 16; ++i) assert_true(element(&r, 0, i) == (float)ranks);
    }
    end(&r);
  }
}

/* The first error of the run, on this line, with these parts of its message or remedy. */
static void ends(const char *text, int32_t ranks, const char *rule, int line, const char *said) {
  run r = begin(text, ranks);
  assert_int_not_equal(pto_program_run(r.ctx, r.program, NULL), PTO_OK);
  assert_true(pto_program_diagnostic_count(r.program) > 0);
  const char *message = pto_program_diagnostic_message(r.program, 0);
  const char *remedy = pto_program_diagnostic_remedy(r.program, 0);
  if (strcmp(pto_program_diagnostic_rule(r.program, 0), rule) != 0) {
    fail_msg("%s: %s", rule, pto_program_diagnostic_text(r.program, 0));
  }
  if (line > 0) assert_int_equal(pto_program_diagnostic_line(r.program, 0), line);
  char parts[512];
  snprintf(parts, sizeof parts, "%s", said);
  for (char *part = strtok(parts, "|"); part != NULL; part = strtok(NULL, "|")) {
    if (strstr(message, part) == NULL && strstr(remedy, part) == NULL) {
      fail_msg("'%s' is not in: %s\n%s", part, message, remedy);
    }
  }
  assert_null(strstr(message, "pto_"));
  end(&r);
}

/* A signal that is lost is named at once: the rank, the line, the value seen and wanted, and what the others do. */
static void test_lost_signals(void **state) {
  (void)state;
  ends(HEAD WAIT("i1", "ge") TAIL, 3, "deadlock", 17,
       "rank 0 waits until %qo >= 1, and it is 0|rank 1 waits at line 17|rank 2 waits at line 17");
  ends(HEAD " %first = arith.cmpi eq, %rank, %i0 : i32\n scf.if %first {\n" WAIT("i1", "eq") " }\n" TAIL, 2, "deadlock",
       19, "rank 0 waits until %qo == 1, and it is 0|rank 1 has come to its end|Notify the signal on another rank");
  /* Each adds 2 where 1 is waited for. */
  ends(HEAD " %i2 = arith.constant 2 : i32\n" NOTIFY("qn", "i2", "atomic_add") WAIT("i1", "eq") TAIL, 2, "deadlock", 19,
       "it is 2|has passed this value: wait with `ge`");
  /* Every rank waits before it sends. */
  ends(HEAD WAIT("i1", "ge") NOTIFY("qn", "i1", "set") TAIL, 4, "deadlock", 17, "rank 0");
  /* A rank that asks again and again reaches the limit of steps. */
  run r = begin(HEAD
                " %go = arith.constant 1 : i1\n scf.while (%x = %go) : (i1) -> i1 {\n"
                "  %is = pto.comm.ttest(%qo, %i1 : " S
                ", i32) {cmp = #pto<wait_cmp lt>} -> i1\n"
                "  scf.condition(%is) %is : i1\n } do {\n ^bb0(%y: i1):\n  scf.yield %y : i1\n }\n" TAIL,
                2);
  ok(r.ctx, pto_program_limit_steps(r.ctx, r.program, 10000));
  assert_int_equal(pto_program_run(r.ctx, r.program, NULL), PTO_ERROR_PROGRAM);
  assert_string_equal(pto_context_error_rule(r.ctx), "step-limit");
  end(&r);
}

/* The checker reports a wait that nothing satisfies before any rank runs, and why: `said` is in its message. */
static void refuses(const char *text, int32_t ranks, const char *said) {
  run r = begin(text, ranks);
  ok(r.ctx, pto_program_set_sync(r.ctx, r.program, 1));
  assert_int_equal(pto_program_run(r.ctx, r.program, NULL), PTO_ERROR_PROGRAM);
  assert_string_equal(pto_context_error_rule(r.ctx), "deadlock");
  assert_true(pto_program_diagnostic_count(r.program) > 0 && pto_program_diagnostic_error(r.program, 0) != 0);
  if (strstr(pto_program_diagnostic_message(r.program, 0), said) == NULL) {
    fail_msg("'%s' is not in: %s", said, pto_program_diagnostic_message(r.program, 0));
  }
  assert_int_equal(pto_program_steps(r.program), 0);
  assert_true(element(&r, 0, 0) == 0.0F);
  end(&r);
}

/* The checker finds nothing, or warnings: `said` is in the first of them. `before`: what signals begin with. */
static void accepts(const char *text, int32_t ranks, int32_t before, const char *said) {
  run r = begin(text, ranks);
  for (int32_t rank = 0; rank < ranks; ++rank) {
    pto_tensor *signal = window(r.ctx, r.world, rank, PTO_DTYPE_I32, 1, 1, 256);
    *(int32_t *)pto_tensor_data(signal) = before;
    pto_tensor_release(signal);
  }
  ok(r.ctx, pto_program_set_sync(r.ctx, r.program, 1));
  runs(&r);
  const char *message =
      pto_program_diagnostic_count(r.program) == 0 ? "" : pto_program_diagnostic_message(r.program, 0);
  if (said == NULL ? message[0] != 0 : strstr(message, said) == NULL) fail_msg("%s", message);
  end(&r);
}

#define IF_FIRST " %first = arith.cmpi eq, %rank, %i0 : i32\n scf.if %first {\n"
#define I(n) " %i" #n " = arith.constant " #n " : i32\n"
static void test_waits_that_nothing_satisfies(void **state) {
  (void)state;
  refuses(HEAD ADD_ONE WAIT("i1", "ge") TAIL, 3,
          "ranks 0, 1, 2 wait until %qo >= 1, and no statement makes it so: it begins with 0; no comm.tnotify "
          "reaches it");
  refuses(HEAD I(2) ADD_ONE NOTIFY("qn", "i2", "atomic_add") WAIT("i1", "eq") TAIL, 2,
          "ranks 0, 1 wait until %qo == 1, and no statement makes it so: it begins with 0; comm.tnotify at line "
          "23 adds 2 once");
  refuses(HEAD I(3) ADD_ONE NOTIFY("qn", "i1", "set") WAIT("i3", "ge") TAIL, 1, "comm.tnotify at line 23 sets 1");
  /* Rank 0 alone notifies: the next one hears of it, and rank 0 waits in vain. */
  refuses(HEAD ADD_ONE IF_FIRST NOTIFY("qn", "i1", "set") " }\n" WAIT("i1", "eq") TAIL, 2,
          "rank 0 waits until %qo == 1, and no statement makes it so: it begins with 0; no comm.tnotify reaches it");
  /* One too few, of a loop whose rounds are known. */
#define ROUNDS(n)                                                                  \
  I(3)                                                                             \
  I(4)                                                                             \
  " %c3 = arith.constant 3 : index\n scf.for %i = %c0 to %c3 step %c1 {\n" NOTIFY( \
      "qn", "i1", "atomic_add") " }\n" WAIT(n, "ge") TAIL
  refuses(HEAD ADD_ONE ROUNDS("i4"), 4, "comm.tnotify at line 26 adds 1 3 times at most");
  accepts(HEAD ROUNDS("i3"), 4, 0, NULL);
  /* The number of ranks, by an argument. */
  refuses(HEAD ADD_ONE NOTIFY("qn", "i1", "atomic_add") WAIT("ranks", "ge") TAIL, 2, "until %qo >= 2");
  accepts(HEAD NOTIFY("qn", "i1", "atomic_add") WAIT("ranks", "ge") TAIL, 1, 0, NULL);
  /* What is in memory already, and what another statement stores. */
  accepts(HEAD WAIT("i1", "eq") TAIL, 2, 1, NULL);
  accepts(HEAD " pto.store_scalar %i1, %sig[%c0] : !pto.ptr<i32>, i32\n" WAIT("i1", "eq") TAIL, 2, 0, NULL);
  /* A wait in a branch that no rank takes, and one in a branch that only the run decides. */
  accepts(HEAD I(7) " %no = arith.cmpi eq, %rank, %i7 : i32\n scf.if %no {\n" WAIT("i1", "eq") " }\n" TAIL, 2, 0, NULL);
  accepts(HEAD
          " %v = pto.load_scalar %sig[%c0] : !pto.ptr<i32> -> i32\n %no = arith.cmpi ne, %v, %i0 : i32\n"
          " scf.if %no {\n" WAIT("i1", "eq") " }\n" TAIL,
          2, 0, "ranks 0, 1 wait until %qo == 1");
}

/* A rank that asks in a loop lets the others run. */
static void test_polling(void **state) {
  (void)state;
  run r = begin(
      HEAD
      " %first = arith.cmpi eq, %rank, %i0 : i32\n scf.if %first {\n"
      " %go = arith.constant 1 : i1\n scf.while (%x = %go) : (i1) -> i1 {\n"
      "  %is = pto.comm.ttest(%qo, %i1 : " S
      ", i32) {cmp = #pto<wait_cmp eq>} -> i1\n"
      "  %no = arith.xori %is, %go : i1\n"
      "  scf.condition(%no) %no : i1\n } do {\n ^bb0(%y: i1):\n  scf.yield %y : i1\n }\n } else {\n" ADD_ONE PUT NOTIFY(
          "qn", "i1", "set") " }\n" TAIL,
      2);
  runs(&r);
  assert_true(element(&r, 0, 3) == 1.0F);
  end(&r);
}

/* The root calls the collectives on the data of both ranks. */
#define BOTH " group(%po, %pn) : "
static void test_collectives(void **state) {
  (void)state;
  static const char k_text[] = HEAD " %first = arith.cmpi eq, %rank, %i0 : i32\n" ADD_ONE " scf.if %first {\n" WAIT(
      "i1", "ge") " %acc = pto.alloc_tile : " TILE
                  "\n"
                  " pto.comm.treduce(%po, %acc, recv(%ping, %pong)," BOTH V ", " TILE ", " TILE ", " TILE ", " V ", " V
                  ") {reduceOp = #pto<reduce_op sum>, root = 0 : i32}\n"
                  " pto.comm.tbroadcast(%po, recv(%ping)," BOTH V ", " TILE ", " V ", " V
                  ") {root = 0 : i32}\n"
                  " } else {\n" NOTIFY("qn", "i1", "set") " }\n" TAIL;
  run r = begin(k_text, 2);
  for (int64_t seed = 0; seed < 10; ++seed) {
    clear(&r);
    ok(r.ctx, pto_program_set_schedule(r.ctx, r.program, seed));
    runs(&r);
    assert_true(element(&r, 0, 7) == 2.0F && element(&r, 1, 7) == 2.0F);
  }
  end(&r);
  /* In one statement; the root adds its own part first. */
  r = begin(HEAD " %first = arith.cmpi eq, %rank, %i0 : i32\n scf.if %first {\n" WAIT(
                "i1", "ge") " %acc = pto.alloc_tile : " TILE
                            "\n"
                            " pto.comm.allreduce(%acc, recv(%ping, %pong), group(%po, %pn) : " TILE ", " TILE ", " TILE
                            ", " V ", " V ") {reduceOp = #pto<reduce_op sum>, root = 0 : i32}\n" NOTIFY(
                                "qn", "i1", "set") " } else {\n" NOTIFY("qn", "i1", "set") WAIT("i1", "ge") " }\n" TAIL,
            2);
  for (int64_t seed = 0; seed < 10; ++seed) {
    clear(&r);
    float want[16];
    for (int i = 0; i < 16; ++i) {
      pto_tensor *part[2];
      for (int32_t rank = 0; rank < 2; ++rank) {
        part[rank] = window(r.ctx, r.world, rank, PTO_DTYPE_F32, 1, 16, 0);
        ((float *)pto_tensor_data(part[rank]))[i] = 0.1F * (float)(i + 1) + (float)rank;
      }
      want[i] = ((float *)pto_tensor_data(part[0]))[i] + ((float *)pto_tensor_data(part[1]))[i];
      for (int32_t rank = 0; rank < 2; ++rank) pto_tensor_release(part[rank]);
    }
    ok(r.ctx, pto_program_set_schedule(r.ctx, r.program, seed));
    ok(r.ctx, pto_program_set_sync(r.ctx, r.program, 1));
    runs(&r);
    assert_int_equal(pto_program_diagnostic_count(r.program), 0);
    for (int i = 0; i < 16; ++i) assert_true(element(&r, 0, i) == want[i] && element(&r, 1, i) == want[i]);
  }
  end(&r);
  /* Another rank than the root does. */
  ends(HEAD " pto.comm.tbroadcast(%po, recv(%ping)," BOTH V ", " TILE ", " V ", " V ") {root = 1 : i32}\n" TAIL, 2,
       "group-root", 17, "rank 0|rank 1");
}

/* A run takes over what the one before it made, and nothing of another world, another rank or a failed run. */
static void test_runs_again(void **state) {
  (void)state;
  run r = begin(k_ring, 4);
  runs(&r);
  run other = begin(k_ring, 4);
  runs(&other);
  /* The program of the first run on the world of the second. */
  bind(&r, other.world);
  clear(&other);
  runs(&r);
  assert_true(element(&other, 0, 3) == 4.0F && element(&r, 0, 3) == 4.0F);
  /* The world before is gone with its last handle. */
  const int64_t handles = pto_live_handles();
  pto_world_release(r.world);
  assert_int_equal(pto_live_handles(), handles - 1);
  r.world = NULL;
  clear(&other);
  ok(r.ctx, pto_program_limit_steps(r.ctx, r.program, 40));
  assert_int_equal(pto_program_run(r.ctx, r.program, NULL), PTO_ERROR_PROGRAM);
  ok(r.ctx, pto_program_limit_steps(r.ctx, r.program, 100000));
  clear(&other);
  runs(&r);
  assert_true(element(&other, 0, 3) == 4.0F);
  pto_program_release(other.program);
  pto_world_release(other.world);
  pto_context_release(other.ctx);
  end(&r);
  /* Ranks that run alone, in turn: each is the root of its own group. */
  r = begin(HEAD " pto.comm.tbroadcast(%po, recv(%ping)," BOTH V ", " TILE ", " V ", " V ") {root = 0 : i32}\n" TAIL,
            2);
  pto_context *of[] = {pto_world_context(r.ctx, r.world, 0), pto_world_context(r.ctx, r.world, 1)};
  for (int i = 0; i < 5; ++i) ok(of[i % 2], pto_program_run(of[i % 2], r.program, NULL));
  for (int i = 0; i < 2; ++i) pto_context_release(of[i]);
  end(&r);
}

/* Data that arrives late: a signal overtakes it where no barrier is in between, and a correct program does not notice.
 */
static void test_late_data(void **state) {
  (void)state;
#define SENDS(barrier)                                                                                         \
  HEAD " %a0 = arith.constant 0 : i64\n %p = pto.alloc_tile addr = %a0 : " TILE                                \
       "\n %first = arith.cmpi eq, %rank, %i0 : i32\n scf.if %first {\n" PUT barrier NOTIFY(                   \
           "qn", "i1", "set") " } else {\n" WAIT("i1", "ge") " pto.comm.tput(%pn, %po, buf(%ping) : " V ", " V \
                                                             ", " TILE ")\n }\n" TAIL
  static const char k_overtakes[] = SENDS("");
  static const char k_drains[] = SENDS(" pto.barrier <PIPE_ALL>\n");
  for (int late = 0; late < 2; ++late) {
    for (int drains = 0; drains < 2; ++drains) {
      /* Rank 0 sends ones to rank 1, which sends back what it has once it sees the signal. */
      run r = begin(drains != 0 ? k_drains : k_overtakes, 2);
      pto_tensor *own = window(r.ctx, r.world, 0, PTO_DTYPE_F32, 1, 16, 0);
      for (int i = 0; i < 16; ++i) ((float *)pto_tensor_data(own))[i] = 1.0F;
      ok(r.ctx, pto_program_set_late_data(r.ctx, r.program, late));
      runs(&r);
      const float back = late != 0 && drains == 0 ? 0.0F : 1.0F;
      assert_true(element(&r, 0, 5) == back);
      assert_true(element(&r, 1, 5) == 1.0F); /* it arrives in the end */
      pto_tensor_release(own);
      end(&r);
    }
  }
  /* Where a compiler orders the pipes, the signal waits. */
  run r = begin(k_ring, 5);
  for (int64_t seed = 0; seed < 10; ++seed) {
    clear(&r);
    ok(r.ctx, pto_program_set_schedule(r.ctx, r.program, seed));
    ok(r.ctx, pto_program_set_late_data(r.ctx, r.program, 1));
    runs(&r);
    assert_true(element(&r, 0, 9) == 5.0F);
  }
  end(&r);
}

/* What the text alone shows, a check refuses with the same rule. */
static void test_checks(void **state) {
  (void)state;
  const struct {
    const char *statement;
    const char *rule;
  } k_bad[] = {
      {" pto.comm.tput(%pn, %qo, buf(%ping) : " V ", " S ", " TILE ")\n", "comm-dtype"},
      {" %b = pto.alloc_tile : !pto.tile_buf<vec, 1x24xf32>\n"
       " pto.comm.tput(%pn, %po, buf(%b) : " V ", " V ", !pto.tile_buf<vec, 1x24xf32>)\n",
       "staging"},
      {" %b = pto.alloc_tile : !pto.tile_buf<mat, 1x16xf32>\n"
       " pto.comm.tget(%po, %pn, buf(%b) : " V ", " V ", !pto.tile_buf<mat, 1x16xf32>)\n",
       "staging"},
      {" pto.comm.tnotify(%pn, %i1 : " V ", i32) {notifyOp = #pto<notify_op set>}\n", "signal"},
      {" pto.comm.twait(%po, %i1 : " V ", i32) {cmp = #pto<wait_cmp eq>}\n", "signal"},
      {" pto.comm.twait(%qo, %i1 : " S ", i32) {cmp = #pto<wait_cmp is>}\n", "attribute-value"},
      {" pto.comm.tbroadcast(%po, recv(%ping)," BOTH V ", " TILE ", " V ", " V ") {root = 2 : i32}\n", "group"},
      {" pto.comm.tgather(%po, recv(%ping)," BOTH V ", " TILE ", " V ", " V ") {root = 0 : i32}\n", "group-rows"},
      {" pto.comm.tput(%pn, buf(%ping) : " V ", " TILE ")\n", "syntax"},
      {" pto.comm.tput(%pn, %po, buf(%rank) : " V ", " V ", i32)\n", "operand-type"},
  };
  pto_context *ctx = pto_context_create(PTO_PROFILE_CPU);
  for (size_t i = 0; i < sizeof k_bad / sizeof *k_bad; ++i) {
    char text[8192];
    snprintf(text, sizeof text, "%s%s%s", HEAD, k_bad[i].statement, TAIL);
    pto_program *program = pto_program_parse(ctx, text, (int64_t)strlen(text), "r.pto");
    assert_int_equal(pto_program_check(ctx, program), PTO_ERROR_PROGRAM);
    if (strcmp(pto_program_diagnostic_rule(program, 0), k_bad[i].rule) != 0) {
      fail_msg("%s: %s", k_bad[i].rule, pto_program_diagnostic_text(program, 0));
    }
    pto_program_release(program);
  }
  pto_context_release(ctx);
}

/* What a run needs of its arguments holds on each rank. */
static void test_arguments(void **state) {
  (void)state;
  run r = begin(k_ring, 2);
  ok(r.ctx, pto_program_bind_on(r.ctx, r.program, 1));
  ok(r.ctx, pto_program_bind_tensor(r.ctx, r.program, "own", NULL));
  expect_error(r.ctx, pto_program_run(r.ctx, r.program, NULL), PTO_ERROR_PROGRAM, "unbound-argument", "own", "rank 1");
  expect_error(r.ctx, pto_program_bind_on(r.ctx, r.program, 2), PTO_ERROR_ARGUMENT, "rank", "rank", "2");
  expect_error(r.ctx, pto_program_bind_on(r.ctx, r.program, -2), PTO_ERROR_ARGUMENT, "rank", "rank", "-2");
  end(&r);
}

/* A printed program is the same program. */
static void test_print(void **state) {
  (void)state;
  pto_context *ctx = pto_context_create(PTO_PROFILE_CPU);
  pto_program *program = pto_program_parse(ctx, k_ring, (int64_t)strlen(k_ring), "r.pto");
  const char *printed = pto_program_print(ctx, program, PTO_FORM_DPS);
  assert_non_null(printed);
  assert_non_null(strstr(printed, "pto.comm.tput(%pn, %po, buf(%ping) : "));
  pto_program *again = pto_program_parse(ctx, printed, (int64_t)strlen(printed), "r.pto");
  assert_int_equal(pto_program_diagnostic_count(again), 0);
  assert_string_equal(pto_program_print(ctx, again, PTO_FORM_DPS), printed);
  pto_program_release(again);
  pto_program_release(program);
  pto_context_release(ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ring),        cmocka_unit_test(test_lost_signals),
      cmocka_unit_test(test_polling),     cmocka_unit_test(test_waits_that_nothing_satisfies),
      cmocka_unit_test(test_collectives), cmocka_unit_test(test_checks),
      cmocka_unit_test(test_arguments),   cmocka_unit_test(test_print),
      cmocka_unit_test(test_runs_again),  cmocka_unit_test(test_late_data),
  };
  return cmocka_run_group_tests_name("programs on ranks", tests, NULL, NULL);
}

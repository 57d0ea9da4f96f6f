/* rules_tests.h: the tests of the rules, one a rule id and named after it. */
#ifndef PTO_TESTS_RULES_RULES_TESTS_H_
#define PTO_TESTS_RULES_RULES_TESTS_H_

#include "testing.h"

#define RULE_TEST(f) cmocka_unit_test_setup_teardown(f, fixture_set_up, fixture_tear_down)

extern const struct CMUnitTest k_tile_rules[];
extern const int k_tile_rule_count;
extern const struct CMUnitTest k_op_rules[];
extern const int k_op_rule_count;
extern const struct CMUnitTest k_type_rules[];
extern const int k_type_rule_count;
extern const struct CMUnitTest k_region_rules[];
extern const int k_region_rule_count;
extern const struct CMUnitTest k_scratch_rules[];
extern const int k_scratch_rule_count;
extern const struct CMUnitTest k_move_rules[];
extern const int k_move_rule_count;
extern const struct CMUnitTest k_irregular_rules[];
extern const int k_irregular_rule_count;
extern const struct CMUnitTest k_tensor_rules[];
extern const int k_tensor_rule_count;
extern const struct CMUnitTest k_matrix_rules[];
extern const int k_matrix_rule_count;
extern const struct CMUnitTest k_table_rules[];
extern const int k_table_rule_count;
extern const struct CMUnitTest k_image_rules[];
extern const int k_image_rule_count;
extern const struct CMUnitTest k_fixpipe_rules[];
extern const int k_fixpipe_rule_count;
extern const struct CMUnitTest k_program_rules[];
extern const int k_program_rule_count;
extern const struct CMUnitTest k_sync_rules[];
extern const int k_sync_rule_count;
extern const struct CMUnitTest k_core_rules[];
extern const int k_core_rule_count;
extern const struct CMUnitTest k_rank_rules[];
extern const int k_rank_rule_count;

#endif /* PTO_TESTS_RULES_RULES_TESTS_H_ */

/*
 * What libpto asks of a plug-in for MPI. There is a plug-in for each library of MPI, because their ABIs differ; it is
 * loaded when PTO_TRANSPORT=mpi asks for it. A plug-in of another version is not used.
 */
#ifndef PTO_SRC_OBJECTS_MPI_PLUGIN_H_
#define PTO_SRC_OBJECTS_MPI_PLUGIN_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PTO_MPI_PLUGIN_VERSION = 3 };

typedef enum pto_mpi_sum { PTO_MPI_SUM_I8, PTO_MPI_SUM_I16, PTO_MPI_SUM_I32, PTO_MPI_SUM_F32 } pto_mpi_sum;

/* Bytes in the window of a rank, and in memory here. */
typedef struct pto_mpi_part {
  int32_t rank;
  int64_t offset;
  void *data;
  int64_t bytes;
} pto_mpi_part;

/* An operation that MPI did not do: its name, the rank whose window it was for, and the error in MPI's words, one line.
 */
typedef struct pto_mpi_error {
  const char *operation; /* NULL: there was no error */
  int32_t rank;
  char text[256];
} pto_mpi_error;

typedef struct pto_mpi_plugin {
  int32_t version;
  /* Starts MPI unless the program did. False: it cannot be started. */
  int (*join)(int32_t *rank, int32_t *ranks);
  /*
   * Makes a window of `bytes` on every rank, zeroed; all ranks call it. data[r] is where this process sees the
   * window of rank r; NULL: only by the functions below, as for all ranks but the own one where `shared` is 0. `*table`
   * is memory that all ranks of this machine share, zeroed, if all ranks are on it and `shared` is not 0; else NULL.
   * NULL, on every rank: one of them has no memory, or MPI failed there. A window stays until the process ends, because
   * all ranks must free it together.
   */
  void *(*open)(int64_t bytes, int64_t table_bytes, int shared, void **data, void **table);
  /*
   * These are complete at the other ranks when they return. All parts are under way at once. The first error is stored
   * in `*error` unless it already has one.
   */
  void (*put)(void *window, const pto_mpi_part *parts, int32_t count, pto_mpi_error *error);
  void (*get)(void *window, const pto_mpi_part *parts, int32_t count, pto_mpi_error *error);
  void (*sum)(void *window, int32_t rank, int64_t offset, const void *from, int64_t count, pto_mpi_sum type,
              pto_mpi_error *error);
  void (*set)(void *window, int32_t rank, int64_t offset, int32_t value, pto_mpi_error *error);
  /* Lets operations of other ranks on this rank's window finish. A rank that waits calls it. */
  void (*progress)(void *window);
} pto_mpi_plugin;

/* The only symbol of a plug-in. */
#define PTO_MPI_PLUGIN_SYMBOL "pto_mpi_plugin_table"

#ifdef __cplusplus
}
#endif

#endif /* PTO_SRC_OBJECTS_MPI_PLUGIN_H_ */

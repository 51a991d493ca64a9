/* Copyright (c) the juxta authors. SPDX-License-Identifier: MIT */
/**
 * @file
 * What every other header of the C interface uses: errors, where a call runs, arrays, ids.
 *
 * Rules of all calls:
 * - The order of parameters is: the owner, what you ask about, where answers go, options, context, error.
 * - A call that can fail returns a juxta_status. JUXTA_OK is 0. It writes the reason to `error`, which may be
 * NULL. Then nothing was changed, and results are unspecified.
 * - A query about one thing cannot fail: a NaN, an inverted box or a dead body finds nothing.
 * - Structs of options and contexts come from juxta_default_...(). NULL stands for the defaults.
 * - Handles are freed by juxta_..._free(), which takes NULL too. Using one afterwards is undefined, as is
 * NULL where this is not said to be allowed.
 * - No global state, no C++ exception, no printing.
 * - Strides are in bytes, from one element to the next; 0 means that elements follow each other. Nothing is
 * read behind the last element.
 * - Threads: as many calls at once as you like on a const handle; calls on others one at a time.
 *
 * Stability: JUXTA_STABLE functions keep their meaning and their binary interface until the next minor
 * version before 1.0, and until the next major version after it. JUXTA_EXPERIMENTAL ones may change with any
 * version.
 */
#ifndef JUXTA_C_CORE_H
#define JUXTA_C_CORE_H

/* NOLINTBEGIN(modernize-deprecated-headers): those of C++ have other names. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
/* NOLINTEND(modernize-deprecated-headers) */

#include <juxta/core/export.h>

#define JUXTA_STABLE
#define JUXTA_EXPERIMENTAL

#ifdef __cplusplus
extern "C" {
#endif

/** What went wrong, for a program. The sentence in juxta_error::message is for a person. */
typedef enum juxta_status {
  JUXTA_OK = 0,
  JUXTA_INVALID_ARGUMENT = 1, /**< An option or a size that makes no sense. */
  JUXTA_NOT_FINITE = 2, /**< A NaN, or an infinity where none is allowed; juxta_error::index says which. */
  JUXTA_TOO_LARGE = 3,  /**< More elements than an index holds (2^32 - 2). */
  JUXTA_UNSUPPORTED_CPU = 4, /**< Below SSE4.2, or JUXTA_ISA names a set that this machine lacks. */
  JUXTA_IO = 5,              /**< The operating system refused: missing file, missing right, full disk. */
  JUXTA_CORRUPT_FILE = 6,    /**< Not one of our files, another version, truncated, or damaged. */
  JUXTA_PARSE = 7,           /**< A text file with a mistake; juxta_error::line says where. */
  JUXTA_CANCELLED = 8,       /**< A monitor asked to stop. */
  JUXTA_NOT_FOUND = 9,       /**< A dead id, a missing column. */
  JUXTA_OUT_OF_MEMORY = 10   /**< The handle that was changed may only be freed. */
} juxta_status;

/** "Nowhere": the value of a place that an error does not have. */
#define JUXTA_NOWHERE UINT64_MAX
/** "No body": the answer of a query that finds nothing. */
#define JUXTA_NO_BODY UINT32_MAX

/** Why a call did not do its job. You own it; a call that succeeds does not touch it. */
typedef struct juxta_error {
  juxta_status code;
  uint64_t index;    /**< Element of the input, from 0, or JUXTA_NOWHERE. */
  uint64_t line;     /**< Line of a text file, from 1, or JUXTA_NOWHERE. */
  uint64_t byte;     /**< Offset in a binary file, from 0, or JUXTA_NOWHERE. */
  char message[480]; /**< One sentence that says what to do, in UTF-8, cut off where it does not fit. */
} juxta_error;

/** The version of these headers: 10000 * major + 100 * minor + patch. */
#define JUXTA_C_VERSION 300
/** The version of the library that the program runs with, in the same form. Never fails. */
JUXTA_STABLE JUXTA_API int juxta_version(void);

/** Names a thing in a dynamic owner for as long as it lives. A default Id (slot UINT32_MAX) names nothing. */
typedef struct juxta_id {
  uint32_t slot;
  uint32_t generation;
} juxta_id;

/** What a query found, and what it cost. */
typedef struct juxta_query_result {
  size_t found;   /**< Answers that exist, also when the array is too short for them. */
  size_t written; /**< Stored in the array, or handed to the visitor. */
  size_t tested;  /**< Elements compared with the query: boxes, points, agents. */
  size_t visited; /**< Blocks of elements and tree nodes read. */
} juxta_query_result;

/** Part of a loop: the elements first ... last - 1. */
typedef void (*juxta_body)(void* body_user, size_t first, size_t last);

/**
 * Your job system. `parallel_for` calls `body` once for every range [i * grain, min((i + 1) * grain, count)),
 * on any thread and in any order, and returns when all calls have returned. `grain` is at least 1. Bodies may
 * call parallel_for. The ranges do not depend on the number of threads, and so no result does.
 */
typedef struct juxta_executor {
  void* user; /**< Yours: handed to parallel_for. */
  void (*parallel_for)(void* user, size_t count, size_t grain, juxta_body body, void* body_user);
} juxta_executor;

/** Progress out, cancel in: called a few times per stage, on the thread that made the call. */
typedef struct juxta_monitor {
  void* user; /**< Yours: handed to on_progress. */
  /** `done` of `total` units of the work `stage` are finished (total 0: unknown). Return false to cancel. */
  bool (*on_progress)(void* user, const char* stage, uint64_t done, uint64_t total);
} juxta_monitor;

/** Scratch memory that you keep between calls, so that a call of a size seen before allocates nothing. */
typedef struct juxta_workspace juxta_workspace;

/** A new workspace. It serves one call at a time. NULL when there is no memory. */
JUXTA_STABLE JUXTA_API juxta_workspace* juxta_workspace_build(void);
/** Frees it. NULL is fine. */
JUXTA_STABLE JUXTA_API void juxta_workspace_free(juxta_workspace* workspace);
/** Bytes that it holds. */
JUXTA_STABLE JUXTA_API size_t juxta_workspace_memory_bytes(const juxta_workspace* workspace);

/** Where a call runs, and who watches it. It never changes a result. From juxta_default_context(). */
typedef struct juxta_context {
  uint32_t cookie;                /**< From juxta_default_context(). */
  const juxta_executor* executor; /**< NULL: the calling thread. */
  juxta_workspace* workspace;     /**< NULL: memory for this call alone. */
  const juxta_monitor* monitor;   /**< NULL: no progress, no cancelling. */
} juxta_context;

/** On the calling thread, with memory of its own, unwatched. What NULL stands for, too. */
JUXTA_STABLE JUXTA_API juxta_context juxta_default_context(void);

/** Threads of oneTBB, for programs without a job system. */
typedef struct juxta_threads juxta_threads;

/**
 * Starts `count` threads, the caller's included; 0 means as many as this process may use.
 * Errors: JUXTA_INVALID_ARGUMENT (built without oneTBB, more than 1024 threads), JUXTA_IO (the system starts
 * fewer).
 */
JUXTA_STABLE JUXTA_API juxta_status juxta_threads_build(unsigned count, juxta_threads** out,
                                                        juxta_error* error);
/** Ends them. NULL is fine. */
JUXTA_STABLE JUXTA_API void juxta_threads_free(juxta_threads* threads);
/** How many there are. */
JUXTA_STABLE JUXTA_API unsigned juxta_threads_count(const juxta_threads* threads);
/** The executor for a juxta_context. It lives as long as `threads`. */
JUXTA_STABLE JUXTA_API const juxta_executor* juxta_threads_executor(const juxta_threads* threads);

#ifdef __cplusplus
}
#endif

#endif

/* Copyright (c) the juxta authors. SPDX-License-Identifier: MIT */
/**
 * @file
 * Agents: a simulation is one world and the populations in it; a population is a table with a row for each
 * agent and a named column for each of its properties. juxta/agents/simulation.h and population.h have the
 * long description, juxta/c/agents_passes.h and agents_lists.h the questions about neighbours.
 *
 *     for each step:   juxta_population_sort()      each population that is seen
 *                      juxta_population_reduce()    passes; your own loops over columns
 *                      juxta_simulation_end_step()  births, deaths, step + 1
 */
#ifndef JUXTA_C_AGENTS_H
#define JUXTA_C_AGENTS_H

#include <juxta/c/field.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A world, its populations and its fields. */
typedef struct juxta_simulation juxta_simulation;
/** Agents of one kind. Belongs to its simulation, and stays where it is as long as that lives. */
typedef struct juxta_population juxta_population;

/** What the values of a column are. */
typedef enum juxta_column_kind {
  JUXTA_COLUMN_FLOAT = 0,     /**< float: passes can read and write it. */
  JUXTA_COLUMN_DOUBLE = 1,    /**< double */
  JUXTA_COLUMN_INT32 = 2,     /**< int32_t */
  JUXTA_COLUMN_UINT32 = 3,    /**< uint32_t */
  JUXTA_COLUMN_UINT8 = 4,     /**< uint8_t */
  JUXTA_COLUMN_REFERENCE = 5, /**< juxta_id of an agent; becomes juxta_no_id() when that agent dies. */
  JUXTA_COLUMN_OTHER = 6,     /**< Bytes of a type that C++ gave the column. Not for C. */
  JUXTA_COLUMN_RESULT = 7     /**< float that a pass fills: sorting does not carry it. */
} juxta_column_kind;

/** "No row": the answer where there is no agent, and a birth without a parent. */
#define JUXTA_NO_ROW UINT32_MAX

/** What juxta_simulation_end_step() did in one population. */
typedef struct juxta_step_report {
  size_t born;
  size_t died;
  size_t nulled; /**< References to agents that died. */
} juxta_step_report;

/** An empty simulation. Errors: JUXTA_INVALID_ARGUMENT, JUXTA_NOT_FINITE (of the world). */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_simulation_build(const juxta_world* world, uint64_t seed,
                                                                 juxta_simulation** out, juxta_error* error);
/** Frees it, its populations and its fields. NULL is fine. */
JUXTA_EXPERIMENTAL JUXTA_API void juxta_simulation_free(juxta_simulation* simulation);
/** Writes the whole state to a file, between two steps. A failure leaves the old file. Errors: JUXTA_IO. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_simulation_save(const juxta_simulation* simulation,
                                                                const char* path, juxta_error* error);
/** A saved simulation, which goes on to the bit. Errors: JUXTA_IO, JUXTA_CORRUPT_FILE. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_simulation_load(const char* path, juxta_simulation** out,
                                                                juxta_error* error);
/** Its world. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_world juxta_simulation_world(const juxta_simulation* simulation);
/** Steps that ended. */
JUXTA_EXPERIMENTAL JUXTA_API uint32_t juxta_simulation_step(const juxta_simulation* simulation);
/** The seed that it was built with. */
JUXTA_EXPERIMENTAL JUXTA_API uint64_t juxta_simulation_seed(const juxta_simulation* simulation);

/** A new, empty population. Errors: JUXTA_INVALID_ARGUMENT (an empty name, or one that is taken). */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_simulation_add_population(juxta_simulation* simulation,
                                                                          const char* name,
                                                                          juxta_population** out,
                                                                          juxta_error* error);
/** The population of that name, or NULL. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_population* juxta_simulation_find_population(juxta_simulation* simulation,
                                                                                const char* name);
/** How many there are. */
JUXTA_EXPERIMENTAL JUXTA_API size_t juxta_simulation_population_count(const juxta_simulation* simulation);
/** One of them, in the order in which they were added; NULL behind the last one. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_population* juxta_simulation_population(juxta_simulation* simulation,
                                                                           size_t index);
/**
 * A new field of zeros, saved and loaded with the agents. It belongs to the simulation and stays where it is
 * as long as that lives: never free it. `options`: as of juxta_field_build(); the world is
 * juxta_simulation_world() as a rule. Errors: JUXTA_INVALID_ARGUMENT (an empty name, or one that is taken;
 * dimensions other than the world's), those of juxta_field_build().
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_simulation_add_field(juxta_simulation* simulation,
                                                                     const char* name,
                                                                     const juxta_field_options* options,
                                                                     juxta_field** out, juxta_error* error);
/** The field of that name, or NULL. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_field* juxta_simulation_find_field(juxta_simulation* simulation,
                                                                      const char* name);
/** How many fields there are. */
JUXTA_EXPERIMENTAL JUXTA_API size_t juxta_simulation_field_count(const juxta_simulation* simulation);
/** One of them, in the order in which they were added; NULL behind the last one. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_field* juxta_simulation_field(juxta_simulation* simulation, size_t index);
/**
 * Carries out births and deaths, sets references to the dead to juxta_no_id(), and counts the step. Survivors
 * keep their order; the newborn stand behind them, in the order in which they were noted. `reports`, which
 * may be NULL with size 0: the first `size` populations'. Errors: JUXTA_TOO_LARGE (more than 2^32 - 2 agents;
 * those births are dropped, all else is done).
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_simulation_end_step(juxta_simulation* simulation,
                                                                    juxta_step_report* reports, size_t size,
                                                                    juxta_error* error);

/** Its name; valid as long as the simulation. */
JUXTA_EXPERIMENTAL JUXTA_API const char* juxta_population_name(const juxta_population* population);
/** Agents alive, in the rows below this number. */
JUXTA_EXPERIMENTAL JUXTA_API size_t juxta_population_size(const juxta_population* population);
/** Bytes that it holds. */
JUXTA_EXPERIMENTAL JUXTA_API size_t juxta_population_memory_bytes(const juxta_population* population);

/**
 * A new column. Every agent has `initial`, one value of that kind (NULL: zeros), and so have those that come
 * later. `out`, which may be NULL: its number. Columns 0, 1 and, in 3D, 2 are the positions "x", "y", "z".
 * Errors: JUXTA_INVALID_ARGUMENT (an empty name, or one that is taken; JUXTA_COLUMN_REFERENCE and
 * JUXTA_COLUMN_OTHER; an initial value of a result).
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_population_add_column(juxta_population* population,
                                                                      const char* name,
                                                                      juxta_column_kind kind,
                                                                      const void* initial, uint32_t* out,
                                                                      juxta_error* error);
/**
 * A column of ids of agents of `target`, which may be the same population. Errors: JUXTA_INVALID_ARGUMENT
 * (the name; a target of another simulation).
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_population_add_references(juxta_population* population,
                                                                          const char* name,
                                                                          const juxta_population* target,
                                                                          uint32_t* out, juxta_error* error);
/**
 * Gives agents a size: the columns "ex", "ey" (and "ez"), half the edges of each agent's box, 0 at first.
 * Passes then go by the gap between boxes. Errors: JUXTA_INVALID_ARGUMENT (one of the names is taken).
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_population_add_extents(juxta_population* population,
                                                                       juxta_error* error);
/** The number of a column. Errors: JUXTA_NOT_FOUND. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_population_find_column(const juxta_population* population,
                                                                       const char* name, uint32_t* out,
                                                                       juxta_error* error);
/** How many columns there are, the positions included. */
JUXTA_EXPERIMENTAL JUXTA_API uint32_t juxta_population_column_count(const juxta_population* population);
/** The name of a column, valid as long as the simulation; NULL behind the last one. */
JUXTA_EXPERIMENTAL JUXTA_API const char* juxta_population_column_name(const juxta_population* population,
                                                                      uint32_t column);
/** What its values are; JUXTA_COLUMN_OTHER behind the last one. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_column_kind
juxta_population_column_kind(const juxta_population* population, uint32_t column);

/**
 * The values of a column, juxta_population_size() of them, row by row. NULL when there is no such column, or
 * when `kind` is not its kind; a result may be read as floats. Valid until the next sort, insert, end of a
 * step or new column.
 */
JUXTA_EXPERIMENTAL JUXTA_API const void* juxta_population_read(const juxta_population* population,
                                                               uint32_t column, juxta_column_kind kind);
/** The same, to be written. Writing positions makes the order stale: sort before the next pass. */
JUXTA_EXPERIMENTAL JUXTA_API void* juxta_population_write(juxta_population* population, uint32_t column,
                                                          juxta_column_kind kind);

/** The agent in a row; juxta_no_id() behind the last one. It keeps its id wherever it stands. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_id juxta_population_id(const juxta_population* population, uint32_t row);
/** The row in which an agent stands now; JUXTA_NO_ROW for the dead. */
JUXTA_EXPERIMENTAL JUXTA_API uint32_t juxta_population_row(const juxta_population* population, juxta_id id);
/** The same for many agents. */
JUXTA_EXPERIMENTAL JUXTA_API void juxta_population_rows(const juxta_population* population,
                                                        const juxta_id* ids, size_t count, uint32_t* out);

/**
 * `count` agents that live from now on, in the last rows, with each column's initial value: for filling a
 * world. `first`, which may be NULL: the first new row. Errors: JUXTA_TOO_LARGE.
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_population_insert(juxta_population* population, size_t count,
                                                                  uint32_t* first, juxta_error* error);
/**
 * Notes `count` births for the end of the step: with the values that the parents in the rows `parents` have
 * now, or with initial values where that is JUXTA_NO_ROW, or for all when `parents` is NULL. Set other values
 * when the step has ended: the newborn are the last rows. Errors: JUXTA_INVALID_ARGUMENT (a parent that is
 * not there, with its index; nothing is noted).
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_population_spawn(juxta_population* population,
                                                                 const uint32_t* parents, size_t count,
                                                                 juxta_error* error);
/**
 * Notes the deaths of the agents in `count` rows for the end of the step. Twice is once. Errors:
 * JUXTA_INVALID_ARGUMENT (a row that is not there, with its index; nothing is noted).
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_population_kill(juxta_population* population,
                                                                const uint32_t* rows, size_t count,
                                                                juxta_error* error);

#ifdef __cplusplus
}
#endif

#endif

/* Copyright (c) the juxta authors. SPDX-License-Identifier: MIT */
/**
 * @file
 * Agents in the cells of a grid: where each one is, which ones are near, which cells are free.
 * juxta/grid/grid_space.h has the long description, docs/grid.md the guide.
 *
 * Cell (x, y, z) is number x + nx * (y + ny * z), x fastest. It covers [x, x + 1) along x, and so on. An
 * agent is a row of yours, such as a row of a population. Rows and cells that are not there have no agents,
 * no cell and counts of 0.
 */
#ifndef JUXTA_C_GRID_SPACE_H
#define JUXTA_C_GRID_SPACE_H

#include <juxta/c/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Agents in cells. */
typedef struct juxta_grid_space juxta_grid_space;

/** "No cell": where a row is that is in none. */
#define JUXTA_NO_CELL UINT32_MAX
/** "No row": the agent of a cell that is free. */
#define JUXTA_NO_ROW UINT32_MAX

/** How many agents a cell holds. */
typedef enum juxta_cell_holds {
  JUXTA_CELL_HOLDS_ONE = 0, /**< One agent, or none. */
  JUXTA_CELL_HOLDS_MANY = 1 /**< Any number. */
} juxta_cell_holds;

/** Which cells are near a cell. */
typedef enum juxta_near_shape {
  JUXTA_NEAR_MOORE = 0, /**< Up to `radius` along each axis: a square. 8 cells for radius 1, in space 26. */
  JUXTA_NEAR_VON_NEUMANN = 1 /**< Up to `radius` steps along the axes: a diamond. 4 cells, in space 6. */
} juxta_near_shape;

/** What is near. No cookie: initialise it as a whole, {radius, shape}. */
typedef struct juxta_neighbourhood {
  uint32_t radius; /**< In cells. */
  uint32_t shape;  /**< A juxta_near_shape. */
} juxta_neighbourhood;

/** What all random numbers of one pass have in common. A number is a function of this key and of a row. */
typedef struct juxta_random_key {
  uint64_t seed;    /**< Of the whole run. */
  uint32_t step;    /**< Of the simulation. */
  uint32_t purpose; /**< What the number is for. Different purposes give independent numbers. */
} juxta_random_key;

/** The grid, and what is counted. From juxta_default_grid_space_options(). */
typedef struct juxta_grid_space_options {
  uint32_t cookie;          /**< From juxta_default_grid_space_options(). */
  uint32_t cells[3];        /**< Along x, y and z: 1 or more each, 2^31 - 1 in all. In 2D the third is 1. */
  uint32_t edges[3];        /**< A juxta_edge per axis. JUXTA_EDGE_OPEN is as a wall. */
  uint32_t holds;           /**< A juxta_cell_holds. */
  uint32_t kinds;           /**< Agents are of kinds 0, 1, ...: up to 64. 0: nothing is counted. */
  juxta_neighbourhood near; /**< What is near, for the counts of each kind. */
} juxta_grid_space_options;

/** One cell with walls, one agent a cell, no kinds, Moore's neighbourhood of radius 1. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_grid_space_options juxta_default_grid_space_options(void);

/**
 * A space without agents. Errors: JUXTA_INVALID_ARGUMENT (no cells along an axis: index: the axis; kinds,
 * edges, holds, shape), JUXTA_TOO_LARGE, JUXTA_UNSUPPORTED_CPU.
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_grid_space_build(const juxta_grid_space_options* options,
                                                                 juxta_grid_space** out, juxta_error* error);
/** Frees it. NULL is fine. */
JUXTA_EXPERIMENTAL JUXTA_API void juxta_grid_space_free(juxta_grid_space* space);

/** What it was built with. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_grid_space_options
juxta_grid_space_get_options(const juxta_grid_space* space);
/** Agents in it. */
JUXTA_EXPERIMENTAL JUXTA_API size_t juxta_grid_space_size(const juxta_grid_space* space);
/** Bytes that it holds. */
JUXTA_EXPERIMENTAL JUXTA_API size_t juxta_grid_space_memory_bytes(const juxta_grid_space* space);

/**
 * Row i is in the cell that holds point i, and of kind kinds[i]; no other agent is in a cell. Points come as
 * coordinates, each `stride` bytes from that of the next point; 0: packed. In 2D z is not looked at, nor are
 * `kinds` without kinds; they are `kind_stride` bytes apart. Errors: JUXTA_INVALID_ARGUMENT (a position
 * outside of the grid or not a number, a kind that is not there, a cell that is taken: index: the lowest
 * row), JUXTA_TOO_LARGE (more rows than 2^32 - 2). After these the space is empty. After
 * JUXTA_INVALID_ARGUMENT without an index (NULL, a stride that is too short) it is as it was.
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_grid_space_rebuild(juxta_grid_space* space, const float* x,
                                                                   const float* y, const float* z,
                                                                   size_t stride, const uint8_t* kinds,
                                                                   size_t kind_stride, size_t count,
                                                                   juxta_error* error);

/**
 * Puts a row that is nowhere into a cell; without kinds, `kind` is 0. Errors of this and the next three, and
 * nothing was changed: JUXTA_INVALID_ARGUMENT (a row that is in a cell already, or in none; a cell that is
 * not there or taken; a kind that is not there): index: the row. A row beyond all others allocates memory for
 * all rows up to it.
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_grid_space_insert(juxta_grid_space* space, uint32_t row,
                                                                  uint32_t cell, uint8_t kind,
                                                                  juxta_error* error);
/** Takes a row out of its cell. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_grid_space_remove(juxta_grid_space* space, uint32_t row,
                                                                  juxta_error* error);
/** To another cell, or to its own: there it is the first of many then. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_grid_space_move(juxta_grid_space* space, uint32_t row,
                                                                uint32_t cell, juxta_error* error);
/**
 * To the cell that juxta_grid_space_free_cell() finds for (key, row), which `out` gets; `out` may be NULL.
 * Errors besides: JUXTA_NOT_FOUND (no cell is free).
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_grid_space_move_to_free(juxta_grid_space* space, uint32_t row,
                                                                        juxta_random_key key, uint32_t* out,
                                                                        juxta_error* error);
/**
 * Each agent has one turn, in a random order (`order`). One that has fewer than `enough` of its own kind near
 * it when its turn comes moves to the free cell that juxta_grid_space_move_to_free() finds for (draws, row).
 * `out_rows` gets the address of the rows that moved, in the order of their turns, and `out_count` how many
 * they are; valid until the next call of this. Errors: JUXTA_INVALID_ARGUMENT (no kinds), JUXTA_NOT_FOUND
 * (one would move, and no cell is free; those before it have moved).
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_grid_space_move_below(juxta_grid_space* space,
                                                                      uint32_t enough, juxta_random_key order,
                                                                      juxta_random_key draws,
                                                                      const uint32_t** out_rows,
                                                                      size_t* out_count, juxta_error* error);

/** Where an agent is, or JUXTA_NO_CELL. */
JUXTA_EXPERIMENTAL JUXTA_API uint32_t juxta_grid_space_cell_of(const juxta_grid_space* space, uint32_t row);
/** Its kind; 0 for a row that is nowhere. */
JUXTA_EXPERIMENTAL JUXTA_API uint8_t juxta_grid_space_kind_of(const juxta_grid_space* space, uint32_t row);
/** The first agent in a cell, which is the last that came, or the one after so many others; else
 * JUXTA_NO_ROW.
 */
JUXTA_EXPERIMENTAL JUXTA_API uint32_t juxta_grid_space_agent_in(const juxta_grid_space* space, uint32_t cell,
                                                                uint32_t after);
/** Agents in a cell, by counting them. */
JUXTA_EXPERIMENTAL JUXTA_API uint32_t juxta_grid_space_count_in(const juxta_grid_space* space, uint32_t cell);
/**
 * Agents near a cell, but not those in it: cell by cell, z, then y, then x from the lowest offset to the
 * highest. Returns how many there are; `out` gets the first `capacity` of them. None where the shape is no
 * juxta_near_shape.
 */
JUXTA_EXPERIMENTAL JUXTA_API size_t juxta_grid_space_agents_near(const juxta_grid_space* space, uint32_t cell,
                                                                 juxta_neighbourhood near, uint32_t* out,
                                                                 size_t capacity);

/** Cells without agents. */
JUXTA_EXPERIMENTAL JUXTA_API size_t juxta_grid_space_free_count(const juxta_grid_space* space);
/** A free cell, any as likely as any other, by (key, id). Errors: JUXTA_NOT_FOUND (no cell is free). */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_grid_space_free_cell(const juxta_grid_space* space,
                                                                     juxta_random_key key, uint32_t id,
                                                                     uint32_t* out, juxta_error* error);
/**
 * The free cell that is the fewest cells away, `cell` itself if it is free; of several, the first in the
 * order of juxta_grid_space_agents_near(). Errors: JUXTA_NOT_FOUND (no cell is free), JUXTA_INVALID_ARGUMENT
 * (no such cell).
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_grid_space_nearest_free(const juxta_grid_space* space,
                                                                        uint32_t cell, uint32_t* out,
                                                                        juxta_error* error);

/** Agents of a kind in a cell and near it, as the options say. */
JUXTA_EXPERIMENTAL JUXTA_API uint32_t juxta_grid_space_count_near(const juxta_grid_space* space,
                                                                  uint32_t cell, uint8_t kind);
/** Agents of its own kind near an agent, in its cell too, but not itself. */
JUXTA_EXPERIMENTAL JUXTA_API uint32_t juxta_grid_space_alike(const juxta_grid_space* space, uint32_t row);
/** Agents of all other kinds near an agent, in its cell too. */
JUXTA_EXPERIMENTAL JUXTA_API uint32_t juxta_grid_space_unlike(const juxta_grid_space* space, uint32_t row);

#ifdef __cplusplus
}
#endif

#endif

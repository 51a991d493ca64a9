/* Copyright (c) the juxta authors. SPDX-License-Identifier: MIT */
/**
 * @file
 * The world of simulations and fields: its edges and its size.
 */
#ifndef JUXTA_C_WORLD_H
#define JUXTA_C_WORLD_H

#include <juxta/c/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What is at the two ends of an axis. */
typedef enum juxta_edge {
  JUXTA_EDGE_OPEN = 0,    /**< Nothing: any finite position. */
  JUXTA_EDGE_WALL = 1,    /**< Positions are in [lo, hi]; an agent elsewhere is refused. */
  JUXTA_EDGE_PERIODIC = 2 /**< hi is lo again: neighbours are searched across. */
} juxta_edge;

/** Where agents live, and what a field covers. From juxta_default_world(). */
typedef struct juxta_world {
  uint32_t cookie;     /**< From juxta_default_world(). */
  uint32_t dimensions; /**< 2 or 3. In 2D there is no z. */
  uint32_t edges[3];   /**< A juxta_edge per axis. */
  float lo[3];         /**< Finite, lo < hi. Agents do not look at them where the edge is open. */
  float hi[3];
} juxta_world;

/** Three open axes. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_world juxta_default_world(void);

#ifdef __cplusplus
}
#endif

#endif

/* Copyright (c) the juxta authors. SPDX-License-Identifier: MIT */
/**
 * @file
 * Juxta in C99: the same answers as from C++, bit for bit. docs/c.md is the guide.
 */
#ifndef JUXTA_H
#define JUXTA_H

#include <juxta/c/agents.h>
#include <juxta/c/agents_lists.h>
#include <juxta/c/agents_passes.h>
#include <juxta/c/bodies.h>
#include <juxta/c/core.h>
#include <juxta/c/field.h>
#include <juxta/c/flock.h>
#include <juxta/c/grid_space.h>
#include <juxta/c/layer.h>
#include <juxta/c/layer_queries.h>
#include <juxta/c/ranked.h>
#include <juxta/c/ranked_labels.h>
#include <juxta/c/ranked_live.h>
#include <juxta/c/shape.h>
#include <juxta/c/transform.h>
#include <juxta/c/world.h>

#endif

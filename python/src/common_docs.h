// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Paragraphs that many docstrings share.
#pragma once

#define JUXTA_DOC_BULK                                                                           \
  "threads : int, optional\n"                                                                    \
  "    Threads to use. None: ``juxta.default_threads()``; 0: as many as this process may use.\n" \
  "progress : bool or callable, optional\n"                                                      \
  "    True shows a line; a callable gets ``(stage, done, total)`` and may return False to stop the call.\n"

#define JUXTA_DOC_DTYPE                        \
  "dtype : \"intp\" or \"uint32\", optional\n" \
  "    Of indices. \"uint32\" is what the library writes, without a copy.\n"

#define JUXTA_DOC_NARROW                                                                        \
  "skip : int or array of int, optional\n"                                                      \
  "    Bodies to leave out. For one query: a few. For many: one for each query, -1 for none.\n" \
  "only : (capacity,) array of bool, optional\n"                                                \
  "    Bodies that may be answers.\n"                                                           \
  "category, mask : int, optional\n"                                                            \
  "    What the query is, and what it meets, in bits. None: all.\n"

#define JUXTA_DOC_RAY                                                                                 \
  "origin, direction : (D,) or (m, D) array of float32\n"                                             \
  "    One of them may be shared by all rays. The direction need not have length 1: t counts in its " \
  "lengths.\n"                                                                                        \
  "max : float, or (m,) array\n"                                                                      \
  "    Where rays end, in lengths of the direction.\n"

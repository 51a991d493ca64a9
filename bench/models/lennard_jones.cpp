// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/models/rows.h"

namespace juxta::bench {

void add_lennard_jones_rows() {}

}  // namespace juxta::bench

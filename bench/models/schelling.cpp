// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/models/rows.h"

namespace juxta::bench {

void add_schelling_rows() {}

}  // namespace juxta::bench

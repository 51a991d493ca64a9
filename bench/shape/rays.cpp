// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/shape/rows.h"

namespace juxta::bench {

void add_rays_rows() {}

}  // namespace juxta::bench

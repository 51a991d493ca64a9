// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: for_each_run() of each arrangement.
#pragma once

#include "agents/directory.h"

namespace juxta::agents_detail {

void for_each_run_of_curve(const Directory& directory, const Bounds& box, const Reach& reach,
                           FunctionRef<void(Run run)> visit);
void for_each_run_of_hashed(const Directory& directory, const Bounds& box, const Reach& reach,
                            FunctionRef<void(Run run)> visit);
void for_each_run_of_tree(const Directory& directory, const Bounds& box, const Reach& reach,
                          FunctionRef<void(Run run)> visit);

}  // namespace juxta::agents_detail

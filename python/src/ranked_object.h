// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What the calls of juxta.RankedPoints share.
#pragma once

#include <vector>

#include "bind.h"
#include "guard.h"
#include "juxta/ranked/ranked_points.h"

namespace juxta::python {

struct RankedObject : Guarded {
  RankedPoints points;
  std::vector<py::object> borrowed;  // columns that the points read (copy=False)
};

void bind_ranked_nearest(py::class_<RankedObject>& ranked);

}  // namespace juxta::python

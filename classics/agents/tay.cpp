// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "classics/agents/tay.h"

#include <memory>

#include "classics/agents/tay_structures.h"

namespace juxta::classics {

std::unique_ptr<TayWorld> make_tay(TayStructure structure, const TayTest& test) {
  switch (structure) {
    case TayStructure::kGrid:
      return test.boxes ? nullptr : make_tay_grid(test);
    case TayStructure::kKd:
      return make_tay_kd(test);
    case TayStructure::kZ:
      return test.boxes ? nullptr : make_tay_z(test);
    case TayStructure::kBoxes:
      return make_tay_boxes(test);
    case TayStructure::kPointers:
      return test.boxes ? nullptr : make_tay_pointers(test);
  }
  return nullptr;
}

}  // namespace juxta::classics

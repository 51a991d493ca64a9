// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "classics/agents/tay.h"

#include <memory>

#include "classics/agents/tay_structures.h"

namespace juxta::classics {

std::unique_ptr<TayWorld> make_tay(TayStructure structure, const TayTest& test) {
  switch (structure) {
    case TayStructure::kGrid:
    case TayStructure::kGridPointers:
      return test.boxes ? nullptr : make_tay_grid(test, structure == TayStructure::kGridPointers);
    case TayStructure::kKd:
    case TayStructure::kKdPointers:
      return make_tay_kd(test, structure == TayStructure::kKdPointers);
    case TayStructure::kBoxes:
    case TayStructure::kBoxesPointers:
      return make_tay_boxes(test, structure == TayStructure::kBoxesPointers);
    case TayStructure::kZ:
      return test.boxes ? nullptr : make_tay_z(test);
    case TayStructure::kSimple:
      return make_tay_simple(test);
  }
  return nullptr;
}

}  // namespace juxta::classics

// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Any bytes are a CSV file of boxes, or of queries, that is read or refused with a line. What is read must
// obey the contract of BoxTable and QueryTable.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/check.h"
#include "juxta/files/read_boxes.h"

namespace {

void check_error(const juxta::Error& error) {
  JUXTA_FUZZ_CHECK(!error.message.empty() && error.line != juxta::Error::kNowhere && error.line > 0);
}

void check_boxes(const juxta::BoxTable& table, std::size_t bytes) {
  JUXTA_FUZZ_CHECK(table.dimensions == 2 || table.dimensions == 3);
  JUXTA_FUZZ_CHECK(table.name_end.empty() || table.name_end.size() == table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    const juxta::Aabb3& box = table.boxes[i];
    JUXTA_FUZZ_CHECK(!box.empty());
    for (int axis = 0; axis < 3; ++axis) {
      JUXTA_FUZZ_CHECK(std::isfinite(box.lo[axis]) && std::isfinite(box.hi[axis]));
    }
    JUXTA_FUZZ_CHECK(table.dimensions == 3 || (box.lo[2] == 0 && box.hi[2] == 0));
    JUXTA_FUZZ_CHECK(table.name(i).size() <= bytes);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto table = juxta::parse_boxes_csv(text);
  if (table) {
    check_boxes(*table, size);
  } else {
    check_error(table.error());
  }
  // Whoever leaves out bad rows reads a sound file alike, and of another one less.
  const auto rest = juxta::parse_boxes_csv(text, {.skip_bad = true});
  if (rest) {
    check_boxes(*rest, size);
    JUXTA_FUZZ_CHECK(table ? rest->boxes == table->boxes && rest->skipped.count == 0
                           : rest->skipped.count != 0);
  } else {
    check_error(rest.error());
    JUXTA_FUZZ_CHECK(!table);
  }
  const auto queries = juxta::parse_queries_csv(text);
  if (!queries) {
    check_error(queries.error());
    return 0;
  }
  JUXTA_FUZZ_CHECK(queries->numbers.size() == queries->size() * queries->stride());
  for (const float number : queries->numbers) {
    JUXTA_FUZZ_CHECK(!std::isnan(number));
  }
  return 0;
}

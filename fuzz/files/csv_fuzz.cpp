// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Any bytes are a CSV file that is read or refused. What is read must obey the contract of PointTable.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "juxta/files/read_points.h"

namespace {

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  juxta::PointColumns columns;  // the first byte chooses how the columns are found
  columns.rank_required = (data[0] & 1) != 0;
  if ((data[0] & 2) != 0) {
    columns.x = "2";
    columns.y = "1";
  }
  if ((data[0] & 4) != 0) {
    columns.name = "a";
  }
  if ((data[0] & 8) != 0) {
    columns.values = {"3", "b"};
  }
  if ((data[0] & 16) != 0) {
    columns.categories = "4";
  }
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto table = juxta::parse_points_csv(text, columns);
  columns.skip_bad = true;
  const auto tolerant = juxta::parse_points_csv(text, columns);
  require(!table ||
          (tolerant && tolerant->skipped.count == 0 && tolerant->x == table->x && tolerant->y == table->y &&
           tolerant->rank == table->rank && tolerant->categories == table->categories));
  require(!tolerant || table || tolerant->skipped.count != 0);
  if (!table) {
    require(!table.error().message.empty() && table.error().line != juxta::Error::kNowhere);
    return 0;
  }
  const std::size_t n = table->size();
  require(table->y.size() == n && (table->rank.empty() || table->rank.size() == n));
  require(table->name_end.empty() || table->name_end.size() == n);
  require(!columns.rank_required || table->rank.size() == n || n == 0);
  require(table->values.size() == columns.values.size() &&
          table->value_titles.size() == columns.values.size());
  for (const auto& numbers : table->values) {
    require(numbers.size() == n);
  }
  require(table->category_names.size() <= 64);
  require(table->categories.size() == (columns.categories.empty() ? 0 : n));
  for (const std::uint64_t mask : table->categories) {  // a bit that a point has has a name
    for (std::size_t bit = 0; bit < 64; ++bit) {
      require((mask >> bit & 1) == 0 ||
              (bit < table->category_names.size() && !table->category_names[bit].empty()));
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    require(std::isfinite(table->x[i]) && std::isfinite(table->y[i]));
    require(table->rank.empty() || std::isfinite(table->rank[i]));
    require(table->name(i).size() <= size);
  }
  return 0;
}

// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Any bytes are a GeoJSON file that is read or refused; the names that were read draw a map of valid XML
// text.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "juxta/files/read_points.h"
#include "juxta/files/svg_map.h"

namespace {

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  juxta::PointColumns columns;
  columns.rank_required = size % 2 == 0;
  const auto table = juxta::parse_points_geojson(text, columns);
  columns.skip_bad = true;
  const auto tolerant = juxta::parse_points_geojson(text, columns);
  require(!table || (tolerant && tolerant->skipped.count == 0 && tolerant->x == table->x &&
                     tolerant->y == table->y && tolerant->rank == table->rank));
  require(!tolerant || table || tolerant->skipped.count != 0);
  if (!table) {
    require(!table.error().message.empty());
    return 0;
  }
  const std::size_t n = table->size();
  require(table->y.size() == n && (table->rank.empty() || table->rank.size() == n));
  require(table->name_end.empty() || table->name_end.size() == n);
  for (std::size_t i = 0; i < n; ++i) {
    require(std::isfinite(table->x[i]) && std::isfinite(table->y[i]));
    const std::string name = juxta::xml_escape(table->name(i));
    require(name.find_first_of("<>\"'") == std::string::npos && name.find('\0') == std::string::npos);
  }
  return 0;
}

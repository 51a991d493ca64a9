// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Any bytes are an OBJ mesh that is read or refused with a line. What is read must obey the contract of Mesh.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/check.h"
#include "juxta/files/read_obj.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(juxta::looks_like_obj(text));
  const auto file = juxta::parse_obj(text);
  if (!file) {
    JUXTA_FUZZ_CHECK(!file.error().message.empty() && file.error().line != juxta::Error::kNowhere);
    return 0;
  }
  JUXTA_FUZZ_CHECK(!file->mesh.vertices.empty());
  for (const auto& vertex : file->mesh.vertices) {
    for (const float number : vertex) {
      JUXTA_FUZZ_CHECK(std::isfinite(number));
    }
  }
  for (const auto& triangle : file->mesh.triangles) {
    for (const std::uint32_t corner : triangle) {
      JUXTA_FUZZ_CHECK(corner < file->mesh.vertices.size());
    }
  }
  JUXTA_FUZZ_CHECK((file->unknown == 0) == (file->first_unknown_line == 0));
  for (const juxta::Aabb3& box : juxta::triangle_boxes(file->mesh)) {
    JUXTA_FUZZ_CHECK(!box.empty());
  }
  return 0;
}

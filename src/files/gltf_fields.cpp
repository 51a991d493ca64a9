// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "files/gltf_fields.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace juxta::files_detail {
namespace {

bool fits_float(const json& number) {
  return std::abs(number.get<double>()) <= static_cast<double>(std::numeric_limits<float>::max());
}

}  // namespace

tl::unexpected<Error> wrong_field(const std::string& where, const std::string& what, std::uint64_t node,
                                  ErrorCode code) {
  return fail(code, where + ": " + what, node);
}

const char* field_mismatch(const json& value, const GltfField& field) {
  const auto whole = [](const json& number, std::uint64_t largest) {
    return number.is_number_unsigned() && number.get<std::uint64_t>() <= largest;
  };
  const auto is_index = [&](const json& number) { return whole(number, 0x7FFFFFFE); };
  switch (field.kind) {
    case GltfKind::kIndex:
      return is_index(value) ? nullptr : "must be a whole number from 0 to 2147483646";
    case GltfKind::kSize:
      return whole(value, std::uint64_t{1} << 53) ? nullptr : "must be a whole number that is not negative";
    case GltfKind::kText:
      return value.is_string() ? nullptr : "must be a text";
    case GltfKind::kFlag:
      return value.is_boolean() ? nullptr : "must be true or false";
    case GltfKind::kIndices:
      return value.is_array() && std::all_of(value.begin(), value.end(), is_index)
                 ? nullptr
                 : "must be a list of whole numbers from 0 to 2147483646";
    case GltfKind::kNumbers:
      return value.is_array() && value.size() == field.length &&
                     std::all_of(value.begin(), value.end(), [](const json& n) { return n.is_number(); })
                 ? nullptr
             : field.length == 3 ? "must be a list of 3 numbers"
             : field.length == 4 ? "must be a list of 4 numbers"
                                 : "must be a list of 16 numbers";
  }
  return nullptr;
}

Result<json> known_fields(const json& from, std::span<const GltfField> fields, const std::string& where,
                          std::uint64_t node) {
  if (!from.is_object()) {
    return wrong_field(where, "must be an object, { ... }", node);
  }
  json to = json::object();
  for (const GltfField& field : fields) {
    const auto found = from.find(field.name);
    if (found == from.end()) {
      if (field.required) {
        return wrong_field(where, std::string("'") + field.name + "' is missing", node);
      }
      continue;
    }
    if (const char* why = field_mismatch(*found, field)) {
      return wrong_field(where, std::string("'") + field.name + "' " + why, node);
    }
    if (field.kind == GltfKind::kNumbers && !std::all_of(found->begin(), found->end(), fits_float)) {
      return wrong_field(where,
                         std::string("'") + field.name + "' has a number that is not finite as a float", node,
                         ErrorCode::kNotFinite);
    }
    to[field.name] = *found;
  }
  return to;
}

std::string gltf_name(const json& object) {
  const auto name = object.is_object() ? object.find("name") : object.end();
  return name != object.end() && name->is_string() ? name->get<std::string>() : std::string();
}

}  // namespace juxta::files_detail

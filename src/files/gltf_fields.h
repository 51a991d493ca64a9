// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: taking known fields out of a glTF file's JSON, each of the type that glTF says.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>

#include "juxta/core/error.h"

namespace juxta::files_detail {

using nlohmann::json;

enum class GltfKind { kIndex, kSize, kText, kFlag, kIndices, kNumbers };

/// A field that Juxta reads.
struct GltfField {
  const char* name;
  GltfKind kind;
  bool required = false;
  std::size_t length = 0;  ///< Of kNumbers.
};

[[nodiscard]] tl::unexpected<Error> wrong_field(const std::string& where, const std::string& what,
                                                std::uint64_t node = Error::kNowhere,
                                                ErrorCode code = ErrorCode::kParse);

/// Why a value is not of its kind; null: it is.
[[nodiscard]] const char* field_mismatch(const json& value, const GltfField& field);

/// The fields of `from` that are known, and no others.
[[nodiscard]] Result<json> known_fields(const json& from, std::span<const GltfField> fields,
                                        const std::string& where, std::uint64_t node = Error::kNowhere);

/// Its name; empty when it has none.
[[nodiscard]] std::string gltf_name(const json& object);

/// A list of objects under `key`, each made anew by `make(object, its place)`; an absent one is empty.
template <class Make>
Result<json> list_of(const json& owner, const char* key, const std::string& where, Make make) {
  json list = json::array();
  const auto found = owner.find(key);
  if (found == owner.end()) {
    return list;
  }
  if (!found->is_array()) {
    return wrong_field(where + "'" + key + "'", "must be a list, [ ... ]");
  }
  for (std::size_t i = 0; i < found->size(); ++i) {
    Result<json> item = make((*found)[i], i);
    if (!item) {
      return item;
    }
    if (!item->is_null()) {
      list.push_back(std::move(*item));
    }
  }
  return list;
}

}  // namespace juxta::files_detail

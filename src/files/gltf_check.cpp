// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The gate before tinygltf, which passes over a field of the wrong type without a word, takes an index modulo
// 2^32, drops a channel that it does not understand, and descends into nested extras until the stack ends.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>

#include "files/gltf_buffers.h"
#include "files/gltf_document.h"
#include "files/point_columns.h"

namespace juxta::detail {
namespace {

using nlohmann::json;

enum class Kind { kIndex, kSize, kText, kFlag, kIndices, kNumbers };

/// A field that Juxta reads.
struct Field {
  const char* name;
  Kind kind;
  bool required = false;
  std::size_t length = 0;  ///< Of kNumbers.
};

constexpr std::array<Field, 2> kBuffer = {{{"byteLength", Kind::kSize, true}, {"uri", Kind::kText}}};
constexpr std::array<Field, 4> kView = {{{"buffer", Kind::kIndex, true},
                                         {"byteLength", Kind::kSize, true},
                                         {"byteOffset", Kind::kSize},
                                         {"byteStride", Kind::kSize}}};
constexpr std::array<Field, 6> kAccessor = {{{"componentType", Kind::kIndex, true},
                                             {"count", Kind::kSize, true},
                                             {"type", Kind::kText, true},
                                             {"bufferView", Kind::kIndex},
                                             {"byteOffset", Kind::kSize},
                                             {"normalized", Kind::kFlag}}};
constexpr std::array<std::string_view, 7> kTypes = {"SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"};
constexpr std::array<Field, 1> kSparse = {{{"count", Kind::kIndex, true}}};
constexpr std::array<Field, 3> kSparseIndices = {{{"bufferView", Kind::kIndex, true},
                                                  {"componentType", Kind::kIndex, true},
                                                  {"byteOffset", Kind::kIndex}}};
constexpr std::array<Field, 2> kSparseValues = {
    {{"bufferView", Kind::kIndex, true}, {"byteOffset", Kind::kIndex}}};
constexpr std::array<Field, 8> kNode = {{{"name", Kind::kText},
                                         {"children", Kind::kIndices},
                                         {"translation", Kind::kNumbers, false, 3},
                                         {"rotation", Kind::kNumbers, false, 4},
                                         {"scale", Kind::kNumbers, false, 3},
                                         {"matrix", Kind::kNumbers, false, 16},
                                         {"mesh", Kind::kIndex},
                                         {"skin", Kind::kIndex}}};
constexpr std::array<Field, 4> kSkin = {{{"joints", Kind::kIndices, true},
                                         {"name", Kind::kText},
                                         {"inverseBindMatrices", Kind::kIndex},
                                         {"skeleton", Kind::kIndex}}};
constexpr std::array<Field, 1> kAnimation = {{{"name", Kind::kText}}};
constexpr std::array<Field, 1> kChannel = {{{"sampler", Kind::kIndex, true}}};
constexpr std::array<Field, 2> kTarget = {{{"path", Kind::kText, true}, {"node", Kind::kIndex}}};
constexpr std::array<Field, 3> kSampler = {
    {{"input", Kind::kIndex, true}, {"output", Kind::kIndex, true}, {"interpolation", Kind::kText}}};
constexpr std::array<Field, 2> kScene = {{{"name", Kind::kText}, {"nodes", Kind::kIndices}}};

tl::unexpected<Error> wrong(const std::string& where, const std::string& what,
                            std::uint64_t node = Error::kNowhere, ErrorCode code = ErrorCode::kParse) {
  return fail(code, where + ": " + what, node);
}

/// Why a value is not of its kind; null: it is.
const char* mismatch(const json& value, const Field& field) {
  const auto whole = [](const json& number, std::uint64_t largest) {
    return number.is_number_unsigned() && number.get<std::uint64_t>() <= largest;
  };
  const auto is_index = [&](const json& number) { return whole(number, 0x7FFFFFFE); };
  switch (field.kind) {
    case Kind::kIndex:
      return is_index(value) ? nullptr : "must be a whole number from 0 to 2147483646";
    case Kind::kSize:
      return whole(value, std::uint64_t{1} << 53) ? nullptr : "must be a whole number that is not negative";
    case Kind::kText:
      return value.is_string() ? nullptr : "must be a text";
    case Kind::kFlag:
      return value.is_boolean() ? nullptr : "must be true or false";
    case Kind::kIndices:
      return value.is_array() && std::all_of(value.begin(), value.end(), is_index)
                 ? nullptr
                 : "must be a list of whole numbers from 0 to 2147483646";
    case Kind::kNumbers:
      return value.is_array() && value.size() == field.length &&
                     std::all_of(value.begin(), value.end(), [](const json& n) { return n.is_number(); })
                 ? nullptr
             : field.length == 3 ? "must be a list of 3 numbers"
             : field.length == 4 ? "must be a list of 4 numbers"
                                 : "must be a list of 16 numbers";
  }
  return nullptr;
}

bool fits_float(const json& number) {
  return std::abs(number.get<double>()) <= static_cast<double>(std::numeric_limits<float>::max());
}

/// The fields of `from` that are known, and no others.
Result<json> known_fields(const json& from, std::span<const Field> fields, const std::string& where,
                          std::uint64_t node = Error::kNowhere) {
  if (!from.is_object()) {
    return wrong(where, "must be an object, { ... }", node);
  }
  json to = json::object();
  for (const Field& field : fields) {
    const auto found = from.find(field.name);
    if (found == from.end()) {
      if (field.required) {
        return wrong(where, std::string("'") + field.name + "' is missing", node);
      }
      continue;
    }
    if (const char* why = mismatch(*found, field)) {
      return wrong(where, std::string("'") + field.name + "' " + why, node);
    }
    if (field.kind == Kind::kNumbers && !std::all_of(found->begin(), found->end(), fits_float)) {
      return wrong(where, std::string("'") + field.name + "' has a number that is not finite as a float",
                   node, ErrorCode::kNotFinite);
    }
    to[field.name] = *found;
  }
  return to;
}

std::string name_of(const json& object) {
  const auto name = object.is_object() ? object.find("name") : object.end();
  return name != object.end() && name->is_string() ? name->get<std::string>() : std::string();
}

/// A list of objects under `key`, each made anew by `make(object, its place)`; an absent one is empty.
template <class Make>
Result<json> list_of(const json& owner, const char* key, const std::string& where, Make make) {
  json list = json::array();
  const auto found = owner.find(key);
  if (found == owner.end()) {
    return list;
  }
  if (!found->is_array()) {
    return wrong(where + "'" + key + "'", "must be a list, [ ... ]");
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

Result<json> sparse_of(const json& from, const std::string& where) {
  Result<json> to = known_fields(from, kSparse, where + ", 'sparse'");
  for (const auto& [key, fields] : {std::pair{"indices", std::span<const Field>(kSparseIndices)},
                                    std::pair{"values", std::span<const Field>(kSparseValues)}}) {
    if (!to) {
      return to;
    }
    const std::string part = where + ", '" + key + "' of 'sparse'";
    const auto found = from.find(key);
    if (found == from.end()) {
      return wrong(part, "is missing");
    }
    Result<json> made = known_fields(*found, fields, part);
    if (!made) {
      return made;
    }
    (*to)[key] = std::move(*made);
  }
  return to;
}

Result<json> accessor_of(const json& from, std::size_t place) {
  const std::string where = gltf_label("accessor", place, name_of(from));
  Result<json> to = known_fields(from, kAccessor, where);
  if (!to) {
    return to;
  }
  const auto type = (*to)["type"].get<std::string>();
  if (std::find(kTypes.begin(), kTypes.end(), type) == kTypes.end()) {
    return wrong(where,
                 "'type' is " + detail::quoted(type) + ", it must be SCALAR, VEC2 to VEC4 or MAT2 to MAT4");
  }
  const int component = (*to)["componentType"].get<int>();
  if (component < 5120 || component > 5126 || component == 5124) {
    return wrong(
        where, "'componentType' is " + std::to_string(component) + ", it must be 5120 to 5123, 5125 or 5126");
  }
  if (from.contains("sparse")) {
    Result<json> sparse = sparse_of(from["sparse"], where);
    if (!sparse) {
      return sparse;
    }
    (*to)["sparse"] = std::move(*sparse);
  }
  return to;
}

/// Null for a channel without a node, which has no effect.
Result<json> channel_of(const json& from, const std::string& where, std::size_t& skipped) {
  Result<json> to = known_fields(from, kChannel, where);
  if (!to) {
    return to;
  }
  const auto target = from.find("target");
  if (target == from.end()) {
    return wrong(where, "'target' is missing");
  }
  Result<json> known = known_fields(*target, kTarget, where);
  if (!known) {
    return known;
  }
  if (!known->contains("node")) {
    ++skipped;
    return json();
  }
  (*to)["target"] = std::move(*known);
  return to;
}

Result<json> animation_of(const json& from, std::size_t place, std::size_t& skipped) {
  const std::string where = gltf_label("animation", place, name_of(from));
  Result<json> to = known_fields(from, kAnimation, where);
  if (!to) {
    return to;
  }
  auto channels = list_of(from, "channels", where + ", ", [&](const json& channel, std::size_t i) {
    return channel_of(channel, where + ", channel " + std::to_string(i), skipped);
  });
  if (!channels) {
    return channels;
  }
  auto samplers = list_of(from, "samplers", where + ", ", [&](const json& sampler, std::size_t i) {
    return known_fields(sampler, kSampler, where + ", sampler " + std::to_string(i));
  });
  if (!samplers) {
    return samplers;
  }
  (*to)["channels"] = std::move(*channels);
  (*to)["samplers"] = std::move(*samplers);
  return to;
}

/// Lists whose items have no inner lists.
Result<void> copy_simple_lists(const json& from, json& to) {
  const auto copy = [&](const char* key, const char* kind, std::span<const Field> fields,
                        bool node = false) -> Result<void> {
    auto list = list_of(from, key, "", [&](const json& item, std::size_t i) {
      const std::string where = gltf_label(kind, i, name_of(item));
      Result<json> known = known_fields(item, fields, where, node ? i : Error::kNowhere);
      if (known && known->contains("byteStride")) {
        const auto stride = (*known)["byteStride"].get<std::uint64_t>();
        if (stride > 252 || stride % 4 != 0) {
          known = wrong(where, "'byteStride' must be a multiple of 4 up to 252");
        }
      }
      return known;
    });
    if (!list) {
      return tl::unexpected<Error>(std::move(list.error()));
    }
    to[key] = std::move(*list);
    return {};
  };
  return copy("buffers", "buffer", kBuffer)
      .and_then([&] { return copy("bufferViews", "buffer view", kView); })
      .and_then([&] { return copy("nodes", "node", kNode, true); })
      .and_then([&] { return copy("skins", "skin", kSkin); })
      .and_then([&] { return copy("scenes", "scene", kScene); });
}

Result<void> check_version(const json& root) {
  const auto asset = root.find("asset");
  const bool known = asset != root.end() && asset->is_object() && asset->contains("version") &&
                     (*asset)["version"].is_string();
  if (!known) {
    return fail(ErrorCode::kParse, "'asset' with its 'version' is missing: is it a glTF file?");
  }
  const auto version = (*asset)["version"].get<std::string>();
  if (version != "2" && !version.starts_with("2.")) {
    return fail(ErrorCode::kCorruptFile,
                "this is glTF " + detail::quoted(version) + ", only 2 is read: convert the file");
  }
  return {};
}

Result<json> parse_json(std::string_view text) {
  json root = json::parse(text.begin(), text.end(), nullptr, false);
  if (root.is_discarded()) {
    return tl::unexpected<Error>(find_json_error(text));
  }
  if (!root.is_object()) {
    return fail(ErrorCode::kParse, "the JSON is not one object, { ... }: is it a glTF file?");
  }
  return root;
}

}  // namespace

Result<GltfChecked> check_gltf(const GltfContainer& container) {
  Result<json> root = parse_json(container.json);
  if (!root) {
    return tl::unexpected<Error>(std::move(root.error()));
  }
  GltfChecked checked;
  json known = {{"asset", {{"version", "2.0"}}}};
  auto state = check_version(*root).and_then([&] { return copy_simple_lists(*root, known); });
  const auto keep = [&](const char* key, Result<json> list) {
    if (list) {
      known[key] = std::move(*list);
    } else {
      state = tl::unexpected<Error>(std::move(list.error()));
    }
  };
  if (state) {
    keep("accessors", list_of(*root, "accessors", "", accessor_of));
  }
  if (state) {
    keep("animations", list_of(*root, "animations", "", [&](const json& item, std::size_t i) {
           return animation_of(item, i, checked.skipped_channels);
         }));
  }
  if (state && root->contains("scene")) {
    constexpr Field kDefault = {"scene", Kind::kIndex};
    if (const char* why = mismatch((*root)["scene"], kDefault)) {
      return wrong("'scene'", why);
    }
    known["scene"] = (*root)["scene"];
  }
  if (state) {
    state = name_sources(known, container, checked.buffers);
  }
  if (!state) {
    return tl::unexpected<Error>(std::move(state.error()));
  }
  const auto meshes = root->find("meshes");
  checked.meshes = meshes != root->end() && meshes->is_array() ? meshes->size() : 0;
  checked.json = known.dump();
  return checked;
}

}  // namespace juxta::detail

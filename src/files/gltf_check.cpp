// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The gate before tinygltf, which passes over a field of the wrong type without a word, takes an index modulo
// 2^32, drops a channel that it does not understand, and descends into nested extras until the stack ends.
#include <algorithm>
#include <array>
#include <span>

#include "files/gltf_buffers.h"
#include "files/gltf_document.h"
#include "files/gltf_fields.h"
#include "files/point_columns.h"

namespace juxta::files_detail {
namespace {

using nlohmann::json;

constexpr std::array<GltfField, 2> kBuffer = {
    {{"byteLength", GltfKind::kSize, true}, {"uri", GltfKind::kText}}};
constexpr std::array<GltfField, 4> kView = {{{"buffer", GltfKind::kIndex, true},
                                             {"byteLength", GltfKind::kSize, true},
                                             {"byteOffset", GltfKind::kSize},
                                             {"byteStride", GltfKind::kSize}}};
constexpr std::array<GltfField, 6> kAccessor = {{{"componentType", GltfKind::kIndex, true},
                                                 {"count", GltfKind::kSize, true},
                                                 {"type", GltfKind::kText, true},
                                                 {"bufferView", GltfKind::kIndex},
                                                 {"byteOffset", GltfKind::kSize},
                                                 {"normalized", GltfKind::kFlag}}};
constexpr std::array<std::string_view, 7> kTypes = {"SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"};
constexpr std::array<GltfField, 1> kSparse = {{{"count", GltfKind::kIndex, true}}};
constexpr std::array<GltfField, 3> kSparseIndices = {{{"bufferView", GltfKind::kIndex, true},
                                                      {"componentType", GltfKind::kIndex, true},
                                                      {"byteOffset", GltfKind::kIndex}}};
constexpr std::array<GltfField, 2> kSparseValues = {
    {{"bufferView", GltfKind::kIndex, true}, {"byteOffset", GltfKind::kIndex}}};
constexpr std::array<GltfField, 8> kNode = {{{"name", GltfKind::kText},
                                             {"children", GltfKind::kIndices},
                                             {"translation", GltfKind::kNumbers, false, 3},
                                             {"rotation", GltfKind::kNumbers, false, 4},
                                             {"scale", GltfKind::kNumbers, false, 3},
                                             {"matrix", GltfKind::kNumbers, false, 16},
                                             {"mesh", GltfKind::kIndex},
                                             {"skin", GltfKind::kIndex}}};
constexpr std::array<GltfField, 4> kSkin = {{{"joints", GltfKind::kIndices, true},
                                             {"name", GltfKind::kText},
                                             {"inverseBindMatrices", GltfKind::kIndex},
                                             {"skeleton", GltfKind::kIndex}}};
constexpr std::array<GltfField, 1> kAnimation = {{{"name", GltfKind::kText}}};
constexpr std::array<GltfField, 1> kChannel = {{{"sampler", GltfKind::kIndex, true}}};
constexpr std::array<GltfField, 2> kTarget = {{{"path", GltfKind::kText, true}, {"node", GltfKind::kIndex}}};
constexpr std::array<GltfField, 3> kSampler = {{{"input", GltfKind::kIndex, true},
                                                {"output", GltfKind::kIndex, true},
                                                {"interpolation", GltfKind::kText}}};
constexpr std::array<GltfField, 2> kScene = {{{"name", GltfKind::kText}, {"nodes", GltfKind::kIndices}}};

Result<json> sparse_of(const json& from, const std::string& where) {
  Result<json> to = known_fields(from, kSparse, where + ", 'sparse'");
  for (const auto& [key, fields] : {std::pair{"indices", std::span<const GltfField>(kSparseIndices)},
                                    std::pair{"values", std::span<const GltfField>(kSparseValues)}}) {
    if (!to) {
      return to;
    }
    const std::string part = where + ", '" + key + "' of 'sparse'";
    const auto found = from.find(key);
    if (found == from.end()) {
      return wrong_field(part, "is missing");
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
  const std::string where = gltf_label("accessor", place, gltf_name(from));
  Result<json> to = known_fields(from, kAccessor, where);
  if (!to) {
    return to;
  }
  const auto type = (*to)["type"].get<std::string>();
  if (std::find(kTypes.begin(), kTypes.end(), type) == kTypes.end()) {
    return wrong_field(where, "'type' is " + files_detail::quoted(type) +
                                  ", it must be SCALAR, VEC2 to VEC4 or MAT2 to MAT4");
  }
  const int component = (*to)["componentType"].get<int>();
  if (component < 5120 || component > 5126 || component == 5124) {
    return wrong_field(
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
    return wrong_field(where, "'target' is missing");
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
  const std::string where = gltf_label("animation", place, gltf_name(from));
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
  const auto copy = [&](const char* key, const char* kind, std::span<const GltfField> fields,
                        bool node = false) -> Result<void> {
    auto list = list_of(from, key, "", [&](const json& item, std::size_t i) {
      const std::string where = gltf_label(kind, i, gltf_name(item));
      Result<json> known = known_fields(item, fields, where, node ? i : Error::kNowhere);
      if (known && known->contains("byteStride")) {
        const auto stride = (*known)["byteStride"].get<std::uint64_t>();
        if (stride > 252 || stride % 4 != 0) {
          known = wrong_field(where, "'byteStride' must be a multiple of 4 up to 252");
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
                "this is glTF " + files_detail::quoted(version) + ", only 2 is read: convert the file");
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

Result<GltfChecked> check_gltf(const GltfContainer& container, GltfPart part) {
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
  if (state && part == GltfPart::kMeshes) {
    auto meshes = check_meshes(*root);
    if (!meshes) {
      return tl::unexpected<Error>(std::move(meshes.error()));
    }
    checked.shapes = std::move(*meshes);
    known["animations"] = json::array();
  } else if (state) {
    keep("animations", list_of(*root, "animations", "", [&](const json& item, std::size_t i) {
           return animation_of(item, i, checked.skipped_channels);
         }));
  }
  if (state && root->contains("scene")) {
    constexpr GltfField kDefault = {"scene", GltfKind::kIndex};
    if (const char* why = field_mismatch((*root)["scene"], kDefault)) {
      return wrong_field("'scene'", why);
    }
    known["scene"] = (*root)["scene"];
  }
  if (state) {
    state = name_sources(known, container, part, checked.shapes, checked.buffers);
  }
  if (!state) {
    return tl::unexpected<Error>(std::move(state.error()));
  }
  const auto meshes = root->find("meshes");
  checked.meshes = meshes != root->end() && meshes->is_array() ? meshes->size() : 0;
  checked.json = known.dump();
  return checked;
}

}  // namespace juxta::files_detail

// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "files/gltf_buffers.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/path.h"
#include "files/point_columns.h"
#include "juxta/core/try.h"

namespace juxta::files_detail {
namespace {

using nlohmann::json;

constexpr std::string_view kDataHeader = "data:application/octet-stream;base64,";

/// The thing at an index, if there is one; a wrong index is found when it is used.
const json* item(const json& list, const json& owner, const char* key) {
  const auto found = owner.find(key);
  if (found == owner.end() || found->get<std::size_t>() >= list.size()) {
    return nullptr;
  }
  return &list[found->get<std::size_t>()];
}

/// Marks what a skin's matrices, a sampler's keys or a mesh's vertices lie in.
void mark_accessor(const json& known, const json* accessor, std::vector<GltfSource>& sources) {
  if (accessor == nullptr) {
    return;
  }
  const auto mark = [&](const json& owner) {
    const json* view = item(known["bufferViews"], owner, "bufferView");
    if (view != nullptr && item(known["buffers"], *view, "buffer") != nullptr) {
      sources[(*view)["buffer"].get<std::size_t>()].needed = true;
    }
  };
  mark(*accessor);
  if (accessor->contains("sparse")) {
    mark((*accessor)["sparse"]["indices"]);
    mark((*accessor)["sparse"]["values"]);
  }
}

void mark_needed(const json& known, std::vector<GltfSource>& sources) {
  const json& accessors = known["accessors"];
  for (const json& skin : known["skins"]) {
    mark_accessor(known, item(accessors, skin, "inverseBindMatrices"), sources);
  }
  for (const json& animation : known["animations"]) {
    for (const json& sampler : animation["samplers"]) {
      mark_accessor(known, item(accessors, sampler, "input"), sources);
      mark_accessor(known, item(accessors, sampler, "output"), sources);
    }
  }
}

void mark_shapes(const json& known, const std::vector<RawMesh>& shapes, std::vector<GltfSource>& sources) {
  const json& accessors = known["accessors"];
  for (const RawMesh& mesh : shapes) {
    for (const RawPrimitive& primitive : mesh.primitives) {
      for (const int accessor : {primitive.positions, primitive.indices}) {
        if (is_triangles(primitive) && is_one_of(accessor, accessors.size())) {
          mark_accessor(known, &accessors[static_cast<std::size_t>(accessor)], sources);
        }
      }
    }
  }
}

int hex(char c) noexcept {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

/// %41 as A.
std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool code = text[i] == '%' && i + 2 < text.size() && hex(text[i + 1]) >= 0 && hex(text[i + 2]) >= 0;
    out.push_back(code ? static_cast<char>(hex(text[i + 1]) * 16 + hex(text[i + 2])) : text[i]);
    i += code ? 2 : 0;
  }
  return out;
}

/// The name of a file in the folder or below it; nothing for a way out of it, or another scheme.
std::optional<std::string> inner_file(std::string_view uri) {
  std::string file = percent_decoded(uri);
  if (file.empty() || file.find_first_of(std::string_view(":\\\0", 3)) != std::string::npos) {
    return std::nullopt;
  }
  const std::filesystem::path path = juxta::path_of(file);
  if (path.has_root_path() || std::find(path.begin(), path.end(), "..") != path.end()) {
    return std::nullopt;
  }
  return file;
}

bool is_base64(char c) noexcept {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
}

/// A data URI of any media type with exactly as many digits as the buffer needs; nothing when it has fewer.
std::optional<std::string> data_uri(std::string_view uri, std::uint64_t bytes) {
  constexpr std::string_view kCoding = ";base64,";
  const std::size_t coding = uri.substr(0, 200).find(kCoding);
  if (coding == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view digits = uri.substr(coding + kCoding.size());
  const auto good =
      static_cast<std::uint64_t>(std::find_if_not(digits.begin(), digits.end(), is_base64) - digits.begin());
  if (good / 4 * 3 + good % 4 * 3 / 4 < bytes) {
    return std::nullopt;
  }
  return std::string(kDataHeader) +
         std::string(digits.substr(0, static_cast<std::size_t>((bytes * 4 + 2) / 3)));
}

Result<void> name_source(json& buffer, std::size_t place, const GltfContainer& container,
                         GltfSource& source) {
  const std::string where = gltf_label("buffer", place);
  source.bytes = buffer["byteLength"].get<std::uint64_t>();
  if (source.bytes == 0) {
    return fail(ErrorCode::kParse, where + ": 'byteLength' must be above 0");
  }
  if (!source.needed) {
    buffer = {{"byteLength", 1}, {"uri", std::string(kDataHeader) + "AA"}};
    return {};
  }
  if (!buffer.contains("uri")) {
    source.chunk = container.binary && place == 0;
    if (!source.chunk || container.chunk.size() < source.bytes) {
      return fail(
          ErrorCode::kParse,
          where + ": it has neither a 'uri' nor enough bytes in the binary chunk: export the file again");
    }
    buffer["uri"] = std::to_string(place);
    return {};
  }
  const auto uri = buffer["uri"].get<std::string>();
  if (uri.starts_with("data:")) {
    const auto data = data_uri(uri, source.bytes);
    if (!data) {
      return fail(ErrorCode::kParse,
                  where + ": its data URI is no base64 text of 'byteLength' bytes or more");
    }
    buffer["uri"] = *data;
    return {};
  }
  const auto file = inner_file(uri);
  if (!file) {
    return fail(ErrorCode::kIo, where + ": " + files_detail::quoted(uri) +
                                    " is no file in the folder of the glTF file: put the buffer beside it");
  }
  source.file = *file;
  buffer["uri"] = std::to_string(place);
  return {};
}

}  // namespace

Result<void> name_sources(json& known, const GltfContainer& container, GltfPart part,
                          const std::vector<RawMesh>& shapes, std::vector<GltfSource>& sources) {
  json& buffers = known["buffers"];
  sources.assign(buffers.size(), {});
  if (part == GltfPart::kScene) {
    mark_needed(known, sources);
  } else {
    mark_shapes(known, shapes, sources);
  }
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    JUXTA_TRY(name_source(buffers[i], i, container, sources[i]));
  }
  return {};
}

}  // namespace juxta::files_detail

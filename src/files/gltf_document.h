// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: a glTF file as it is written, fields of the right type, indices not looked at yet.
//
//   bytes --gltf_container--> JSON, binary chunk --gltf_check--> JSON of known fields --gltf_document
//   (tinygltf)
//     --> GltfDocument --gltf_nodes, gltf_animations--> GltfScene
//                      --gltf_nodes, gltf_places, gltf_primitives--> GltfMesh
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/core/monitor.h"

namespace juxta::files_detail {

/// The two parts of a file. A .gltf has no chunk.
struct GltfContainer {
  std::string_view json, chunk;
  bool binary = false;
};
/// Errors: kCorruptFile (with the byte).
[[nodiscard]] Result<GltfContainer> open_gltf(std::string_view bytes);

/// What is asked of a file: where things are, or the triangles that it shows.
enum class GltfPart { kScene, kMeshes };

constexpr int kNoIndex = -1;

struct RawPrimitive {
  int positions = kNoIndex, indices = kNoIndex;  ///< Accessors.
  int mode = 4;                                  ///< 0 to 6; 4 to 6 are triangles.
  bool compressed = false;                       ///< Another form of it may be in an extension.
};
struct RawMesh {
  std::string name;
  std::vector<RawPrimitive> primitives;
};

/// Where the bytes of one buffer come from.
struct GltfSource {
  bool needed = false;      ///< By what is asked for.
  bool chunk = false;       ///< Else a file, or a data URI that tinygltf takes apart.
  std::string file;         ///< Inside the folder; empty: none.
  std::uint64_t bytes = 0;  ///< byteLength.
};
/// The JSON with nothing but what Juxta reads, every field of the type that glTF says. Buffers from elsewhere
/// have their own place as their uri: "0", "1", ...
struct GltfChecked {
  std::string json;
  std::vector<GltfSource> buffers;
  std::size_t meshes = 0;            ///< How many the file has.
  std::size_t skipped_channels = 0;  ///< Those without a node.
  /// For GltfPart::kMeshes, which has no animations in turn. Not in `json`: tinygltf refuses any indices
  /// without a buffer view, sparse ones too, and names no mesh.
  std::vector<RawMesh> shapes;
};
/// Errors: kParse, kNotFinite, kIo, see parse_gltf() and parse_gltf_mesh().
[[nodiscard]] Result<GltfChecked> check_gltf(const GltfContainer& container, GltfPart part);

/// Why a text is no JSON, with the line and, inside of one, the node. Only for a text that is none.
[[nodiscard]] Error find_json_error(std::string_view text);

struct RawView {
  int buffer = kNoIndex;
  std::size_t offset = 0, length = 0, stride = 0;  ///< Stride 0: one element behind the other.
};
struct RawAccessor {
  int view = kNoIndex;
  std::size_t offset = 0, count = 0;
  int component = 0, width = 0;  ///< 5120 to 5126; numbers per element.
  bool normalized = false;
  std::size_t sparse = 0;  ///< How many elements are replaced.
  int index_view = kNoIndex, index_offset = 0, index_component = 0;
  int value_view = kNoIndex, value_offset = 0;
};
struct RawNode {
  std::string name;
  std::vector<int> children;
  std::vector<double> translation, rotation, scale, matrix;  ///< Empty, or as long as glTF says.
  int mesh = kNoIndex, skin = kNoIndex;
};
struct RawSkin {
  std::string name;
  std::vector<int> joints;
  int matrices = kNoIndex, skeleton = kNoIndex;
};
struct RawChannel {
  int node = kNoIndex, sampler = kNoIndex;
  std::string path;
};
struct RawSampler {
  int input = kNoIndex, output = kNoIndex;
  std::string interpolation;
};
struct RawAnimation {
  std::string name;
  std::vector<RawChannel> channels;
  std::vector<RawSampler> samplers;
};
struct RawScene {
  std::string name;
  std::vector<int> nodes;
};
struct GltfDocument {
  std::vector<std::vector<unsigned char>> buffers;
  std::vector<RawView> views;
  std::vector<RawAccessor> accessors;
  std::vector<RawNode> nodes;
  std::vector<RawSkin> skins;
  std::vector<RawAnimation> animations;
  std::vector<RawScene> scenes;
  int default_scene = kNoIndex;
  std::size_t meshes = 0, skipped_channels = 0;
  std::vector<RawMesh> shapes;  ///< For GltfPart::kMeshes.
};

/// Reads the buffers and takes the JSON apart. Errors: kIo, kParse, kCancelled.
[[nodiscard]] Result<GltfDocument> load_gltf(const GltfChecked& checked, std::string_view chunk,
                                             const std::filesystem::path& folder, Monitor* monitor);

/// The meshes of a file, and no extension that keeps their triangles where they cannot be read.
/// Errors: kParse.
[[nodiscard]] Result<std::vector<RawMesh>> check_meshes(const nlohmann::json& root);

/// True for a list, a strip or a fan of triangles that has vertices.
[[nodiscard]] constexpr bool is_triangles(const RawPrimitive& primitive) noexcept {
  return primitive.positions != kNoIndex && primitive.mode >= 4;
}

/// All of the above: from a file's bytes to a document whose nodes are not linked yet.
[[nodiscard]] Result<GltfDocument> read_document(std::string_view bytes, GltfPart part,
                                                 const std::filesystem::path& folder, Monitor* monitor);

/// What a monitor that stops the reading gets.
[[nodiscard]] tl::unexpected<Error> gltf_cancelled();

/// "node 3 'tail'"; without a name "node 3".
[[nodiscard]] std::string gltf_label(std::string_view kind, std::size_t index, std::string_view name = {});

/// "node 7 is not there: the file has 3".
[[nodiscard]] std::string gltf_not_there(std::string_view kind, int index, std::size_t count);

/// True when `index` is one of `count` things.
[[nodiscard]] constexpr bool is_one_of(int index, std::size_t count) noexcept {
  return index >= 0 && static_cast<std::size_t>(index) < count;
}

}  // namespace juxta::files_detail

// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The one place that knows tinygltf. Compiled from its header without images and without a file system, so
// that it can neither decode nor open anything by itself, and under another namespace, so that a program with
// a tinygltf of its own links.
#include "files/gltf_document.h"

#include <charconv>
#include <exception>
#include <fstream>  // tiny_gltf.h needs it all the same
#include <limits>
#include <new>

#include "core/path.h"
#include "files/point_columns.h"
#include "juxta/core/try.h"
#include "juxta/files/read_points.h"

#define tinygltf juxta_private_tinygltf
#define TINYGLTF_IMPLEMENTATION
#define TINYGLTF_NO_FS
#define TINYGLTF_NO_STB_IMAGE
#define TINYGLTF_NO_STB_IMAGE_WRITE
#define TINYGLTF_NO_EXTERNAL_IMAGE
#include <tiny_gltf.h>

namespace juxta::files_detail {
namespace {

/// What tinygltf takes for the file system: buffers by their places.
struct Shelf {
  const GltfChecked& checked;
  std::string_view chunk;
  const std::filesystem::path& folder;
  Monitor* monitor;
  Result<void> state = {};  // why a file could not be read
};

const GltfSource* source_at(const Shelf& shelf, const std::string& name) {
  std::size_t place = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), place);
  const bool known =
      error == std::errc{} && end == name.data() + name.size() && place < shelf.checked.buffers.size();
  return known ? &shelf.checked.buffers[place] : nullptr;
}

bool exists(const std::string& name, void* user) {
  return source_at(*static_cast<const Shelf*>(user), name) != nullptr;
}
std::string expand(const std::string& name, void* /*user*/) {
  return name;
}
bool write(std::string* /*error*/, const std::string& /*name*/, const std::vector<unsigned char>& /*bytes*/,
           void* /*user*/) {
  return false;
}

bool read(std::vector<unsigned char>* out, std::string* /*error*/, const std::string& name, void* user) {
  Shelf& shelf = *static_cast<Shelf*>(user);
  const GltfSource* source = source_at(shelf, name);
  if (source == nullptr || !shelf.state) {
    return false;
  }
  std::string bytes;
  std::string_view view = shelf.chunk;
  if (!source->chunk) {
    const auto path = shelf.folder / source->file;
    auto got = read_bytes(utf8_of(path), static_cast<std::size_t>(source->bytes), {.monitor = shelf.monitor});
    if (got && got->size() < source->bytes) {
      got = fail(ErrorCode::kIo, utf8_of(path) + " has " + std::to_string(got->size()) + " bytes, buffer " +
                                     name + " needs " + std::to_string(source->bytes) + ": copy it again");
    }
    if (!got) {
      shelf.state = tl::unexpected<Error>(std::move(got.error()));
      return false;
    }
    bytes = std::move(*got);
    view = bytes;
  }
  view = view.substr(0, static_cast<std::size_t>(source->bytes));  // files and chunks may be padded
  out->assign(view.begin(), view.end());
  return true;
}

/// Runs tinygltf. It may throw, which ends here (std::bad_alloc passes through).
Result<void> run_tinygltf(tinygltf::Model& model, Shelf& shelf) {
  const std::string& text = shelf.checked.json;
  if (text.size() > std::numeric_limits<unsigned>::max()) {
    return fail(ErrorCode::kTooLarge, "more than 4 GiB of JSON: keep buffers in files of their own");
  }
  std::string error, warning;
  bool loaded = false;
  try {
    tinygltf::TinyGLTF loader;
    loader.SetFsCallbacks({&exists, &expand, &read, &write, &shelf});
    loaded = loader.LoadASCIIFromString(&model, &error, &warning, text.data(),
                                        static_cast<unsigned>(text.size()), "");
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& thrown) {
    error = thrown.what();
  }
  if (!shelf.state) {
    return shelf.state;
  }
  if (!loaded) {
    return fail(ErrorCode::kParse, "tinygltf refuses the file: " + files_detail::quoted(error));
  }
  return {};
}

int width_of(int type) {
  return tinygltf::GetNumComponentsInType(static_cast<std::uint32_t>(type));
}

RawAccessor raw_accessor(const tinygltf::Accessor& from) {
  RawAccessor to{from.bufferView,    from.byteOffset,     from.count,
                 from.componentType, width_of(from.type), from.normalized};
  if (from.sparse.isSparse) {
    to.sparse = static_cast<std::size_t>(from.sparse.count);
    to.index_view = from.sparse.indices.bufferView;
    to.index_offset = from.sparse.indices.byteOffset;
    to.index_component = from.sparse.indices.componentType;
    to.value_view = from.sparse.values.bufferView;
    to.value_offset = from.sparse.values.byteOffset;
  }
  return to;
}

RawAnimation raw_animation(tinygltf::Animation& from) {
  RawAnimation to;
  to.name = std::move(from.name);
  for (tinygltf::AnimationChannel& channel : from.channels) {
    to.channels.push_back({channel.target_node, channel.sampler, std::move(channel.target_path)});
  }
  for (tinygltf::AnimationSampler& sampler : from.samplers) {
    to.samplers.push_back({sampler.input, sampler.output, std::move(sampler.interpolation)});
  }
  return to;
}

GltfDocument document_of(tinygltf::Model& model) {
  GltfDocument document;
  for (tinygltf::Buffer& buffer : model.buffers) {
    document.buffers.push_back(std::move(buffer.data));
  }
  for (const tinygltf::BufferView& view : model.bufferViews) {
    document.views.push_back({view.buffer, view.byteOffset, view.byteLength, view.byteStride});
  }
  for (const tinygltf::Accessor& accessor : model.accessors) {
    document.accessors.push_back(raw_accessor(accessor));
  }
  for (tinygltf::Node& node : model.nodes) {
    document.nodes.push_back({std::move(node.name), std::move(node.children), std::move(node.translation),
                              std::move(node.rotation), std::move(node.scale), std::move(node.matrix),
                              node.mesh, node.skin});
  }
  for (tinygltf::Skin& skin : model.skins) {
    document.skins.push_back(
        {std::move(skin.name), std::move(skin.joints), skin.inverseBindMatrices, skin.skeleton});
  }
  for (tinygltf::Animation& animation : model.animations) {
    document.animations.push_back(raw_animation(animation));
  }
  for (tinygltf::Scene& scene : model.scenes) {
    document.scenes.push_back({std::move(scene.name), std::move(scene.nodes)});
  }
  document.default_scene = model.defaultScene;
  return document;
}

}  // namespace

Result<GltfDocument> load_gltf(const GltfChecked& checked, std::string_view chunk,
                               const std::filesystem::path& folder, Monitor* monitor) {
  Shelf shelf{checked, chunk, folder, monitor};
  tinygltf::Model model;
  JUXTA_TRY(run_tinygltf(model, shelf));
  GltfDocument document = document_of(model);
  document.meshes = checked.meshes;
  document.skipped_channels = checked.skipped_channels;
  return document;
}

}  // namespace juxta::files_detail

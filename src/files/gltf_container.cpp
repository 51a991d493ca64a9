// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//   GLB:  "glTF" version length | length "JSON" text, blanks | length "BIN\0" bytes, zeros | other chunks
#include <algorithm>
#include <cstdint>

#include "files/csv_scanner.h"
#include "files/gltf_document.h"
#include "files/point_columns.h"

namespace juxta::files_detail {
namespace {

constexpr std::size_t kHeader = 12, kChunkHeader = 8;
constexpr std::uint32_t kJson = 0x4E4F534A, kBin = 0x004E4942;

tl::unexpected<Error> broken(std::size_t byte, std::string message) {
  return tl::unexpected<Error>(
      Error{ErrorCode::kCorruptFile, std::move(message), Error::kNowhere, Error::kNowhere, byte});
}

std::uint32_t word(std::string_view bytes, std::size_t at) noexcept {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  }
  return value;
}

Result<GltfContainer> open_binary(std::string_view bytes) {
  if (bytes.size() < kHeader + kChunkHeader) {
    return broken(bytes.size(), "a GLB file has 20 bytes or more, this one ends before: copy it again");
  }
  if (word(bytes, 4) != 2) {
    return broken(
        4, "this is GLB version " + std::to_string(word(bytes, 4)) + ", only 2 is read: export it again");
  }
  const std::size_t length = word(bytes, 8);
  if (length > bytes.size() || length < kHeader + kChunkHeader) {
    return broken(8, "the header says " + std::to_string(length) + " bytes, the file has " +
                         std::to_string(bytes.size()) + ": it is truncated or damaged, copy it again");
  }
  GltfContainer container{.json = {}, .chunk = {}, .binary = true};
  std::size_t at = kHeader;
  for (int place = 0; at < length; ++place) {
    if (length - at < kChunkHeader || length - at - kChunkHeader < word(bytes, at)) {
      return broken(at, "a chunk ends behind the end of the file: it is truncated or damaged, copy it again");
    }
    const std::uint32_t type = word(bytes, at + 4);
    const std::string_view body = bytes.substr(at + kChunkHeader, word(bytes, at));
    if ((place == 0) != (type == kJson)) {
      return broken(at + 4, "the first chunk, and no other, must be JSON: export the file again");
    }
    if (type == kJson) {
      container.json = body;
    } else if (type == kBin && place == 1) {
      container.chunk = body;
    }
    at += kChunkHeader + body.size();
    at += std::min((4 - body.size() % 4) % 4, length - at);  // chunks begin at multiples of 4
  }
  return container;
}

}  // namespace

Result<GltfContainer> open_gltf(std::string_view bytes) {
  if (bytes.starts_with("glTF")) {
    return open_binary(bytes);
  }
  return GltfContainer{.json = skip_bom(bytes), .chunk = {}, .binary = false};
}

std::string gltf_label(std::string_view kind, std::size_t index, std::string_view name) {
  std::string label(kind);
  label += ' ';
  label += std::to_string(index);
  if (!name.empty()) {
    label += ' ';
    label += quoted(name);
  }
  return label;
}

std::string gltf_not_there(std::string_view kind, int index, std::size_t count) {
  return gltf_label(kind, static_cast<std::size_t>(index)) + " is not there: the file has " +
         std::to_string(count);
}

}  // namespace juxta::files_detail

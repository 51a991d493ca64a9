// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Small glTF files, written by hand.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "juxta/files/read_gltf.h"

namespace juxta::test {

/// A file with these members besides "asset".
inline std::string gltf(const std::string& members) {
  return R"({"asset":{"version":"2.0"},)" + members + "}";
}

/// The bytes of numbers, one type after the other.
template <class T>
std::string bytes_of(const std::vector<T>& numbers) {
  std::string bytes(numbers.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

inline std::string base64(const std::string& bytes) {
  constexpr const char* kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char byte : bytes) {
    bits = bits << 8 | static_cast<unsigned char>(byte);
    for (held += 8; held >= 6; held -= 6) {
      text += kDigits[bits >> (held - 6) & 63];
    }
  }
  if (held != 0) {
    text += kDigits[bits << (6 - held) & 63];
  }
  return text + std::string((4 - text.size() % 4) % 4, '=');
}

/// "buffers": one, embedded.
inline std::string embedded(const std::string& bytes) {
  return R"("buffers":[{"byteLength":)" + std::to_string(bytes.size()) +
         R"(,"uri":"data:application/octet-stream;base64,)" + base64(bytes) + "\"}]";
}

/// A view of buffer 0.
inline std::string view(std::size_t offset, std::size_t length) {
  return R"({"buffer":0,"byteOffset":)" + std::to_string(offset) + R"(,"byteLength":)" +
         std::to_string(length) + "}";
}

/// An accessor of floats unless said otherwise.
inline std::string accessor(int buffer_view, std::size_t count, const std::string& type, int component = 5126,
                            const std::string& more = "") {
  return R"({"bufferView":)" + std::to_string(buffer_view) + R"(,"componentType":)" +
         std::to_string(component) + R"(,"count":)" + std::to_string(count) + R"(,"type":")" + type + "\"" +
         more + "}";
}

inline std::string little_endian(std::uint32_t value) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) {
    bytes += static_cast<char>(value >> (8 * i) & 0xFF);
  }
  return bytes;
}

/// A GLB file; without bytes it has no second chunk.
inline std::string glb(std::string json, std::string bytes = "") {
  json.resize((json.size() + 3) / 4 * 4, ' ');
  bytes.resize((bytes.size() + 3) / 4 * 4, '\0');
  std::string chunks = little_endian(static_cast<std::uint32_t>(json.size())) + "JSON" + json;
  if (!bytes.empty()) {
    chunks += little_endian(static_cast<std::uint32_t>(bytes.size())) + std::string("BIN\0", 4) + bytes;
  }
  return "glTF" + little_endian(2) + little_endian(static_cast<std::uint32_t>(12 + chunks.size())) + chunks;
}

/// One animation of one node: times, then values, in one embedded buffer.
inline std::string animated(const std::string& path, const std::string& interpolation,
                            const std::vector<float>& times, const std::vector<float>& values,
                            const std::string& type, const std::string& node = R"({"name":"door"})") {
  const std::size_t width = type == "VEC4" ? 4 : type == "VEC3" ? 3 : 1;
  const std::string keys = bytes_of(times), numbers = bytes_of(values);
  return gltf(R"("nodes":[)" + node + "]," + embedded(keys + numbers) + R"(,"bufferViews":[)" +
              view(0, keys.size()) + "," + view(keys.size(), numbers.size()) + R"(],"accessors":[)" +
              accessor(0, times.size(), "SCALAR") + "," + accessor(1, values.size() / width, type) +
              R"(],"animations":[{"name":"swing","channels":[{"sampler":0,"target":{"node":0,"path":")" +
              path + R"("}}],"samplers":[{"input":0,"output":1,"interpolation":")" + interpolation +
              R"("}]}])");
}

inline GltfScene read(const std::string& bytes, const std::filesystem::path& folder = {}) {
  auto scene = parse_gltf(bytes, folder.string());
  EXPECT_TRUE(scene.has_value()) << (scene ? "" : scene.error().message);
  return scene ? std::move(*scene) : GltfScene{};
}

/// Refused with this code; the message holds `word`.
inline Error refused(const std::string& bytes, ErrorCode code, const std::string& word) {
  const auto scene = parse_gltf(bytes, "no-such-folder");
  EXPECT_FALSE(scene.has_value()) << "expected: " << word;
  const Error error = scene ? Error{} : scene.error();
  EXPECT_EQ(error.code, code) << error.message;
  EXPECT_NE(error.message.find(word), std::string::npos) << error.message << "\nexpected: " << word;
  return error;
}

}  // namespace juxta::test

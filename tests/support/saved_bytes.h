// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The whole state of something that can be saved, as bytes: what save() writes.
#pragma once

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

namespace juxta::test {

/// A file of this process, gone with its user.
class ScratchFile {
 public:
  ScratchFile()
      : path_(std::filesystem::temp_directory_path() /
              ("juxta_test." + std::to_string(::getpid()) + ".saved")) {}
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::vector<char> read() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(std::span<const char> bytes) const {
    std::ofstream(path_, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }

 private:
  std::filesystem::path path_;
};

template <class T>
std::vector<char> saved_bytes(const T& object) {
  const ScratchFile file;
  const auto saved = object.save(file.path().string());
  EXPECT_TRUE(saved) << (saved ? "" : saved.error().message);
  return file.read();
}

template <class T>
T from_bytes(std::span<const char> bytes) {
  const ScratchFile file;
  file.write(bytes);
  return T::load(file.path().string()).value();
}

}  // namespace juxta::test

// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The whole state of something that can be saved, as bytes: what save() writes.
#pragma once

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace juxta::test {

/// Where files of this process may lie. WASI has no processes, and its C++ library does not know the folder.
[[nodiscard]] inline std::filesystem::path scratch_path() {
#if defined(__wasi__)
  return "/tmp/juxta_test.saved";
#else
  return std::filesystem::temp_directory_path() / ("juxta_test." + std::to_string(::getpid()) + ".saved");
#endif
}

/// A file of this process, gone with its user.
class ScratchFile {
 public:
  ScratchFile() : path_(scratch_path()) {}
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile() { std::remove(path_.string().c_str()); }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::vector<char> read() const {
    std::vector<char> bytes;
    if (std::FILE* const file = std::fopen(path_.string().c_str(), "rb")) {
      char part[4096];
      for (std::size_t got; (got = std::fread(part, 1, sizeof(part), file)) != 0;) {
        bytes.insert(bytes.end(), part, part + got);
      }
      std::fclose(file);
    }
    return bytes;
  }
  void write(std::span<const char> bytes) const {
    if (std::FILE* const file = std::fopen(path_.string().c_str(), "wb")) {
      std::fwrite(bytes.data(), 1, bytes.size(), file);
      std::fclose(file);
    }
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

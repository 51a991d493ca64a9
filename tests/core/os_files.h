// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What tests of files share on every system.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "core/os.h"
#include "core/path.h"
#include "support/code_of.h"
#include "support/scratch_folder.h"

namespace juxta::core_detail {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = test::make_scratch_folder("juxta_os_");
    ASSERT_FALSE(folder_.empty());
  }
  void TearDown() override {
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }
  static void put(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }
  static std::string get(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  static Result<void> save(const fs::path& path, const std::vector<std::string>& parts) {
    auto file = AtomicFile::create(path);
    if (!file) {
      return tl::unexpected<Error>(file.error());
    }
    for (const std::string& part : parts) {
      if (auto written = file->write(std::as_bytes(std::span(part))); !written) {
        return written;
      }
    }
    return file->commit();
  }
  template <class T>
  static void expect_io_error(const Result<T>& result, const fs::path& path, const std::string& reason) {
    ASSERT_FALSE(result);
    EXPECT_EQ(test::code_of(result), ErrorCode::kIo);
    EXPECT_NE(result.error().message.find(utf8_of(path)), std::string::npos) << result.error().message;
    EXPECT_NE(result.error().message.find(reason), std::string::npos) << result.error().message;
  }

  fs::path folder_;
};

inline Result<void> append(AppendFile& file, const std::string& text) {
  return file.append(std::as_bytes(std::span(text)));
}

}  // namespace juxta::core_detail

// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Damaged copies of saved files, most of them with a checksum that fits again, as an attacker would make
// them.
#pragma once

#include <fuzzer/FuzzedDataProvider.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "core/flat_file.h"
#include "fuzz/check.h"

namespace juxta::fuzz {

/// A file of this process.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& name)
      : path_(std::filesystem::temp_directory_path() / (name + "." + std::to_string(getpid()))) {}
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  void write(const std::string& bytes) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  /// What `object` saves there.
  template <class T>
  [[nodiscard]] std::string saved(const T& object) const {
    JUXTA_FUZZ_CHECK(object.save(path_.string()).has_value());
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  std::filesystem::path path_;
};

/// Bytes [begin, end) of a file.
struct Part {
  std::size_t begin, end;
};

/// A word with one bit turned, one nearby, a small one, or any.
inline std::uint32_t damaged_word(FuzzedDataProvider& bytes, std::uint32_t word, std::uint32_t small) {
  switch (bytes.ConsumeIntegralInRange<int>(0, 3)) {
    case 0:
      return word ^ std::uint32_t{1} << bytes.ConsumeIntegralInRange<unsigned>(0, 31);
    case 1:
      return word + bytes.ConsumeIntegralInRange<std::uint32_t>(0, 4) - 2;
    case 2:
      return bytes.ConsumeIntegralInRange<std::uint32_t>(0, small);
    default:
      return bytes.ConsumeIntegral<std::uint32_t>();
  }
}

/// The checksum fits again.
inline void seal(std::string& file, const core_detail::FlatFormat& format) {
  if (file.size() >= core_detail::kHeaderBytes && file.size() % 8 == 0) {
    const std::uint64_t sum = format.checksum_of(std::as_bytes(std::span(file)));
    std::memcpy(file.data() + format.checksum_at, &sum, sizeof sum);
  }
}

/// Overwrites up to six words, each in one of the parts, with likely values (up to `small`) or any; sometimes
/// cuts; most times seal(file) makes the checksum fit again.
template <class Seal>
void damage(FuzzedDataProvider& bytes, std::string& file, std::span<const Part> parts, std::uint32_t small,
            Seal&& seal_again) {
  const std::size_t patches = bytes.ConsumeIntegralInRange<std::size_t>(0, 6);
  for (std::size_t i = 0; i < patches; ++i) {
    const Part part = parts[bytes.ConsumeIntegralInRange<std::size_t>(0, parts.size() - 1)];
    if (part.end < part.begin + 4) {
      continue;
    }
    const std::size_t words = (part.end - part.begin) / 4;
    const std::size_t at = part.begin + 4 * bytes.ConsumeIntegralInRange<std::size_t>(0, words - 1);
    std::uint32_t word;
    std::memcpy(&word, file.data() + at, sizeof word);
    word = damaged_word(bytes, word, small);
    std::memcpy(file.data() + at, &word, sizeof word);
  }
  if (bytes.ConsumeIntegralInRange<int>(0, 15) == 0) {
    file.resize(bytes.ConsumeIntegralInRange<std::size_t>(0, file.size()));
  }
  if (bytes.ConsumeIntegralInRange<int>(0, 15) != 0) {
    seal_again(file);
  }
}

/// The header, and each section of a layout that holds something.
template <class Header, class Layout>
std::vector<Part> parts_of(const Header& header, const Layout& layout) {
  std::vector<Part> parts = {{0, sizeof header}};
  for (std::size_t s = 0; s < layout.begin.size(); ++s) {
    if (layout.bytes[s] != 0) {
      parts.push_back({layout.begin[s], layout.begin[s] + layout.bytes[s]});
    }
  }
  return parts;
}

}  // namespace juxta::fuzz

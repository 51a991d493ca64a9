// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "juxta/core/error.h"
#include "juxta/core/owned.h"

namespace juxta {

/// A file that appears whole or not at all: bytes go to a temporary file beside `path`, which commit()
/// flushes to the disk and renames. Without a commit() the destructor removes the temporary file, and what
/// stood at `path` stays as it was. A link is followed; a device or a pipe (/dev/stdout) is written directly.
/// Move-only; one thread at a time.
class OutputFile {
 public:
  /// Errors: kIo when `path` is a directory, or its directory is missing or may not be written.
  [[nodiscard]] static Result<OutputFile> open(std::string_view path);

  OutputFile(OutputFile&&) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();

  /// Appends; give blocks, not single lines. Errors: kIo (full disk). After an error only the destructor may
  /// be called.
  [[nodiscard]] Result<void> write(std::string_view bytes);
  /// Nothing may be written after it. Errors: kIo.
  [[nodiscard]] Result<void> commit();

 private:
  struct Impl;
  explicit OutputFile(Owned<Impl> impl) noexcept;
  Owned<Impl> impl_;
};

/// open(), write() and commit().
[[nodiscard]] Result<void> write_file(std::string_view path, std::string_view bytes);

}  // namespace juxta

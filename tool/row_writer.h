// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "juxta/core/error.h"
#include "juxta/files/output_file.h"
#include "tool/console.h"

namespace juxta::tool {

/// Rows to a file that appears when it is whole, or to the standard output. While a file is open, an
/// interrupt waits until it is whole or gone.
class RowWriter {
 public:
  /// "-" is the standard output.
  Result<void> open(const std::string& path);
  /// Where rows are appended, before a flush().
  [[nodiscard]] std::string& buffer() { return buffer_; }
  /// Writes the buffer when it holds at least `when` bytes.
  Result<void> flush(std::size_t when = 1 << 20);
  Result<void> close();

 private:
  std::string buffer_;
  std::optional<OutputLock> lock_;
  std::optional<OutputFile> file_;  // gone before the lock is
};

}  // namespace juxta::tool

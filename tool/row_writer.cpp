// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tool/row_writer.h"
#include "juxta/core/try.h"

#include <utility>

namespace juxta::tool {

Result<void> RowWriter::open(const std::string& path) {
  if (path == "-") {
    return {};
  }
  lock_.emplace();
  JUXTA_TRY_LET(auto file, OutputFile::open(path));
  file_.emplace(std::move(file));
  return {};
}

Result<void> RowWriter::flush(std::size_t when) {
  if (buffer_.size() < when) {
    return {};
  }
  auto written = file_ ? file_->write(buffer_) : print(buffer_);
  buffer_.clear();
  return written;
}

Result<void> RowWriter::close() {
  auto written = flush(0);
  return written && file_ ? file_->commit() : written;
}

}  // namespace juxta::tool

// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/files/output_file.h"
#include "juxta/core/try.h"

#include <span>

#include "core/os.h"
#include "core/path.h"

namespace juxta {

struct OutputFile::Impl {
  core_detail::AtomicFile file;
};

OutputFile::OutputFile(Owned<Impl> impl) noexcept : impl_(std::move(impl)) {}
OutputFile::OutputFile(OutputFile&&) noexcept = default;
OutputFile::~OutputFile() = default;

Result<OutputFile> OutputFile::open(std::string_view path) {
  JUXTA_TRY_LET(auto file, core_detail::AtomicFile::create(path_of(path)));
  return OutputFile(make_owned<Impl>(Impl{std::move(file)}));
}

Result<void> OutputFile::write(std::string_view bytes) {
  return impl_->file.write(std::as_bytes(std::span(bytes.data(), bytes.size())));
}

Result<void> OutputFile::commit() {
  return impl_->file.commit();
}

Result<void> write_file(std::string_view path, std::string_view bytes) {
  JUXTA_TRY_LET(auto file, OutputFile::open(path));
  JUXTA_TRY(file.write(bytes));
  return file.commit();
}

}  // namespace juxta

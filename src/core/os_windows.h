// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

// What the Windows files share.

#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "core/path.h"
#include "juxta/core/error.h"

namespace juxta::core_detail {

/// FormatMessage's sentence in UTF-8, without its line's end: "The system cannot find the file specified."
[[nodiscard]] std::string windows_message(DWORD code);

inline tl::unexpected<Error> io_error(const char* action, const std::filesystem::path& path, DWORD code) {
  return fail(ErrorCode::kIo,
              std::string("cannot ") + action + " '" + utf8_of(path) + "': " + windows_message(code));
}

/// The path as functions of Windows take it whatever its length: from 240 characters on absolute, with "\\?\"
/// before it. "//?/" is taken for that too.
[[nodiscard]] std::wstring long_path(const std::filesystem::path& path);

/// Closes on every way out, and leaves GetLastError() to the message that follows.
class Handle {
 public:
  explicit Handle(HANDLE handle) noexcept : handle_(handle) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (valid()) {
      const DWORD kept = ::GetLastError();
      ::CloseHandle(handle_);
      ::SetLastError(kept);
    }
  }
  [[nodiscard]] bool valid() const noexcept { return handle_ != INVALID_HANDLE_VALUE && handle_ != nullptr; }
  [[nodiscard]] HANDLE get() const noexcept { return handle_; }
  [[nodiscard]] HANDLE release() noexcept { return std::exchange(handle_, INVALID_HANDLE_VALUE); }

 private:
  HANDLE handle_;
};

inline HANDLE handle_of(std::intptr_t file) noexcept {
  return reinterpret_cast<HANDLE>(file);  // NOLINT
}
inline std::intptr_t number_of(HANDLE file) noexcept {
  return reinterpret_cast<std::intptr_t>(file);
}

/// Others may read, write, rename and delete a file that we hold open, as everywhere else.
inline constexpr DWORD kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

/// A new name in the folder of `target`, which no other call of any process gives: the name, ".", the
/// process,
/// "-", a number, and `ending`.
[[nodiscard]] std::filesystem::path name_beside(const std::filesystem::path& target, const char* ending);

/// Gives `temporary` the name `target`, whatever file has it, in one step where Windows can do that; else
/// what is in use is renamed to end in .old first, and deleted if that is allowed. Tries for a second and a
/// quarter. False: GetLastError() says why.
[[nodiscard]] bool replace_file(const std::filesystem::path& temporary, const std::filesystem::path& target);

/// The file that `path` leads to if it is a link, else `path`. GCC's <filesystem> does not know links on
/// Windows. Errors: kIo (it leads nowhere, no right).
[[nodiscard]] Result<std::filesystem::path> end_of_links(const std::filesystem::path& path);

/// Neither a folder, nor a console, a pipe or NUL.
[[nodiscard]] bool is_regular_file(HANDLE file) noexcept;

}  // namespace juxta::core_detail

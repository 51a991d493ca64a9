// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// How a new file takes the name of an old one that somebody may read or have mapped, and where links lead.
#if defined(_WIN32)

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <string>

#include "core/os_windows.h"

namespace juxta::core_detail {
namespace {

// FILE_RENAME_INFO and its words, of Windows 10 1607: headers that are set to an older version lack them.
struct RenameInfo {
  DWORD flags;
  HANDLE folder;
  DWORD name_bytes;
  wchar_t name[1];
};
static_assert(offsetof(RenameInfo, name_bytes) == offsetof(FILE_RENAME_INFO, FileNameLength));
static_assert(offsetof(RenameInfo, name) == offsetof(FILE_RENAME_INFO, FileName));
constexpr DWORD kReplaceIfExists = 0x1, kPosixSemantics = 0x2;
constexpr int kFileRenameInfoEx = 22;

// One step: the name is that of the old file or of the new one, whenever the program ends. Whoever has the
// old file open keeps it. NTFS has this since Windows 10 1709; Wine 8 and other file systems refuse.
bool rename_as_posix(const std::wstring& from, const std::wstring& to) {
  // Write-through: the new name is on the disk when the call returns.
  const Handle file(::CreateFileW(from.c_str(), DELETE | SYNCHRONIZE, kShareAll, nullptr, OPEN_EXISTING,
                                  FILE_FLAG_WRITE_THROUGH, nullptr));
  if (!file.valid()) {
    return false;
  }
  const std::size_t bytes = sizeof(RenameInfo) + to.size() * sizeof(wchar_t);
  // Words, for the alignment. operator new gives more than that, but std::byte[] would not say so.
  const auto words = std::make_unique<std::uint64_t[]>(bytes / sizeof(std::uint64_t) + 1);
  auto* const info = new (words.get()) RenameInfo{};
  info->flags = kReplaceIfExists | kPosixSemantics;
  info->name_bytes = static_cast<DWORD>(to.size() * sizeof(wchar_t));
  std::memcpy(reinterpret_cast<std::byte*>(words.get()) + offsetof(RenameInfo, name), to.data(),
              info->name_bytes);
  return ::SetFileInformationByHandle(file.get(), static_cast<FILE_INFO_BY_HANDLE_CLASS>(kFileRenameInfoEx),
                                      words.get(), static_cast<DWORD>(bytes)) != 0;
}

bool in_use(DWORD code) noexcept {
  return code == ERROR_ACCESS_DENIED || code == ERROR_SHARING_VIOLATION || code == ERROR_USER_MAPPED_FILE ||
         code == ERROR_ALREADY_EXISTS || code == ERROR_FILE_EXISTS;
}

bool is_there(const std::wstring& path) noexcept {
  return ::GetFileAttributesW(path.c_str()) != INVALID_FILE_ATTRIBUTES;
}

bool move_over(const std::wstring& from, const std::wstring& to) {
  return rename_as_posix(from, to) ||
         ::MoveFileExW(from.c_str(), to.c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0;
}

// Two steps: a program that is killed between them leaves `aside` and `from`, and nothing under the name. So
// `aside` ends in .old, by which it can be told and put back. False: GetLastError() says why.
bool move_aside_and_over(const std::wstring& from, const std::wstring& to, const std::wstring& aside) {
  if (::MoveFileExW(to.c_str(), aside.c_str(), 0) == 0) {
    return false;
  }
  if (move_over(from, to)) {
    ::DeleteFileW(aside.c_str());  // refused while it is mapped
    return true;
  }
  const DWORD failed = ::GetLastError();
  // As it was; and if another thread's file is there by now, that one has replaced it.
  if (::MoveFileExW(aside.c_str(), to.c_str(), 0) == 0 && is_there(to)) {
    ::DeleteFileW(aside.c_str());
  }
  ::SetLastError(failed);
  return false;
}

// "\\?\C:\folder\file" is "C:\folder\file", and "\\?\UNC\server\share" is "\\server\share".
std::wstring short_form(std::wstring path) {
  constexpr std::wstring_view kPlain = L"\\\\?\\", kShare = L"\\\\?\\UNC\\";
  if (path.starts_with(kShare)) {
    return L"\\\\" + path.substr(kShare.size());
  }
  return path.starts_with(kPlain) && path.substr(5, 2) == L":\\" ? path.substr(kPlain.size()) : path;
}

}  // namespace

std::filesystem::path name_beside(const std::filesystem::path& target, const char* ending) {
  static std::atomic<unsigned> counter{0};
  std::filesystem::path name = target.filename();
  name += ".";
  name += std::to_string(::GetCurrentProcessId());
  name += "-";
  name += std::to_string(counter.fetch_add(1));
  name += ending;
  return target.parent_path() / name;
}

bool replace_file(const std::filesystem::path& temporary, const std::filesystem::path& target) {
  static std::mutex one_at_a_time;  // threads of this program do not get into each other's way
  const std::lock_guard lock(one_at_a_time);
  const std::wstring from = long_path(temporary), to = long_path(target);
  constexpr int kTries = 50, kTriesBeforeItMoves = 5;
  for (int i = 0; i < kTries; ++i) {
    // POSIX semantics may not mind what makes a file read-only.
    const DWORD attributes = ::GetFileAttributesW(to.c_str());
    if (attributes != INVALID_FILE_ATTRIBUTES &&
        (attributes & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_READONLY)) != 0) {
      ::SetLastError(ERROR_ACCESS_DENIED);
      return false;
    }
    if (move_over(from, to)) {
      return true;
    }
    const DWORD code = ::GetLastError();
    if (!in_use(code)) {
      return false;
    }
    if (i >= kTriesBeforeItMoves && move_aside_and_over(from, to, long_path(name_beside(target, ".old")))) {
      return true;
    }
    ::Sleep(static_cast<DWORD>(i));
    ::SetLastError(code);
  }
  return false;
}

Result<std::filesystem::path> end_of_links(const std::filesystem::path& path) {
  const std::wstring name = long_path(path);
  const DWORD attributes = path.empty() ? INVALID_FILE_ATTRIBUTES : ::GetFileAttributesW(name.c_str());
  if (attributes == INVALID_FILE_ATTRIBUTES || (attributes & FILE_ATTRIBUTE_REPARSE_POINT) == 0) {
    return path;
  }
  const Handle file(
      ::CreateFileW(name.c_str(), 0, kShareAll, nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr));
  if (!file.valid()) {  // nothing there to name
    return io_error("follow the link", path, ::GetLastError());
  }
  std::wstring text(512, L'\0');
  DWORD length = 0;
  while ((length = ::GetFinalPathNameByHandleW(file.get(), text.data(), static_cast<DWORD>(text.size()),
                                               FILE_NAME_NORMALIZED | VOLUME_NAME_DOS)) >= text.size()) {
    text.resize(std::size_t{length} + 1);
  }
  if (length == 0) {
    return io_error("follow the link", path, ::GetLastError());
  }
  text.resize(length);
  return std::filesystem::path(short_form(std::move(text)));
}

}  // namespace juxta::core_detail

#endif

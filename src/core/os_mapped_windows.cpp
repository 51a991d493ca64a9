// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Files seen as memory, and which of their pages this process has read.
#if defined(_WIN32)

#include "core/os_windows.h"

// Version 2: QueryWorkingSetEx is a function of kernel32, and no other library has to be linked.
#define PSAPI_VERSION 2
#include <psapi.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/os.h"

namespace juxta::core_detail {

Result<MappedFile> MappedFile::open(const std::filesystem::path& path, std::size_t zeros) {
  // Backup semantics: a folder opens too, so that it can be refused as what it is.
  const Handle file(::CreateFileW(long_path(path).c_str(), GENERIC_READ, kShareAll, nullptr, OPEN_EXISTING,
                                  FILE_FLAG_BACKUP_SEMANTICS, nullptr));
  if (!file.valid()) {
    return io_error("open", path, ::GetLastError());
  }
  if (!is_regular_file(file.get())) {
    return fail(ErrorCode::kIo, "cannot read '" + utf8_of(path) + "': it is not a regular file");
  }
  LARGE_INTEGER length{};
  if (::GetFileSizeEx(file.get(), &length) == 0) {
    return io_error("read", path, ::GetLastError());
  }
  MappedFile result;
  if (length.QuadPart > 0) {
    if (zeros != 0) {
      return fail(ErrorCode::kIo, "cannot map '" + utf8_of(path) + "' with " + std::to_string(zeros) +
                                      " zeros behind it: Windows would need memory for them");
    }
    // The view keeps the section, and the section the file.
    const Handle section(::CreateFileMappingW(file.get(), nullptr, PAGE_READONLY, 0, 0, nullptr));
    const void* const data =
        section.valid() ? ::MapViewOfFile(section.get(), FILE_MAP_READ, 0, 0, 0) : nullptr;
    if (data == nullptr) {
      return io_error("map", path, ::GetLastError());
    }
    result.data_ = static_cast<const std::byte*>(data);
    result.size_ = result.mapped_ = static_cast<std::size_t>(length.QuadPart);
  }
  return result;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) {
    ::UnmapViewOfFile(data_);
  }
}

Result<void> MappedFile::copy(std::size_t at, std::span<std::byte> out) const {
  std::copy_n(data_ + at, out.size(), out.begin());
  return {};
}

std::int64_t process_id() noexcept {
  return ::GetCurrentProcessId();
}

// A page counts if it is in the working set. Should the first one, which is read here, not be in it, the
// answer is not to be trusted: that of an emulator, say.
bool visit_pages_read(std::span<const std::byte> mapped, FunctionRef<void(std::size_t, std::size_t)> visit) {
  if (mapped.empty()) {
    return false;
  }
  SYSTEM_INFO system{};
  ::GetSystemInfo(&system);
  const std::size_t page_bytes = system.dwPageSize, pages = (mapped.size() + page_bytes - 1) / page_bytes;
  [[maybe_unused]] const volatile std::byte touched = mapped[0];
  std::vector<PSAPI_WORKING_SET_EX_INFORMATION> words(std::min<std::size_t>(pages, 4096));
  for (std::size_t page = 0; page < pages;) {
    const std::size_t count = std::min(words.size(), pages - page);
    for (std::size_t i = 0; i < count; ++i) {
      words[i] = {};
      words[i].VirtualAddress = const_cast<std::byte*>(mapped.data() + (page + i) * page_bytes);
    }
    if (::K32QueryWorkingSetEx(::GetCurrentProcess(), words.data(),
                               static_cast<DWORD>(count * sizeof(words[0]))) == 0 ||
        (page == 0 && words[0].VirtualAttributes.Valid == 0)) {
      return false;
    }
    for (std::size_t i = 0; i < count; ++i, ++page) {
      if (words[i].VirtualAttributes.Valid != 0) {
        visit(page * page_bytes, std::min((page + 1) * page_bytes, mapped.size()));
      }
    }
  }
  return true;
}

}  // namespace juxta::core_detail

#endif

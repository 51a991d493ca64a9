// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Files seen as memory, and which of their pages this process has read.
#if !defined(_WIN32) && !defined(__wasi__)

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/os.h"
#include "core/os_posix.h"

namespace juxta::core_detail {
namespace {

/// The file from the start, and zeros behind it; MAP_FAILED as mmap.
///
///   |<------- one mapping of zeros -------->|
///   | the file, over it |                   |
void* map_with_zeros(int file, std::size_t size, std::size_t mapped) noexcept {
  void* const data = ::mmap(nullptr, mapped, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
#if defined(MADV_NOHUGEPAGE)
  if (data != MAP_FAILED) {
    ::madvise(data, mapped, MADV_NOHUGEPAGE);  // a read of the zeros shall not cost 2 MiB
  }
#endif
  if (data == MAP_FAILED || ::mmap(data, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, 0) != MAP_FAILED) {
    return data;
  }
  const int kept = errno;
  ::munmap(data, mapped);
  errno = kept;
  return MAP_FAILED;
}

}  // namespace

Result<MappedFile> MappedFile::open(const std::filesystem::path& path, std::size_t zeros) {
  // O_NONBLOCK: opening a pipe would otherwise wait for a writer before we can refuse it.
  const Descriptor file(open_retrying(path.c_str(), O_RDONLY | O_NONBLOCK));
  if (file.get() < 0) {
    return io_error("open", path, errno);
  }
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) {
    return io_error("read", path, errno);
  }
  if (!S_ISREG(status.st_mode)) {
    return fail(ErrorCode::kIo, "cannot read '" + path.string() + "': it is not a regular file");
  }
  MappedFile result;
  if (status.st_size > 0) {
    const auto size = static_cast<std::size_t>(status.st_size);
    const std::size_t mapped = size + zeros;
    void* const data = zeros == 0 ? ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0)
                                  : map_with_zeros(file.get(), size, mapped);
    if (data == MAP_FAILED) {
      return io_error("map", path, errno);
    }
    result.data_ = static_cast<const std::byte*>(data);
    result.size_ = size;
    result.mapped_ = mapped;
  }
  return result;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) {
    ::munmap(const_cast<std::byte*>(data_), mapped_);
  }
}

std::int64_t process_id() noexcept {
  return ::getpid();
}

// Linux has a word for each page of a process in /proc/self/pagemap. Bit 63 says that it is in memory, bit 62
// that it is swapped out or on its way to another place (Documentation/admin-guide/mm/pagemap.rst). Where the
// first page, which is read here, has neither, the table is another one: that of an emulator, say.
bool visit_pages_read(std::span<const std::byte> mapped, FunctionRef<void(std::size_t, std::size_t)> visit) {
  const Descriptor map(open_retrying("/proc/self/pagemap", O_RDONLY));
  const auto page_bytes = static_cast<std::size_t>(std::max(0L, ::sysconf(_SC_PAGESIZE)));
  if (map.get() < 0 || page_bytes == 0 || mapped.empty()) {
    return false;
  }
  const std::size_t pages = (mapped.size() + page_bytes - 1) / page_bytes,
                    first = reinterpret_cast<std::uintptr_t>(mapped.data()) / page_bytes;
  [[maybe_unused]] const volatile std::byte touched = mapped[0];
  std::vector<std::uint64_t> words(std::min<std::size_t>(pages, 8192));
  for (std::size_t page = 0; page < pages;) {
    const ssize_t got =
        ::pread(map.get(), words.data(), std::min(words.size(), pages - page) * sizeof(words[0]),
                static_cast<off_t>((first + page) * sizeof(words[0])));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < static_cast<ssize_t>(sizeof(words[0]))) {
      return false;
    }
    if (page == 0 && words[0] >> 62 == 0) {
      return false;
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(got) / sizeof(words[0]); ++i, ++page) {
      if (words[i] >> 62 != 0) {
        visit(page * page_bytes, std::min((page + 1) * page_bytes, mapped.size()));
      }
    }
  }
  return true;
}

}  // namespace juxta::core_detail

#endif

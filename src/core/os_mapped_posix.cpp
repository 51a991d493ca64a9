// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Files seen as memory, and which of their pages this process has read.
#if !defined(_WIN32) && !defined(__wasi__)

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
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

/// The argument of the call that scans, and what it returns: the headers of older systems lack them.
struct PageScan {
  std::uint64_t size = sizeof(PageScan), flags = 0, begin = 0, end = 0, walked = 0, runs = 0, run_count = 0,
                most_pages = 0, inverted = 0, all_of = 0, any_of = 0, wanted = 0;
};
struct PageRun {
  std::uint64_t begin, end, kinds;
};

}  // namespace

Result<MappedFile> MappedFile::open(const std::filesystem::path& path, std::size_t zeros) {
  // O_NONBLOCK: opening a pipe would otherwise wait for a writer before we can refuse it.
  Descriptor file(open_retrying(path.c_str(), O_RDONLY | O_NONBLOCK));
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
    if (zeros > SIZE_MAX - size) {
      return io_error("map", path, ENOMEM);
    }
    const std::size_t mapped = size + zeros;
    void* const data = zeros == 0 ? ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0)
                                  : map_with_zeros(file.get(), size, mapped);
    if (data == MAP_FAILED) {
      return io_error("map", path, errno);
    }
    result.data_ = static_cast<const std::byte*>(data);
    result.size_ = size;
    result.mapped_ = mapped;
    result.file_ = zeros == 0 ? -1 : file.release();
  }
  return result;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) {
    ::munmap(const_cast<std::byte*>(data_), mapped_);
  }
  if (file_ >= 0) {
    ::close(file_);
  }
}

Result<void> MappedFile::copy(std::size_t at, std::span<std::byte> out) const {
  if (file_ < 0) {
    std::copy_n(data_ + at, out.size(), out.begin());
    return {};
  }
  while (!out.empty()) {
    const ssize_t got = ::pread(file_, out.data(), out.size(), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {  // 0: somebody has made the file shorter
      return fail(ErrorCode::kIo,
                  "cannot read its contents: " + std::system_category().message(got == 0 ? EIO : errno));
    }
    out = out.subspan(static_cast<std::size_t>(got));
    at += static_cast<std::size_t>(got);
  }
  return {};
}

std::int64_t process_id() noexcept {
  return ::getpid();
}

// Since Linux 6.7 one call returns the runs of pages (Documentation/admin-guide/mm/pagemap.rst).
bool scan_pages(int map, std::span<const std::byte> mapped, std::size_t page_bytes,
                FunctionRef<void(std::size_t, std::size_t)> visit) {
#if defined(__linux__)
  constexpr std::uint64_t kPresentOrSwapped = 8 | 16;
  const auto base = reinterpret_cast<std::uintptr_t>(mapped.data());
  std::array<PageRun, 256> runs;
  PageScan scan;
  scan.begin = base;
  scan.end = base + (mapped.size() + page_bytes - 1) / page_bytes * page_bytes;
  scan.runs = reinterpret_cast<std::uintptr_t>(runs.data());
  scan.run_count = runs.size();
  scan.any_of = scan.wanted = kPresentOrSwapped;
  while (scan.begin < scan.end) {
    const int found = ::ioctl(map, _IOWR('f', 16, PageScan), &scan);
    if (found < 0 && errno == EINTR) {
      continue;
    }
    // Where the first page, which was read just now, is not among them, something else answers.
    if (found < 0 || (scan.begin == base && (found == 0 || runs[0].begin != base))) {
      return false;
    }
    for (const PageRun& run : std::span(runs).first(static_cast<std::size_t>(found))) {
      visit(run.begin - base, std::min<std::size_t>(run.end - base, mapped.size()));
    }
    scan.begin = found == 0 ? scan.end : scan.walked;
  }
  return true;
#else
  static_cast<void>(map), static_cast<void>(mapped), static_cast<void>(page_bytes), static_cast<void>(visit);
  return false;
#endif
}

// Before, there is a word for each page. Bit 63 says that it is in memory, bit 62 that it is swapped out or
// on its way to another place. Where the first page, which was read just now, has neither, the table is
// another one: that of an emulator, say.
bool read_pages(int map, std::span<const std::byte> mapped, std::size_t page_bytes,
                FunctionRef<void(std::size_t, std::size_t)> visit) {
  const std::size_t pages = (mapped.size() + page_bytes - 1) / page_bytes,
                    first = reinterpret_cast<std::uintptr_t>(mapped.data()) / page_bytes;
  std::vector<std::uint64_t> words(std::min<std::size_t>(pages, 8192));
  for (std::size_t page = 0; page < pages;) {
    const ssize_t got = ::pread(map, words.data(), std::min(words.size(), pages - page) * sizeof(words[0]),
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

bool visit_pages_read(std::span<const std::byte> mapped, FunctionRef<void(std::size_t, std::size_t)> visit) {
  const Descriptor map(open_retrying("/proc/self/pagemap", O_RDONLY));
  const auto page_bytes = static_cast<std::size_t>(std::max(0L, ::sysconf(_SC_PAGESIZE)));
  if (map.get() < 0 || page_bytes == 0 || mapped.empty()) {
    return false;
  }
  [[maybe_unused]] const volatile std::byte touched = mapped[0];
  return scan_pages(map.get(), mapped, page_bytes, visit) || read_pages(map.get(), mapped, page_bytes, visit);
}

}  // namespace juxta::core_detail

#endif

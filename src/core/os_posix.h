// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

// What the POSIX files share.

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/function_ref.h"

namespace juxta::core_detail {

inline tl::unexpected<Error> io_error(const char* action, const std::filesystem::path& path, int code) {
  // std::system_category, as strerror() keeps its text in a buffer that threads share.
  return fail(ErrorCode::kIo, std::string("cannot ") + action + " '" + path.string() +
                                  "': " + std::system_category().message(code));
}

inline int open_retrying(const char* path, int flags, mode_t mode = 0) noexcept {
  int file = -1;
  do {
    file = ::open(path, flags | O_CLOEXEC, mode);
  } while (file < 0 && errno == EINTR);
  return file;
}

// Closes on every way out, and leaves errno to the message that follows.
class Descriptor {
 public:
  explicit Descriptor(int file) noexcept : file_(file) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (file_ >= 0) {
      const int kept = errno;
      ::close(file_);
      errno = kept;
    }
  }
  [[nodiscard]] int get() const noexcept { return file_; }
  [[nodiscard]] int release() noexcept { return std::exchange(file_, -1); }

 private:
  int file_;
};

/// The two ways of visit_pages_read(): of the descriptor of /proc/self/pagemap, and of a file whose first
/// page was read. False: not on this system.
[[nodiscard]] JUXTA_API bool scan_pages(int map, std::span<const std::byte> mapped, std::size_t page_bytes,
                                        FunctionRef<void(std::size_t, std::size_t)> visit);
[[nodiscard]] JUXTA_API bool read_pages(int map, std::span<const std::byte> mapped, std::size_t page_bytes,
                                        FunctionRef<void(std::size_t, std::size_t)> visit);

}  // namespace juxta::core_detail

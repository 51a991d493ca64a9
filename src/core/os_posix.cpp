// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#if !defined(_WIN32) && !defined(__wasi__)

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

#include "core/os.h"
#include "core/os_posix.h"

namespace juxta::core_detail {
namespace {

constexpr std::size_t kPageBytes = 4096;

std::size_t round_up(std::size_t bytes, std::size_t unit) noexcept {
  return (bytes + unit - 1) / unit * unit;
}

// A new name for every call of every process: O_EXCL makes a clash an error, and the counter avoids it.
std::filesystem::path temporary_beside(const std::filesystem::path& target) {
  static std::atomic<unsigned> counter{0};
  std::filesystem::path name = target.filename();
  name += ".";
  name += std::to_string(::getpid());
  name += "-";
  name += std::to_string(counter.fetch_add(1));
  name += ".tmp";
  return target.parent_path() / name;
}

// To the disk itself. fsync() of macOS leaves it in the disk's own cache, where a power cut loses it; some of
// its file systems have nothing more.
int flush_to_disk(int file) noexcept {
#if defined(F_FULLFSYNC)
  if (::fcntl(file, F_FULLFSYNC) == 0) {
    return 0;
  }
#endif
  return ::fsync(file);
}

// A rename survives a power cut only once the directory that holds the names is on the disk too.
int sync_directory(const std::filesystem::path& target) {
  const std::filesystem::path parent = target.has_parent_path() ? target.parent_path() : ".";
  const Descriptor directory(open_retrying(parent.c_str(), O_RDONLY | O_DIRECTORY));
  if (directory.get() < 0) {
    return errno == EACCES ? 0 : errno;  // writable but not readable: the rename itself is done
  }
  // Some file systems cannot flush a directory and say EINVAL: nothing more can be done there.
  return flush_to_disk(directory.get()) == 0 || errno == EINVAL ? 0 : errno;
}

// False: errno says why.
bool write_all(int file, std::span<const std::byte> bytes) noexcept {
  // Linux writes at most 2 GiB - 4 KiB at once, and may write less than asked.
  constexpr std::size_t kMost = std::size_t{1} << 30;
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), std::min(bytes.size(), kMost));
    if (written < 0 && errno != EINTR) {
      return false;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
  return true;
}

}  // namespace

//   |<------------------- bytes + 2 MiB mapped ------------------->|
//   |  unmapped  | 2 MiB boundary: the block ......... | unmapped  |
void* allocate_pages(std::size_t bytes) noexcept {
  if (bytes > SIZE_MAX - 2 * kHugePageBytes) {
    return nullptr;
  }
  const std::size_t size = round_up(bytes, kPageBytes);
  const std::size_t mapped = size + kHugePageBytes;
  void* const raw = ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED) {
    return nullptr;
  }
  const auto begin = reinterpret_cast<std::uintptr_t>(raw);
  const std::uintptr_t aligned = (begin + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes;
  const std::size_t head = aligned - begin;
  const std::size_t tail = mapped - head - size;
  auto* const block = static_cast<std::byte*>(raw) + head;
  if (head != 0) {
    ::munmap(raw, head);
  }
  if (tail != 0) {
    ::munmap(block + size, tail);
  }
  prefer_huge_pages(block, size);
  return block;
}

void prefer_huge_pages([[maybe_unused]] void* block, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(MADV_HUGEPAGE)
  const auto begin = reinterpret_cast<std::uintptr_t>(block);
  const std::uintptr_t first = (begin + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes;
  if (first - begin < bytes) {
    ::madvise(reinterpret_cast<void*>(first), begin + bytes - first, MADV_HUGEPAGE);  // NOLINT
  }
#endif
}

void free_pages(void* block, std::size_t bytes) noexcept {
  ::munmap(block, round_up(bytes, kPageBytes));
}

bool offer_pages([[maybe_unused]] void* block, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(MADV_FREE)
  return ::madvise(block, round_up(bytes, kPageBytes), MADV_FREE) == 0;
#else
  return false;
#endif
}

Result<AtomicFile> AtomicFile::create(const std::filesystem::path& path) {
  std::error_code ignored;
  std::filesystem::path target = path;
  if (std::filesystem::is_symlink(path, ignored)) {
    target = std::filesystem::weakly_canonical(path, ignored);
    if (ignored) {
      return io_error("write", path, ignored.value());
    }
  }
  struct stat status {};
  const bool exists = ::stat(target.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    return io_error("write", path, EISDIR);
  }
  const bool direct = exists && !S_ISREG(status.st_mode);
  if (!direct && !target.has_filename()) {
    return fail(ErrorCode::kIo, "cannot write '" + path.string() + "': it does not name a file");
  }
  std::filesystem::path temporary = direct ? std::filesystem::path() : temporary_beside(target);
  const int file = direct ? open_retrying(target.c_str(), O_WRONLY)
                          : open_retrying(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (file < 0) {
    return io_error("write", path, errno);
  }
  AtomicFile result(file, std::move(target), std::move(temporary));
  if (exists && !direct && ::fchmod(file, status.st_mode & 0777) != 0) {
    return io_error("set the rights of", result.temporary_, errno);  // readers of the old file keep theirs
  }
  return result;
}

void AtomicFile::discard() noexcept {
  const int kept = errno;
  if (file_ >= 0) {
    ::close(std::exchange(file_, -1));
  }
  if (!temporary_.empty()) {
    ::unlink(temporary_.c_str());
    temporary_.clear();
  }
  errno = kept;
}

Result<void> AtomicFile::write(std::span<const std::byte> bytes) {
  if (file_ < 0) {
    return fail(ErrorCode::kInvalidArgument, "cannot write '" + target_.string() + "': it is already closed");
  }
  if (!write_all(file_, bytes)) {
    discard();
    return io_error("write", target_, errno);
  }
  return {};
}

Result<void> AtomicFile::commit() {
  if (file_ < 0) {
    return fail(ErrorCode::kInvalidArgument, "cannot write '" + target_.string() + "': it is already closed");
  }
  if (!temporary_.empty() && flush_to_disk(file_) != 0) {
    discard();
    return io_error("flush", target_, errno);
  }
  if (::close(std::exchange(file_, -1)) != 0) {
    discard();
    return io_error("close", target_, errno);
  }
  if (temporary_.empty()) {
    return {};
  }
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
    discard();
    return io_error("replace", target_, errno);
  }
  temporary_.clear();
  if (const int code = sync_directory(target_); code != 0) {
    return io_error("flush the directory of", target_, code);
  }
  return {};
}

Result<AppendFile> AppendFile::open(const std::filesystem::path& path) {
  // O_NONBLOCK: a pipe would otherwise wait for a reader before we can refuse it.
  Descriptor file(open_retrying(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK, 0666));
  struct stat status {};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0) {
    return io_error("write", path, errno);
  }
  if (!S_ISREG(status.st_mode)) {
    return fail(ErrorCode::kIo, "cannot write '" + path.string() + "': it is not a regular file");
  }
  // A file system without locks says another error: two holders at once are then up to the user.
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return fail(ErrorCode::kIo, "cannot write '" + path.string() +
                                    "': another program writes it; wait for that or give another name");
  }
  if (::fstat(file.get(), &status) != 0) {  // as it is under the lock
    return io_error("write", path, errno);
  }
  return AppendFile(file.release(), static_cast<std::size_t>(status.st_size), path);
}

AppendFile::~AppendFile() {
  if (file_ >= 0) {
    ::close(file_);
  }
}

Result<void> AppendFile::keep(std::size_t size) {
  if (::ftruncate(file_, static_cast<off_t>(size)) != 0) {
    return io_error("shorten", path_, errno);
  }
  size_ = size;
  ends_elsewhere_ = false;
  return {};
}

Result<void> AppendFile::append(std::span<const std::byte> bytes) {
  if (ends_elsewhere_) {
    auto cut = keep(size_);
    if (!cut) {
      return cut;
    }
  }
  if (!write_all(file_, bytes)) {
    const auto error = io_error("write", path_, errno);
    ends_elsewhere_ = !keep(size_).has_value();  // the first error is the one to tell
    return error;
  }
  size_ += bytes.size();
  return {};
}

Result<void> AppendFile::flush() {
  // A file system that cannot flush says EINVAL: nothing more can be done there.
  return flush_to_disk(file_) == 0 || errno == EINVAL ? Result<void>()
                                                      : Result<void>(io_error("flush", path_, errno));
}

std::FILE* open_to_read(const std::filesystem::path& path) noexcept {
  return std::fopen(path.c_str(), "rb");
}

Result<void> flush_folder_of(const std::filesystem::path& path) {
  const int error = sync_directory(path);
  return error == 0 ? Result<void>() : Result<void>(io_error("flush the folder of", path, error));
}

}  // namespace juxta::core_detail

#endif

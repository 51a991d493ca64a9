// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// WebAssembly with WASI, whose host is a web page or Node: memory is one array that grows, there are no other
// processes, and a file is what the host says it is (js/src/wasi.js keeps files in memory).
#if defined(__wasi__)

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>
#include <string>
#include <utility>

#include "core/os.h"
#include "core/os_posix.h"
#include "core/path.h"

namespace juxta::core_detail {
namespace {

std::size_t round_up(std::size_t bytes, std::size_t unit) noexcept {
  return (bytes + unit - 1) / unit * unit;
}

std::filesystem::path temporary_beside(const std::filesystem::path& target) {
  static std::atomic<unsigned> counter{0};
  std::filesystem::path name = target.filename();
  name += "." + std::to_string(counter.fetch_add(1)) + ".tmp";
  return target.parent_path() / name;
}

// False: errno says why.
bool write_all(int file, std::span<const std::byte> bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written == 0) {
      errno = EIO;  // a host that takes nothing and says nothing
    }
    if (written <= 0 && errno != EINTR) {
      return false;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
  return true;
}

// How many bytes came before the end; errno says why not all, or 0.
std::size_t read_all(int file, std::byte* to, std::size_t size) noexcept {
  std::size_t done = 0;
  errno = 0;
  while (done < size) {
    const ssize_t got = ::read(file, to + done, size - done);
    if (got == 0 || (got < 0 && errno != EINTR)) {
      break;
    }
    done += static_cast<std::size_t>(std::max<ssize_t>(got, 0));
  }
  return done;
}

}  // namespace

// ---- memory: there are no huge pages to align to, and what was freed before is not zero

void* allocate_pages(std::size_t bytes) noexcept {
  if (bytes > SIZE_MAX - kPagesAlignment) {
    return nullptr;
  }
  void* const block = std::aligned_alloc(kPagesAlignment, round_up(bytes, kPagesAlignment));
  return block == nullptr ? nullptr : std::memset(block, 0, bytes);
}
void free_pages(void* block, std::size_t /*bytes*/) noexcept {
  std::free(block);
}
void prefer_huge_pages(void* /*block*/, std::size_t /*bytes*/) noexcept {}
bool offer_pages(void* /*block*/, std::size_t /*bytes*/) noexcept {
  return false;
}

// ---- threads and processes: one

unsigned usable_cpus() {
  return 1;
}
double cgroup_cpus(const std::filesystem::path& /*root*/) {
  return std::numeric_limits<double>::infinity();
}
double thread_seconds() noexcept {
  std::timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
unsigned startable_threads(unsigned /*count*/, std::size_t /*stack_bytes*/) {
  return 0;
}
void call_chain(std::span<const void*> chain, const void* innermost) noexcept {
  std::ranges::fill(chain, nullptr);
  if (!chain.empty()) {
    chain[0] = innermost;
  }
}
std::int64_t process_id() noexcept {
  return 1;
}

// ---- files

Result<MappedFile> MappedFile::open(const std::filesystem::path& path, std::size_t zeros) {
  const Descriptor file(open_retrying(path.c_str(), O_RDONLY));
  if (file.get() < 0) {
    return io_error("open", path, errno);
  }
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) {
    return io_error("read", path, errno);
  }
  if (!S_ISREG(status.st_mode)) {
    return fail(ErrorCode::kIo, "cannot read '" + utf8_of(path) + "': it is not a regular file");
  }
  MappedFile result;
  if (status.st_size > 0) {
    const auto length = static_cast<std::uint64_t>(status.st_size);
    auto* const block =
        zeros > SIZE_MAX / 2 || length > SIZE_MAX / 2 - kPagesAlignment
            ? nullptr
            : static_cast<std::byte*>(allocate_pages(static_cast<std::size_t>(length) + zeros));
    if (block == nullptr) {
      return io_error("hold in memory", path, ENOMEM);
    }
    const auto size = static_cast<std::size_t>(length);
    result.data_ = block;
    result.size_ = size;
    result.mapped_ = size + zeros;
    if (read_all(file.get(), block, size) != size) {
      return io_error("read", path, errno != 0 ? errno : EIO);
    }
  }
  return result;
}

MappedFile::~MappedFile() {
  std::free(const_cast<std::byte*>(data_));
}

Result<void> MappedFile::copy(std::size_t at, std::span<std::byte> out) const {
  std::copy_n(data_ + at, out.size(), out.begin());
  return {};
}

bool visit_pages_read(std::span<const std::byte> /*mapped*/,
                      FunctionRef<void(std::size_t, std::size_t)> /*visit*/) {
  return false;
}

Result<AtomicFile> AtomicFile::create(const std::filesystem::path& path) {
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    return io_error("write", path, EISDIR);
  }
  if (!path.has_filename()) {
    return fail(ErrorCode::kIo, "cannot write '" + utf8_of(path) + "': it does not name a file");
  }
  std::filesystem::path temporary = temporary_beside(path);
  const int file = open_retrying(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (file < 0) {
    return io_error("write", path, errno);
  }
  return AtomicFile(file, path, std::move(temporary));
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
    return fail(ErrorCode::kInvalidArgument, "cannot write '" + utf8_of(target_) + "': it is already closed");
  }
  if (!write_all(file_, bytes)) {
    discard();
    return io_error("write", target_, errno);
  }
  return {};
}

Result<void> AtomicFile::commit() {
  if (file_ < 0) {
    return fail(ErrorCode::kInvalidArgument, "cannot write '" + utf8_of(target_) + "': it is already closed");
  }
  if (::close(std::exchange(file_, -1)) != 0) {
    discard();
    return io_error("close", target_, errno);
  }
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
    discard();
    return io_error("replace", target_, errno);
  }
  temporary_.clear();
  return {};
}

Result<AppendFile> AppendFile::open(const std::filesystem::path& path) {
  Descriptor file(open_retrying(path.c_str(), O_RDWR | O_CREAT | O_APPEND, 0666));
  struct stat status {};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0) {
    return io_error("write", path, errno);
  }
  if (!S_ISREG(status.st_mode)) {
    return fail(ErrorCode::kIo, "cannot write '" + utf8_of(path) + "': it is not a regular file");
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

std::FILE* open_to_read(const std::filesystem::path& path) noexcept {
  return std::fopen(path.c_str(), "rb");
}

// The host's files are as safe as the host makes them.
Result<void> AppendFile::flush() {
  return {};
}
Result<void> flush_folder_of(const std::filesystem::path& /*path*/) {
  return {};
}

}  // namespace juxta::core_detail

#endif

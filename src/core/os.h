// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

// Everything that Juxta asks of the operating system. os_holders.cpp has what is the same everywhere;
// os_posix.cpp, os_mapped_posix.cpp and os_threads.cpp implement it for POSIX, os_windows.cpp,
// os_mapped_windows.cpp, os_replace_windows.cpp and os_threads_windows.cpp for Windows, os_wasi.cpp for
// WebAssembly. Paths in messages are UTF-8 everywhere.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <span>
#include <string>

#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/function_ref.h"

namespace juxta::core_detail {

inline constexpr std::size_t kHugePageBytes = std::size_t{2} << 20;
/// To what allocate_pages() aligns: WebAssembly has no huge pages.
#if defined(__wasi__)
inline constexpr std::size_t kPagesAlignment = 4096;
#else
inline constexpr std::size_t kPagesAlignment = kHugePageBytes;
#endif

/// An open file, as the system names it: a descriptor, or a HANDLE as a number. -1: none.
#if defined(_WIN32)
using OsFile = std::intptr_t;
#else
using OsFile = int;
#endif

/// Zeroed pages, aligned to kPagesAlignment and with huge pages asked for; null when the system has no more.
[[nodiscard]] void* allocate_pages(std::size_t bytes) noexcept;
/// Gives back what allocate_pages(bytes) returned.
void free_pages(void* block, std::size_t bytes) noexcept;

/// Asks for huge pages in memory of any allocator, before it is written: a wish, from the first place in
/// `bytes` bytes from `block` on where one may begin. Faults of small pages take as long as reading a text of
/// numbers does. Nothing on Windows, where programs need a privilege for them.
JUXTA_API void prefer_huge_pages(void* block, std::size_t bytes) noexcept;

/// Keeps such pages, but tells the system that it may take them back, whatever they hold, until they are
/// written again. False where that cannot be said.
[[nodiscard]] bool offer_pages(void* block, std::size_t bytes) noexcept;

/// CPUs that this process may use: those of the calling thread's affinity mask (taskset), and no more than
/// the quota of its control groups, rounded up. At least 1. About 150 us: it reads /proc. On Windows: the
/// thread's affinity mask, which is of one processor group (64 CPUs at most), and the hard cap of the job.
[[nodiscard]] unsigned usable_cpus();
/// That quota, in CPUs, the tightest of all groups up to the root, by versions 1 and 2; infinite without one.
/// `root` stands for "/" in a test. Infinite on Windows.
[[nodiscard]] JUXTA_API double cgroup_cpus(const std::filesystem::path& root);
/// Seconds of processor time that the calling thread has used: what it waited, and what others took, is not
/// in it. Where the platform does not tell, that of the process. Windows counts it in steps of 15.6 ms.
[[nodiscard]] double thread_seconds() noexcept;
/// How many threads with stacks of that size the system starts beside each other, up to `count`: starts them,
/// and ends them again.
[[nodiscard]] JUXTA_API unsigned startable_threads(unsigned count, std::size_t stack_bytes);

/// The calling functions as return addresses, the one at `innermost` first; null behind the last. The rest of
/// the stack is not told where the platform has no <execinfo.h>.
void call_chain(std::span<const void*> chain, const void* innermost) noexcept;

/// A number that a forked process does not share with its parent.
[[nodiscard]] JUXTA_API std::int64_t process_id() noexcept;

/// A file seen as memory, read only; nothing is read before it is touched. Move-only.
/// Limit, on POSIX: should another process shorten the file while it is mapped, touching the lost part ends
/// the program (SIGBUS). AtomicFile never does that: it leaves the old contents to whoever holds them.
/// Windows does not let a file be shortened, or deleted, while it is mapped.
class JUXTA_API MappedFile {
 public:
  /// Errors: kIo (missing, no right, a directory, a device, a pipe); the message names path and reason.
  /// `zeros`: so many bytes behind the file can be read, too. They take addresses, and no memory. Errors
  /// also: kIo where the system does not have as many; Windows has none, for zeros behind a mapped file would
  /// have to be memory there.
  [[nodiscard]] static Result<MappedFile> open(const std::filesystem::path& path, std::size_t zeros = 0);

  MappedFile() noexcept = default;
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  /// Aligned to a page. Empty for an empty file.
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {data_, size_}; }

  /// Copies what the file holds from byte `at` on; it has as many. Where it was mapped with zeros, on POSIX,
  /// none of its pages counts as read by this. Errors: kIo.
  [[nodiscard]] Result<void> copy(std::size_t at, std::span<std::byte> out) const;

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0, mapped_ = 0;
  OsFile file_ = -1;  // of a mapping with zeros on POSIX
};

/// Visits, as [begin, end) in bytes of the mapped file, the pages that this process has in its memory: those
/// that it has read, and neighbours that the system brought along, 16 to 512 a read. The first page is among
/// them. One that the system took away since, for want of memory as a rule, is not. False where the system
/// does not tell.
[[nodiscard]] JUXTA_API bool visit_pages_read(std::span<const std::byte> mapped,
                                              FunctionRef<void(std::size_t, std::size_t)> visit);

/// Replaces a file as a whole or not at all: writes a temporary file beside it, and commit() flushes that to
/// the disk and renames it. Without a commit, or after a failed one, the old file is as it was and the
/// temporary one is gone. A link is followed; a device or a pipe (/dev/stdout) is written to directly.
/// After a kill the name has the old file or the new one, whole. One case is left on Windows: where the file
/// system cannot replace in one step what is open or mapped (NTFS since Windows 10 1709 can, for what is open
/// at least; Wine 8 cannot), the old file is renamed to PATH.<process>-<number>.old first. A program that is
/// killed right between leaves that and the new one, which ends in .tmp, and nothing under the name. Points
/// that are kept put it back (ranked/live_files.cpp). A file that is mapped stays after the commit, as .old.
/// Mode: on POSIX the new file gets the old one's. Windows gives it the rights that the folder hands down;
/// rights of the old file's own, and attributes (hidden, compressed), are lost; a read-only file is refused.
/// A link that leads nowhere yet is followed on POSIX, and refused on Windows, and so is ':' in a name.
class JUXTA_API AtomicFile {
 public:
  /// Errors: kIo (missing directory, no right, target is a directory); the message names path and reason.
  [[nodiscard]] static Result<AtomicFile> create(const std::filesystem::path& path);

  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  /// Appends. Errors: kIo (full disk, quota).
  [[nodiscard]] Result<void> write(std::span<const std::byte> bytes);
  /// Makes what was written the file. Nothing may be written after it. Errors: kIo.
  [[nodiscard]] Result<void> commit();

 private:
  AtomicFile(OsFile file, std::filesystem::path target, std::filesystem::path temporary) noexcept;
  void discard() noexcept;

  OsFile file_ = -1;
  std::filesystem::path target_;
  std::filesystem::path temporary_;  // empty: target_ itself is open
};

/// A file that grows: what is appended is in the hands of the system when append() returns, so that the end
/// of this program does not lose it. One holder at a time among all programs; in WebAssembly that is up to
/// the host.
class JUXTA_API AppendFile {
 public:
  /// Opens it, or makes an empty one. Errors: kIo (missing directory, no right, not a regular file, another
  /// program holds it); the message names path and reason.
  [[nodiscard]] static Result<AppendFile> open(const std::filesystem::path& path);

  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&&) = delete;
  ~AppendFile();

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// Cuts off everything behind the first `size` bytes. Errors: kIo.
  [[nodiscard]] Result<void> keep(std::size_t size);
  /// Errors: kIo (full disk, quota); the file then ends where it did, unless even that is refused.
  [[nodiscard]] Result<void> append(std::span<const std::byte> bytes);
  /// To the disk itself: a power cut does not lose it. Errors: kIo.
  [[nodiscard]] Result<void> flush();

 private:
  AppendFile(OsFile file, std::size_t size, std::filesystem::path path) noexcept;

  OsFile file_ = -1;
  std::size_t size_ = 0;
  bool ends_elsewhere_ = false;  // a write failed half way, and what it left could not be cut off
  std::filesystem::path path_;
};

/// std::fopen() of a file to read, as bytes, with any name; null: errno says why.
[[nodiscard]] JUXTA_API std::FILE* open_to_read(const std::filesystem::path& path) noexcept;

/// Puts the folder of a file on the disk: a power cut does not lose that the file is there. Errors: kIo.
/// Nothing on Windows, whose file systems keep a journal of names.
[[nodiscard]] JUXTA_API Result<void> flush_folder_of(const std::filesystem::path& path);

/// A shared library, by its SONAME. It stays loaded. Not on Windows and WASI. Errors: kIo.
[[nodiscard]] JUXTA_API Result<void*> load_library(const char* name);
/// A function or a variable of it; null: it has none of this name.
[[nodiscard]] JUXTA_API void* find_symbol(void* library, const char* name) noexcept;

}  // namespace juxta::core_detail

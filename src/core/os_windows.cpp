// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Memory, and files that are written. What differs from POSIX: a file that another program holds without
// sharing cannot be replaced, and one that is mapped can be renamed but not deleted.
#include "core/os_windows.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>

#include "core/os.h"

namespace juxta::core_detail {
namespace {

constexpr std::size_t kPageBytes = 4096;

std::size_t round_up(std::size_t bytes, std::size_t unit) noexcept {
  return (bytes + unit - 1) / unit * unit;
}

// A new name for every call of every process: CREATE_NEW makes a clash an error, and the counter avoids it.
std::filesystem::path temporary_beside(const std::filesystem::path& target) {
  static std::atomic<unsigned> counter{0};
  std::filesystem::path name = target.filename();
  name += ".";
  name += std::to_string(::GetCurrentProcessId());
  name += "-";
  name += std::to_string(counter.fetch_add(1));
  name += ".tmp";
  return target.parent_path() / name;
}

// False: GetLastError() says why.
bool write_all(HANDLE file, std::span<const std::byte> bytes) noexcept {
  constexpr std::size_t kMost = std::size_t{1} << 30;  // a length is a DWORD
  while (!bytes.empty()) {
    DWORD written = 0;
    if (::WriteFile(file, bytes.data(), static_cast<DWORD>(std::min(bytes.size(), kMost)), &written,
                    nullptr) == 0) {
      return false;
    }
    if (written == 0) {
      ::SetLastError(ERROR_DISK_FULL);
      return false;
    }
    bytes = bytes.subspan(written);
  }
  return true;
}

bool in_use(DWORD code) noexcept {
  return code == ERROR_ACCESS_DENIED || code == ERROR_SHARING_VIOLATION || code == ERROR_USER_MAPPED_FILE ||
         code == ERROR_ALREADY_EXISTS || code == ERROR_FILE_EXISTS;
}

bool move_over(const std::wstring& from, const std::wstring& to) noexcept {
  return ::MoveFileExW(from.c_str(), to.c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0;
}

// MoveFileEx refuses a target that somebody opens or replaces at this very moment, and one that is mapped.
// The first is over in a moment, so it is tried again. What stays is renamed out of the way, which Windows
// allows, and is deleted when it can be. False: GetLastError() says why, after a second and a quarter at
// most.
bool replace(const std::filesystem::path& temporary, const std::filesystem::path& target) {
  static std::mutex one_at_a_time;  // threads of this program do not get into each other's way
  const std::lock_guard lock(one_at_a_time);
  const std::wstring from = long_path(temporary), to = long_path(target);
  constexpr int kTries = 50, kTriesBeforeItMoves = 5;
  for (int i = 0; i < kTries; ++i) {
    if (move_over(from, to)) {
      return true;
    }
    const DWORD code = ::GetLastError();
    const DWORD attributes = ::GetFileAttributesW(to.c_str());
    if (!in_use(code) || (attributes != INVALID_FILE_ATTRIBUTES &&
                          (attributes & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_READONLY)) != 0)) {
      ::SetLastError(code);
      return false;
    }
    const std::wstring aside = long_path(temporary_beside(target));
    if (i >= kTriesBeforeItMoves && ::MoveFileExW(to.c_str(), aside.c_str(), 0) != 0) {
      if (move_over(from, to)) {
        ::DeleteFileW(aside.c_str());  // refused while it is mapped
        return true;
      }
      const DWORD failed = ::GetLastError();
      // As it was; and if another thread's file is there by now, that one has replaced it.
      if (::MoveFileExW(aside.c_str(), to.c_str(), 0) == 0 &&
          ::GetFileAttributesW(to.c_str()) != INVALID_FILE_ATTRIBUTES) {
        ::DeleteFileW(aside.c_str());
      }
      ::SetLastError(failed);
    } else {
      ::Sleep(static_cast<DWORD>(i));
      ::SetLastError(code);
    }
  }
  return false;
}

}  // namespace

std::string windows_message(DWORD code) {
  std::array<wchar_t, 512> text{};
  DWORD length = ::FormatMessageW(
      FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS | FORMAT_MESSAGE_MAX_WIDTH_MASK, nullptr,
      code, 0, text.data(), static_cast<DWORD>(text.size()), nullptr);
  while (length > 0 && (text[length - 1] == L' ' || text[length - 1] == L'.')) {
    --length;
  }
  if (length == 0) {
    return "error " + std::to_string(code) + " of Windows";
  }
  const int wide = static_cast<int>(length);
  std::string result(3 * std::size_t{length}, '\0');
  const int bytes = ::WideCharToMultiByte(CP_UTF8, 0, text.data(), wide, result.data(),
                                          static_cast<int>(result.size()), nullptr, nullptr);
  result.resize(static_cast<std::size_t>(std::max(bytes, 0)));
  return result;
}

std::wstring long_path(const std::filesystem::path& path) {
  constexpr std::size_t kShort = 240;  // a folder may have 248 characters, a file 260
  std::wstring text = path.wstring();
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(path, error);
  if (error || whole.native().size() < kShort || text.starts_with(L"\\\\?\\") ||
      text.starts_with(L"\\\\.\\")) {
    return text;
  }
  text = whole.lexically_normal().make_preferred().wstring();
  return text.starts_with(L"\\\\") ? L"\\\\?\\UNC\\" + text.substr(2) : L"\\\\?\\" + text;
}

bool is_regular_file(HANDLE file) noexcept {
  BY_HANDLE_FILE_INFORMATION about{};
  return ::GetFileType(file) == FILE_TYPE_DISK && ::GetFileInformationByHandle(file, &about) != 0 &&
         (about.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) == 0;
}

//   |<---------------- bytes + 2 MiB reserved ---------------->|
//   | reserved | 2 MiB boundary: the block, committed | reserved |
void* allocate_pages(std::size_t bytes) noexcept {
  if (bytes > SIZE_MAX - 2 * kHugePageBytes) {
    return nullptr;
  }
  const std::size_t size = round_up(bytes, kPageBytes);
  void* const raw = ::VirtualAlloc(nullptr, size + kHugePageBytes, MEM_RESERVE, PAGE_READWRITE);
  if (raw == nullptr) {
    return nullptr;
  }
  const auto begin = reinterpret_cast<std::uintptr_t>(raw);
  void* const block = static_cast<std::byte*>(raw) + (round_up(begin, kHugePageBytes) - begin);
  if (::VirtualAlloc(block, std::max(size, kPageBytes), MEM_COMMIT, PAGE_READWRITE) == nullptr) {
    ::VirtualFree(raw, 0, MEM_RELEASE);
    return nullptr;
  }
  return block;
}

void prefer_huge_pages(void* /*block*/, std::size_t /*bytes*/) noexcept {}

void free_pages(void* block, std::size_t /*bytes*/) noexcept {
  MEMORY_BASIC_INFORMATION about{};
  if (::VirtualQuery(block, &about, sizeof about) != 0) {
    ::VirtualFree(about.AllocationBase, 0, MEM_RELEASE);
  }
}

bool offer_pages(void* block, std::size_t bytes) noexcept {
  return ::VirtualAlloc(block, round_up(bytes, kPageBytes), MEM_RESET, PAGE_READWRITE) != nullptr;
}

Result<AtomicFile> AtomicFile::create(const std::filesystem::path& path) {
  std::error_code ignored;
  std::filesystem::path target = path;
  if (std::filesystem::is_symlink(path, ignored)) {
    target = std::filesystem::weakly_canonical(path, ignored);
    if (ignored) {
      return io_error("write", path, static_cast<DWORD>(ignored.value()));
    }
  }
  const std::wstring name = long_path(target);
  const DWORD attributes = target.empty() ? INVALID_FILE_ATTRIBUTES : ::GetFileAttributesW(name.c_str());
  const bool exists = attributes != INVALID_FILE_ATTRIBUTES;
  if (exists && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) {
    return fail(ErrorCode::kIo, "cannot write '" + utf8_of(path) + "': Is a directory");
  }
  if (!target.has_filename()) {
    return fail(ErrorCode::kIo, "cannot write '" + utf8_of(path) + "': it does not name a file");
  }
  if (exists && (attributes & FILE_ATTRIBUTE_READONLY) != 0) {
    return io_error("write", path, ERROR_ACCESS_DENIED);
  }
  // What opens without being made and is no file on a disk: NUL, CON, \\.\pipe\name.
  Handle direct(::CreateFileW(name.c_str(), GENERIC_WRITE, kShareAll, nullptr, OPEN_EXISTING, 0, nullptr));
  if (direct.valid() && ::GetFileType(direct.get()) != FILE_TYPE_DISK) {
    return AtomicFile(number_of(direct.release()), std::move(target), {});
  }
  std::filesystem::path temporary = temporary_beside(target);
  const HANDLE file =
      ::CreateFileW(long_path(temporary).c_str(), GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE, nullptr,
                    CREATE_NEW, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) {
    return io_error("write", path, ::GetLastError());
  }
  return AtomicFile(number_of(file), std::move(target), std::move(temporary));
}

AtomicFile::AtomicFile(OsFile file, std::filesystem::path target, std::filesystem::path temporary) noexcept
    : file_(file), target_(std::move(target)), temporary_(std::move(temporary)) {}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : file_(std::exchange(other.file_, -1)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})) {}

AtomicFile::~AtomicFile() {
  discard();
}

void AtomicFile::discard() noexcept {
  const DWORD kept = ::GetLastError();
  if (file_ != -1) {
    ::CloseHandle(handle_of(std::exchange(file_, -1)));
  }
  if (!temporary_.empty()) {
    ::DeleteFileW(long_path(temporary_).c_str());
    temporary_.clear();
  }
  ::SetLastError(kept);
}

Result<void> AtomicFile::write(std::span<const std::byte> bytes) {
  if (file_ == -1) {
    return fail(ErrorCode::kInvalidArgument, "cannot write '" + utf8_of(target_) + "': it is already closed");
  }
  if (!write_all(handle_of(file_), bytes)) {
    discard();
    return io_error("write", target_, ::GetLastError());
  }
  return {};
}

Result<void> AtomicFile::commit() {
  if (file_ == -1) {
    return fail(ErrorCode::kInvalidArgument, "cannot write '" + utf8_of(target_) + "': it is already closed");
  }
  if (!temporary_.empty() && ::FlushFileBuffers(handle_of(file_)) == 0) {
    discard();
    return io_error("flush", target_, ::GetLastError());
  }
  if (::CloseHandle(handle_of(std::exchange(file_, -1))) == 0) {
    discard();
    return io_error("close", target_, ::GetLastError());
  }
  if (temporary_.empty()) {
    return {};
  }
  if (!replace(temporary_, target_)) {
    discard();
    return io_error("replace", target_, ::GetLastError());
  }
  temporary_.clear();
  return {};
}

// Others may read it at the same time. Whoever wants to write it is told that it is held.
Result<AppendFile> AppendFile::open(const std::filesystem::path& path) {
  Handle file(::CreateFileW(long_path(path).c_str(), GENERIC_READ | GENERIC_WRITE,
                            FILE_SHARE_READ | FILE_SHARE_DELETE, nullptr, OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL,
                            nullptr));
  if (!file.valid()) {
    const DWORD code = ::GetLastError();
    if (code == ERROR_SHARING_VIOLATION) {
      return fail(ErrorCode::kIo, "cannot write '" + utf8_of(path) +
                                      "': another program writes it; wait for that or give another name");
    }
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
      return fail(ErrorCode::kIo, "cannot write '" + utf8_of(path) + "': Is a directory");
    }
    return io_error("write", path, code);
  }
  LARGE_INTEGER size{};
  if (!is_regular_file(file.get())) {
    return fail(ErrorCode::kIo, "cannot write '" + utf8_of(path) + "': it is not a regular file");
  }
  if (::GetFileSizeEx(file.get(), &size) == 0 || ::SetFilePointerEx(file.get(), {}, nullptr, FILE_END) == 0) {
    return io_error("write", path, ::GetLastError());
  }
  return AppendFile(number_of(file.release()), static_cast<std::size_t>(size.QuadPart), path);
}

AppendFile::AppendFile(OsFile file, std::size_t size, std::filesystem::path path) noexcept
    : file_(file), size_(size), path_(std::move(path)) {}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : file_(std::exchange(other.file_, -1)),
      size_(other.size_),
      ends_elsewhere_(other.ends_elsewhere_),
      path_(std::move(other.path_)) {}

AppendFile::~AppendFile() {
  if (file_ != -1) {
    ::CloseHandle(handle_of(file_));
  }
}

Result<void> AppendFile::keep(std::size_t size) {
  LARGE_INTEGER end{};
  end.QuadPart = static_cast<LONGLONG>(size);
  if (::SetFilePointerEx(handle_of(file_), end, nullptr, FILE_BEGIN) == 0 ||
      ::SetEndOfFile(handle_of(file_)) == 0) {
    return io_error("shorten", path_, ::GetLastError());
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
  if (!write_all(handle_of(file_), bytes)) {
    const auto error = io_error("write", path_, ::GetLastError());
    ends_elsewhere_ = !keep(size_).has_value();  // the first error is the one to tell
    return error;
  }
  size_ += bytes.size();
  return {};
}

Result<void> AppendFile::flush() {
  return ::FlushFileBuffers(handle_of(file_)) != 0 ? Result<void>()
                                                   : Result<void>(io_error("flush", path_, ::GetLastError()));
}

std::FILE* open_to_read(const std::filesystem::path& path) noexcept {
  return ::_wfopen(long_path(path).c_str(), L"rb");
}

Result<void> flush_folder_of(const std::filesystem::path& /*path*/) {
  return {};
}

}  // namespace juxta::core_detail

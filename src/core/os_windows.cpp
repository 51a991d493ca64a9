// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Memory, and files that are written. What differs from POSIX: a file that another program holds without
// sharing cannot be replaced, and one that is mapped can be renamed but not deleted.
#if defined(_WIN32)

#include "core/os_windows.h"

#include <fcntl.h>
#include <io.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
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

// "a.jxr:b" is a second stream of the file a.jxr, which no rename replaces and no listing shows.
bool names_a_stream(const std::filesystem::path& path) {
  return path.filename().native().find(L':') != std::wstring::npos;
}

tl::unexpected<Error> stream_error(const std::filesystem::path& path) {
  return fail(ErrorCode::kIo,
              "cannot write '" + utf8_of(path) + "': a name has no ':' on Windows; give another name");
}

// As the C library says it.
int errno_of(DWORD code) noexcept {
  switch (code) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_PATHNAME:
      return ENOENT;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
      return EACCES;
    case ERROR_TOO_MANY_OPEN_FILES:
      return EMFILE;
    case ERROR_NOT_ENOUGH_MEMORY:
      return ENOMEM;
    default:
      return EIO;
  }
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
  const auto begins = [](const std::wstring& whole_path, const wchar_t* four) {
    return std::filesystem::path(whole_path.substr(0, 4)).make_preferred().wstring() == four;
  };
  std::wstring text = path.wstring();
  if (begins(text, L"\\\\?\\") && !text.starts_with(L"\\\\?\\") && text.size() >= kShort) {
    // Windows reads "//?/" only up to a length, and knows no "/" and no ".." behind "\\?\".
    return L"\\\\?\\" + std::filesystem::path(text.substr(4)).lexically_normal().make_preferred().wstring();
  }
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(path, error);
  if (error || whole.native().size() < kShort || begins(text, L"\\\\?\\") || begins(text, L"\\\\.\\")) {
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
  auto end = end_of_links(path);
  if (!end) {
    return tl::unexpected<Error>(std::move(end.error()));
  }
  std::filesystem::path target = std::move(*end);
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
  if (names_a_stream(target)) {
    return stream_error(path);
  }
  std::filesystem::path temporary = name_beside(target, ".tmp");
  const HANDLE file =
      ::CreateFileW(long_path(temporary).c_str(), GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE, nullptr,
                    CREATE_NEW, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) {
    return io_error("write", path, ::GetLastError());
  }
  return AtomicFile(number_of(file), std::move(target), std::move(temporary));
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
  if (!replace_file(temporary_, target_)) {
    discard();
    return io_error("replace", target_, ::GetLastError());
  }
  temporary_.clear();
  return {};
}

// Others may read it at the same time. Whoever wants to write it is told that it is held.
Result<AppendFile> AppendFile::open(const std::filesystem::path& path) {
  if (names_a_stream(path)) {
    return stream_error(path);
  }
  Handle file(::CreateFileW(long_path(path).c_str(), GENERIC_READ | GENERIC_WRITE,
                            FILE_SHARE_READ | FILE_SHARE_DELETE, nullptr, OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL,
                            nullptr));
  if (!file.valid()) {
    const DWORD code = ::GetLastError();
    if (code == ERROR_SHARING_VIOLATION) {
      return fail(ErrorCode::kIo, "cannot write '" + utf8_of(path) +
                                      "': another program holds it; wait for that or give another name");
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
  // _wfopen() would not let the file be renamed, and so replaced, while it is read.
  const HANDLE file = ::CreateFileW(long_path(path).c_str(), GENERIC_READ, kShareAll, nullptr, OPEN_EXISTING,
                                    FILE_FLAG_SEQUENTIAL_SCAN, nullptr);
  if (file == INVALID_HANDLE_VALUE) {
    errno = errno_of(::GetLastError());
    return nullptr;
  }
  const int number = ::_open_osfhandle(number_of(file), _O_RDONLY | _O_BINARY);
  if (number == -1) {
    ::CloseHandle(file);
    errno = EMFILE;
    return nullptr;
  }
  std::FILE* const stream = ::_fdopen(number, "rb");
  if (stream == nullptr) {
    const int why = errno;
    ::_close(number);  // closes the handle too
    errno = why;
  }
  return stream;
}

Result<void> flush_folder_of(const std::filesystem::path& /*path*/) {
  return {};
}

}  // namespace juxta::core_detail

#endif

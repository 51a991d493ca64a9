// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>

#include "core/os.h"
#include "core/path.h"
#include "files/csv_scanner.h"
#include "juxta/core/monitor.h"
#include "juxta/core/try.h"
#include "juxta/files/read_points.h"

namespace juxta {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20;

tl::unexpected<Error> cannot_read(const std::filesystem::path& path, const std::string& why) {
  return fail(ErrorCode::kIo, "cannot read " + utf8_of(path) + ": " + why);
}

}  // namespace

Result<std::string> read_bytes(std::string_view name, std::size_t limit, const Context& context) {
  const std::filesystem::path path = path_of(name);
  const bool standard_input = path == "-";
  std::error_code error;
  if (!standard_input && std::filesystem::is_directory(path, error)) {
    return cannot_read(path, "it is a directory, give a file");
  }
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> owned(nullptr, &std::fclose);
  if (!standard_input) {
    owned.reset(core_detail::open_to_read(path));
    if (!owned) {
      return cannot_read(path, std::strerror(errno));
    }
  }
  std::FILE* file = standard_input ? stdin : owned.get();
  std::uint64_t expected = standard_input ? 0 : std::filesystem::file_size(path, error);
  expected = error ? 0 : expected;  // a pipe has no size
  std::string bytes;
  bytes.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(expected, limit)) + 1);
  core_detail::prefer_huge_pages(bytes.data(), bytes.capacity());
  while (bytes.size() < limit) {
    const std::size_t old = bytes.size();
    const std::size_t step =
        std::min({kBlock, limit - old, std::max<std::size_t>(bytes.capacity() - old, 4096)});
    bytes.resize(old + step);
    const std::size_t got = std::fread(bytes.data() + old, 1, step, file);
    bytes.resize(old + got);
    if (got < step) {
      break;
    }
    if (!report(context.monitor, "read file", bytes.size(), expected)) {
      return fail(ErrorCode::kCancelled, "reading was cancelled");
    }
  }
  if (std::ferror(file) != 0) {
    return cannot_read(path, std::strerror(errno));
  }
  return bytes;
}

Result<PointTable> parse_points(std::string_view text, const PointColumns& columns, const Context& context) {
  JUXTA_TRY(check_text(text));
  const std::string_view body = files_detail::skip_bom(text);
  const std::size_t first = body.find_first_not_of(" \t\r\n\x1E");
  const bool json = first != std::string_view::npos && body[first] == '{';
  return json ? parse_points_geojson(text, columns, context) : parse_points_csv(text, columns, context);
}

Result<PointTable> read_points(std::string_view path, const PointColumns& columns, const Context& context) {
  JUXTA_TRY_LET(const std::string bytes, read_bytes(path, ~std::size_t{0}, context));
  return parse_points(bytes, columns, context);
}

}  // namespace juxta

// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "juxta/files/read_points.h"

namespace juxta {
namespace {

using std::string_view;
using std::string_view_literals::operator""sv;

struct Known {
  string_view start, message;
};

constexpr std::string_view kUtf16 = "the text is UTF-16: save it as UTF-8 (iconv -f UTF-16 -t UTF-8)";

/// In this order: the mark of UTF-32 begins with that of UTF-16.
constexpr std::array kStarts = {
    Known{"\xFF\xFE\0\0"sv, "the text is UTF-32: save it as UTF-8 (iconv -f UTF-32 -t UTF-8)"},
    Known{"\0\0\xFE\xFF"sv, "the text is UTF-32: save it as UTF-8 (iconv -f UTF-32 -t UTF-8)"},
    Known{"\xFF\xFE"sv, kUtf16},
    Known{"\xFE\xFF"sv, kUtf16},
    Known{"\x1F\x8B"sv, "the file is compressed by gzip: unpack it with gunzip"},
    Known{"BZh91AY&SY"sv, "the file is compressed by bzip2: unpack it with bunzip2"},
    Known{"\xFD"
          "7zXZ\0"sv,
          "the file is compressed by xz: unpack it with unxz"},
    Known{"\x28\xB5\x2F\xFD"sv, "the file is compressed by zstd: unpack it with unzstd"},
    Known{"PK\x03\x04"sv,
          "the file is a zip archive (a workbook is one, too): unpack it, or save the table as CSV"},
    Known{"SQLite format 3\0"sv, "the file is a SQLite database: export its table as CSV"},
};

constexpr std::size_t kLooked = 1024;

tl::unexpected<Error> no_text(string_view message, std::size_t byte) {
  return tl::unexpected<Error>(
      Error{ErrorCode::kParse, std::string(message), Error::kNowhere, Error::kNowhere, byte});
}

/// Every other byte of Western text in UTF-16 is zero.
bool half_zero(string_view head, std::size_t odd) {
  std::size_t zeros = 0;
  for (std::size_t i = odd; i < head.size(); i += 2) {
    zeros += head[i] == '\0' ? 1 : 0;
  }
  return zeros * 5 > head.size() * 2;
}

}  // namespace

Result<void> check_text(string_view bytes) {
  for (const Known& known : kStarts) {
    if (bytes.starts_with(known.start)) {
      return no_text(known.message, 0);
    }
  }
  const string_view head = bytes.substr(0, kLooked);
  const std::size_t zero = head.find('\0');
  if (zero == string_view::npos) {
    return {};
  }
  if (half_zero(head, 0) != half_zero(head, 1)) {
    return no_text(kUtf16, 0);
  }
  return no_text("the file is binary, not a text: it holds a zero byte", zero);
}

}  // namespace juxta

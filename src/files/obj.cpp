// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "files/csv_scanner.h"
#include "files/float_text.h"
#include "files/point_columns.h"
#include "juxta/core/monitor.h"
#include "juxta/core/try.h"
#include "juxta/files/read_obj.h"
#include "juxta/files/read_points.h"

namespace juxta {
namespace {

using std::string_view;

/// What a mesh begins with; told apart from the header of a table by these alone.
constexpr std::array<string_view, 10> kCommon = {"v", "f", "vn", "vt",     "vp",
                                                 "o", "g", "s",  "mtllib", "usemtl"};
/// Every statement of the format but v and f, which are read.
constexpr std::array<string_view, 42> kSkipped = {
    "vt",     "vn",     "vp",       "p",      "l",    "o",         "g",        "s",     "mg",
    "usemtl", "mtllib", "usemap",   "maplib", "lod",  "bevel",     "c_interp", "call",  "csh",
    "step",   "cstype", "d_interp", "deg",    "bmat", "curv",      "curv2",    "surf",  "parm",
    "trim",   "hole",   "scrv",     "sp",     "end",  "con",       "ctech",    "stech", "trace_obj",
    "bsp",    "bzp",    "cdc",      "cdp",    "res",  "shadow_obj"};
constexpr std::uint64_t kProgressLines = 1 << 16;

bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\f' || c == '\v';
}

/// The next word of a line, cut off; empty at the end.
string_view next_word(string_view& line) noexcept {
  while (!line.empty() && is_blank(line.front())) {
    line.remove_prefix(1);
  }
  const auto end = static_cast<std::size_t>(std::find_if(line.begin(), line.end(), is_blank) - line.begin());
  const string_view word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

/// Cuts a text into lines, those that end with a backslash joined to the next.
class ObjLines {
 public:
  explicit ObjLines(string_view text) : text_(text) {}

  bool next(string_view& line) {
    if (position_ >= text_.size()) {
      return false;
    }
    first_ = line_;
    line = cut();
    if (!line.ends_with('\\')) {
      return true;
    }
    joined_.clear();
    for (;;) {
      const bool more = line.ends_with('\\');
      joined_ += line.substr(0, line.size() - (more ? 1 : 0));
      if (!more || position_ >= text_.size()) {
        line = joined_;
        return true;
      }
      joined_ += ' ';
      line = cut();
    }
  }
  /// Of the line that next() cut (the first of those it joined), from 1.
  [[nodiscard]] std::uint64_t line() const noexcept { return first_; }
  [[nodiscard]] std::size_t position() const noexcept { return position_; }

 private:
  string_view cut() {
    const std::size_t end = std::min(text_.find_first_of("\r\n", position_), text_.size());
    const string_view line = text_.substr(position_, end - position_);
    position_ = end + (text_.substr(end, 2) == "\r\n" ? 2 : 1);
    ++line_;
    return line;
  }

  string_view text_;
  std::string joined_;
  std::size_t position_ = 0;
  std::uint64_t line_ = 1, first_ = 1;
};

/// Adds vertices and faces to a file's mesh. Each function returns false and says why when the line is
/// broken.
class ObjReader {
 public:
  ObjFile file;
  std::string complaint;

  bool vertex(string_view line) {
    Vec3 place{};
    std::size_t count = 0;
    for (string_view word = next_word(line); !word.empty(); word = next_word(line), ++count) {
      const auto value = files_detail::parse_float(word);  // after the third: a weight or a colour
      if (!value) {
        complaint =
            files_detail::quoted(word) + " is not a finite number that a float holds: correct the vertex";
        return false;
      }
      if (count < 3) {
        place[count] = *value;
      }
    }
    if (count < 3) {
      complaint = "a vertex needs three numbers, this one has " + std::to_string(count);
      return false;
    }
    file.mesh.vertices.push_back(place);
    return true;
  }

  bool face(string_view line, std::uint64_t number) {
    corners_.clear();
    for (string_view word = next_word(line); !word.empty(); word = next_word(line)) {
      if (!corner(word, number)) {
        return false;
      }
    }
    if (corners_.size() < 3) {
      complaint = "a face needs three corners or more, this one has " + std::to_string(corners_.size());
      return false;
    }
    for (std::size_t i = 2; i < corners_.size(); ++i) {
      file.mesh.triangles.push_back({corners_[0], corners_[i - 1], corners_[i]});
    }
    return true;
  }

  /// A face may name a vertex that comes later, so positive numbers are looked at when all are known.
  [[nodiscard]] bool all_known() const noexcept { return largest_ <= file.mesh.vertices.size(); }
  [[nodiscard]] std::uint64_t largest() const noexcept { return largest_; }
  [[nodiscard]] std::uint64_t largest_line() const noexcept { return largest_line_; }

 private:
  /// "7", "7/2", "7//3", "7/2/3" and the same with negative numbers. Only the first counts, all must be
  /// numbers.
  bool corner(string_view word, std::uint64_t line) {
    std::int64_t vertex = 0;
    int part = 0;
    for (string_view rest = word; part < 3; ++part) {
      const std::size_t slash = rest.find('/');
      const string_view text = rest.substr(0, slash);
      std::int64_t value = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      const bool number = error == std::errc{} && end == text.data() + text.size() && value != 0;
      const bool left_out = text.empty() && part == 1 && slash != string_view::npos;
      if (!number && !left_out) {
        break;
      }
      vertex = part == 0 ? value : vertex;
      if (slash == string_view::npos) {
        return add_corner(vertex, word, line);
      }
      rest.remove_prefix(slash + 1);
    }
    complaint = files_detail::quoted(word) +
                " is not a corner: write v, v/vt, v//vn or v/vt/vn with whole numbers other than 0";
    return false;
  }

  bool add_corner(std::int64_t vertex, string_view word, std::uint64_t line) {
    const auto known = static_cast<std::int64_t>(file.mesh.vertices.size());
    const std::int64_t place = vertex > 0 ? vertex : known + vertex + 1;  // -1 is the last one so far
    if (place < 1 || place > static_cast<std::int64_t>(files_detail::kMaxPoints)) {
      complaint = "corner " + files_detail::quoted(word) +
                  " names a vertex that is not there: " + std::to_string(known) + " stand before this line";
      return false;
    }
    if (static_cast<std::uint64_t>(place) > largest_) {
      largest_ = static_cast<std::uint64_t>(place);
      largest_line_ = line;
    }
    corners_.push_back(static_cast<std::uint32_t>(place - 1));
    return true;
  }

  std::vector<std::uint32_t> corners_;
  std::uint64_t largest_ = 0, largest_line_ = 0;
};

/// One line of the file. False: see reader.complaint.
bool read_line(ObjReader& reader, string_view line, std::uint64_t number) {
  const string_view word = next_word(line);
  if (word.empty() || word.front() == '#') {
    return true;
  }
  const std::size_t comment = line.find('#');
  if (word == "v") {
    return reader.vertex(line.substr(0, comment));
  }
  if (word == "f" || word == "fo") {  // fo: the name of f in early versions
    return reader.face(line.substr(0, comment), number);
  }
  if (std::find(kSkipped.begin(), kSkipped.end(), word) == kSkipped.end() && reader.file.unknown++ == 0) {
    reader.file.first_unknown_line = number;
  }
  return true;
}

}  // namespace

Result<ObjFile> parse_obj(std::string_view text, const Context& context) {
  text = files_detail::skip_bom(text);
  ObjReader reader;
  ObjLines lines(text);
  std::uint64_t count = 0;
  for (string_view line; lines.next(line);) {
    if (!read_line(reader, line, lines.line())) {
      return files_detail::fail_at_line(ErrorCode::kParse, lines.line(), std::move(reader.complaint));
    }
    if (std::max(reader.file.mesh.vertices.size(), reader.file.mesh.triangles.size()) >
        files_detail::kMaxPoints) {
      return files_detail::fail_at_line(ErrorCode::kTooLarge, lines.line(),
                                        "more than 4294967294 vertices or triangles: split the file");
    }
    if (++count % kProgressLines == 0 &&
        !report(context.monitor, "read mesh", lines.position(), text.size())) {
      return fail(ErrorCode::kCancelled, "reading was cancelled");
    }
  }
  if (!reader.all_known()) {
    return files_detail::fail_at_line(ErrorCode::kParse, reader.largest_line(),
                                      "a corner names vertex " + std::to_string(reader.largest()) +
                                          ", and the file has " +
                                          std::to_string(reader.file.mesh.vertices.size()));
  }
  if (reader.file.mesh.vertices.empty()) {
    return files_detail::fail_at_line(ErrorCode::kParse, 1,
                                      "the file has no vertex (v x y z): is it an OBJ mesh?");
  }
  return std::move(reader.file);
}

Result<ObjFile> read_obj(std::string_view path, const Context& context) {
  JUXTA_TRY_LET(const std::string bytes, read_bytes(path, ~std::size_t{0}, context));
  return parse_obj(bytes, context);
}

bool looks_like_obj(std::string_view text) {
  ObjLines lines(files_detail::skip_bom(text));
  for (string_view line; lines.next(line);) {
    const string_view word = next_word(line);
    if (!word.empty() && word.front() != '#') {
      return std::find(kCommon.begin(), kCommon.end(), word) != kCommon.end();
    }
  }
  return false;
}

}  // namespace juxta

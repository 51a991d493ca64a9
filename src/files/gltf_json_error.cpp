// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Where broken JSON breaks. A second pass, because the parser's own callbacks, which could tell while it
// builds the document, take time in the square of a list's length (nlohmann-json 3.11.2).
#include <algorithm>
#include <nlohmann/json.hpp>

#include "files/gltf_document.h"

namespace juxta::files_detail {
namespace {

using nlohmann::json;

/// Follows the parser through the members of the root, and keeps what it stumbles over.
class Follower final : public nlohmann::json_sax<json> {
 public:
  std::size_t item = 0, byte = 0;
  bool in_node = false;    ///< Inside of the list "nodes", at or behind object `item`.
  bool in_number = false;  ///< A number that double does not hold, like 1e999.

  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_integer(number_integer_t /*value*/) override { return true; }
  bool number_unsigned(number_unsigned_t /*value*/) override { return true; }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return true; }
  bool string(string_t& /*value*/) override { return true; }
  bool binary(binary_t& /*value*/) override { return true; }
  bool start_array(std::size_t /*size*/) override { return ++depth_ != 0; }
  bool end_array() override { return --depth_ >= 0; }
  bool end_object() override { return --depth_ >= 0; }
  bool start_object(std::size_t /*size*/) override {
    if (nodes_ && depth_ == 2) {
      item = begun_++;
      in_node = true;
    }
    ++depth_;
    return true;
  }
  bool key(string_t& name) override {
    if (depth_ == 1) {
      nodes_ = name == "nodes";
      in_node = false;
      begun_ = 0;
    }
    return true;
  }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const json::exception& error) override {
    byte = position;
    in_number = dynamic_cast<const json::out_of_range*>(&error) != nullptr;
    return false;
  }

 private:
  long depth_ = 0;
  std::size_t begun_ = 0;
  bool nodes_ = false;
};

}  // namespace

Error find_json_error(std::string_view text) {
  Follower follower;
  json::sax_parse(text.begin(), text.end(), &follower);
  Error error;
  error.code = follower.in_number ? ErrorCode::kNotFinite : ErrorCode::kParse;
  if (follower.in_node) {
    error.index = follower.item;
    error.message = gltf_label("node", follower.item) + ": ";
  }
  error.message += follower.in_number ? "a number is not finite as a float: correct it"
                                      : "the JSON is broken here: correct it, or export the file again";
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(follower.byte, text.size()));
  error.line = static_cast<std::uint64_t>(std::count(text.begin(), end, '\n')) + 1;
  return error;
}

}  // namespace juxta::files_detail

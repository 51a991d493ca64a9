// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "juxta/core/try.h"
#include "juxta/files/plain_toml.h"
#include "juxta/files/read_points.h"
#include "juxta/study/parameters.h"
#include "sector/scenario.h"

namespace juxta::sector {
namespace {

constexpr std::size_t kMostScenarioBytes = std::size_t{1} << 20;

tl::unexpected<Error> at_line(std::uint64_t line, std::string message) {
  Error error;
  error.code = ErrorCode::kParse;
  error.message = std::move(message);
  error.line = line;
  return tl::unexpected<Error>(std::move(error));
}

/// A table's entries in the order of the file, so that its first mistake is the one that is told.
struct Entry {
  std::string_view key;
  std::uint64_t line, column;
  const toml::node* value;
};
std::vector<Entry> entries_of(const toml::table& table) {
  std::vector<Entry> entries;
  for (const auto& [key, node] : table) {
    const toml::source_position begin = key.source().begin;
    entries.push_back({key.str(), begin.line, begin.column, &node});
  }
  std::ranges::stable_sort(entries, {},
                           [](const Entry& entry) { return std::pair(entry.line, entry.column); });
  return entries;
}

std::string listed(const std::vector<std::string_view>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

class Reader {
 public:
  explicit Reader(const toml::table& root) : root_(root) {}

  Result<Scenario> read() {
    return begin().and_then([&] { return read_root(); }).and_then([&] { return check(); }).map([&] {
      return std::move(scenario_);
    });
  }

 private:
  /// The preset that all else differs from.
  Result<void> begin() {
    const toml::node* const node = root_.get("preset");
    if (node == nullptr) {
      return {};
    }
    const std::uint64_t line = node->source().begin.line;
    if (!node->is_string()) {
      return at_line(line, fmt::format("preset: give one of \"{}\"", fmt::join(kPresets, "\", \"")));
    }
    auto found = preset(**node->as_string());
    if (!found) {
      return at_line(line, std::move(found.error().message));
    }
    scenario_ = std::move(*found);
    return {};
  }

  Result<void> read_root() {
    const std::vector<ScenarioNumber> numbers = numbers_of(scenario_);
    for (const Entry& entry : entries_of(root_)) {
      Result<void> taken;
      if (entry.key == "name") {
        taken = read_name(entry);
      } else if (entry.key == "seed") {
        taken = read_seed(entry);
      } else if (entry.key != "preset") {
        taken = read_section(entry, numbers);
      }
      if (!taken) {
        return taken;
      }
    }
    return {};
  }

  Result<void> read_name(const Entry& entry) {
    if (!entry.value->is_string()) {
      return at_line(entry.line, "name: give a name in quotes");
    }
    scenario_.name = **entry.value->as_string();
    return {};
  }

  /// Whole numbers of TOML end at 2^63 - 1: those above stand in quotes.
  Result<void> read_seed(const Entry& entry) {
    if (entry.value->is_integer() && **entry.value->as_integer() >= 0) {
      scenario_.seed = static_cast<std::uint64_t>(**entry.value->as_integer());
      return {};
    }
    const std::string digits = entry.value->is_string() ? **entry.value->as_string() : std::string();
    const char* const end = digits.data() + digits.size();
    if (const auto read = std::from_chars(digits.data(), end, scenario_.seed);
        digits.empty() || read.ec != std::errc() || read.ptr != end) {
      return at_line(entry.line,
                     "seed: give a whole number from 0 to 18446744073709551615, in quotes when it "
                     "is above 9223372036854775807");
    }
    return {};
  }

  static Result<void> read_section(const Entry& section, const std::vector<ScenarioNumber>& numbers) {
    std::vector<std::string_view> sections, keys;
    for (const ScenarioNumber& number : numbers) {
      if (sections.empty() || sections.back() != number.section) {
        sections.push_back(number.section);
      }
      if (number.section == section.key) {
        keys.push_back(number.key);
      }
    }
    if (keys.empty()) {
      return at_line(section.line, fmt::format("'{}' is not known here: give preset, name, seed, or one of "
                                               "the sections {}",
                                               section.key, listed(sections)));
    }
    if (!section.value->is_table()) {
      return at_line(section.line, fmt::format("{0} is a section: [{0}] on a line, {1} = ... below",
                                               section.key, keys.front()));
    }
    for (const Entry& entry : entries_of(*section.value->as_table())) {
      const auto known = std::ranges::find_if(numbers, [&](const ScenarioNumber& number) {
        return number.section == section.key && number.key == entry.key;
      });
      if (known == numbers.end()) {
        return at_line(entry.line, fmt::format("'{}' is not known in [{}]: give {}", entry.key, section.key,
                                               listed(keys)));
      }
      if (!take(*known, *entry.value)) {
        return at_line(entry.line,
                       fmt::format("[{}] {}: give {}", known->section, known->key, range_text(*known)));
      }
    }
    return {};
  }

  /// False: of another type, or out of its range.
  static bool take(const ScenarioNumber& number, const toml::node& node) {
    const bool whole = node.is_integer();
    if (!whole && !(node.is_floating_point() && std::holds_alternative<float*>(number.value))) {
      return false;
    }
    const double value =
        whole ? static_cast<double>(**node.as_integer()) : **node.as_floating_point() + 0.0;  // never -0
    if (!(value >= number.lo && value <= number.hi)) {
      return false;
    }
    if (float* const* const real = std::get_if<float*>(&number.value)) {
      **real = static_cast<float>(value);
    } else {
      *std::get<std::uint32_t*>(number.value) = static_cast<std::uint32_t>(value);
    }
    return true;
  }

  Result<void> check() const {
    const auto mistake = mistake_in(scenario_);
    if (!mistake) {
      return {};
    }
    for (const auto& [section, key] : mistake->numbers) {
      const toml::node* const table = section.empty() ? &root_ : root_.get(section);
      const toml::node* const node = table == nullptr ? nullptr : table->as_table()->get(key);
      if (node != nullptr) {
        return at_line(node->source().begin.line, sentence(*mistake));
      }
    }
    return at_line(1, sentence(*mistake));
  }

  const toml::table& root_;
  Scenario scenario_;
};

/// The shortest text that is read as this float: by way of a double, as TOML has it.
std::string text_of(float value) {
  if (value == 0) {
    return "0";  // of -0 too
  }
  std::string text = fmt::format("{}", value);
  double read = 0;
  std::from_chars(text.data(), text.data() + text.size(), read);
  return static_cast<float>(read) == value ? text : number_text(value);
}

}  // namespace

Result<Scenario> parse_scenario(std::string_view text) {
  if (text.size() > kMostScenarioBytes) {
    return at_line(1, fmt::format("a scenario has at most {} bytes", kMostScenarioBytes));
  }
  JUXTA_TRY_LET(const auto plain, plain_toml(text));
  const toml::parse_result parsed = toml::parse(plain);
  if (!parsed) {
    return at_line(parsed.error().source().begin.line,
                   fmt::format("this is no TOML: {}", parsed.error().description()));
  }
  return Reader(parsed.table()).read();
}

Result<Scenario> read_scenario(const std::string& preset_or_file) {
  if (std::ranges::find(kPresets, preset_or_file) != kPresets.end()) {
    return preset(preset_or_file);
  }
  auto text = read_bytes(preset_or_file, kMostScenarioBytes + 1);
  if (!text) {
    text.error().message += fmt::format("; presets are {}", fmt::join(kPresets, ", "));
    return tl::unexpected<Error>(std::move(text.error()));
  }
  return parse_scenario(*text);
}

std::string scenario_text(const Scenario& scenario) {
  Scenario copy = scenario;
  const bool quoted = scenario.seed > std::uint64_t{0x7FFF'FFFF'FFFF'FFFF};  // TOML's whole numbers end there
  std::string text = fmt::format("name = \"{}\"\nseed = {}{}{}\n", scenario.name, quoted ? "\"" : "",
                                 scenario.seed, quoted ? "\"" : "");
  std::string_view section;
  for (const ScenarioNumber& number : numbers_of(copy)) {
    if (number.section != section) {
      section = number.section;
      text += fmt::format("\n[{}]\n", section);
    }
    const float* const* const real = std::get_if<float*>(&number.value);
    const std::string value =
        real != nullptr ? text_of(**real) : fmt::format("{}", *std::get<std::uint32_t*>(number.value));
    text += fmt::format("{:<24} # {}\n", fmt::format("{} = {}", number.key, value), number.what);
  }
  return text;
}

}  // namespace juxta::sector

// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "study/sweep_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "juxta/core/try.h"
#include "juxta/files/plain_toml.h"
#include "juxta/files/read_points.h"
#include "study/replica.h"
#include "study/sweep_toml.h"

namespace juxta {
namespace study_detail {
namespace {

class Reader {
 public:
  Reader(const toml::table& root, std::span<const ModelInfo> models) : root_(root), models_(models) {}

  Result<Sweep> read() {
    return refuse_unknown(root_,
                          {"model", "preset", "steps", "every", "until", "seeds", "sample", "set", "vary"})
        .and_then([&] { return read_model(); })
        .and_then([&] { return read_numbers(); })
        .and_then([&] { return read_until(); })
        .and_then([&] { return read_seeds(); })
        .and_then([&] { return read_set(); })
        .and_then([&] { return root_.contains("sample") ? read_sampled() : read_vary(); })
        .map([&] { return std::move(sweep_); });
  }

 private:
  Result<void> read_model() {
    const toml::node* const model = root_.get("model");
    if (model == nullptr || !model->is_string()) {
      return at_line(model == nullptr ? 1 : line_of(*model), "name the model: model = \"name\"");
    }
    const auto found = find_model(models_, **model->as_string());
    if (!found) {
      return at(*model, found.error().message);
    }
    sweep_.model = *found;
    const toml::node* const preset = root_.get("preset");
    if (preset != nullptr && !preset->is_string()) {
      return at(*preset, "name the preset: preset = \"name\"");
    }
    const std::string_view name =
        preset == nullptr ? std::string_view() : std::string_view(**preset->as_string());
    auto parameters = parameters_of(*sweep_.model, name);
    if (!parameters) {
      return at_line(preset == nullptr ? line_of(*model) : line_of(*preset), parameters.error().message);
    }
    sweep_.parameters = std::move(*parameters);
    sweep_.steps = steps_of(*sweep_.model, name);
    return {};
  }

  /// A whole number within a range; 0 when the word is not there.
  Result<std::uint32_t> whole(std::string_view word, std::int64_t least, std::uint32_t otherwise) const {
    const toml::node* const node = root_.get(word);
    if (node == nullptr) {
      return otherwise;
    }
    constexpr std::int64_t kMost = 0xFFFF'FFFE;
    if (!node->is_integer() || **node->as_integer() < least || **node->as_integer() > kMost) {
      return at(*node, fmt::format("{}: give a whole number from {} to {}", word, least, kMost));
    }
    return static_cast<std::uint32_t>(**node->as_integer());
  }

  Result<void> read_numbers() {
    return whole("steps", 0, sweep_.steps)
        .and_then([&](std::uint32_t steps) {
          sweep_.steps = steps;
          return whole("every", 1, 0);
        })
        .map([&](std::uint32_t every) { sweep_.every = every; });
  }

  /// Whether the model reports such a thing is known when it begins.
  Result<void> read_until() {
    const toml::node* const node = root_.get("until");
    if (node == nullptr) {
      return {};
    }
    if (!node->is_string()) {
      return at(*node, "until: give a condition in quotes: until = \"infected == 0\"");
    }
    auto until = parse_until(**node->as_string());
    if (!until) {
      return at(*node, fmt::format("until: {}", until.error().message));
    }
    sweep_.until = std::move(*until);
    return {};
  }

  Result<void> read_seeds() {
    const toml::node* const node = root_.get("seeds");
    if (node == nullptr) {
      return at_line(1, "say how often: seeds = 100 (from 1 to 100), or a list of seeds");
    }
    if (node->is_integer()) {
      const std::int64_t count = **node->as_integer();
      if (count < 1 || count > static_cast<std::int64_t>(kMostReplicas)) {
        return at(*node, fmt::format("seeds: give a whole number from 1 to {}, or a list", kMostReplicas));
      }
      for (std::int64_t seed = 1; seed <= count; ++seed) {
        sweep_.seeds.push_back(static_cast<std::uint64_t>(seed));
      }
      return {};
    }
    if (!node->is_array() || node->as_array()->empty()) {
      return at(*node, "seeds: give how many, or a list of whole numbers");
    }
    for (const toml::node& seed : *node->as_array()) {
      if (!seed.is_integer() || **seed.as_integer() < 0 || **seed.as_integer() > kMostSeed) {
        return at(seed, fmt::format("a seed is a whole number from 0 to {}", kMostSeed));
      }
      sweep_.seeds.push_back(static_cast<std::uint64_t>(**seed.as_integer()));
    }
    std::vector<std::uint64_t> sorted = sweep_.seeds;
    std::ranges::sort(sorted);
    if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end()) {
      return at(*node, fmt::format("the seed {} is there twice: the same run twice tells nothing", *twice));
    }
    return too_many(line_of(*node));
  }

  Result<void> too_many(std::uint64_t line) const {
    if (sweep_.replicas() <= kMostReplicas) {
      return {};
    }
    return at_line(line, fmt::format("{} replicas with this line, more than {}: make several sweeps of it",
                                     sweep_.replicas(), kMostReplicas));
  }

  /// The table of this name, or an empty one.
  Result<std::vector<Entry>> entries(std::string_view word) const {
    const toml::node* const node = root_.get(word);
    if (node != nullptr && !node->is_table()) {
      return at(
          *node,
          fmt::format("[{0}] is a table of parameters: [{0}] on a line, name = ... on those below", word));
    }
    return node == nullptr ? std::vector<Entry>() : entries_of(*node->as_table());
  }

  Result<void> read_set() {
    return entries("set").and_then([&](const std::vector<Entry>& all) -> Result<void> {
      for (const Entry& entry : all) {
        const auto value = number_in(*entry.second);
        if (!value) {
          return at_line(line_of(entry),
                         fmt::format("{}: give one number; lists belong in [vary]", name_of(entry)));
        }
        if (auto set = sweep_.parameters.set(entry.first->str(), *value); !set) {
          return at_line(line_of(entry), set.error().message);
        }
      }
      return {};
    });
  }

  Result<void> read_sampled() {
    JUXTA_TRY_LET(const auto all, entries("vary"));
    JUXTA_TRY(read_sample(root_, all, sweep_));
    return too_many(line_of(*root_.get("sample")));
  }

  Result<void> read_vary() {
    return entries("vary").and_then([&](const std::vector<Entry>& all) -> Result<void> {
      for (const Entry& entry : all) {
        JUXTA_TRY(is_not_set(root_, entry));
        JUXTA_TRY_LET(auto values, values_of(entry));
        sweep_.vary.emplace_back(name_of(entry), std::move(values));
        JUXTA_TRY(too_many(line_of(entry)));
      }
      return {};
    });
  }

  /// Each tried on the parameter, so that its range is known to hold.
  Result<std::vector<double>> values_of(const Entry& entry) const {
    auto values = entry.second->is_array()   ? listed(entry)
                  : entry.second->is_table() ? spaced(entry)
                                             : form(entry);
    if (!values) {
      return values;
    }
    Parameters trial = sweep_.parameters;
    for (const double value : *values) {
      if (auto set = trial.set(entry.first->str(), value); !set) {
        return at_line(line_of(entry), set.error().message);
      }
    }
    return values;
  }

  static tl::unexpected<Error> form(const Entry& entry) {
    return at_line(
        line_of(entry),
        fmt::format("{}: give a list of numbers, or {{ from = number, to = number, count = number }}; "
                    "a single number belongs in [set]",
                    name_of(entry)));
  }

  static Result<std::vector<double>> listed(const Entry& entry) {
    std::vector<double> values;
    for (const toml::node& node : *entry.second->as_array()) {
      const auto value = number_in(node);
      if (!value) {
        return form(entry);
      }
      values.push_back(*value);
    }
    return values.empty() ? Result<std::vector<double>>(form(entry)) : values;
  }

  static Result<std::vector<double>> spaced(const Entry& entry) {
    const toml::table& table = *entry.second->as_table();
    JUXTA_TRY(refuse_unknown(table, {"from", "to", "count"}));
    const auto get = [&](std::string_view word) {
      return table.contains(word) ? number_in(*table.get(word)) : std::nullopt;
    };
    const auto from = get("from"), to = get("to"), count = get("count");
    if (!from || !to || !count || !(*from <= *to)) {
      return form(entry);
    }
    const bool one = *from == *to;
    if (!(*count >= (one ? 1 : 2)) || *count > static_cast<double>(kMostReplicas) ||
        *count != std::floor(*count)) {
      return at_line(line_of(entry), fmt::format("{}: give a whole count from {} to {}", name_of(entry),
                                                 one ? 1 : 2, kMostReplicas));
    }
    const auto last = static_cast<std::size_t>(*count) - 1;
    std::vector<double> values(last + 1, *to);
    for (std::size_t i = 0; i < last;
         ++i) {  // this form gives 0.5 0.6 0.7 ..., as written, more often than others
      const double a = *from * static_cast<double>(last - i), b = *to * static_cast<double>(i);
      values[i] = std::clamp((a + b) / static_cast<double>(last), *from, *to);
    }
    return values;
  }

  const toml::table& root_;
  std::span<const ModelInfo> models_;
  Sweep sweep_;
};

}  // namespace

Result<Sweep> parse_sweep(std::string_view text, std::span<const ModelInfo> models) {
  if (text.size() > kMostSweepBytes) {
    return at_line(
        1, fmt::format("a sweep file has at most {} bytes: give values as from, to, count", kMostSweepBytes));
  }
  JUXTA_TRY_LET(const auto plain, plain_toml(text));
  const toml::parse_result parsed = toml::parse(plain);
  if (!parsed) {
    return at_line(parsed.error().source().begin.line,
                   fmt::format("this is no TOML: {}", parsed.error().description()));
  }
  return Reader(parsed.table(), models).read();
}

}  // namespace study_detail

Result<Sweep> read_sweep(std::string_view path, std::span<const ModelInfo> models) {
  return read_bytes(path, study_detail::kMostSweepBytes + 1).and_then([&](const std::string& text) {
    return study_detail::parse_sweep(text, models);
  });
}

}  // namespace juxta

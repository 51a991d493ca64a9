// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "study/sweep_toml.h"

#include <fmt/format.h>

#include <algorithm>

#include "juxta/core/try.h"
#include "juxta/study/sample.h"

namespace juxta::study_detail {
namespace {

Result<SampleOptions> sample_options(const toml::node& node) {
  const auto form = [&] {
    return at(node, fmt::format(
                        "sample: give {{ kind = \"latin\" or \"sobol\", count = 1 to {}, seed = 0 to {} }}; "
                        "seed may be left out",
                        kMostSamples, kMostSeed));
  };
  if (!node.is_table()) {
    return form();
  }
  const toml::table& table = *node.as_table();
  JUXTA_TRY(refuse_unknown(table, {"kind", "count", "seed"}));
  const auto kind = table["kind"].value_exact<std::string_view>();
  const auto count = table["count"].value_exact<std::int64_t>();
  const auto seed = table.contains("seed") ? table["seed"].value_exact<std::int64_t>() : std::int64_t{1};
  if (!kind || (*kind != "latin" && *kind != "sobol") || !count || *count < 1 ||
      *count > static_cast<std::int64_t>(kMostSamples) || !seed || *seed < 0 || *seed > kMostSeed) {
    return form();
  }
  return SampleOptions{*kind == "latin" ? SampleKind::kLatin : SampleKind::kSobol,
                       static_cast<std::size_t>(*count), static_cast<std::uint64_t>(*seed)};
}

Result<SampleRange> range_of(const Entry& entry) {
  const toml::table* const table = entry.second->as_table();
  const auto from =
      table != nullptr && table->contains("from") ? number_in(*table->get("from")) : std::nullopt;
  const auto to = table != nullptr && table->contains("to") ? number_in(*table->get("to")) : std::nullopt;
  if (!from || !to || table->size() != 2) {
    return at_line(line_of(entry),
                   fmt::format("{}: with sample, give {{ from = number, to = number }} and no "
                               "more; a single number belongs in [set]",
                               name_of(entry)));
  }
  return SampleRange{name_of(entry), *from, *to};
}

}  // namespace

tl::unexpected<Error> at_line(std::uint64_t line, std::string message) {
  Error error;
  error.code = ErrorCode::kParse;
  error.message = std::move(message);
  error.line = line;
  return tl::unexpected<Error>(std::move(error));
}
std::uint64_t line_of(const toml::node& node) noexcept {
  return node.source().begin.line;
}
tl::unexpected<Error> at(const toml::node& node, std::string message) {
  return at_line(line_of(node), std::move(message));
}

std::vector<Entry> entries_of(const toml::table& table) {
  std::vector<Entry> entries;
  for (const auto& [key, node] : table) {
    entries.emplace_back(&key, &node);
  }
  std::ranges::stable_sort(entries, {}, [](const Entry& entry) {
    const toml::source_position begin = entry.first->source().begin;
    return std::pair(begin.line, begin.column);
  });
  return entries;
}
std::uint64_t line_of(const Entry& entry) noexcept {
  return entry.first->source().begin.line;
}
std::string name_of(const Entry& entry) {
  return std::string(entry.first->str());
}

Result<void> refuse_unknown(const toml::table& table, std::initializer_list<std::string_view> known) {
  for (const Entry& entry : entries_of(table)) {
    if (std::ranges::find(known, entry.first->str()) == known.end()) {
      std::string all;
      for (const std::string_view name : known) {
        all += fmt::format("{}{}", all.empty() ? "" : ", ", name);
      }
      return at_line(line_of(entry), fmt::format("'{}' is not known here: give {}", name_of(entry), all));
    }
  }
  return {};
}

std::optional<double> number_in(const toml::node& node) noexcept {
  if (node.is_integer()) {
    return static_cast<double>(**node.as_integer());
  }
  return node.is_floating_point() ? std::optional(**node.as_floating_point()) : std::nullopt;
}

Result<void> is_not_set(const toml::table& root, const Entry& entry) {
  const toml::node* const set = root.get("set");
  if (set != nullptr && set->as_table()->contains(entry.first->str())) {
    return at_line(line_of(entry), fmt::format("{} stands in [set] too: keep one of them", name_of(entry)));
  }
  return {};
}

Result<void> read_sample(const toml::table& root, std::span<const Entry> vary, Sweep& sweep) {
  JUXTA_TRY_LET(const SampleOptions options, sample_options(*root.get("sample")));
  const std::uint64_t line = line_of(*root.get("sample"));
  std::vector<SampleRange> ranges;
  for (const Entry& entry : vary) {
    JUXTA_TRY(is_not_set(root, entry));
    JUXTA_TRY_LET(auto range, range_of(entry));
    ranges.push_back(std::move(range));
    if (auto tried = sample(sweep.parameters, {&ranges.back(), 1}, {.count = 1}); !tried) {
      return at_line(line_of(entry), tried.error().message);
    }
  }
  auto points = sample(sweep.parameters, ranges, options);
  if (!points) {
    return at_line(line, points.error().message);
  }
  sweep.vary = std::move(*points);
  sweep.together = true;
  return {};
}

}  // namespace juxta::study_detail

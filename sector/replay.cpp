// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "sector/replay.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "juxta/core/try.h"
#include "juxta/files/read_points.h"
#include "sector/tick.h"

namespace juxta::sector {
namespace {

using nlohmann::json;

constexpr std::string_view kReplayKind = "replay";
constexpr std::uint64_t kReplayVersion = 1;
constexpr std::size_t kMostBytes = std::size_t{1} << 30;  // some twenty million ticks
constexpr std::size_t kMostLine = std::size_t{1} << 20;

tl::unexpected<Error> at_line(std::uint64_t line, ErrorCode code, std::string message) {
  Error error;
  error.code = code;
  error.message = std::move(message);
  error.line = line;
  return tl::unexpected<Error>(std::move(error));
}

/// One line of JSON, and its members of the type that is due.
class Line {
 public:
  explicit Line(std::string_view text) : root_(json::parse(text.begin(), text.end(), nullptr, false)) {}

  [[nodiscard]] bool is_text(const char* key, std::string_view value) const {
    const json* const found = find(key);
    return found != nullptr && found->is_string() && found->get_ref<const std::string&>() == value;
  }
  [[nodiscard]] const std::string* text(const char* key) const {
    const json* const found = find(key);
    return found != nullptr && found->is_string() ? found->get_ptr<const std::string*>() : nullptr;
  }
  [[nodiscard]] bool is_number(const char* key, std::uint64_t value) const {
    const json* const found = find(key);
    return found != nullptr && found->is_number_unsigned() && found->get<std::uint64_t>() == value;
  }
  /// Sixteen hexadecimal digits.
  [[nodiscard]] std::optional<std::uint64_t> hash() const {
    const std::string* const digits = text("hash");
    std::uint64_t value = 0;
    if (digits == nullptr || digits->size() != 16 ||
        std::from_chars(digits->data(), digits->data() + 16, value, 16).ptr != digits->data() + 16) {
      return {};
    }
    return value;
  }

 private:
  [[nodiscard]] const json* find(const char* key) const {
    const auto found = root_.find(key);  // nothing in what is no object
    return found == root_.end() ? nullptr : &*found;
  }
  json root_;
};

Result<Scenario> scenario_of(const Line& line) {
  if (!line.is_text("juxta", kReplayKind)) {
    return at_line(1, ErrorCode::kParse,
                   "this is no replay: the first line is not {\"juxta\": \"replay\", ...}");
  }
  if (!line.is_number("version", kReplayVersion)) {
    return at_line(
        1, ErrorCode::kCorruptFile,
        fmt::format("the replay is of another version than {}, which this program reads", kReplayVersion));
  }
  const std::string* const text = line.text("scenario");
  if (text == nullptr || !line.is_number("first", 0)) {
    return at_line(1, ErrorCode::kParse, "a replay's first line says \"first\": 0 and \"scenario\": \"...\"");
  }
  auto scenario = parse_scenario(*text);
  if (!scenario) {
    return at_line(1, ErrorCode::kParse,
                   fmt::format("the scenario cannot be read: its line {}: {}", scenario.error().line,
                               scenario.error().message));
  }
  return scenario;
}

/// The lines behind the first have a tick each.
Result<void> take(std::uint64_t number, const Line& line, Replay& replay) {
  if (number == 1) {
    return scenario_of(line).map([&](Scenario&& scenario) { replay.scenario = std::move(scenario); });
  }
  const std::uint64_t tick = number - 1;
  const auto hash = line.hash();
  if (!hash || !line.is_number("tick", tick)) {
    return at_line(number, ErrorCode::kParse,
                   fmt::format("give {{\"tick\": {}, \"hash\": \"sixteen hexadecimal digits\"}}", tick));
  }
  replay.hashes.push_back(*hash);
  return {};
}

}  // namespace

struct ReplayWriter::Impl {
  std::filesystem::path path;
  std::ofstream out;
  std::uint32_t tick = 0;  // the last that was noted

  Result<void> put(const std::string& line) {
    out << line << '\n' << std::flush;
    if (!out) {
      return fail(ErrorCode::kIo,
                  fmt::format("cannot write '{}': the disk is full, or may not be written", path.string()));
    }
    return {};
  }
};

ReplayWriter::ReplayWriter(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
ReplayWriter::ReplayWriter(ReplayWriter&&) noexcept = default;
ReplayWriter& ReplayWriter::operator=(ReplayWriter&&) noexcept = default;
ReplayWriter::~ReplayWriter() = default;

Result<ReplayWriter> ReplayWriter::create(const std::filesystem::path& path, const World& world) {
  if (world.tick() != 0) {
    return fail(ErrorCode::kInvalidArgument, "a replay begins with its battle: this one has ticked before");
  }
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  impl->out.open(path, std::ios::binary | std::ios::trunc);
  const nlohmann::ordered_json first = {{"juxta", kReplayKind},
                                        {"version", kReplayVersion},
                                        {"first", 0},
                                        {"scenario", scenario_text(world.scenario)}};
  JUXTA_TRY(impl->put(first.dump()));
  return ReplayWriter(std::move(impl));
}

Result<void> ReplayWriter::add(const World& world) {
  if (world.tick() != impl_->tick + 1) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("a replay has every tick: {} follows {}", world.tick(), impl_->tick));
  }
  impl_->tick = world.tick();
  return impl_->put(fmt::format(R"({{"tick": {}, "hash": "{:016x}"}})", world.tick(), state_hash(world)));
}

Result<Replay> parse_replay(std::string_view text) {
  Replay replay;
  std::uint64_t number = 0;
  do {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    if (line.size() > kMostLine) {
      return at_line(++number, ErrorCode::kParse,
                     fmt::format("this is no replay: its lines have at most {} bytes", kMostLine));
    }
    if (++number > 1 && end == std::string_view::npos) {
      replay.cut_short = true;
      break;
    }
    JUXTA_TRY(take(number, Line(line), replay));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  } while (!text.empty());
  return replay;
}

Result<Replay> read_replay(const std::filesystem::path& path) {
  return read_bytes(path.string(), kMostBytes + 1).and_then([&](const std::string& text) -> Result<Replay> {
    if (text.size() > kMostBytes) {
      return fail(ErrorCode::kTooLarge,
                  fmt::format("'{}': a replay has at most {} bytes", path.string(), kMostBytes));
    }
    return parse_replay(text);
  });
}

Result<ReplayResult> run_replay(const Replay& replay, const Executor* executor, Monitor* monitor) {
  JUXTA_TRY_LET(auto world, begin_world(replay.scenario, executor));
  ReplayResult result;
  for (const std::uint64_t expected : replay.hashes) {
    if (!report(monitor, "replay", result.ticks, replay.hashes.size())) {
      return fail(ErrorCode::kCancelled, fmt::format("stopped after {} ticks, all equal", result.ticks));
    }
    JUXTA_TRY(tick(*world));
    ++result.ticks;
    const std::uint64_t got = state_hash(*world);
    if (got != expected) {
      result.first_different = result.ticks;
      result.expected = expected;
      result.got = got;
      break;
    }
  }
  return result;
}

}  // namespace juxta::sector

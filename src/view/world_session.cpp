// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "view/world_session.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "juxta/core/try.h"
#include "juxta/version.h"
#include "view/arguments.h"
#include "view/beside.h"
#include "view/client.h"
#include "view/selection.h"

namespace juxta::view_detail {
namespace {

constexpr auto kNewsEvery = std::chrono::milliseconds(100), kIdle = std::chrono::milliseconds(50),
               kRateWindow = std::chrono::milliseconds(500);
constexpr std::uint64_t kMostStep = std::uint64_t{1} << 53;  // that a number of JSON holds exactly

const char* name_of(ViewMark mark) {
  constexpr std::array<const char*, 7> kNames = {"dot", "dart", "ship", "streak", "ball", "rock", "turret"};
  return kNames[static_cast<std::size_t>(mark)];
}

Json json_of(const ViewParameter& parameter) {
  const Parameter& p = parameter.is;
  return {{"name", p.name}, {"value", p.value},      {"lo", p.lo}, {"hi", p.hi}, {"whole", p.whole},
          {"what", p.what}, {"live", parameter.live}};
}

Json json_of(const ViewGroup& group) {
  return {{"name", group.name},
          {"mark", name_of(group.mark)},
          {"size", group.size},
          {"columns", group.columns},
          {"colour", group.colour.empty() ? Json() : Json(group.colour)},
          {"classes", group.classes},
          {"heading", group.heading},
          {"shapes", group.shapes}};
}

}  // namespace

WorldSession::WorldSession(ViewedWorld& world, Exchange& exchange, const Executor& executor, bool paused)
    : world_(world), exchange_(exchange), executor_(executor), playing_(!paused) {}

Result<void> WorldSession::learn() {
  ViewInfo info = world_.info();
  for (const ViewGroup& group : info.groups) {
    const bool known =
        group.colour.empty() || std::ranges::find(group.columns, group.colour) != group.columns.end();
    if (!known) {
      return fail(ErrorCode::kInvalidArgument,
                  group.name + " has no column '" + group.colour + "' to colour by");
    }
  }
  if (info.dimensions != 2 && info.dimensions != 3) {
    return fail(ErrorCode::kInvalidArgument, "a world has 2 or 3 dimensions");
  }
  info_ = std::make_shared<const ViewInfo>(std::move(info));
  exchange_.show(info_);
  ++changes_;
  return {};
}

Result<void> WorldSession::begin() {
  JUXTA_TRY(learn());
  speed_ = info_->steps_per_second;
  history_.clear(info_->reports.size());
  history_.add(world_.steps(), world_.reports());
  due_ = rate_since_ = Clock::now();
  return {};
}

void WorldSession::turn() {
  const auto begin = Clock::now();
  const auto turn_ends = begin + kIdle;
  steps_end_ = begin + kIdle / 2;  // the other half is for questions
  auto until = turn_ends;
  if (playing_) {
    until = std::min(until, std::max(due_, begin));
  }
  if (stepping_) {
    go_on_stepping();
    until = begin;
  }
  // A page that asks without end must not keep the world from its steps.
  for (bool first = true; first || Clock::now() < turn_ends; first = false) {
    auto question = exchange_.next(first ? until : begin);
    if (!question) {
      break;
    }
    hear(std::move(*question));
    if (stepping_) {
      go_on_stepping();
      until = begin;
    }
  }
  const auto now = Clock::now();
  if (playing_ && now >= due_) {
    take_step();
    // After a slow step the next one is due at once, but what was missed is not caught up with.
    const auto wait =
        speed_ > 0 ? std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / speed_))
                   : Clock::duration::zero();
    due_ = std::max(due_ + wait, now);
  }
  publish();
  tell_news(Clock::now());
}

WorldSession::Clock::time_point WorldSession::due() const {
  if (stepping_) {
    return Clock::now();
  }
  return playing_ ? due_ : Clock::time_point::max();
}

bool WorldSession::at_end() const {
  return info_->recording && world_.steps() >= info_->recording->last;
}

void WorldSession::take_step() {
  if (at_end()) {
    playing_ = false;
    return;
  }
  const auto done = world_.step();
  ++changes_;
  if (!done) {
    ended_ = done.error().message;
    playing_ = false;
    return;
  }
  ++rate_steps_;
  playing_ = playing_ && !at_end();
  history_.add(world_.steps(), world_.reports());
}

void WorldSession::publish() {
  const std::uint64_t colours = exchange_.colour_changes();
  if (!exchange_.state_wanted() ||
      (published_changes_ == changes_ && colour_changes_ == colours && exchange_.state())) {
    return;
  }
  // One that nobody reads any more.
  for (auto& spare : spare_) {
    if (!spare) {
      spare = std::make_shared<Snapshot>();
    }
    if (spare.use_count() == 1) {
      copy_state(world_, *info_, exchange_.colours(), executor_, *spare);
      exchange_.publish(spare);
      published_changes_ = changes_;
      colour_changes_ = colours;
      ++frames_;
      return;
    }
  }
}

void WorldSession::tell_news(Clock::time_point now) {
  if (now - rate_since_ >= kRateWindow) {
    rate_ = static_cast<double>(rate_steps_) / std::chrono::duration<double>(now - rate_since_).count();
    rate_steps_ = 0;
    rate_since_ = now;
  }
  if (now - news_at_ < kNewsEvery || exchange_.clients() == 0) {
    return;
  }
  news_at_ = now;
  Json news = status();
  news["event"] = "status";
  if (std::string text = text_of(news); text != last_news_) {
    last_news_ = text;
    exchange_.tell(std::move(text));
  }
}

Json WorldSession::status() const {
  return {{"step", world_.steps()},
          {"playing", playing_},
          {"steps_per_second", std::round(rate_ * 10) / 10},
          {"speed", speed_},
          {"stage_ms", numbers(world_.stage_ms())},
          {"report", numbers(world_.reports())},
          {"frames", frames_},
          {"clients", exchange_.clients()},
          {"ended", ended_.empty() ? Json() : Json(ended_)}};
}

Json WorldSession::info_json() const {
  Json groups = Json::array(), parameters = Json::array();
  for (const ViewGroup& group : info_->groups) {
    groups.push_back(json_of(group));
  }
  for (const ViewParameter& parameter : info_->parameters) {
    parameters.push_back(json_of(parameter));
  }
  const Vec3 lo = info_->lo, hi = info_->hi;
  return {{"kind", "world"},
          {"title", info_->title},
          {"version", JUXTA_VERSION_STRING},
          {"dimensions", info_->dimensions},
          {"lo", {lo.x, lo.y, lo.z}},
          {"hi", {hi.x, hi.y, hi.z}},
          {"groups", std::move(groups)},
          {"parameters", std::move(parameters)},
          {"stages", info_->stages},
          {"reports", info_->reports},
          {"overlays", overlays_of(*info_)},
          {"recording", info_->recording
                            ? Json{{"first", info_->recording->first}, {"last", info_->recording->last}}
                            : Json()}};
}

Answer WorldSession::answer(const Question& question) {
  const std::string& name = question.name;
  const Json& body = question.body;
  if (name == "info")
    return info_json();
  if (name == "status")
    return status();
  if (name == "play" || name == "pause")
    return play(name == "play");
  if (name == "speed")
    return set_speed(body);
  if (name == "set")
    return set(body);
  if (name == "restart")
    return restart(body);
  if (name == "hash")
    return hash();
  if (name == "history") {
    return whole_of(body, "from", 0, kMostStep).map([&](std::uint64_t from) {
      return history_.since(from, info_->reports);
    });
  }
  if (name == "seek")
    return seek(body);
  return about(name, body);
}

/// Questions about things, which change nothing.
Answer WorldSession::about(const std::string& name, const Json& body) {
  if (name == "pick")
    return pick_and_keep(body);
  if (name == "select")
    return select_and_keep(body);
  if (name == "selected") {
    return selected_.is_null() ? fail(ErrorCode::kNotFound, "nobody has selected anything yet")
                               : Answer(selected_);
  }
  if (name == "entity")
    return entity(world_, *info_, body);
  if (name == "overlay")
    return overlay(world_, *info_, body);
  if (name == "shapes")
    return shapes(world_, *info_, body);
  return fail(ErrorCode::kNotFound, "there is no question '" + name +
                                        "': a world answers info, status, play, pause, step, speed, set, "
                                        "restart, seek, hash, history, pick, select, selected, entity, "
                                        "overlay and shapes");
}

Answer WorldSession::select_and_keep(const Json& body) {
  JUXTA_TRY_LET(Json found, select(world_, *info_, body));
  selected_ = {{"step", world_.steps()}, {"found", found["found"]}, {"rows", found["rows"]}};
  return found;
}

Answer WorldSession::pick_and_keep(const Json& body) {
  JUXTA_TRY_LET(Json picked, pick(world_, *info_, body));
  if (!picked["found"].is_null()) {
    selected_ = {{"step", world_.steps()}, {"found", 1}, {"rows", Json::array({picked["found"]})}};
  }
  return picked;
}

Answer WorldSession::play(bool on) {
  if (on && !ended_.empty()) {
    return fail(ErrorCode::kInvalidArgument, ended_);
  }
  if (on && at_end()) {
    JUXTA_TRY(world_.seek(info_->recording->first));
    ++changes_;
  }
  playing_ = on;
  due_ = Clock::now();
  return status();
}

Answer WorldSession::set_speed(const Json& body) {
  JUXTA_TRY_LET(const double speed, number_of(body, "steps_per_second", 0));
  if (!(speed >= 0 && speed <= 1e6)) {
    return fail(ErrorCode::kInvalidArgument, "steps_per_second: give a number from 0 to 1000000");
  }
  speed_ = speed;
  due_ = Clock::now();
  return status();
}

Answer WorldSession::set(const Json& body) {
  JUXTA_TRY_LET(const std::string name, text_in(body, "name"));
  JUXTA_TRY_LET(const double value, number_of(body, "value", std::nan("")));
  JUXTA_TRY(world_.set(name, value));
  JUXTA_TRY(learn());
  for (const ViewParameter& parameter : info_->parameters) {
    if (parameter.is.name == name) {
      return json_of(parameter);
    }
  }
  return Json::object();
}

Answer WorldSession::restart(const Json& body) {
  std::optional<std::uint64_t> seed;
  if (body.contains("seed") && !body["seed"].is_null()) {
    JUXTA_TRY_LET(seed, whole_of(body, "seed", 0, kMostStep));
  }
  std::vector<std::pair<std::string, double>> parameters;
  if (body.contains("parameters")) {
    if (!body["parameters"].is_object()) {
      return fail(ErrorCode::kInvalidArgument, "parameters: give an object of names and numbers");
    }
    for (const auto& [name, value] : body["parameters"].items()) {
      JUXTA_TRY_LET(const double number, number_of(body["parameters"], name.c_str(), std::nan("")));
      parameters.emplace_back(name, number);
    }
  }
  const std::uint64_t before = world_.steps();
  const auto begun = world_.restart(seed, parameters);
  if (!begun && world_.steps() == before) {
    return tl::unexpected<Error>(begun.error());  // all is as it was
  }
  ended_.clear();
  JUXTA_TRY(learn());  // whatever came of it
  history_.clear(info_->reports.size());
  history_.add(world_.steps(), world_.reports());
  JUXTA_TRY(begun);
  return info_json();
}

Answer WorldSession::seek(const Json& body) {
  if (!info_->recording) {
    return fail(ErrorCode::kNotFound, "this world is no recording: it cannot go back");
  }
  if (!body.contains("step") || body["step"].is_null()) {
    return fail(ErrorCode::kInvalidArgument, "step: give the step to go to");
  }
  JUXTA_TRY_LET(const std::uint64_t step, whole_of(body, "step", 0, kMostStep));
  JUXTA_TRY(world_.seek(step));
  ended_.clear();
  ++changes_;
  due_ = Clock::now();
  history_.add(world_.steps(), world_.reports());
  return status();
}

Answer WorldSession::hash() const {
  const auto hash = world_.hash();
  if (!hash) {
    return fail(ErrorCode::kNotFound, "this world has no hash of its state");
  }
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(*hash));
  return Json{{"step", world_.steps()}, {"hash", digits}};
}

}  // namespace juxta::view_detail

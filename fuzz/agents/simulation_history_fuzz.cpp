// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Histories of a population beside a plain list: births, deaths, references, sorting, saving and loading,
// agents that act one after the other. After each step both hold the same agents in the same order.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/check.h"
#include "fuzz/draw.h"
#include "juxta/agents/sequential.h"
#include "juxta/agents/simulation.h"

namespace juxta::fuzz {
namespace {

constexpr std::uint32_t kNobody = ~std::uint32_t{0};
using Place = Vec3;

/// Known by a name of its own; `friend_of` is a name too.
struct Agent {
  std::uint32_t name = kNobody;
  std::uint32_t friend_of = kNobody;
  Place place{};
};

World draw_world(Draw& draw) {
  World world{.dimensions = static_cast<std::uint32_t>(2 + draw.below(2))};
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    world.edges[axis] = static_cast<Edge>(draw.below(3));
    world.lo[axis] = draw.one_of<float>({-8, 0, 1000, -1});
    world.hi[axis] = world.lo[axis] + draw.one_of<float>({16, 1, 3});
  }
  return world;
}

class History {
 public:
  explicit History(Draw& draw)
      : draw_(draw),
        sim_(Simulation::build(draw_world(draw), 7).value()),
        agents_(sim_.add_population("a").value()) {
    JUXTA_FUZZ_CHECK(agents_->add_column<std::uint32_t>("name", kNobody).has_value());
    JUXTA_FUZZ_CHECK(agents_->add_references("friend", *agents_).has_value());
  }

  void run(std::size_t commands) {
    for (std::size_t i = 0; i < commands; ++i) {
      command();
    }
    end_step();
  }

 private:
  [[nodiscard]] Column<std::uint32_t> name() const {
    return agents_->find_column<std::uint32_t>("name").value();
  }
  [[nodiscard]] Column<Id> friends() const { return agents_->find_column<Id>("friend").value(); }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(plain_.size()); }
  std::uint32_t some() { return static_cast<std::uint32_t>(draw_.below(plain_.size())); }
  [[nodiscard]] World world() const { return sim_.world(); }

  Place draw_place() {
    Place place{};
    for (std::uint32_t axis = 0; axis < world().dimensions; ++axis) {
      place[axis] =
          world().lo[axis] + (world().hi[axis] - world().lo[axis]) * static_cast<float>(draw_.below(65)) / 64;
    }
    return place;
  }
  void write_place(std::uint32_t row, const Place& place) {
    plain_[row].place = place;
    for (std::uint32_t axis = 0; axis < world().dimensions; ++axis) {
      agents_->write(agents_->position(axis))[row] = place[axis];
    }
  }

  void command() {
    const std::size_t which = draw_.below(10);
    if (which == 0 && size() < 300) {
      add(draw_.below(40));
    } else if (which == 1) {
      spawn();
    } else if (which == 2 && size() > 0) {
      kill(some());
    } else if (which == 3 && size() > 0) {
      befriend(some(), some());
    } else if (which == 4 && size() > 0) {
      write_place(some(), draw_place());
    } else if (which == 5) {
      for_each();
    } else if (which == 6) {
      sort();
    } else if (which == 7) {
      one_by_one();
    } else if (which == 8 && draw_.below(4) == 0) {  // a save waits for the disk
      end_step();
      save_and_load();
    } else {
      end_step();
    }
  }

  void add(std::size_t count) {
    const std::uint32_t first = agents_->insert(count).value();
    JUXTA_FUZZ_CHECK(first == size());
    for (std::size_t i = 0; i < count; ++i) {
      plain_.push_back({names_, kNobody, {}});
      dying_.push_back(false);
      const std::uint32_t row = size() - 1;
      agents_->write(name())[row] = names_++;
      write_place(row, draw_place());
    }
  }
  void spawn() {
    if (size() > 0 && draw_.below(2) == 0) {
      const std::uint32_t parent = some();
      agents_->changes().spawn_like(parent).set(name(), names_);
      born_.push_back(plain_[parent]);
      born_.back().name = names_++;
    } else {
      const Place place = draw_place();
      auto newborn = agents_->changes().spawn().set(name(), names_);
      for (std::uint32_t axis = 0; axis < world().dimensions; ++axis) {
        newborn.set(agents_->position(axis), place[axis]);
      }
      born_.push_back({names_++, kNobody, place});
    }
  }
  void kill(std::uint32_t row) {
    agents_->changes().kill(row);
    dying_[row] = true;
  }
  void befriend(std::uint32_t row, std::uint32_t other) {
    agents_->write(friends())[row] = agents_->id_of(other);
    plain_[row].friend_of = plain_[other].name;
  }
  /// Births that count after those of changes(), in the order of rows.
  void for_each() {
    const std::uint32_t step = static_cast<std::uint32_t>(draw_.below(7)) + 2, first_name = names_;
    const auto named = name();
    agents_->for_each([&](std::uint32_t row, Changes& changes) {
      if (row % step == 0) {
        changes.spawn_like(row).set(named, first_name + row);
      } else if (row % step == 1) {
        changes.kill(row);
      }
    });
    for (std::uint32_t row = 0; row < size(); ++row) {
      if (row % step == 0) {
        born_later_.push_back(plain_[row]);
        born_later_.back().name = first_name + row;
      }
      dying_[row] = dying_[row] || row % step == 1;
    }
    names_ += size();
  }

  void end_step() {
    std::vector<Agent> next;
    for (std::uint32_t row = 0; row < size(); ++row) {
      if (!dying_[row]) {
        next.push_back(plain_[row]);
      }
    }
    const std::size_t died = plain_.size() - next.size(), born = born_.size() + born_later_.size();
    next.insert(next.end(), born_.begin(), born_.end());
    next.insert(next.end(), born_later_.begin(), born_later_.end());
    std::vector<std::uint32_t> alive;
    for (std::uint32_t row = 0; row < size(); ++row) {
      if (!dying_[row]) {
        alive.push_back(plain_[row].name);
      }
    }
    std::sort(alive.begin(), alive.end());
    std::size_t nulled = 0;
    for (Agent& agent : next) {
      if (agent.friend_of != kNobody && !std::binary_search(alive.begin(), alive.end(), agent.friend_of)) {
        agent.friend_of = kNobody;
        ++nulled;
      }
    }
    plain_ = std::move(next);
    born_.clear();
    born_later_.clear();
    dying_.assign(plain_.size(), false);
    const StepReport report = sim_.end_step().value()[0];
    JUXTA_FUZZ_CHECK(report.born == born && report.died == died && report.nulled == nulled);
    compare();
  }

  void compare() const {
    JUXTA_FUZZ_CHECK(agents_->size() == plain_.size());
    for (std::uint32_t row = 0; row < size(); ++row) {
      JUXTA_FUZZ_CHECK(agents_->read(name())[row] == plain_[row].name);
      JUXTA_FUZZ_CHECK(agents_->row_of(agents_->id_of(row)).value() == row);
      const Id other = agents_->read(friends())[row];
      JUXTA_FUZZ_CHECK((other == Id{}) == (plain_[row].friend_of == kNobody));
      if (other != Id{}) {
        JUXTA_FUZZ_CHECK(agents_->read(name())[agents_->row_of(other).value()] == plain_[row].friend_of);
      }
      for (std::uint32_t axis = 0; axis < world().dimensions; ++axis) {
        JUXTA_FUZZ_CHECK(agents_->read(agents_->position(axis))[row] == plain_[row].place[axis]);
      }
    }
  }

  /// Some order of the same agents; periodic positions come back into the world. The list takes the new
  /// order.
  bool sort() {
    const SortOptions options{.radius = draw_.one_of<float>({0.5F, 2, 30}),
                              .arrangement = static_cast<Arrangement>(draw_.below(6))};
    if (!agents_->sort(options)) {
      return false;
    }
    JUXTA_FUZZ_CHECK(agents_->sorted() && agents_->size() == plain_.size());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> by_name;
    for (std::uint32_t row = 0; row < size(); ++row) {
      by_name.emplace_back(plain_[row].name, row);
    }
    std::sort(by_name.begin(), by_name.end());
    std::vector<Agent> next;
    std::vector<bool> dying;
    std::vector<bool> met(plain_.size(), false);
    for (const std::uint32_t named : agents_->read(name())) {
      const auto at = std::lower_bound(by_name.begin(), by_name.end(), std::pair(named, 0U));
      JUXTA_FUZZ_CHECK(at != by_name.end() && at->first == named && !met[at->second]);
      met[at->second] = true;
      next.push_back(plain_[at->second]);
      dying.push_back(dying_[at->second]);
    }
    plain_ = std::move(next);
    dying_ = std::move(dying);
    for (std::uint32_t row = 0; row < size(); ++row) {
      for (std::uint32_t axis = 0; axis < world().dimensions; ++axis) {
        const float now = agents_->read(agents_->position(axis))[row];
        if (world().edges[axis] == Edge::kPeriodic) {
          JUXTA_FUZZ_CHECK(now >= world().lo[axis] && now < world().hi[axis]);
        } else {
          JUXTA_FUZZ_CHECK(now == plain_[row].place[axis]);
        }
        plain_[row].place[axis] = now;
      }
    }
    return true;
  }

  [[nodiscard]] bool near(const Place& from, const Place& to, float radius, Metric metric) const {
    float square = 0;
    bool in_box = true;
    for (std::uint32_t axis = 0; axis < world().dimensions; ++axis) {
      float d = to[axis] - from[axis];
      if (world().edges[axis] == Edge::kPeriodic) {
        const float period = world().hi[axis] - world().lo[axis];
        d = d > period / 2 ? d - period : d < -period / 2 ? d + period : d;
      }
      square = axis == 0 ? d * d : square + d * d;
      in_box = in_box && std::abs(d) <= radius;
    }
    return metric == Metric::kBall ? square <= radius * radius : in_box;
  }

  /// Everyone in turn: looks, moves, and may kill.
  void one_by_one() {
    const Metric metric = draw_.below(2) == 0 ? Metric::kBall : Metric::kBox;
    Neighbours neighbours(*agents_);
    if (!sort() ||
        !neighbours.begin({.radius = 1, .metric = metric, .slack = draw_.one_of<float>({-1, 0, 0.1F, 50})})) {
      return;
    }
    std::size_t turns = 0;
    const std::size_t waiting = static_cast<std::size_t>(std::count(dying_.begin(), dying_.end(), false));
    std::size_t killed = 0;
    std::vector<bool> done(plain_.size(), false);
    activate_randomly(*agents_, sim_.key(1), [&](std::uint32_t row) {
      JUXTA_FUZZ_CHECK(!dying_[row] && !done[row]);
      done[row] = true;
      if (++turns % 4 == 0) {
        search(neighbours, row, draw_.one_of<float>({0.25F, 1, 5, 40}), metric);
      }
      const Place to = draw_place();
      JUXTA_FUZZ_CHECK(neighbours.move(row, to).has_value());
      for (std::uint32_t axis = 0; axis < world().dimensions; ++axis) {
        plain_[row].place[axis] = agents_->read(agents_->position(axis))[row];
        JUXTA_FUZZ_CHECK(plain_[row].place[axis] == to[axis] || to[axis] == world().hi[axis]);
      }
      if (turns % 8 == 0) {
        const std::uint32_t victim = some();
        killed += !dying_[victim] && !done[victim];
        neighbours.kill(victim);
        dying_[victim] = true;
      }
    });
    JUXTA_FUZZ_CHECK(turns + killed == waiting);
  }
  void search(Neighbours& neighbours, std::uint32_t row, float radius, Metric metric) {
    std::vector<std::uint32_t> found, expected;
    JUXTA_FUZZ_CHECK(
        neighbours
            .visit(row, radius,
                   [&](std::uint32_t other, float, float, float, float) { found.push_back(other); })
            .has_value());
    for (std::uint32_t other = 0; other < size(); ++other) {
      if (other != row && !dying_[other] && near(plain_[row].place, plain_[other].place, radius, metric)) {
        expected.push_back(other);
      }
    }
    std::sort(found.begin(), found.end());
    JUXTA_FUZZ_CHECK(found == expected);
  }

  void save_and_load() {
    const auto path = std::filesystem::temp_directory_path() /
                      ("simulation_history_fuzz." + std::to_string(getpid()) + ".jxs");
    JUXTA_FUZZ_CHECK(sim_.save(path.string()).has_value());
    sim_ = Simulation::load(path.string()).value();
    std::filesystem::remove(path);
    agents_ = sim_.find_population("a");
    compare();
  }

  Draw& draw_;
  Simulation sim_;
  Population* agents_;
  std::vector<Agent> plain_, born_, born_later_;
  std::vector<bool> dying_;
  std::uint32_t names_ = 0;
};

}  // namespace
}  // namespace juxta::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace juxta;
  fuzz::Draw draw(data, size);
  fuzz::History(draw).run(40);
  return 0;
}

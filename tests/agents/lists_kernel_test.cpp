// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Lists of many fours side by side against lists of one four after the other: a sweep that writes down what
// it is given, on every instruction set.
#include "agents/lists_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "agents/crowds.h"
#include "agents/pass_check.h"
#include "agents/store.h"
#include "scenes/draws.h"
#include "support/each_isa.h"

namespace juxta {
namespace {

using agents_detail::PopulationStore;
using scenes::Draws;
using test::Crowd;
using test::Crowding;

/// One list: a group, and the groups that continue it.
struct Listed {
  std::uint32_t seer = 0, first = 0, last = 0;
  bool wrapped = false;
  std::size_t self = 0;
  int parts = 0;
  std::vector<std::uint32_t> fours;  // as they came; ascending when there are several parts
};
struct Lists {
  std::vector<Listed> all;
  std::size_t sweeps = 0, tested = 0;
  bool more = false, sound = true;
};
struct Notebook {
  Lists* lists;
  bool are_seen;
};

/// The Sweep: a group's list goes to the last entry when it continues it.
void write_down(const void* rules, const agents_detail::SweepTask& task) {
  const Notebook& notebook = *static_cast<const Notebook*>(rules);
  Lists& lists = *notebook.lists;
  ++lists.sweeps;
  for (std::size_t g = 0; g < task.group_count; ++g) {
    const agents_detail::SweepGroup& group = task.groups[g];
    lists.sound = lists.sound && group.resume == lists.more && group.begin <= group.end &&
                  group.self <= group.end - group.begin;
    if (!group.resume) {
      lists.all.push_back({group.seer, group.first, group.last, group.wrapped, 0, 0, {}});
    }
    Listed& listed = lists.all.back();
    lists.sound = lists.sound && listed.seer == group.seer && listed.first == group.first &&
                  listed.last == group.last && listed.wrapped == group.wrapped;
    for (std::uint32_t i = group.begin; i < group.end; ++i) {
      const std::uint32_t four = task.list[i];
      const bool holds_seers = notebook.are_seen && four < group.seer + 4 && group.seer < four + 4;
      lists.sound = lists.sound && holds_seers == (i - group.begin < group.self);
      listed.fours.push_back(four);
    }
    listed.self += group.self;
    ++listed.parts;
    lists.more = group.more;
  }
}

struct Scene {
  World world;
  Crowding crowding = Crowding::kUniform;
  std::size_t count = 300, seers = 0;  // 0: they see themselves
  float sorted_for = 1, radius = 1, skin = 0;
  bool extents = false;
  Metric metric = Metric::kBall;
};
std::string words(const Scene& s) {
  return test::name(s.world) + " " + std::string(test::name(s.crowding)) + " " + std::to_string(s.count) +
         (s.seers == 0 ? "" : " seen by " + std::to_string(s.seers)) + ", radius " +
         std::to_string(s.radius) + ", sorted for " + std::to_string(s.sorted_for) +
         (s.extents ? ", extents" : "") + (s.metric == Metric::kBox ? ", box" : "") +
         (s.skin > 0 ? ", skin" : "");
}

class Crowds {
 public:
  explicit Crowds(const Scene& scene)
      : scene_(scene), simulation_(Simulation::build(scene.world, 1).value()), draws_(scene.count) {
    seen_ = add("seen", scene.count, scene.crowding);
    seers_ = scene.seers == 0 ? seen_ : add("seers", scene.seers, Crowding::kUniform);
    SortOptions options;
    options.radius = scene.sorted_for;
    options.skin = scene.skin;
    options.arrangement = Arrangement::kRows;
    sorted_ = static_cast<bool>(seen_->sort(options));
    if (sorted_ && scene.skin > 0) {
      for (std::uint32_t axis = 0; axis < scene.world.dimensions; ++axis) {
        for (float& x : seen_->write(seen_->position(axis))) {
          x += (test::draw_unit(draws_) - 0.5F) * 0.4F * scene.skin;
        }
      }
      sorted_ = !seen_->sort(options).value().sorted;
    }
  }

  /// False where a table of cells would be absurdly large, and sort() refused.
  [[nodiscard]] bool sorted() const { return sorted_; }

  /// Seers may stand outside of the only row of cells there is on some axis.
  [[nodiscard]] bool beside_one_row() const {
    const auto& axis = PopulationStore::of(*seen_).directory.grid.axis;
    return seers_ != seen_ && (axis[1].cells == 1 || (scene_.world.dimensions == 3 && axis[2].cells == 1));
  }

  /// What a pass of the seers' rows [0, most) hands over.
  Lists lists(bool plain, std::size_t most = ~std::size_t{0}) const {
    const PopulationStore &seen = PopulationStore::of(*seen_), &seers = PopulationStore::of(*seers_);
    agents_detail::SweepTask task{};
    task.dimensions = scene_.world.dimensions;
    for (std::uint32_t a = 0; a < task.dimensions; ++a) {
      task.seer_position[a] = seers.position(a);
      task.seer_extents[a] =
          seers.extents != Column<float>::kNone ? seers.columns[seers.extents + a].as<float>() : nullptr;
    }
    Lists lists;
    const Notebook notebook{&lists, seers_ == seen_};
    const agents_detail::Reach reach(seen.directory, scene_.radius, scene_.metric == Metric::kBall);
    const agents_detail::Seeing seeing{seen.directory, reach,           task, write_down, &notebook,
                                       seen.size(),    seers_ == seen_, plain};
    lists.tested = sweep_seers(seeing, 0, static_cast<std::uint32_t>(std::min(most, seers.size())));
    for (Listed& listed : lists.all) {
      if (listed.parts > 1) {
        std::sort(listed.fours.begin(), listed.fours.end());
      }
    }
    return lists;
  }

  /// "" when each of the seers in rows [0, most) is in one list, no row is in a list twice, and all near
  /// pairs are there.
  std::string check(const Lists& lists, std::size_t most = ~std::size_t{0}) const {
    const Crowd seers = test::crowd_of(*seers_, false), seen = test::crowd_of(*seen_, false);
    std::vector<int> met(std::min(most, seers.size()));
    if (!lists.sound || lists.more) {
      return "a group contradicts itself";
    }
    std::size_t fours = 0;
    for (const Listed& listed : lists.all) {
      std::vector<bool> in(seen.size() + 4);
      fours += listed.fours.size();
      for (const std::uint32_t four : listed.fours) {
        for (std::uint32_t row = four; row < four + 4; ++row) {
          if (row >= in.size() || in[row]) {
            return "row " + std::to_string(row) + " is there twice, or nowhere";
          }
          in[row] = true;
        }
      }
      for (std::size_t row = listed.seer + listed.first; row < listed.seer + listed.last; ++row) {
        if (row >= met.size() || met[row]++ != 0) {
          return "seer " + std::to_string(row) + " is there twice, or nowhere";
        }
        if (const std::size_t missed = first_missed(seers, row, seen, listed, in); missed != seen.size()) {
          return "seer " + std::to_string(row) + " misses row " + std::to_string(missed);
        }
      }
    }
    if (std::count(met.begin(), met.end(), 1) != static_cast<std::ptrdiff_t>(met.size())) {
      return "a seer is missing";
    }
    return lists.tested == 16 * fours ? "" : "pairs are not counted as they are handed over";
  }

 private:
  Population* add(std::string_view name, std::size_t count, Crowding crowding) {
    Population* const population = simulation_.add_population(name).value();
    Crowd crowd = test::draw_crowd(draws_, scene_.world, crowding, count, scene_.sorted_for);
    if (scene_.extents) {
      test::draw_extents(draws_, scene_.world, crowd);
    }
    test::fill(*population, crowd, draws_);
    return population;
  }
  /// A near row that is not in the list, or is judged without its image though that alone is near.
  std::size_t first_missed(const Crowd& seers, std::size_t seer, const Crowd& seen, const Listed& listed,
                           const std::vector<bool>& in) const {
    World open = scene_.world;
    open.edges = {};
    test::Sight sight;
    for (std::size_t row = 0; row < seen.size(); ++row) {
      if (test::is_near(scene_.world, scene_.metric, seers, seer, seen, row, scene_.radius, sight) &&
          !(in[row] && (listed.wrapped ||
                        test::is_near(open, scene_.metric, seers, seer, seen, row, scene_.radius, sight)))) {
        return row;
      }
    }
    return seen.size();
  }

  Scene scene_;
  Simulation simulation_;
  Draws draws_;
  Population *seen_, *seers_;
  bool sorted_ = false;
};

/// What a pass of every kind of world begins with: 2D and 3D, open, in walls, periodic and mixed.
std::vector<Scene> kinds() {
  std::vector<Scene> all;
  for (const auto& [dimensions, edges] : {std::array{2U, 0U},
                                          {2U, 4U},
                                          {2U, 8U},
                                          {2U, 2U},
                                          {2U, 6U},
                                          {3U, 0U},
                                          {3U, 13U},
                                          {3U, 26U},
                                          {3U, 2U},
                                          {3U, 18U}}) {
    for (const bool extents : {false, true}) {
      Scene scene;
      scene.world = test::make_world(dimensions, edges);
      scene.extents = extents;
      all.push_back(scene);
    }
  }
  return all;
}

/// How many lists of two passes are not the same; all of them when they are not about the same seers.
std::size_t differences(const Lists& right, const Lists& got) {
  const std::size_t all = std::max(right.all.size(), got.all.size());
  if (!right.sound || !got.sound || right.all.size() != got.all.size()) {
    return all + 1;
  }
  std::size_t differ = 0;
  for (std::size_t i = 0; i < all; ++i) {
    const Listed &r = right.all[i], &g = got.all[i];
    if (std::tie(r.seer, r.first, r.last, r.wrapped) != std::tie(g.seer, g.first, g.last, g.wrapped)) {
      return all + 1;
    }
    std::vector<std::uint32_t> a = r.fours, b = g.fours;
    if (r.parts != g.parts) {  // one of them had to begin a new list
      std::sort(a.begin(), a.end());
      std::sort(b.begin(), b.end());
    }
    differ += r.self != g.self || a != b;
  }
  return differ;
}

/// Both ways list each near pair once, and by the same lists to the last row, but for two things.
/// In space they add the squares of what is apart in y and in z in another order: one list in a hundred
/// thousand begins or ends a cell further. Beside the only row of cells there is, the fast way sees that the
/// row is out of reach, and the plain one does not ask.
void expect_same_lists(const Scene& scene, std::size_t most = ~std::size_t{0}) {
  SCOPED_TRACE(words(scene));
  const Crowds crowds(scene);
  if (!crowds.sorted()) {
    ASSERT_EQ(scene.crowding, Crowding::kLonely);
    return;
  }
  const Lists right = crowds.lists(true, most);
  ASSERT_EQ(crowds.check(right, most), "");
  const std::size_t other_cells = scene.world.dimensions == 2 ? 0 : 1 + right.all.size() / 10000;
  test::for_each_isa([&](Isa) {
    ASSERT_EQ(differences(right, crowds.lists(true, most)), 0U);
    const Lists fast = crowds.lists(false, most);
    const std::size_t differ = differences(right, fast);
    ASSERT_LE(differ, crowds.beside_one_row() ? right.all.size() : other_cells);
    ASSERT_EQ(differ == 0 ? "" : crowds.check(fast, most), "");
    ASSERT_TRUE(differ != 0 || fast.tested == right.tested);
  });
}

TEST(ListsKernel, EveryWorld) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (std::uint32_t edges = 0; edges < test::world_count(dimensions); ++edges) {
      for (const Crowding crowding : test::kCrowdings) {
        Scene scene;
        scene.world = test::make_world(dimensions, edges);
        scene.crowding = crowding;
        scene.extents = edges % 2 == 1;
        scene.metric = edges % 5 == 4 ? Metric::kBox : Metric::kBall;
        ASSERT_NO_FATAL_FAILURE(expect_same_lists(scene));
      }
    }
  }
}

// Cells that are much too wide or much too narrow for the radius; 0.01 in a world of few agents: a row of
// cells is as high as many radii. 9: more rows than are looked up side by side.
TEST(ListsKernel, RadiiThatWereNotSortedFor) {
  for (const Scene& kind : kinds()) {
    for (const float sorted_for : {0.1F, 1.0F, 5.0F}) {
      for (const float radius : {0.01F, 0.3F, 1.7F, 9.0F}) {
        Scene scene = kind;
        scene.sorted_for = sorted_for;
        scene.radius = radius;
        scene.count = 300;
        ASSERT_NO_FATAL_FAILURE(expect_same_lists(scene));
      }
    }
  }
  Scene scene;
  scene.world = test::make_world(2, 0);
  scene.count = 4000;
  scene.sorted_for = 0.1F;
  scene.radius = 9;
  ASSERT_NO_FATAL_FAILURE(expect_same_lists(scene, 256));
}

// The last fours are no whole block, and the last four no whole four.
TEST(ListsKernel, AnyNumberOfAgents) {
  for (Scene scene : kinds()) {
    scene.radius = 2;
    for (std::size_t count = 0; count <= 140; count += count < 8 ? 1 : 3) {
      scene.count = count;
      ASSERT_NO_FATAL_FAILURE(expect_same_lists(scene));
    }
  }
}

// Fours stand together by chance only, and outside periodic worlds too.
TEST(ListsKernel, SeersInNoOrder) {
  for (Scene scene : kinds()) {
    for (const float radius : {0.5F, 1.0F, 6.0F}) {
      for (const std::size_t count : {0U, 1U, 500U}) {
        scene.radius = radius;
        scene.count = count;
        scene.seers = 333;
        ASSERT_NO_FATAL_FAILURE(expect_same_lists(scene));
      }
    }
  }
}

TEST(ListsKernel, AgentsThatMovedWithinTheSkin) {
  for (Scene scene : kinds()) {
    scene.world.edges = {};  // nobody may leave
    scene.skin = 0.5F;
    scene.count = 900;
    ASSERT_NO_FATAL_FAILURE(expect_same_lists(scene));
  }
}

// Lists that nearly fill the memory for them, and that do not fit into it.
TEST(ListsKernel, LongLists) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (const std::size_t count : {8100U, 20000U, 32700U, 60000U}) {
      for (const Crowding crowding : {Crowding::kPoint, Crowding::kUniform}) {
        Scene scene;
        scene.world = test::make_world(dimensions, 0);
        scene.crowding = crowding;
        scene.count = count;
        scene.radius = crowding == Crowding::kPoint ? 1.0F : 7.0F;
        ASSERT_NO_FATAL_FAILURE(expect_same_lists(scene, 66));
      }
    }
  }
}

// Else all of the above would hold as well: the fast way knows how long a list will be, and so hands over
// fewer times.
TEST(ListsKernel, TheFastWayIsAnotherOne) {
  Scene scene;
  scene.world = test::make_world(2, 0);
  scene.crowding = Crowding::kPoint;
  scene.count = 640;
  const Crowds crowds(scene);
  ASSERT_TRUE(crowds.sorted());
  test::for_each_isa([&](Isa) { EXPECT_LT(crowds.lists(false).sweeps, crowds.lists(true).sweeps); });
}

}  // namespace
}  // namespace juxta

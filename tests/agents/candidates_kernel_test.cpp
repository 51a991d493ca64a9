// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Candidates that are sifted many at a time against those that are tested one by one: a sweep that writes
// down what it is given, on every instruction set.
#include "agents/candidates_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "agents/crowds.h"
#include "agents/pass.h"
#include "agents/pass_check.h"
#include "agents/store.h"
#include "scenes/draws.h"
#include "support/each_isa.h"

namespace juxta {
namespace {

using agents_detail::PopulationStore;
using agents_detail::SweepGroup;
using agents_detail::SweepTask;
using scenes::Draws;
using test::Crowd;
using test::Crowding;

/// One list: a group, and the groups that continue it.
struct Listed {
  std::uint32_t seer = 0, count = 0;
  int images = 0, parts = 0, selves = 0;
  std::vector<std::uint32_t> rows;  // of the candidates
  std::vector<Vec3> shifts;
};
struct Lists {
  std::vector<Listed> all;
  std::size_t tested = 0;
  bool more = false, sound = true;
};
struct Notebook {
  Lists* lists;
  bool are_seen;
};

float candidate(const SweepTask& task, std::size_t column, std::uint32_t at) {
  return task.candidates[column * agents_detail::kCandidateStride + at];
}

/// Whether a candidate has the numbers of its row.
bool is_row(const SweepTask& task, std::uint32_t at, std::uint32_t row) {
  bool is = true;
  for (std::uint32_t a = 0; a < task.dimensions; ++a) {
    is = is && candidate(task, a, at) == task.seen_position[a][row];
    const float extent = task.seen_extents[a] != nullptr ? task.seen_extents[a][row] : 0;
    is = is && candidate(task, agents_detail::kExtentColumn + a, at) == extent;
  }
  return is;
}

/// The Sweep: candidates go to the last list when they continue it. The one column of the seen is their row.
void write_down(const void* rules, const SweepTask& task) {
  const Notebook& notebook = *static_cast<const Notebook*>(rules);
  Lists& lists = *notebook.lists;
  for (std::size_t g = 0; g < task.group_count; ++g) {
    const SweepGroup& group = task.groups[g];
    lists.sound = lists.sound && group.resume == lists.more && group.begin <= group.self &&
                  group.self <= group.end && group.end <= agents_detail::kMostCandidates;
    if (!group.resume) {
      lists.all.push_back({group.seer, group.count, group.images, 0, 0, {}, {}});
    }
    Listed& listed = lists.all.back();
    lists.sound = lists.sound && listed.seer == group.seer && listed.count == group.count &&
                  listed.images == group.images;
    for (std::uint32_t at = group.begin; at < group.end; ++at) {
      const auto row = static_cast<std::uint32_t>(candidate(task, agents_detail::kSeenColumn, at));
      const bool self = notebook.are_seen && row - group.seer < group.count;
      lists.sound = lists.sound && is_row(task, at, row) &&
                    (listed.rows.empty() || row > listed.rows.back()) &&
                    self == (at - group.self < group.count) && (!self || row - group.seer == at - group.self);
      listed.selves += self;
      listed.rows.push_back(row);
      Vec3 shift{};
      for (std::uint32_t a = 0; a < task.dimensions && group.images == agents_detail::kShiftedImage; ++a) {
        shift[a] = candidate(task, agents_detail::kShiftColumn + a, at);
      }
      listed.shifts.push_back(shift);
    }
    ++listed.parts;
    lists.more = group.more;
  }
}

struct Scene {
  World world;
  Crowding crowding = Crowding::kUniform;
  std::size_t count = 300, seers = 0;  // 0: they see themselves
  float sorted_for = 1, radius = 1, skin = 0;
  bool extents = false, radii = false;
  Metric metric = Metric::kBall;
};
std::string words(const Scene& s) {
  return test::name(s.world) + " " + std::string(test::name(s.crowding)) + " " + std::to_string(s.count) +
         (s.seers == 0 ? "" : " seen by " + std::to_string(s.seers)) + ", radius " +
         std::to_string(s.radius) + ", sorted for " + std::to_string(s.sorted_for) +
         (s.extents ? ", extents" : "") + (s.radii ? ", radii" : "") +
         (s.metric == Metric::kBox ? ", box" : "") + (s.skin > 0 ? ", skin" : "");
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
    for (std::size_t row = 0; row < seen_->size() + kArrayPadding; ++row) {
      rows_.push_back(static_cast<float>(row));
    }
  }

  /// False where a table of cells would be absurdly large, and sort() refused.
  [[nodiscard]] bool sorted() const { return sorted_; }

  /// What a pass of the seers' rows [0, most) hands over.
  Lists lists(bool plain, std::size_t most = ~std::size_t{0}) const {
    const PopulationStore &seen = PopulationStore::of(*seen_), &seers = PopulationStore::of(*seers_);
    SweepTask task = task_of_pass(seers, seen, scene_.radius, options());
    task.seen_columns[0] = rows_.data();
    task.seen_column_count = 1;
    Lists lists;
    const Notebook notebook{&lists, seers_ == seen_};
    const agents_detail::Reach reach(seen.directory, scene_.radius, scene_.metric == Metric::kBall);
    const agents_detail::Seeing seeing{seen.directory, reach,           task, write_down,
                                       &notebook,      seers_ == seen_, plain};
    lists.tested = sweep_seers(seeing, 0, static_cast<std::uint32_t>(std::min(most, seers.size())));
    return lists;
  }

  /// "" when each of the seers in rows [0, most) is in one list, and all near pairs are there.
  std::string check(const Lists& lists, std::size_t most = ~std::size_t{0}) const {
    const Crowd seers = test::crowd_of(*seers_, scene_.radii), seen = test::crowd_of(*seen_, false);
    std::vector<int> met(std::min(most, seers.size()));
    if (!lists.sound || lists.more) {
      return "a group contradicts itself, or candidates do not ascend";
    }
    std::size_t pairs = 0;
    for (const Listed& listed : lists.all) {
      pairs += listed.rows.size() * listed.count;
      if (seers_ == seen_ && listed.selves != static_cast<int>(listed.count)) {
        return "a seer is not among its group's candidates";
      }
      for (std::size_t row = listed.seer; row < listed.seer + listed.count; ++row) {
        if (row >= met.size() || met[row]++ != 0) {
          return "seer " + std::to_string(row) + " is there twice, or nowhere";
        }
        if (const std::size_t missed = first_missed(seers, row, seen, listed); missed != seen.size()) {
          return "seer " + std::to_string(row) + " misses row " + std::to_string(missed);
        }
      }
    }
    if (std::count(met.begin(), met.end(), 1) != static_cast<std::ptrdiff_t>(met.size())) {
      return "a seer is missing";
    }
    return lists.tested == pairs ? "" : "pairs are not counted as they are handed over";
  }

 private:
  Population* add(std::string_view name, std::size_t count, Crowding crowding) {
    Population* const population = simulation_.add_population(name).value();
    Crowd crowd = test::draw_crowd(draws_, scene_.world, crowding, count, scene_.sorted_for);
    if (scene_.extents) {
      test::draw_extents(draws_, scene_.world, crowd);
    }
    if (scene_.radii) {
      test::draw_radii(draws_, scene_.radius, crowd);
    }
    test::fill(*population, crowd, draws_);
    return population;
  }
  SeeOptions options() const {
    SeeOptions see;
    see.metric = scene_.metric;
    if (scene_.radii) {
      see.radii = test::column(*seers_, "sight");
    }
    return see;
  }
  /// A near row that is not in the list, or comes with another image than the one that is near.
  std::size_t first_missed(const Crowd& seers, std::size_t seer, const Crowd& seen,
                           const Listed& listed) const {
    std::size_t at = 0;
    for (std::size_t row = 0; row < seen.size(); ++row) {
      while (at < listed.rows.size() && listed.rows[at] < row) {
        ++at;
      }
      const float radius = scene_.radii ? seers.radii[seer] : scene_.radius;
      test::Sight sight;
      if (!test::is_near(scene_.world, scene_.metric, seers, seer, seen, row, radius, sight)) {
        continue;
      }
      if (at == listed.rows.size() || listed.rows[at] != row) {
        return row;
      }
      for (std::uint32_t a = 0; a < scene_.world.dimensions && listed.images != agents_detail::kAnyImage;
           ++a) {
        const float d = seen.position[a][row] - seers.position[a][seer] + listed.shifts[at][a];
        if (d != sight.d[a]) {
          return row;
        }
      }
    }
    return seen.size();
  }

  Scene scene_;
  Simulation simulation_;
  Draws draws_;
  Population *seen_, *seers_;
  bool sorted_ = false;
  std::vector<float> rows_;
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

/// Both ways hand over the same candidates to the last one.
void expect_same_lists(const Scene& scene, std::size_t most = ~std::size_t{0}) {
  SCOPED_TRACE(words(scene));
  const Crowds crowds(scene);
  if (!crowds.sorted()) {
    ASSERT_EQ(scene.crowding, Crowding::kLonely);
    return;
  }
  const Lists right = crowds.lists(true, most);
  ASSERT_EQ(crowds.check(right, most), "");
  test::for_each_isa([&](Isa) {
    for (const bool plain : {true, false}) {
      const Lists got = crowds.lists(plain, most);
      ASSERT_EQ(got.all.size(), right.all.size());
      for (std::size_t i = 0; i < right.all.size(); ++i) {
        ASSERT_EQ(got.all[i].rows, right.all[i].rows) << "seer " << right.all[i].seer;
        ASSERT_TRUE(got.all[i].shifts == right.all[i].shifts) << "seer " << right.all[i].seer;
      }
      ASSERT_EQ(crowds.check(got, most), "");
    }
  });
}

TEST(CandidatesKernel, EveryWorld) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (std::uint32_t edges = 0; edges < test::world_count(dimensions); ++edges) {
      for (const Crowding crowding : test::kCrowdings) {
        Scene scene;
        scene.world = test::make_world(dimensions, edges);
        scene.crowding = crowding;
        scene.extents = edges % 2 == 1;
        scene.radii = edges % 3 == 1;
        scene.metric = edges % 5 == 4 ? Metric::kBox : Metric::kBall;
        ASSERT_NO_FATAL_FAILURE(expect_same_lists(scene));
      }
    }
  }
}

// Cells that are much too wide or much too narrow for the radius; 0.01 in a world of few agents: a row of
// cells is as high as many radii. 9: more rows than are looked up side by side.
TEST(CandidatesKernel, RadiiThatWereNotSortedFor) {
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
TEST(CandidatesKernel, AnyNumberOfAgents) {
  for (Scene scene : kinds()) {
    scene.radius = 2;
    for (std::size_t count = 0; count <= 140; count += count < 8 ? 1 : 3) {
      scene.count = count;
      ASSERT_NO_FATAL_FAILURE(expect_same_lists(scene));
    }
  }
}

// Fours stand together by chance only, and outside periodic worlds too.
TEST(CandidatesKernel, SeersInNoOrder) {
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

TEST(CandidatesKernel, AgentsThatMovedWithinTheSkin) {
  for (Scene scene : kinds()) {
    scene.world.edges = {};  // nobody may leave
    scene.skin = 0.5F;
    scene.count = 900;
    ASSERT_NO_FATAL_FAILURE(expect_same_lists(scene));
  }
}

// Candidates that nearly fill the memory for them, and that do not fit into it.
TEST(CandidatesKernel, LongLists) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (const std::size_t count : {490U, 500U, 512U, 520U, 1100U, 20000U}) {
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

// Sixteen together see fewer in all than they would one by one, and nobody sees the whole world.
TEST(CandidatesKernel, SixteenSeersShareTheirCandidates) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    Scene scene;
    scene.world = test::make_world(dimensions, 0);
    scene.count = 6000;
    scene.radius = 0.5F;
    const Crowds crowds(scene);
    const Lists lists = crowds.lists(false);
    std::size_t candidates = 0;
    for (const Listed& listed : lists.all) {
      candidates += listed.rows.size();
    }
    EXPECT_LT(lists.all.size(), 6000 / 16 * 5 / 4) << "groups are halved without need";
    EXPECT_LT(candidates, 6000U * 10);
  }
}

}  // namespace
}  // namespace juxta

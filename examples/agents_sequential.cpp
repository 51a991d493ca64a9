// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// One after the other: a town of two kinds of people. In every step each looks around once, in a random
// order; who has too few of its own kind near moves away at once, and those whose turn comes later see that.
// (The model is Schelling's, on a plane without cells.)
#include <juxta/agents/sequential.h>
#include <juxta/agents/simulation.h>
#include <juxta/core/random.h>
#include <juxta/core/try.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <tuple>
#include <vector>

namespace {

constexpr float kTown = 40, kRadius = 1.3F;
constexpr std::size_t kPeople = 2000;
constexpr int kSteps = 12;
/// What random numbers are for.
enum Purpose : std::uint32_t { kPlace, kTurn, kMove };

bool all_well = true;

void check(const char* what, bool well) {
  std::printf("%-60s %s\n", what, well ? "yes" : "NO");
  all_well = all_well && well;
}

int complain(const juxta::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 1;
}

/// A random place in town: a function of the key and of the agent.
juxta::Vec3 somewhere(const juxta::RandomKey& key, std::uint64_t who) {
  const auto lot = juxta::random_block(key, who);
  return {kTown * juxta::random_fraction(lot[0]), kTown * juxta::random_fraction(lot[1]), 0};
}

/// At least half of those who are near, if any are.
bool content(std::size_t alike, std::size_t near) {
  return 2 * alike >= near;
}

/// Everybody once; how many moved.
juxta::Result<std::size_t> step(juxta::Simulation& simulation, juxta::Population& people,
                                juxta::Neighbours& neighbours) {
  JUXTA_TRY(people.sort({.radius = kRadius}));
  JUXTA_TRY(neighbours.begin({.radius = kRadius}));
  const auto kind = people.read(*people.find_column<std::uint8_t>("kind"));
  const juxta::RandomKey move = simulation.key(kMove);
  std::size_t moved = 0;
  juxta::Result<void> state;
  juxta::activate_randomly(people, simulation.key(kTurn), [&](std::uint32_t row) {
    std::size_t near = 0, alike = 0;
    const auto seen = neighbours.visit(row, kRadius, [&](std::uint32_t other, float, float, float, float) {
      ++near;
      alike += kind[other] == kind[row] ? 1 : 0;
    });
    if (seen && state && !content(alike, near)) {
      state = neighbours.move(row, somewhere(move, juxta::random_id(people.id_of(row))));
      ++moved;
    } else if (!seen) {
      state = tl::unexpected<juxta::Error>(seen.error());
    }
  });
  const auto ended = simulation.end_step();
  if (!state || !ended) {
    return tl::unexpected<juxta::Error>(!state ? state.error() : ended.error());
  }
  return moved;
}

/// The same town without any library: everybody is compared with everybody.
class PlainTown {
 public:
  struct Person {
    juxta::Id id;
    std::uint8_t kind;
    float x, y;
  };
  explicit PlainTown(const juxta::Population& people) {
    const auto kind = people.read(*people.find_column<std::uint8_t>("kind"));
    for (std::uint32_t row = 0; row < people.size(); ++row) {
      people_.push_back({people.id_of(row), kind[row], people.read(people.position(0))[row],
                         people.read(people.position(1))[row]});
    }
  }
  void step(const juxta::RandomKey& turn, const juxta::RandomKey& move) {
    std::ranges::sort(people_, {}, [&](const Person& p) {
      return std::tuple(juxta::random_u64(turn, juxta::random_id(p.id)), p.id.generation, p.id.slot);
    });
    for (Person& person : people_) {
      std::size_t near = 0, alike = 0;
      for (const Person& other : people_) {
        const float dx = nearest_image(other.x - person.x), dy = nearest_image(other.y - person.y);
        if (&other != &person && dx * dx + dy * dy <= kRadius * kRadius) {
          ++near;
          alike += other.kind == person.kind ? 1 : 0;
        }
      }
      if (!content(alike, near)) {
        const auto to = somewhere(move, juxta::random_id(person.id));
        person.x = to[0];
        person.y = to[1];
      }
    }
  }
  /// True when everybody stands exactly where the population has them.
  [[nodiscard]] bool equals(const juxta::Population& population) const {
    const auto x = population.read(population.position(0)), y = population.read(population.position(1));
    return std::ranges::all_of(people_, [&](const Person& p) {
      const auto row = population.row_of(p.id);
      return row && x[*row] == p.x && y[*row] == p.y;
    });
  }

 private:
  static float nearest_image(float d) { return d > kTown / 2 ? d - kTown : d < -kTown / 2 ? d + kTown : d; }
  std::vector<Person> people_;
};

}  // namespace

int main() {
  using juxta::Edge;
  auto simulation = juxta::Simulation::build(
      {.dimensions = 2, .edges = {Edge::kPeriodic, Edge::kPeriodic}, .hi = {kTown, kTown}}, 11);
  if (!simulation) {
    return complain(simulation.error());
  }
  auto added = simulation->add_population("people");
  if (!added) {
    return complain(added.error());
  }
  juxta::Population& people = **added;
  const auto kind = people.add_column<std::uint8_t>("kind");
  const auto first = people.insert(kPeople);
  if (!kind || !first) {
    return complain(!kind ? kind.error() : first.error());
  }
  for (std::uint32_t row = 0; row < kPeople; ++row) {
    const auto place = somewhere(simulation->key(kPlace), juxta::random_id(people.id_of(row)));
    people.write(people.position(0))[row] = place[0];
    people.write(people.position(1))[row] = place[1];
    people.write(*kind)[row] = static_cast<std::uint8_t>(row % 2);
  }

  PlainTown plain(people);
  juxta::Neighbours neighbours(people);
  bool equal = true;
  std::size_t first_moved = 0, moved = 0;
  for (int i = 0; i < kSteps; ++i) {
    plain.step(simulation->key(kTurn), simulation->key(kMove));
    const auto done = step(*simulation, people, neighbours);
    if (!done) {
      return complain(done.error());
    }
    equal = equal && plain.equals(people);
    moved = *done;
    first_moved = i == 0 ? moved : first_moved;
    if (i % 3 == 0) {
      std::printf("step %2d: %4zu of %zu moved\n", i + 1, moved, kPeople);
    }
  }
  check("many were discontent at first", first_moved > kPeople / 5);
  check("nearly nobody is in the end", moved < first_moved / 5);
  check("all stand where a comparison of all pairs puts them", equal);
  return all_well ? 0 : 1;
}

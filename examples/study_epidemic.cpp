// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// An epidemic among people who wander about, as a program of your own. docs/models.md walks through it.
#include <juxta/agents/count_near.h>
#include <juxta/agents/random_columns.h>
#include <juxta/agents/see_here.h>
#include <juxta/study/agent_model.h>
#include <juxta/study/draw.h>
#include <juxta/study/program.h>
#include <algorithm>

using namespace juxta;
enum Purpose : std::uint32_t { kPlace, kDay };                   // what random numbers are for
constexpr float kEdge = 100, kSusceptible = 0, kRecovered = -1;  // `days`; from 1 on one is ill so long
JUXTA_COLUMN_STRUCT(Today, ill_near, luck, east, north);         // columns that a day reads ...
JUXTA_COLUMN_STRUCT(Person, x, y, days);                         // ... and those that it changes

class Epidemic final : public AgentModel {
 public:
  static constexpr auto kAgents = "people";
  static constexpr auto kColumns = names("days");
  static constexpr auto kResults = names("ill_near", "luck", "east", "north");
  static World world(const Parameters& /*all*/) { return walled_plane(kEdge, kEdge); }
  using AgentModel::AgentModel;

  Result<void> start() {
    JUXTA_TRY(agents().insert(count("people")));
    JUXTA_TRY(place_anywhere(agents(), simulation().key(kPlace)));
    std::ranges::fill(agents().write(days_).first(std::min(count("first"), agents().size())), real("days"));
    return {};
  }

  Result<void> step(const Context& context) override {
    const float stride = real("stride"), days = real("days"), escape = juxta::log(1 - real("infect"));
    const auto live = action<Today, Person>([=](const auto& today, auto& person) {
      const auto infected = (person.days == kSusceptible) & (today.luck >= exp(escape * today.ill_near));
      const auto older = select(person.days > 1, person.days - 1, kRecovered);
      person.days = select(infected, days, select(person.days > 0, older, person.days));
      person.x = clamp(person.x + stride * (2 * today.east - 1), 0, kEdge);
      person.y = clamp(person.y + stride * (2 * today.north - 1), 0, kEdge);
    });
    JUXTA_TRY(count_near(agents(), agents(), real("radius"), "ill_near", {susceptible_, ill_}, context));
    JUXTA_TRY(fill_random(agents(), simulation().key(kDay), {"luck", "east", "north"}, context));
    JUXTA_TRY(act_here(agents(), live, context));
    return end_step();
  }

  void declare(Collector& collector) const override {
    collector.add("susceptible", [this] { return count_where(agents(), susceptible_); });
    collector.add("ill", [this] { return count_where(agents(), ill_); });
    collector.add("recovered", [this] { return count_where(agents(), recovered_); });
  }

  void draw(Raster& image) const override {
    show_world(image, simulation().world());
    draw_agents(image, agents(), 0.4, [&, days = agents().read(days_)](std::uint32_t row) {
      return days[row] > 0 ? Rgb{200, 60, 40} : days[row] < 0 ? Rgb{160, 160, 160} : Rgb{40, 90, 140};
    });
  }

 private:
  Column<float> days_ = column("days");
  Where susceptible_{days_, kSusceptible, kSusceptible}, recovered_{days_, kRecovered, kRecovered};
  Where ill_{days_, 1};
};

ModelInfo epidemic() {
  return model_of<Epidemic>({.name = "epidemic",
                             .what = "people near the ill may fall ill, and recover after some days",
                             .parameters = {{"people", 4000, 1, 1e7, true, "how many"},
                                            {"first", 5, 0, 1e7, true, "ill at the start"},
                                            {"radius", 1, 1e-3, 100, false, "how near is near"},
                                            {"infect", 0.2, 0, 1, false, "chance, each day and contact"},
                                            {"days", 14, 1, 1000, true, "that one is ill"},
                                            {"stride", 2, 0, 100, false, "a day, at most, along each axis"}},
                             .steps = 150});
}

int main(int argc, char** argv) {
  return study_main(argc, argv, {epidemic()});
}

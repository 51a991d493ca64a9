// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Sugarscape: sugar grows on two hills of a torus, and people live on it. One after the other, in a random
// order, each looks along the axes, goes to the nearest of the free cells with most sugar, eats it all, and
// dies when it has none left (docs/grid.md). J. M. Epstein, R. Axtell, "Growing Artificial Societies" (1996),
// chapter II, rules G1 and M.
#include <juxta/study/draw.h>
#include <juxta/study/grid_model.h>
#include <juxta/study/program.h>
#include <juxta/study/turns.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace {
using namespace juxta;
enum Purpose : std::uint32_t { kPlace, kGift, kOrder, kLook };  // what random numbers are for

struct Sugarscape final : GridModel {
  using GridModel::GridModel;
  static CellGrid grid_of(const Parameters&) {
    return {.cells = {50, 50, 1}, .edges = {Edge::kPeriodic, Edge::kPeriodic}};
  }
  Result<void> start() {
    fill_column(*land, capacity, [&](std::uint32_t cell) {
      const auto near = [x = static_cast<int>(grid().x_of(cell)), y = static_cast<int>(grid().y_of(cell))](
                            int to_x, int to_y) {
        const int squared = (x - to_x) * (x - to_x) + (y - to_y) * (y - to_y);
        return squared < 25 ? 4 : squared < 100 ? 3 : squared < 196 ? 2 : squared < 400 ? 1 : 0;
      };
      return std::max(near(15, 15), near(35, 35));
    });
    fill_column(*land, sugar, [&](std::uint32_t cell) { return land->read(capacity)[cell]; });
    Population& all = people.agents();
    JUXTA_TRY(all.insert(count("people")));
    std::vector<std::uint32_t> places(grid().size());
    random_order(key(kPlace), places);
    place_in_cells(all, grid(), places);
    const auto gift = [&](std::uint32_t row, std::size_t word, std::uint32_t least, std::uint32_t most) {
      return least + random_below(random_block(key(kGift), row)[word], most - least + 1);
    };
    fill_column(all, vision, [&](std::uint32_t row) { return gift(row, 0, 1, 6); });
    fill_column(all, metabolism, [&](std::uint32_t row) { return gift(row, 1, 1, 4); });
    fill_column(all, wealth, [&](std::uint32_t row) { return gift(row, 2, 5, 25); });
    return {};
  }
  Result<void> step(const Context&) override {
    const auto food = land->write(sugar);
    for (std::size_t cell = 0; cell < food.size(); ++cell) {
      food[cell] = std::min(food[cell] + 1, land->read(capacity)[cell]);
    }
    Population& all = people.agents();
    const auto [x, y] = write_xy(all);
    const auto has = all.write(wealth);
    JUXTA_TRY(people.place_living(taken));
    people.shuffle(key(kOrder), key(kLook));
    people.act([&, x = x, y = y](std::uint32_t row, const Turns::Words& words) -> Fate {
      const std::uint32_t cell = best_cell(row, food, words);
      static_cast<void>(taken.move(row, cell));  // it is free
      x[row] = static_cast<float>(grid().x_of(cell));
      y[row] = static_cast<float>(grid().y_of(cell));
      has[row] += food[cell] - all.read(metabolism)[row];
      food[cell] = 0;
      if (has[row] <= 0) {
        static_cast<void>(taken.remove(row));  // others may come here
      }
      return {.dies = has[row] <= 0};
    });
    people.note_deaths();
    return end_step();
  }
  /// Where it is, or a free cell that has more. Of those that are equal the nearest, then one at random.
  std::uint32_t best_cell(std::uint32_t row, std::span<const std::int32_t> food,
                          const Turns::Words& words) const {
    const std::uint32_t from = taken.cell_of(row);
    std::uint32_t best = from;
    std::array<std::uint32_t, 4> turns = {0, 1, 2, 3};  // x+, y+, x-, y-, in any order
    for (std::uint32_t last = 3; last > 0; --last) {
      std::swap(turns[last], turns[random_below(words[last], last + 1)]);
    }
    for (int far = 1; far <= people.agents().read(vision)[row]; ++far) {
      for (const std::uint32_t turn : turns) {
        const std::uint32_t axis = turn % 2;
        std::array<std::uint32_t, 3> to = grid().place_of(from);
        to[axis] = grid().walk(axis, to[axis], turn < 2 ? far : -far);
        const std::uint32_t cell = grid().cell_at(to[0], to[1]);
        best = taken.is_free(cell) && food[cell] > food[best] ? cell : best;
      }
    }
    return best;
  }
  void declare(Collector& collector) const override {
    collector.add("people", [this] { return people.agents().size(); });
    collector.add("wealth", [this] { return sum_of(people.agents(), wealth); });
    collector.add("sugar", [this] { return sum_of(*land, sugar); });
  }
  void draw(Raster& image) const override {
    show_world(image, simulation().world());
    draw_squares(image, *land, [food = land->read(sugar)](std::size_t cell) {
      return Rgb{255, 255, static_cast<std::uint8_t>(255 - 50 * food[cell])};
    });
    draw_squares(image, people.agents(), Rgb{170, 40, 40}, 0.2);
  }

  Population* land = cells("land");
  Column<std::int32_t> capacity = column<std::int32_t>("land", "capacity");
  Column<std::int32_t> sugar = column<std::int32_t>("land", "sugar");
  Turns people{agents("people")};
  Column<std::int32_t> vision = column<std::int32_t>("people", "vision");
  Column<std::int32_t> metabolism = column<std::int32_t>("people", "metabolism");
  Column<std::int32_t> wealth = column<std::int32_t>("people", "wealth");
  GridSpace taken = space({});  // one person a cell
};
}  // namespace

int main(int argc, char** argv) {
  return study_main(argc, argv,
                    {model_of<Sugarscape>({.name = "sugarscape",
                                           .what = "people live on the sugar that grows on two hills",
                                           .parameters = {{"people", 400, 0, 2500, true, "at the start"}},
                                           .one_machine = "people act one after the other"})});
}

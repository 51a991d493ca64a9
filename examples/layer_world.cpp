// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A level of a game: ground that never moves in a layer of its own, built tightly, and things that come, move
// and go one by one. Rays and points ask both layers at once; a saved layer goes on where it was.
#include <juxta/core/workspace.h>
#include <juxta/layer/find_pairs.h>
#include <juxta/layer/layer.h>
#include <juxta/layer/query.h>
#include <juxta/layer/several.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <vector>

namespace {

bool all_well = true;

void check(const char* what, bool well) {
  std::printf("%-48s %s\n", what, well ? "yes" : "NO");
  all_well = all_well && well;
}

/// 20 x 20 tiles with their tops at height 0.
juxta::Result<juxta::Layer> build_ground() {
  std::vector<juxta::Aabb3> tiles;
  for (int i = 0; i < 400; ++i) {
    const auto x = static_cast<float>(i % 20), z = static_cast<float>(i / 20);
    tiles.push_back({{x, -1, z}, {x + 1, 0, z + 1}});
  }  // takes longer to build, less to ask
  return juxta::Layer::build(tiles, {.quality = juxta::OrderQuality::kTight});
}

juxta::Aabb3 crate(float x, float y, float z) {
  return {{x, y, z}, {x + 1, y + 1, z + 1}};
}

/// Asks both layers. Where layers are many, the dimension is given, since a span does not tell it: <3>.
void ask_both(const juxta::Layer& ground, const juxta::Layer& things, juxta::Id box) {
  const std::array<const juxta::Layer*, 2> world = {&ground, &things};
  const auto on_crate = juxta::raycast_closest<3>(world, {{5.5F, 10, 5.5F}, {0, -1, 0}});
  check("a ray from above hits the crate first",
        on_crate.where == juxta::LayerBody{1, box.slot} && on_crate.t == 7);
  const auto beside = juxta::raycast_closest<3>(world, {{9.5F, 10, 9.5F}, {0, -1, 0}});
  check("beside it the ground", beside.where == juxta::LayerBody{0, 189} && beside.t == 10);
  check("what is nearest above the crate", juxta::nearest<3>(world, {5.5F, 4, 5.5F}).where.layer == 1);
}

/// Saves and loads, and asks both the same question. The same answers in the same order.
void save_and_load(const juxta::Layer& things) {
  const auto path = std::filesystem::temp_directory_path() / "juxta_example_layer_world.jxl";
  const auto saved = things.save(path.string());
  const auto loaded = juxta::Layer::load(path.string());
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  check("saved and loaded", saved && loaded);
  if (!loaded) {
    return;
  }
  std::array<std::uint32_t, 8> before{}, after{};
  const juxta::Aabb3 all = {{0, 0, 0}, {20, 20, 20}};
  const std::size_t found = find_all(things, all, before).found;
  check("the copy answers alike", find_all(*loaded, all, after).found == found && before == after);
}

}  // namespace

int main() {
  const auto ground = build_ground();
  juxta::Layer things;
  const auto box = things.insert(crate(5, 5, 5)), barrel = things.insert(crate(9, 0.5F, 9));
  if (!ground || !box || !barrel) {
    std::fprintf(stderr, "%s\n",
                 (!ground ? ground.error()
                  : !box  ? box.error()
                          : barrel.error())
                     .message.c_str());
    return 1;
  }

  // The crate falls until it touches the ground: at every step one body moves, and one box is asked.
  int steps = 0;
  float y = 5;
  while (find_any(*ground, crate(5, y, 5)) == juxta::kNoBody && steps < 100) {
    y -= 0.5F;
    ++steps;
    if (!things.move(*box, crate(5, y, 5))) {
      return 1;
    }
  }
  check("the crate fell for ten steps", steps == 10 && y == 0);

  // What lies on what: pairs of a tile and a thing. The crate touches the corners of its neighbours' tops.
  juxta::Workspace workspace;
  std::array<juxta::Pair, 16> pairs;
  check("it touches nine tiles",
        find_pairs(*ground, things, pairs, {}, {.workspace = &workspace})->found == 9);

  check("the crate is lifted", things.move(*box, crate(5, 2, 5)).has_value());
  check("the barrel goes", things.remove(*barrel).has_value());
  const auto again = things.remove(*barrel);
  check("and cannot go twice", !again && again.error().code == juxta::ErrorCode::kNotFound);
  const auto next = things.insert(crate(1, 1, 1));
  check("its number is given out again", next && next->slot == barrel->slot);
  check("its Id is not", next && *next != *barrel && things.alive(*next) && !things.alive(*barrel));

  ask_both(*ground, things, *box);
  save_and_load(things);
  return all_well ? 0 : 1;
}

// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// load() on arbitrary bytes and on damaged copies of saved files, most of them with a checksum that fits
// again, as an attacker would: it loads or refuses. Whatever loads holds together: it answers as brute force
// does, and takes changes.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>

#include "fuzz/check.h"
#include "fuzz/damage.h"
#include "fuzz/layer/layer_draw.h"
#include "layer/compare_pairs.h"
#include "layer/compare_queries.h"
#include "layer/layer_file.h"
#include "layer/model.h"
#include "layer/worlds.h"
#include "scenes/draws.h"

namespace juxta::fuzz {
namespace {

using layer_detail::LayerFileHeader;

const ScratchFile& scratch() {
  static const ScratchFile file("layer_load_fuzz");
  return file;
}

/// The file of a layer with holes, strays, dead numbers and filters, or fresh from a build.
template <int D>
std::string saved(std::size_t bodies, bool lived_in) {
  scenes::Draws draws(bodies);
  auto layer = BasicLayer<D>::build(test::make_world<D>(draws, test::World::kGrid, bodies)).value();
  for (std::size_t i = 0; lived_in && i < bodies / 2 + 3; ++i) {
    const Id id = layer.id_of(draws.below(static_cast<std::uint32_t>(layer.capacity())));
    const auto box = test::draw_box<D>(draws, test::World::kGrid, 9);
    draws.below(2) == 0 ? static_cast<void>(layer.insert(box, test::draw_filter(draws)))
                        : static_cast<void>(layer.remove(id));
  }
  return scratch().saved(layer);
}

template <int D>
const std::string& pristine(std::size_t which) {
  static const std::vector<std::string> files{saved<D>(0, false), saved<D>(0, true),    saved<D>(20, false),
                                              saved<D>(20, true), saved<D>(300, false), saved<D>(300, true),
                                              saved<D>(600, true)};
  return files[which % files.size()];
}

/// In the header or in one section.
template <int D>
std::string damaged(FuzzedDataProvider& bytes) {
  std::string file = pristine<D>(bytes.ConsumeIntegral<std::uint8_t>());
  LayerFileHeader header;
  std::memcpy(&header, file.data(), sizeof header);
  damage(bytes, file, parts_of(header, layer_detail::LayerFileLayout(header)), 700,
         [](std::string& damaged) { seal(damaged, layer_detail::kLayerFormat); });
  return file;
}

void expect_nothing(const std::string& words) {
  if (!words.empty()) {
    std::fprintf(stderr, "differs: %s\n", words.c_str());
    std::abort();
  }
}

/// The bodies that the layer itself says it has.
template <int D>
test::Model<D> model_of(const BasicLayer<D>& layer) {
  test::Model<D> model;
  model.build(std::vector<Aabb<D>>(layer.capacity()), {});
  for (std::uint32_t body = 0; body < layer.capacity(); ++body) {
    model.alive[body] = layer.alive(layer.id_of(body)) ? 1 : 0;
    if (model.alive[body] != 0) {
      model.boxes[body] = layer.box_of(body).value();
      model.filters[body] = layer.filter_of(body).value();
    }
  }
  return model;
}

template <int D>
void ask(const BasicLayer<D>& layer, scenes::Draws& draws) {
  const test::Model<D> model = model_of(layer);
  const std::span<const Aabb<D>> boxes = model.boxes;
  expect_nothing(test::compare_bodies(layer, model));
  expect_nothing(test::compare_box(layer, model.view(), test::draw_question_box<D>(draws, boxes)));
  expect_nothing(test::compare_ray(layer, model.view(), test::draw_ray<D>(draws, boxes)));
  expect_nothing(test::compare_nearest(layer, model.view(), test::draw_point<D>(draws, boxes), test::kInf));
  expect_nothing(test::compare_pairs(test::PairSearch<D>(layer, nullptr, {}),
                                     layer_detail::pairs_reference(model.view())));
}

template <int D>
void load(FuzzedDataProvider& bytes) {
  const bool arbitrary = bytes.ConsumeIntegralInRange<int>(0, 15) == 0;
  scratch().write(arbitrary ? bytes.ConsumeRemainingBytesAsString() : damaged<D>(bytes));
  auto layer = BasicLayer<D>::load(scratch().path().string());
  if (!layer) {
    JUXTA_FUZZ_CHECK(!layer.error().message.empty());
    return;
  }
  scenes::Draws draws(1);
  ask(*layer, draws);
  for (int i = 0; i < 40; ++i) {
    const Id id = layer->id_of(draws.below(static_cast<std::uint32_t>(layer->capacity())));
    const auto box = test::draw_box<D>(draws, test::World::kGrid, 9);
    static_cast<void>(layer->move(id, box));
    JUXTA_FUZZ_CHECK(layer->insert(box, test::draw_filter(draws)).has_value());
    static_cast<void>(layer->remove(layer->id_of(draws.below(64))));
  }
  ask(*layer, draws);
  JUXTA_FUZZ_CHECK(layer->refit(std::vector<Aabb<D>>(layer->capacity())).has_value());
  ask(*layer, draws);
}

}  // namespace
}  // namespace juxta::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider bytes(data, size);
  bytes.ConsumeBool() ? juxta::fuzz::load<2>(bytes) : juxta::fuzz::load<3>(bytes);
  return 0;
}

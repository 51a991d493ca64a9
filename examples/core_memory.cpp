// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Who allocates when: a layer and a workspace on a resource that counts. After the first frames, nothing is
// allocated. docs/how-to/memory.md explains it.
#include <juxta/core/random.h>
#include <juxta/core/workspace.h>
#include <juxta/layer/find_pairs.h>

#include <cstdio>
#include <memory_resource>
#include <vector>

namespace {

/// An engine's allocator, as a std::pmr::memory_resource.
class CountingResource final : public std::pmr::memory_resource {
 public:
  [[nodiscard]] std::size_t allocations() const { return allocations_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    ++allocations_;
    bytes_ += bytes;
    return juxta::huge_page_resource()->allocate(bytes, alignment);  // or wherever your memory comes from
  }
  void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override {
    bytes_ -= bytes;
    juxta::huge_page_resource()->deallocate(block, bytes, alignment);
  }
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
    return this == &other;
  }

  std::size_t allocations_ = 0, bytes_ = 0;
};

void move(std::vector<juxta::Aabb3>& boxes, std::uint32_t frame) {
  for (std::uint32_t i = 0; i < boxes.size(); ++i) {
    const juxta::Vec3 start{100 * juxta::random_float({1, 0, 0}, i), 100 * juxta::random_float({1, 0, 1}, i),
                            static_cast<float>(frame % 7)};
    boxes[i] = {start, start + juxta::Vec3::all(2)};
  }
}

}  // namespace

int main() {
  CountingResource resource;              // first: it outlives what it gives memory to
  juxta::Workspace workspace(&resource);  // scratch memory of calls
  juxta::Layer layer(&resource);          // the layer's own memory
  const juxta::Context context{.workspace = &workspace};
  std::vector<juxta::Aabb3> boxes(20'000);
  std::vector<juxta::Pair> pairs(20 * boxes.size());

  std::size_t before = 0;
  for (std::uint32_t frame = 0; frame < 20; ++frame) {
    move(boxes, frame);
    if (!layer.rebuild(boxes, {}, context) || !juxta::find_pairs(layer, pairs, {}, context)) {
      return 1;
    }
    if (frame < 3) {
      std::printf("frame %u: %zu allocations so far, %zu KiB held\n", frame, resource.allocations(),
                  resource.bytes() >> 10);
    }
    if (frame == 1) {
      workspace.reset();  // between frames: joins the blocks of the workspace into one
    }
    before = frame == 2 ? resource.allocations() : before;
  }
  std::printf("frames 3 to 19: %zu allocations\n", resource.allocations() - before);
  return resource.allocations() == before ? 0 : 1;
}

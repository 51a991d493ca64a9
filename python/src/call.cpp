// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "call.h"

#include <mutex>
#include <vector>

namespace juxta::python {
namespace {

// Kept between calls: as many as threads of Python call at once, up to some; none that is huge.
constexpr std::size_t kKept = 4;
constexpr std::size_t kKeptBytes = std::size_t{1} << 28;

struct Workspaces {
  std::mutex mutex;
  std::vector<std::unique_ptr<Workspace>> free;
};
Workspaces& workspaces() {
  static auto* const one = new Workspaces;
  return *one;
}

}  // namespace

LeasedWorkspace::LeasedWorkspace() {
  Workspaces& all = workspaces();
  {
    const std::lock_guard lock(all.mutex);
    if (!all.free.empty()) {
      workspace_ = std::move(all.free.back());
      all.free.pop_back();
    }
  }
  if (workspace_ == nullptr) {
    workspace_ = std::make_unique<Workspace>();
  }
}

LeasedWorkspace::~LeasedWorkspace() {
  if (workspace_->memory_bytes() > kKeptBytes) {
    return;
  }
  workspace_->reset();
  Workspaces& all = workspaces();
  const std::lock_guard lock(all.mutex);
  if (all.free.size() < kKept) {
    all.free.push_back(std::move(workspace_));
  }
}

void Call::report_range(std::string_view stage, std::size_t done, std::size_t total) {
  const bool going = released([&] { return monitor_.on_progress(stage, done, total); });
  raise_pending();
  if (!going && done < total) {
    raise(Error{.code = ErrorCode::kCancelled, .message = "the call was cancelled"});
  }
}

}  // namespace juxta::python

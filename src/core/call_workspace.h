// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include "juxta/core/context.h"
#include "juxta/core/workspace.h"

namespace juxta {

/// The scratch memory of one call: the caller's workspace, which gets back at the end what the call took; or
/// one that lives as long as the call.
class CallWorkspace {
 public:
  explicit CallWorkspace(const Context& context) noexcept
      : workspace_(context.workspace != nullptr ? *context.workspace : own_), scope_(workspace_) {}

  [[nodiscard]] Workspace& operator*() const noexcept { return workspace_; }

 private:
  Workspace own_;
  Workspace& workspace_;
  Workspace::Scope scope_;
};

}  // namespace juxta

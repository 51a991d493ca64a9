// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include "juxta/core/executor.h"

namespace juxta::classics {

/// Which form of a system runs. The default is the published one, with the slips of its printed code mended.
///
/// In all forms: Id, Parent and buffers of children are looked up in one array (a Unity lookup takes two more
/// steps), recursion is written out as a stack, and products are those of Qvvs with renormalised rotations.
struct PropagateForm {
  /// Null: the calling thread. Else chunks are spread over its threads; who hangs on whom (update_parents()),
  /// depths and the lists of chunks stay with the calling thread, where the published ones are jobs too.
  const Executor* executor = nullptr;
  /// ParentToWorld is written beside each world transform that is computed: 48 bytes more for each node. The
  /// article's depth-first job does so. Its job of depth levels asks for the column and writes nothing to it,
  /// a slip that the framework's own file has mended.
  bool parent_to_world = true;
  /// Depth-first only. The form of the job that the article begins with: a child's world transform is loaded
  /// whether or not anything is computed from it. Published: a parent's, once one of its children needs it.
  bool eager = false;
  /// Depth levels only. Published: ChildDepthsSystem walks up from every entity of a chunk in which a parent
  /// changed, and writes the depths of all below the topmost such entity. Pruned: from a list of who changed,
  /// and only as far down as depths are wrong; then entities that instantiate() made cost nothing.
  bool pruned_depths = false;
  /// With the slips of the printed code, for tests that show them. Depth-first: an entity that copies its
  /// parent is computed only when that one is, so not when it gets another parent that rests, and not when
  /// the tag is added to it. Depth levels: what hangs on an entity that becomes a root keeps its depths, and
  /// a depth is a byte that wraps around.
  bool slips = false;
};

}  // namespace juxta::classics

// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The rows of bench_shape. Contenders of a workload give the same answers.
#pragma once

namespace juxta::bench {

void add_rays_rows();
void add_mesh_rays_rows();
void add_mesh_near_rows();
void add_mesh_builds_rows();
void add_cast_pair_rows();
void add_contacts_rows();
void add_layer_rays_rows();
void add_layer_casts_rows();
void add_layer_closest_rows();

}  // namespace juxta::bench

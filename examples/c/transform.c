/* Copyright (c) the juxta authors. SPDX-License-Identifier: MIT */
/* A turret on a tank: where is the muzzle, and what moved? */
#include <juxta.h>
#include <stdio.h>

static void print_moved(void* count, juxta_id id, const juxta_qvvs* world) {
  (void)id;
  ++*(int*)count;
  printf("moved to %.1f, %.1f, %.1f\n", world->position[0], world->position[1], world->position[2]);
}

int main(void) {
  juxta_hierarchy* world = NULL;
  juxta_error error;
  juxta_node nodes[3] = {juxta_default_node(), juxta_default_node(), juxta_default_node()};
  nodes[1].parent = 0; /* the turret stands on the tank, */
  nodes[1].local.position[1] = 2;
  nodes[2].parent = 1; /* the muzzle at the end of its gun */
  nodes[2].local.position[2] = 4;
  juxta_id ids[3];
  if (juxta_hierarchy_build(false, &world, &error) != JUXTA_OK ||
      juxta_hierarchy_insert_many(world, nodes, 0, 3, ids, &error) != JUXTA_OK ||
      juxta_hierarchy_propagate(world, NULL, NULL, &error) != JUXTA_OK) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  const uint64_t before = juxta_hierarchy_version(world);
  const float place[3] = {100, 0, 0};
  juxta_qvvs muzzle;
  if (juxta_hierarchy_set_position(world, &ids[0], 0, place, 0, 1, &error) != JUXTA_OK ||
      juxta_hierarchy_world(world, &ids[2], 0, 1, &muzzle, &error) != JUXTA_OK || /* exact at once */
      juxta_hierarchy_propagate(world, NULL, NULL, &error) != JUXTA_OK) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  printf("the muzzle is at %.0f, %.0f, %.0f\n", muzzle.position[0], muzzle.position[1], muzzle.position[2]);
  int moved = 0;
  juxta_hierarchy_changed_since(world, before, print_moved, &moved);
  juxta_hierarchy_free(world);
  return moved == 3 && muzzle.position[0] == 100 ? 0 : 1;
}

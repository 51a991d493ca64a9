/* Copyright (c) the juxta authors. SPDX-License-Identifier: MIT */
/* How far a capsule may go before it lands on a slope, and how deep a ball sits in a box. */
#include <juxta.h>
#include <stdio.h>

int main(void) {
  const float vertices[] = {-10, 0, -10, 10, 2, -10, 10, 2, 10, -10, 0, 10};
  const uint32_t triangles[] = {0, 2, 1, 0, 3, 2};
  juxta_mesh* slope = NULL;
  juxta_error error;
  if (juxta_mesh_build(vertices, 0, 4, triangles, 2, NULL, &slope, &error) != JUXTA_OK) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  juxta_shape ground = {0}, walker = {0}, ball = {0}, box = {0};
  ground.kind = JUXTA_MESH;
  ground.of.mesh = slope;
  walker.kind = JUXTA_CAPSULE;
  walker.of.capsule = (juxta_capsule){{0, 0.5F, 0}, {0, 1.5F, 0}, 0.5F};
  const juxta_qvvs still = juxta_default_qvvs();
  juxta_qvvs above = still;
  above.position[1] = 5;
  const float down[3] = {0, -10, 0};
  const juxta_cast_hit landing = juxta_shape_cast(&walker, &above, down, &ground, &still);
  printf("lands after %.2f m\n", landing.t * 10);

  ball.kind = JUXTA_SPHERE;
  ball.of.sphere = (juxta_sphere){{0, 1.25F, 0}, 0.5F};
  box.kind = JUXTA_BOX;
  box.of.box = (juxta_box){{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
  const juxta_closest_points near = juxta_shape_closest(&box, &still, &ball, &still, 1);
  printf("the ball is %.2f m deep in the box\n", -near.distance);
  juxta_mesh_free(slope);
  return landing.hit && near.distance < 0 ? 0 : 1;
}

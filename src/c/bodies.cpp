// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <utility>

#include "c/layer.h"
#include "c/layer_rays.h"
#include "c/shape.h"

struct juxta_bodies {
  juxta::Bodies of;
};

namespace juxta::c_detail {
namespace {

Result<std::span<const Qvvs>> places_of(const juxta_qvvs* at, std::size_t stride, std::size_t count,
                                        const CallContext& call) {
  return packed<Qvvs>(at, stride, count, call.workspace());
}

// An array of questions, each made of a shape and of what make(shape, i) takes from elsewhere.
template <class T, class Make>
Result<std::span<T>> questions(const juxta_shape* shapes, std::size_t count, const CallContext& call,
                               Make&& make) {
  if (count != 0 && shapes == nullptr) {
    return fail(ErrorCode::kInvalidArgument, "the array of shapes is NULL");
  }
  const std::span<T> made = call.workspace().take<T>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const ShapeOf shape(&shapes[i]);
    if (!shape) {
      return tl::unexpected(unknown_shape(i));
    }
    made[i] = make(*shape, i);
  }
  return made;
}

// Room for answers of C++, which are handed over as those of C.
template <class T, class C>
Result<std::span<T>> room_for(C* out, std::size_t count, const CallContext& call) {
  if (out == nullptr && count != 0) {
    return fail(ErrorCode::kInvalidArgument,
                "an array for answers is NULL; give it, or say that it holds none");
  }
  return call.workspace().take<T>(count);
}

// Calls ask(options, call), which gives a Result<QueryResult>, for `count` questions.
template <class F>
juxta_status ask_bodies(std::size_t count, const juxta_batch_options* given, const juxta_context* context,
                        juxta_query_result* result, juxta_error* error, F&& ask) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(context);
    JUXTA_TRY(call.check());
    const BatchOf how(given, count);
    JUXTA_TRY(how.check());
    JUXTA_TRY_LET(const QueryResult found, ask(*how, call));
    store(found, result);
    return {};
  });
}

}  // namespace
}  // namespace juxta::c_detail

using namespace juxta::c_detail;
using juxta::Result;
using Found = juxta::Result<juxta::QueryResult>;

juxta_status juxta_bodies_build(const juxta_shape* shapes, const juxta_qvvs* at, size_t stride, size_t count,
                                const juxta_layer_options* options, const juxta_context* context,
                                juxta_bodies** out, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(context);
    JUXTA_TRY(call.check());
    JUXTA_TRY_LET(const juxta::LayerOptions how, layer_options(options, count));
    JUXTA_TRY_LET(const auto places, places_of(at, stride, count, call));
    JUXTA_TRY_LET(const auto given,
                  questions<juxta::Body>(shapes, count, call, [&](const juxta::Shape& shape, std::size_t i) {
                    return juxta::Body{shape, places[i]};
                  }));
    juxta::Bodies made;
    JUXTA_TRY(made.rebuild(given, how, *call));
    *out = new juxta_bodies{std::move(made)};
    return {};
  });
}
void juxta_bodies_free(juxta_bodies* bodies) {
  delete bodies;
}
juxta_status juxta_bodies_refit(juxta_bodies* bodies, const juxta_qvvs* at, size_t stride, size_t count,
                                const juxta_context* context, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(context);
    JUXTA_TRY(call.check());
    JUXTA_TRY_LET(const auto places, places_of(at, stride, count, call));
    return bodies->of.refit(places, *call);
  });
}
size_t juxta_bodies_size(const juxta_bodies* bodies) {
  return bodies->of.size();
}

juxta_surface_hit juxta_bodies_raycast_closest(const juxta_bodies* bodies, const juxta_ray* ray,
                                               const juxta_query_options* options) {
  const QueryOf how(options);
  const juxta::BodyRayHit hit = bodies->of.raycast_closest(ray_of<3>(*ray), *how);
  return c_surface_hit(hit, hit.body);
}
juxta_surface_hit juxta_bodies_raycast_any(const juxta_bodies* bodies, const juxta_ray* ray,
                                           const juxta_query_options* options) {
  const QueryOf how(options);
  const juxta::BodyRayHit hit = bodies->of.raycast_any(ray_of<3>(*ray), *how);
  return c_surface_hit(hit, hit.body);
}
juxta_query_result juxta_bodies_raycast_every(const juxta_bodies* bodies, const juxta_ray* ray,
                                              juxta_surface_hit* out, size_t most,
                                              const juxta_query_options* options) {
  const QueryOf how(options);
  return result_in_place([&] {
    return bodies->of.raycast_every(ray_of<3>(*ray), answers_or_none<juxta::BodyRayHit>(out, most), *how);
  });
}
juxta_cast_hit juxta_bodies_cast_closest(const juxta_bodies* bodies, const juxta_shape* moving,
                                         const juxta_qvvs* from, const float* way,
                                         const juxta_query_options* options) {
  const QueryOf how(options);
  const ShapeOf shape(moving);
  const juxta::BodyCastHit hit =
      shape ? bodies->of.cast_closest(*shape, cpp_place(from), cpp_vec(way), *how) : juxta::BodyCastHit{};
  return c_cast_hit(hit, hit.body);
}
juxta_cast_hit juxta_bodies_cast_turning(const juxta_bodies* bodies, const juxta_shape* moving,
                                         const juxta_motion* motion, const juxta_query_options* options) {
  const QueryOf how(options);
  const ShapeOf shape(moving);
  const juxta::BodyCastHit hit =
      shape ? bodies->of.cast_closest(*shape, cpp_motion(*motion), *how) : juxta::BodyCastHit{};
  return c_cast_hit(hit, hit.body);
}
juxta_closest_points juxta_bodies_nearest(const juxta_bodies* bodies, const juxta_shape* shape,
                                          const juxta_qvvs* at, float max_distance,
                                          const juxta_query_options* options) {
  const QueryOf how(options);
  const ShapeOf given(shape);
  const juxta::BodyDistance found =
      given ? bodies->of.nearest(*given, cpp_place(at), max_distance, *how) : juxta::BodyDistance{};
  return c_closest(found, found.body);
}
juxta_query_result juxta_bodies_find_all(const juxta_bodies* bodies, const juxta_shape* shape,
                                         const juxta_qvvs* at, uint32_t* out, size_t most,
                                         const juxta_query_options* options) {
  const QueryOf how(options);
  const ShapeOf given(shape);
  return result_in_place([&] {
    return given ? bodies->of.find_all(*given, cpp_place(at), answers_or_none<std::uint32_t>(out, most), *how)
                 : juxta::QueryResult{};
  });
}

juxta_status juxta_bodies_raycast_closest_batch(const juxta_bodies* bodies, const juxta_ray* rays,
                                                size_t stride, size_t count, juxta_surface_hit* out,
                                                const juxta_batch_options* options,
                                                const juxta_context* context, juxta_query_result* result,
                                                juxta_error* error) {
  return ask_bodies(count, options, context, result, error,
                    [&](const juxta::BatchOptions& how, const CallContext& call) -> Found {
                      JUXTA_TRY_LET(const auto given,
                                    packed<juxta::Ray3>(rays, stride, count, call.workspace()));
                      JUXTA_TRY_LET(const auto hits, room_for<juxta::BodyRayHit>(out, count, call));
                      auto found = bodies->of.raycast_closest(given, hits, how, *call);
                      for (std::size_t i = 0; found && i < count; ++i) {
                        out[i] = c_surface_hit(hits[i], hits[i].body);
                      }
                      return found;
                    });
}

juxta_status juxta_bodies_cast_closest_batch(const juxta_bodies* bodies, const juxta_shape* shapes,
                                             const juxta_qvvs* from, const float* ways, size_t count,
                                             juxta_cast_hit* out, const juxta_batch_options* options,
                                             const juxta_context* context, juxta_query_result* result,
                                             juxta_error* error) {
  return ask_bodies(count, options, context, result, error,
                    [&](const juxta::BatchOptions& how, const CallContext& call) -> Found {
                      JUXTA_TRY_LET(const auto places, places_of(from, 0, count, call));
                      JUXTA_TRY_LET(const auto moves, packed<juxta::Vec3>(ways, 0, count, call.workspace()));
                      JUXTA_TRY_LET(const auto casts,
                                    questions<juxta::BodyCast>(
                                        shapes, count, call, [&](const juxta::Shape& shape, std::size_t i) {
                                          return juxta::BodyCast{shape, places[i], moves[i]};
                                        }));
                      JUXTA_TRY_LET(const auto hits, room_for<juxta::BodyCastHit>(out, count, call));
                      auto found = bodies->of.cast_closest(casts, hits, how, *call);
                      for (std::size_t i = 0; found && i < count; ++i) {
                        out[i] = c_cast_hit(hits[i], hits[i].body);
                      }
                      return found;
                    });
}

juxta_status juxta_bodies_cast_turning_batch(const juxta_bodies* bodies, const juxta_shape* shapes,
                                             const juxta_motion* motions, size_t count, juxta_cast_hit* out,
                                             const juxta_batch_options* options, const juxta_context* context,
                                             juxta_query_result* result, juxta_error* error) {
  return ask_bodies(
      count, options, context, result, error,
      [&](const juxta::BatchOptions& how, const CallContext& call) -> Found {
        if (count != 0 && motions == nullptr) {
          return juxta::fail(juxta::ErrorCode::kInvalidArgument, "the array of motions is NULL");
        }
        JUXTA_TRY_LET(
            const auto casts,
            questions<juxta::BodyCast>(shapes, count, call, [&](const juxta::Shape& shape, std::size_t i) {
              const juxta::Motion motion = cpp_motion(motions[i]);
              return juxta::BodyCast{shape, motion.from, motion.way, motion.turn, motion.pivot};
            }));
        JUXTA_TRY_LET(const auto hits, room_for<juxta::BodyCastHit>(out, count, call));
        auto found = bodies->of.cast_closest(casts, hits, how, *call);
        for (std::size_t i = 0; found && i < count; ++i) {
          out[i] = c_cast_hit(hits[i], hits[i].body);
        }
        return found;
      });
}

juxta_status juxta_bodies_nearest_batch(const juxta_bodies* bodies, const juxta_shape* shapes,
                                        const juxta_qvvs* at, const float* max_distances, size_t count,
                                        juxta_closest_points* out, const juxta_batch_options* options,
                                        const juxta_context* context, juxta_query_result* result,
                                        juxta_error* error) {
  return ask_bodies(
      count, options, context, result, error,
      [&](const juxta::BatchOptions& how, const CallContext& call) -> Found {
        JUXTA_TRY_LET(const auto places, places_of(at, 0, count, call));
        JUXTA_TRY_LET(const auto reach, packed<float>(max_distances, 0, count, call.workspace()));
        JUXTA_TRY_LET(
            const auto asked,
            questions<juxta::BodyNear>(shapes, count, call, [&](const juxta::Shape& shape, std::size_t i) {
              return juxta::BodyNear{shape, places[i], reach[i]};
            }));
        JUXTA_TRY_LET(const auto near, room_for<juxta::BodyDistance>(out, count, call));
        auto found = bodies->of.nearest(asked, near, how, *call);
        for (std::size_t i = 0; found && i < count; ++i) {
          out[i] = c_closest(near[i], near[i].body);
        }
        return found;
      });
}

juxta_status juxta_bodies_find_all_batch(const juxta_bodies* bodies, const juxta_shape* shapes,
                                         const juxta_qvvs* at, size_t count, juxta_pair* out, size_t most,
                                         const juxta_batch_options* options, const juxta_context* context,
                                         juxta_query_result* result, juxta_error* error) {
  return ask_bodies(count, options, context, result, error,
                    [&](const juxta::BatchOptions& how, const CallContext& call) -> Found {
                      JUXTA_TRY_LET(const auto places, places_of(at, 0, count, call));
                      JUXTA_TRY_LET(const auto asked,
                                    questions<juxta::Body>(shapes, count, call,
                                                           [&](const juxta::Shape& shape, std::size_t i) {
                                                             return juxta::Body{shape, places[i]};
                                                           }));
                      JUXTA_TRY_LET(const auto pairs, answers<juxta::Pair>(out, most));
                      return bodies->of.find_all(asked, pairs, how, *call);
                    });
}

juxta_status juxta_bodies_find_contacts(const juxta_bodies* bodies, float margin, juxta_contact* out,
                                        size_t most, const juxta_pair_options* options,
                                        const juxta_context* context, juxta_query_result* result,
                                        juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    using Contact = juxta::Bodies::Contact;
    const CallContext call(context);
    JUXTA_TRY(call.check());
    JUXTA_TRY(check_cookie(options, Cookie::kPairOptions, "juxta_pair_options"));
    const auto how = pair_options(options, bodies->of.layer(), static_cast<const juxta::Layer*>(nullptr));
    JUXTA_TRY_LET(const std::span<Contact> contacts, room_for<Contact>(out, most, call));
    JUXTA_TRY_LET(const juxta::QueryResult found,
                  bodies->of.find_contacts(margin, contacts, {.only = how.only}, *call));
    for (std::size_t i = 0; i < found.written; ++i) {
      out[i] = {contacts[i].a, contacts[i].b, c_manifold(contacts[i].manifold)};
    }
    store(found, result);
    return {};
  });
}

static_assert(sizeof(juxta_named_contact) == sizeof(juxta::Bodies::Contact) &&
              offsetof(juxta_named_contact, manifold) == offsetof(juxta::Bodies::Contact, manifold) &&
              offsetof(juxta_named_manifold, points) == offsetof(juxta::Manifold, points) &&
              offsetof(juxta_named_manifold, part_a) == offsetof(juxta::Manifold, part_a) &&
              offsetof(juxta_named_point, feature) == offsetof(juxta::Manifold::Point, feature) &&
              JUXTA_NEW_POINT == juxta::kNewPoint);

juxta_status juxta_bodies_find_named_contacts(const juxta_bodies* bodies, float margin,
                                              juxta_named_contact* out, size_t most,
                                              const juxta_pair_options* options, juxta_accept_pair accept,
                                              void* user, const juxta_context* context,
                                              juxta_query_result* result, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(context);
    JUXTA_TRY(call.check());
    JUXTA_TRY(check_cookie(options, Cookie::kPairOptions, "juxta_pair_options"));
    const auto how = pair_options(options, bodies->of.layer(), static_cast<const juxta::Layer*>(nullptr));
    JUXTA_TRY_LET(const auto contacts, answers<juxta::Bodies::Contact>(out, most));
    juxta::FindContactsOptions find{.only = how.only};
    const auto accepted = [&](std::uint32_t a, std::uint32_t b) { return accept(a, b, user); };
    if (accept != nullptr) {
      find.accept = accepted;
    }
    JUXTA_TRY_LET(const juxta::QueryResult found, bodies->of.find_contacts(margin, contacts, find, *call));
    store(found, result);
    return {};
  });
}

juxta_status juxta_match_contacts(const juxta_named_contact* previous, size_t previous_count,
                                  const juxta_named_contact* current, size_t current_count, float slack,
                                  uint32_t* continues, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    using Contact = juxta::Bodies::Contact;
    JUXTA_TRY_LET(const auto before, answers<const Contact>(previous, previous_count));
    JUXTA_TRY_LET(const auto now, answers<const Contact>(current, current_count));
    JUXTA_TRY_LET(const auto to, answers<std::uint32_t>(continues, 4 * current_count));
    return juxta::match_contacts(before, now, slack, to);
  });
}

// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "juxta/layer/nearest.h"
#include "juxta/layer/query.h"
#include "juxta/layer/raycast.h"
#include "tool/answers.h"
#include "tool/query.h"

namespace juxta::tool {
namespace {

template <int D>
class Asker {
 public:
  Asker(const BasicLayer<D>& layer, const QueryPlan& plan)
      : layer_(layer), plan_(plan), bodies_(room(layer, plan)), hits_(bodies_.size()) {}

  Answer operator()(const Query& query) {
    Answer answer;
    switch (query.kind) {
      case QueryKind::kBox:
        ask_box(query, answer);
        break;
      case QueryKind::kRay:
      case QueryKind::kSegment:
        ask_ray(ray_of(query), answer);
        break;
      case QueryKind::kPoint:
        ask_nearest(query, answer);
        break;
    }
    answer.count = std::max(answer.count, answer.hits.size());
    return answer;
  }

 private:
  /// A query finds each body once at most.
  static std::size_t room(const BasicLayer<D>& layer, const QueryPlan& plan) {
    return plan.amount == Amount::kAll     ? layer.size()
           : plan.amount == Amount::kFirst ? std::min(plan.first, layer.size())
                                           : 0;
  }

  static Ray<D> ray_of(const Query& query) {
    Vec<D> a{}, b{};
    std::copy_n(query.numbers.begin(), D, a.begin());
    std::copy_n(query.numbers.begin() + D, D, b.begin());
    if (query.kind == QueryKind::kSegment) {
      return segment(a, b);
    }
    return {a, b, query.numbers[2 * D]};
  }

  void ask_box(const Query& query, Answer& answer) {
    Aabb<D> box{};
    std::copy_n(query.numbers.begin(), D, box.lo.begin());
    std::copy_n(query.numbers.begin() + D, D, box.hi.begin());
    if (plan_.amount == Amount::kCount) {
      answer.count = count(layer_, box);
      return;
    }
    if (plan_.amount == Amount::kAny) {
      if (const std::uint32_t body = find_any(layer_, box); body != kNoBody) {
        answer.hits.push_back({body, 0});
      }
      return;
    }
    const bool all = plan_.amount == Amount::kAll;
    const QueryResult result = all ? find_all(layer_, box, bodies_) : find_first(layer_, box, bodies_);
    const auto last = bodies_.begin() + static_cast<std::ptrdiff_t>(result.written);
    if (all) {
      std::sort(bodies_.begin(), last);
    }
    std::transform(bodies_.begin(), last, std::back_inserter(answer.hits), [](std::uint32_t body) {
      return Hit{body, 0};
    });
  }

  void ask_ray(const Ray<D>& ray, Answer& answer) {
    if (plan_.amount == Amount::kAny) {
      if (const RayHit hit = raycast_any(layer_, ray)) {
        answer.hits.push_back({hit.body, hit.t});
      }
      return;
    }
    const QueryResult result = raycast_all(layer_, ray, hits_);
    answer.count = plan_.amount == Amount::kCount ? result.found : 0;
    std::transform(hits_.begin(), hits_.begin() + static_cast<std::ptrdiff_t>(result.written),
                   std::back_inserter(answer.hits), [](const RayHit& hit) {
                     return Hit{hit.body, hit.t};
                   });
  }

  void ask_nearest(const Query& query, Answer& answer) {
    Vec<D> point{};
    std::copy_n(query.numbers.begin(), D, point.begin());
    if (const NearestHit hit = nearest(layer_, point, plan_.within)) {
      answer.hits.push_back({hit.body, std::sqrt(hit.distance2)});
    }
  }

  const BasicLayer<D>& layer_;
  const QueryPlan& plan_;
  std::vector<std::uint32_t> bodies_;
  std::vector<RayHit> hits_;
};

bool asks(const QueryPlan& plan, bool distance) {
  return std::any_of(plan.queries.begin(), plan.queries.end(), [&](const Query& query) {
    return distance ? query.kind == QueryKind::kPoint
                    : query.kind == QueryKind::kRay || query.kind == QueryKind::kSegment;
  });
}

}  // namespace

template <int D>
std::vector<Answer> ask(const BasicLayer<D>& layer, const QueryPlan& plan) {
  Asker<D> asker(layer, plan);
  std::vector<Answer> answers;
  answers.reserve(plan.queries.size());
  for (const Query& query : plan.queries) {
    answers.push_back(asker(query));
  }
  return answers;
}
template std::vector<Answer> ask(const BasicLayer<2>&, const QueryPlan&);
template std::vector<Answer> ask(const BasicLayer<3>&, const QueryPlan&);

std::string format_answers(const QueryPlan& plan, const std::vector<Answer>& answers, const BoxTable& table) {
  const bool count = plan.amount == Amount::kCount, named = table.has_names() && !count;
  const bool t = !count && asks(plan, false), distance = !count && asks(plan, true);
  std::string out = fmt::format("query,kind,{}{}{}{}\n", count ? "count" : "body", named ? ",name" : "",
                                t ? ",t" : "", distance ? ",distance" : "");
  for (std::size_t q = 0; q < answers.size(); ++q) {
    const QueryKind kind = plan.queries[q].kind;
    if (count) {
      fmt::format_to(std::back_inserter(out), "{},{},{}\n", q, kind_name(kind), answers[q].count);
      continue;
    }
    for (const Hit& hit : answers[q].hits) {
      fmt::format_to(std::back_inserter(out), "{},{},{}", q, kind_name(kind), hit.body);
      out += named ? "," + csv_cell(std::string(table.name(hit.body))) : "";
      const bool ray = kind == QueryKind::kRay || kind == QueryKind::kSegment;
      out += !t ? "" : ray ? fmt::format(",{}", hit.at) : ",";
      out += !distance ? "" : kind == QueryKind::kPoint ? fmt::format(",{}", hit.at) : ",";
      out += '\n';
    }
  }
  return out;
}

std::string json_answers(const QueryPlan& plan, const std::vector<Answer>& answers, const BoxTable& table) {
  auto list = nlohmann::ordered_json::array();
  for (std::size_t q = 0; q < answers.size(); ++q) {
    const QueryKind kind = plan.queries[q].kind;
    nlohmann::ordered_json item = {{"query", q}, {"kind", kind_name(kind)}, {"count", answers[q].count}};
    if (plan.amount != Amount::kCount) {
      item["bodies"] = nlohmann::ordered_json::array();
      for (const Hit& hit : answers[q].hits) {
        nlohmann::ordered_json body = {{"body", hit.body}};
        if (table.has_names()) {
          body["name"] = std::string(table.name(hit.body));
        }
        if (kind != QueryKind::kBox) {
          body[kind == QueryKind::kPoint ? "distance" : "t"] = hit.at;
        }
        item["bodies"].push_back(std::move(body));
      }
    }
    list.push_back(std::move(item));
  }
  return list.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace juxta::tool

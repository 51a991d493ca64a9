// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.Rule: interactions and actions that juxta/rules.py has compiled and loaded.
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "agents_object.h"
#include "bind.h"
#include "call.h"
#include "choice.h"
#include "errors.h"
#include "guard.h"
#include "juxta/agents/act.h"
#include "juxta/agents/see.h"
#include "rules/record.h"
#include "rules_docs.h"

namespace juxta::python {
namespace {

/// A library stays loaded to the end of the process, and so does the record.
struct RuleObject : Guarded {
  explicit RuleObject(const RuleRecord* of) : record(of) {}
  const RuleRecord* record;
};

std::span<const char* const> span_of(const RuleNames& names) {
  return {names.names, names.count};
}

py::list list_of(const RuleNames& names) {
  py::list all;
  for (const char* name : span_of(names)) {
    all.append(name);
  }
  return all;
}

/// `library`: a capsule, which juxta/rules.py makes: whatever else Python could give is no list of rules.
py::list rules_of(const py::object& library) {
  if (PyCapsule_IsValid(library.ptr(), kRuleCapsule) == 0) {
    raise_type("juxta.compile_rules() makes rules");
  }
  py::list all;
  const auto* at = static_cast<const RuleRecord*>(PyCapsule_GetPointer(library.ptr(), kRuleCapsule));
  for (; at != nullptr; at = at->next) {
    all.append(py::cast(std::make_unique<RuleObject>(at)));
  }
  return all;
}

/// The struct of a rule: its defaults, and `parameters=` of the call.
class Struct {
 public:
  Struct(const RuleRecord& rule, const py::object& parameters) {
    std::memcpy(bytes_.data(), rule.defaults, rule.size);
    if (parameters.is_none()) {
      return;
    }
    if (!py::isinstance<py::dict>(parameters)) {
      raise_type("parameters is " + std::string(py::repr(parameters)) + ". Give a dict of names and numbers");
    }
    for (const auto& [name, value] : py::reinterpret_borrow<py::dict>(parameters)) {
      const double number = PyFloat_AsDouble(value.ptr());
      if (number == -1 && PyErr_Occurred() != nullptr) {
        throw py::error_already_set();
      }
      set(rule, std::string(py::str(name)), static_cast<float>(number));
    }
  }
  [[nodiscard]] const void* data() const noexcept { return bytes_.data(); }

 private:
  void set(const RuleRecord& rule, const std::string& name, float value) {
    const auto names = juxta::python::span_of(rule.parameters);
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) {
      std::string known;
      for (const char* one : names) {
        known += (known.empty() ? ". It has: " : ", ") + std::string(one);
      }
      raise(Error{.code = ErrorCode::kNotFound,
                  .message = std::string(rule.name) + " has no parameter '" + name + "'" +
                             (known.empty() ? ": its kParameters would name them" : known)});
    }
    std::memcpy(bytes_.data() + static_cast<std::size_t>(found - names.begin()) * sizeof value, &value,
                sizeof value);
  }

  alignas(kRuleAlignment) std::array<std::byte, kMostRuleBytes> bytes_;
};

py::object see(const RuleObject& self, PopulationObject& population, float radius,
               const PopulationObject* seen, const py::object& parameters, const py::object& metric,
               const std::optional<std::string>& radii, const std::optional<std::string>& among,
               const py::object& threads, const py::object& progress) {
  const Reading reading(self);
  const RuleRecord& rule = *self.record;
  if (rule.sweep == nullptr) {
    raise_value(std::string(rule.name) + " is an action: call its act()");
  }
  SeeOptions options{.metric = choice_of(metric, "metric", kMetrics), .radii = {}, .among = {}};
  const Struct values(rule, parameters);
  const PopulationObject& others = seen != nullptr ? *seen : population;
  Call call(threads, progress);
  const UsingTwo held(population, others);
  if (radii) {
    options.radii = {column_of(*population.of, *radii)};
  }
  if (among) {
    options.among = {column_of(*others.of, *among)};
  }
  const agents_detail::Interaction interaction{span_of(rule.seer), span_of(rule.seen), span_of(rule.found),
                                               rule.sweep, rule.found_ids};
  const QueryResult done = call.run([&](const Context& context) {
    return agents_detail::see(*population.of, *others.of, radius, values.data(), interaction, options,
                              context);
  });
  return py::int_(done.tested);
}

void act(const RuleObject& self, PopulationObject& population, const py::object& parameters,
         const py::object& threads, const py::object& progress) {
  const Reading reading(self);
  const RuleRecord& rule = *self.record;
  if (rule.act == nullptr) {
    raise_value(std::string(rule.name) + " is an interaction: call its see()");
  }
  const Struct values(rule, parameters);
  Call call(threads, progress);
  const Using<Writing> held(population);
  const agents_detail::Action action{span_of(rule.reads), span_of(rule.writes), rule.act};
  call.run([&](const Context& context) {
    return agents_detail::act(*population.of, values.data(), action, context);
  });
}

py::dict parameters(const RuleObject& self) {
  const Reading reading(self);
  py::dict all;
  const RuleNames& names = self.record->parameters;
  for (std::size_t i = 0; i < names.count; ++i) {
    float value = 0;
    std::memcpy(&value, static_cast<const std::byte*>(self.record->defaults) + i * sizeof value,
                sizeof value);
    all[names.names[i]] = value;
  }
  return all;
}

py::dict columns(const RuleObject& self) {
  const Reading reading(self);
  const RuleRecord& rule = *self.record;
  py::dict all;
  if (rule.sweep != nullptr) {
    all["seer"] = list_of(rule.seer);
    all["seen"] = list_of(rule.seen);
    all["found"] = list_of(rule.found);
  } else {
    all["reads"] = list_of(rule.reads);
    all["writes"] = list_of(rule.writes);
  }
  return all;
}

std::string name(const RuleObject& self) {
  const Reading reading(self);
  return self.record->name;
}

}  // namespace

void bind_rules(py::module_& module) {
  using py::arg;
  const auto none = py::none();
  py::class_<RuleObject> rule(module, "Rule", docs::kRule);
  rule.attr("_capsule") = py::bytes(kRuleCapsule);  // its name: a capsule keeps the address of these bytes
  rule.def_static("_of", &rules_of, arg("library"))
      .def("see", &see, arg("population"), arg("radius"), py::kw_only(), arg("seen") = none,
           arg("parameters") = none, arg("metric") = "ball", arg("radii") = none, arg("among") = none,
           arg("threads") = none, arg("progress") = none, docs::kRuleSee)
      .def("act", &act, arg("population"), py::kw_only(), arg("parameters") = none, arg("threads") = none,
           arg("progress") = none, docs::kRuleAct)
      .def_property_readonly("name", &name, docs::kRuleName)
      .def_property_readonly("parameters", &parameters, docs::kRuleParameters)
      .def_property_readonly("columns", &columns, docs::kRuleColumns)
      .def("__repr__", [](const RuleObject& self) { return "<juxta.Rule " + name(self) + ">"; });
}

}  // namespace juxta::python

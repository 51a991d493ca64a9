// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The extension module juxta._view: the server of juxta.view. It is apart from juxta._core because it has all
// of Boost.Beast in it, and a build without the viewer still has the rest.
#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "juxta/view/view_server.h"
#include "python/src/call.h"
#include "python/src/errors.h"
#include "python/src/guard.h"
#include "python/src/threads.h"
#include "world.h"

namespace juxta::python {
namespace {

struct ServerObject : Guarded {
  explicit ServerObject(ViewServer started) : server(std::move(started)) {}
  std::optional<ViewServer> server;  // none: closed
};

std::unique_ptr<ServerObject> start(const std::string& address, std::uint16_t port, const std::string& token,
                                    bool paused) {
  return std::make_unique<ServerObject>(unwrap(Call::released([&] {
    return ViewServer::start({.address = address, .port = port, .token = token, .paused = paused});
  })));
}

/// Also ends when Python raised inside of a call of the world.
class UntilStopped final : public Monitor {
 public:
  UntilStopped(const PythonWorld& world, Monitor& python) : world_(world), python_(python) {}
  bool on_progress(std::string_view stage, std::uint64_t done, std::uint64_t total) override {
    return !world_.interrupted() && python_.on_progress(stage, done, total);
  }

 private:
  const PythonWorld& world_;
  Monitor& python_;
};

/// `going` is called fifty times a second, and ends the show when it returns False.
void show(ServerObject& self, const py::object& source, const py::object& threads, const py::object& going) {
  Call call(threads, going);
  const Writing writing(self);
  if (!self.server) {
    raise_value("this server is closed; make another one");
  }
  PythonWorld world(source);
  call.run([&](const Context& context) {
    UntilStopped monitor(world, *context.monitor);
    return self.server->show(world, {.executor = context.executor, .monitor = &monitor});
  });
}

void close(ServerObject& self) {
  const Writing writing(self);
  Call::released([&] { self.server.reset(); });
}

template <class Read>
auto reading(Read&& read) {
  return [read](const ServerObject& self) {
    const Reading held(self);
    if (!self.server) {
      raise_value("this server is closed; make another one");
    }
    return read(*self.server);
  };
}

void bind_server(py::module_& module) {
  using py::arg;
  module.def("has_pages", [] { return ViewServer::has_pages(); });
  py::class_<ServerObject>(module, "Server")
      .def(py::init(&start), arg("address"), arg("port"), arg("token"), arg("paused"))
      .def("show", &show, arg("source"), arg("threads"), arg("going"))
      .def("close", &close)
      .def("url", reading([](const ViewServer& server) { return server.url(); }))
      .def("port", reading([](const ViewServer& server) { return server.port(); }));
}

}  // namespace
}  // namespace juxta::python

PYBIND11_MODULE(_view, module) {
  using namespace juxta::python;
  module.doc() = "The compiled part of juxta.view. Import that instead.";
  load_errors();
  load_threads();
  bind_server(module);
}

// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "sector/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "juxta/core/try.h"
#include "juxta/files/output_file.h"
#include "sector/checkpoint_file.h"

namespace juxta::sector {
namespace {

namespace fs = std::filesystem;

Result<void> make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder, error)) {
    return fail(ErrorCode::kIo, fmt::format("cannot make the folder '{}': {}", folder.string(),
                                            error ? error.message() : "it is a file"));
  }
  return {};
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

/// What a manifest of this folder names; nothing when there is none.
Result<std::vector<std::string>> names_of(const fs::path& manifest) {
  if (!is_there(manifest)) {
    return std::vector<std::string>{};
  }
  return read_manifest(manifest).map([](const Manifest& read) {
    return std::vector<std::string>{read.simulation.name, read.hierarchy.name};
  });
}

/// Whether a save may have left it behind: a file of a battle, or a temporary one.
bool is_ours(std::string_view name) {
  const bool of_battle = name.starts_with("tick_") && (name.find(".simulation") != std::string_view::npos ||
                                                       name.find(".hierarchy") != std::string_view::npos);
  return of_battle || (name.ends_with(".tmp") && (name.starts_with(fmt::format("{}.", kManifest)) ||
                                                  name.starts_with(fmt::format("{}.", kPreviousManifest))));
}

/// Removes what earlier saves left behind: files that neither manifest names, and temporary ones of programs
/// that were killed. With a manifest that cannot be read, all stays: somebody may want to look.
void tidy(const fs::path& folder) {
  std::vector<std::string> named;
  for (const std::string_view manifest : {kManifest, kPreviousManifest}) {
    const auto names = names_of(folder / manifest);
    if (!names) {
      return;
    }
    named.insert(named.end(), names->begin(), names->end());
  }
  std::error_code error;
  std::vector<fs::path> over;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (is_ours(name) && std::ranges::find(named, name) == named.end()) {
      over.push_back(at->path());
    }
  }
  for (const fs::path& path : over) {
    fs::remove(path, error);  // one that stays does no harm
  }
}

/// Of files that are not there: a battle that went another way may have been saved at the same tick.
std::string free_stem(const fs::path& folder, std::uint32_t tick) {
  std::string stem = fmt::format("tick_{:06}", tick);
  for (unsigned n = 2; is_there(folder / (stem + ".simulation")) || is_there(folder / (stem + ".hierarchy"));
       ++n) {
    stem = fmt::format("tick_{:06}_{}", tick, n);
  }
  return stem;
}

/// All that a manifest names is as it was sealed.
Result<void> check_files(const fs::path& folder, const Manifest& manifest) {
  return check_seal(folder, manifest.simulation).and_then([&] {
    return check_seal(folder, manifest.hierarchy);
  });
}

/// The last checkpoint becomes the previous one, as a copy, so that there is always one. One that is damaged
/// does not: the previous one is then worth more.
Result<void> keep_last(const fs::path& folder) {
  const auto last = read_manifest(folder / kManifest);
  if (!last || !check_files(folder, *last)) {
    return {};
  }
  return write_file((folder / kPreviousManifest).string(), manifest_text(*last));
}

Result<void> write_all(const World& world, const fs::path& folder) {
  const std::string stem = free_stem(folder, world.tick());
  const fs::path simulation = folder / (stem + ".simulation"), hierarchy = folder / (stem + ".hierarchy");
  Manifest manifest{world.tick(), state_hash(world), {}, {}, world.scenario};
  const auto seal = [](const fs::path& path, Sealed& sealed) {
    return seal_of(path).map([&](Sealed&& found) { sealed = std::move(found); });
  };
  return world.simulation.save(simulation.string())
      .and_then([&] { return world.hierarchy.save(hierarchy.string()); })
      .and_then([&] { return seal(simulation, manifest.simulation); })
      .and_then([&] { return seal(hierarchy, manifest.hierarchy); })
      .and_then([&] { return keep_last(folder); })
      .and_then([&] { return write_file((folder / kManifest).string(), manifest_text(manifest)); });
}

Result<std::unique_ptr<World>> load(const fs::path& manifest_path, const Executor* executor) {
  const fs::path folder = manifest_path.parent_path();
  JUXTA_TRY_LET(auto manifest, read_manifest(manifest_path));
  JUXTA_TRY(check_files(folder, manifest));
  JUXTA_TRY_LET(auto simulation, Simulation::load((folder / manifest.simulation.name).string()));
  JUXTA_TRY_LET(auto hierarchy, Hierarchy::load((folder / manifest.hierarchy.name).string()));
  auto world = resume_world(manifest.scenario, std::move(simulation), std::move(hierarchy), executor);
  if (!world) {
    return fail(ErrorCode::kCorruptFile,
                fmt::format("'{}' names no battle: {}", manifest_path.string(), world.error().message));
  }
  if ((*world)->tick() != manifest.tick || state_hash(**world) != manifest.hash) {
    return fail(ErrorCode::kCorruptFile,
                fmt::format("'{}' has the files of another battle: state hash {:016x} where {:016x} is due",
                            manifest_path.string(), state_hash(**world), manifest.hash));
  }
  return world;
}

/// What to do instead.
std::string advice(const fs::path& folder) {
  const fs::path previous = folder / kPreviousManifest;
  if (!is_there(previous)) {
    return "there is no previous one";
  }
  const auto manifest = read_manifest(previous);
  if (!manifest || !check_files(folder, *manifest)) {
    return "the previous one is damaged too";
  }
  return fmt::format("the previous one, of tick {}, is whole: give '{}'", manifest->tick, previous.string());
}

}  // namespace

Result<void> save_checkpoint(const World& world, const fs::path& folder) {
  return make_folder(folder).and_then([&] {
    tidy(folder);
    auto written = write_all(world, folder);
    tidy(folder);  // of the one before the previous, or of what could not be finished
    return written;
  });
}

Result<std::unique_ptr<World>> load_checkpoint(const fs::path& path, const Executor* executor) {
  std::error_code ignored;
  const fs::path manifest = fs::is_directory(path, ignored) ? path / kManifest : path;
  auto world = load(manifest, executor);
  if (!world && manifest.filename() == kManifest) {
    world.error().message += "; " + advice(manifest.parent_path());
  }
  return world;
}

}  // namespace juxta::sector

// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Points that are kept: which file has what, at every moment.
//
//   PATH          all points at a merge, and the number n of the first log that follows
//   PATH.n.log    the changes since, up to the next merge
//   PATH.n+1.log  the changes since that one began
//   PATH.lock     held by the program that has them open
//   PATH.*.tmp    PATH that is being written; PATH.*.old, on Windows: the one before, while that is replaced
//
//   a merge    makes log n+1, and changes go there; builds; writes PATH, which needs n+1 alone; removes log n
//   whenever the program ends, PATH (or PATH.*.old, which open() puts back) and the logs that it names are
//   there
#include "ranked/live_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/path.h"
#include "juxta/core/try.h"
#include "ranked/live_input.h"
#include "ranked/live_store.h"

namespace juxta::ranked_detail {
namespace {

namespace fs = std::filesystem;

[[nodiscard]] bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path_of(path), ignored);
}

void remove_file(const std::string& path) {
  std::error_code ignored;  // what stays is removed at the next open
  fs::remove(path_of(path), ignored);
}

/// The path from the root, so that the files stay where they are when the program goes to another folder.
Result<std::string> whole_path(const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::absolute(path_of(path), error);
  if (error) {
    return fail(ErrorCode::kIo, "cannot find the folder of " + path + ": " + error.message());
  }
  return utf8_of(whole);
}

/// Files of `path` before anything is read of them: no other program has them open.
Result<std::unique_ptr<LiveFiles>> lock_files(const std::string& path) {
  auto files = std::make_unique<LiveFiles>();
  JUXTA_TRY_LET(files->path, whole_path(path));
  JUXTA_TRY_LET(core_detail::AppendFile lock, core_detail::AppendFile::open(path_of(files->path + ".lock")));
  files->lock = std::make_unique<core_detail::AppendFile>(std::move(lock));
  return files;
}

/// What a program left that was killed while it replaced PATH: files of its folder that have the names
/// PATH.<process>-<number><ending>, and nobody else's.
std::vector<fs::path> files_beside(const std::string& path, std::string_view ending) {
  const fs::path target = path_of(path);
  const std::string begin = utf8_of(target.filename()) + ".";
  std::vector<fs::path> found;
  std::error_code ignored;
  for (fs::directory_iterator at(target.parent_path(), ignored), end; !ignored && at != end;
       at.increment(ignored)) {
    const std::string name = utf8_of(at->path().filename());
    if (name.size() <= begin.size() + ending.size() || !name.starts_with(begin) || !name.ends_with(ending)) {
      continue;
    }
    const std::string_view middle =
        std::string_view(name).substr(begin.size(), name.size() - begin.size() - ending.size());
    const std::size_t dash = middle.find('-');
    if (dash != 0 && dash < middle.size() - 1 && middle.find_first_not_of("0123456789") == dash &&
        middle.find_first_not_of("0123456789", dash + 1) == std::string_view::npos) {
      found.push_back(at->path());
    }
  }
  std::ranges::sort(found);
  return found;
}

void remove_leftovers(const std::string& path) {
  std::error_code ignored;  // .old is one that a reader had mapped on Windows, and may have still
  for (const char* ending : {".tmp", ".old"}) {
    for (const fs::path& file : files_beside(path, ending)) {
      fs::remove(file, ignored);
    }
  }
}

/// On Windows a program may be killed when it has set PATH aside (core/os.h), and before the new one has the
/// name: then the latest of such files gets its name back, with whose logs nothing is lost. The caller holds
/// the lock, so nobody is between these two steps. Errors: kIo.
Result<void> put_back(const std::string& path) {
  if (exists(path)) {
    return {};
  }
  const std::vector<fs::path> aside = files_beside(path, ".old");
  const fs::path* latest = aside.size() == 1 ? aside.data() : nullptr;
  std::uint64_t latest_number = 0;
  for (std::size_t i = 0; aside.size() > 1 && i < aside.size(); ++i) {
    const auto contents = load_live_file(utf8_of(aside[i]), huge_page_resource());
    if (contents && (latest == nullptr || contents->slots.number > latest_number)) {  // one more every merge
      latest = &aside[i];
      latest_number = contents->slots.number;
    }
  }
  if (latest == nullptr) {
    return {};
  }
  std::error_code error;
  fs::rename(*latest, path_of(path), error);
  if (error) {
    return fail(ErrorCode::kIo, "cannot rename '" + utf8_of(*latest) + "' to '" + path +
                                    "', which it was: " + error.message());
  }
  return core_detail::flush_folder_of(path_of(path));
}

/// Whether a caller could have put it there: it is in the types of the points as it stands.
bool is_point(const LiveTypes& types, const LiveRecord& record) {
  const auto x = checked_coordinate(types, record.x, "x"), y = checked_coordinate(types, record.y, "y");
  const auto key = checked_key(types, types.value_of(record.key));
  bool fits_values = true;
  for (std::size_t c = 0; c < kMostValues; ++c) {
    const auto number = checked_number(types, c, types.number_of(c, record.values[c]));
    fits_values = fits_values && number && *number == record.values[c];
  }
  return x && y && key && *x == record.x && *y == record.y && *key == record.key && fits_values;
}

/// Whether an entry of a log fits the slots and types; what apply() and merges rely on.
bool fits(const LiveStore& store, const LiveLogEntry& entry) {
  const LiveRecord& record = entry.record;
  const Id id = {record.slot, record.generation};
  if (entry.is_erased) {
    return store.alive(id);
  }
  const bool is_new = record.slot == store.generations.size()
                          ? record.generation == 1
                          : !store.free_slots.empty() && store.free_slots.back() == record.slot &&
                                record.generation == store.generations[record.slot] + 1;
  return is_point(store.types, record) && (store.alive(id) || is_new) && record.slot < 0x7FFF'FFFE;
}

Result<void> apply_all(LiveStore& store, std::span<const LiveLogEntry> entries) {
  for (const LiveLogEntry& entry : entries) {
    if (!fits(store, entry)) {
      return fail(ErrorCode::kCorruptFile, "a change does not fit the points");
    }
    store.apply(entry);
  }
  return {};
}

/// The log `number` is read and goes on; changes that were not on the disk may be missing at its end.
Result<void> replay_log(LiveStore& store, std::uint64_t number) {
  LiveFiles& files = *store.files;
  const std::string path = files.log_path(number);
  JUXTA_TRY_LET(const LiveLog::Contents read,
                LiveLog::read(path, number, store.types, files.sequence,
                              [&](std::uint64_t, std::span<const LiveLogEntry> entries) {
                                return apply_all(store, entries);
                              }));
  if (read.cuts_whole_ones) {
    std::error_code ignored;  // a copy for whoever wants to know what a power cut has taken
    fs::remove(path_of(path + ".cut"), ignored);  // GCC's library for Windows does not overwrite
    fs::copy_file(path_of(path), path_of(path + ".cut"), fs::copy_options::overwrite_existing, ignored);
  }
  JUXTA_TRY_LET(LiveLog log, read.whole_bytes == 0 ? LiveLog::create(path, number, store.types)
                                                   : LiveLog::reopen(path, read.whole_bytes, store.types));
  files.go_on_in(std::make_shared<LiveLog>(std::move(log)), number);
  files.sequence = read.sequence;
  return {};
}

/// Makes the changes of all logs from `first` on.
Result<void> replay_logs(LiveStore& store, std::uint64_t first) {
  const std::string path = store.files->log_path(first);
  if (!exists(path)) {  // each file of points is written after its log
    return fail(ErrorCode::kCorruptFile,
                path + " is missing: it has the changes since " + store.files->path + " was written");
  }
  for (std::uint64_t number = first; exists(store.files->log_path(number)); ++number) {
    JUXTA_TRY(replay_log(store, number));
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<LiveFiles>> begin_files(const std::string& path, const LiveTypes& types) {
  JUXTA_TRY_LET(std::unique_ptr<LiveFiles> files, lock_files(path));
  JUXTA_TRY(put_back(files->path));
  if (exists(files->path)) {
    return fail(ErrorCode::kInvalidArgument, path + " is there already: open() it, or name another file");
  }
  // A log of an earlier keep() that was killed belongs to nothing: it is written over.
  JUXTA_TRY_LET(LiveLog log, LiveLog::create(files->log_path(0), 0, types));
  files->go_on_in(std::make_shared<LiveLog>(std::move(log)), 0);
  return files;
}

void end_files(LiveFiles& files) {
  for (std::uint64_t number = 0; number <= files.last_log; ++number) {
    remove_file(files.log_path(number));
  }
  remove_file(files.path + ".lock");
}

void forget_old_logs(std::vector<std::shared_ptr<LiveLog>>& logs) {
  for (const std::shared_ptr<LiveLog>& log : logs) {
    remove_file(log->path());
  }
}

Result<Owned<LiveStore>> open_files(const std::string& path, const LiveRankedOptions& options,
                                    std::pmr::memory_resource* resource) {
  JUXTA_TRY_LET(const std::string whole, whole_path(path));
  if (!exists(path) && files_beside(whole, ".old").empty()) {
    return fail(ErrorCode::kIo, "cannot open '" + path + "': there is no such file");
  }
  JUXTA_TRY_LET(std::unique_ptr<LiveFiles> files, lock_files(path));
  JUXTA_TRY(put_back(files->path));
  JUXTA_TRY_LET(LiveFileContents contents, load_live_file(files->path, resource).map_error([&](Error error) {
    remove_file(files->path + ".lock");  // it is no file of ours: nothing stays beside it
    return error;
  }));
  auto store = make_owned<LiveStore>(contents.types, options, resource);
  store->generation = std::move(contents.generation);
  store->generations.resize(store->generation->points().size() + contents.slots.free.size());
  for (const FrozenPoint& point : store->generation->points()) {
    store->generations[point.slot] = point.generation;
  }
  for (const Id& id : contents.slots.free) {
    store->generations[id.slot] = id.generation;
    if (id.generation != 0) {  // else it is used up
      store->free_slots.push_back(id.slot);
    } else {
      store->used_up.push_back(id.slot);
    }
  }
  store->points = store->generation->points().size();
  files->sequence = contents.slots.sequence;
  store->files = std::move(files);
  store->flushed = contents.slots.sequence;
  store->begin();
  JUXTA_TRY(replay_logs(*store, contents.slots.number));
  remove_leftovers(store->files->path);  // not before all of it is read
  for (std::uint64_t old = contents.slots.number; old-- > 0 && exists(store->files->log_path(old));) {
    remove_file(store->files->log_path(old));  // of a merge after which the program ended
  }
  store->set_merge_from(store->generation->frozen().size() / 10);
  store->publish();
  return store;
}

Result<void> sync_files(LiveStore& store, std::uint64_t sequence) {
  const core_detail::Lock flushing(store.flushing);
  if (store.flushed >= sequence) {
    return {};
  }
  if (store.flush_failed !=
      0) {  // the system forgets what it could not write, and a second try would succeed
    return fail(ErrorCode::kIo, "the disk has failed before: changes are safe again after the next merge");
  }
  std::vector<std::shared_ptr<LiveLog>> logs;
  std::uint64_t written = 0;
  {
    const core_detail::Lock lock(store.changes);
    if (store.files == nullptr) {
      return {};
    }
    logs = store.files->old_logs;
    logs.push_back(store.files->log);
    written = store.files->sequence;
  }
  for (const std::shared_ptr<LiveLog>& log : logs) {
    if (auto done = log->flush(); !done) {
      store.flush_failed = written;
      return done;
    }
  }
  store.flushed = written;
  return {};
}

Result<void> read_log_of(const std::string& path, FunctionRef<bool(const LiveLogRow&)> visit) {
  LiveFiles files;
  files.path = path;
  JUXTA_TRY_LET(LiveFileContents contents, load_live_file(path, huge_page_resource()));
  while (!exists(files.log_path(contents.slots.number))) {  // a merge has come between
    const std::uint64_t before = contents.slots.number;
    JUXTA_TRY_LET(contents, load_live_file(path, huge_page_resource()));
    if (contents.slots.number == before) {
      return fail(ErrorCode::kCorruptFile, files.log_path(before) + " is missing");
    }
  }
  std::uint64_t sequence = contents.slots.sequence;
  bool goes_on = true;
  const auto apply = [&](std::uint64_t change, std::span<const LiveLogEntry> entries) -> Result<void> {
    for (const LiveLogEntry& entry : entries) {
      const LiveRecord& r = entry.record;
      const RankedPoint point = point_of(contents.types, r);
      const Id id = {r.slot, r.generation};
      goes_on = goes_on && visit({change, id, entry.is_erased, entry.is_erased ? RankedPoint{} : point});
    }
    return {};
  };
  for (std::uint64_t number = contents.slots.number; goes_on && exists(files.log_path(number)); ++number) {
    JUXTA_TRY_LET(const LiveLog::Contents read,
                  LiveLog::read(files.log_path(number), number, contents.types, sequence, apply));
    sequence = read.sequence;
  }
  return {};
}

}  // namespace juxta::ranked_detail

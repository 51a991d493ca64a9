// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/cluster/mpi_ranks.h"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "juxta/core/try.h"

namespace juxta {

struct MpiRanks::State {
  MPI_Comm own;
  std::vector<MPI_Request> requests = {};  // that start() made
  int poked = MPI_SUCCESS;                 // what went wrong with them in poke()
};

namespace {

/// MPI counts in int.
constexpr std::size_t kPiece = std::size_t{1} << 30;

Result<void> check(int code, const char* what) {
  if (code == MPI_SUCCESS) {
    return {};
  }
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  return fail(ErrorCode::kIo, std::string("MPI: ") + what + ": " +
                                  std::string(text.data(), static_cast<std::size_t>(length)));
}

/// Calls piece(offset, bytes, tag) for all pieces of a message; the first error ends it.
template <class Piece>
Result<void> for_each_piece(std::size_t bytes, Piece&& piece) {
  int tag = 0;
  for (std::size_t at = 0; at < bytes; at += kPiece, ++tag) {
    JUXTA_TRY(piece(at, static_cast<int>(std::min(kPiece, bytes - at)), tag));
  }
  return {};
}

}  // namespace

MpiRanks::MpiRanks(Owned<State> state, std::uint32_t rank, std::uint32_t size) noexcept
    : state_(std::move(state)), rank_(rank), size_(size) {}

MpiRanks::~MpiRanks() {
  int ended = 0;
  MPI_Finalized(&ended);
  if (ended == 0) {
    MPI_Comm_free(&state_->own);
  }
}

Result<Owned<MpiRanks>> MpiRanks::build_from(const void* communicator, std::size_t bytes) {
  MPI_Comm given = MPI_COMM_NULL;
  if (bytes != sizeof given) {  // NOLINT(bugprone-sizeof-expression): in Open MPI a handle is a pointer
    return fail(ErrorCode::kInvalidArgument,
                "MpiRanks: this is no communicator of the MPI that juxta::cluster was built with");
  }
  std::memcpy(&given, communicator, bytes);
  int begun = 0, ended = 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&ended);
  if (begun == 0 || ended != 0) {
    return fail(ErrorCode::kInvalidArgument, "MpiRanks: MPI is not running: call MPI_Init() first");
  }
  MPI_Comm own = MPI_COMM_NULL;
  JUXTA_TRY(check(MPI_Comm_dup(given, &own), "no communicator of one's own"));
  int rank = 0, size = 1;
  MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
  MPI_Comm_rank(own, &rank);
  MPI_Comm_size(own, &size);
  return Owned<MpiRanks>(new MpiRanks(make_owned<State>(State{own}), static_cast<std::uint32_t>(rank),
                                      static_cast<std::uint32_t>(size)));
}

Result<void> MpiRanks::all_gather(std::span<const std::byte> mine, std::span<std::byte> all) {
  if (mine.empty()) {
    return {};
  }
  // One element of so many bytes from each, since the bytes of all may be more than an int counts.
  if (mine.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    return fail(ErrorCode::kTooLarge, "MPI: more than 2 GiB from each rank at once");
  }
  MPI_Datatype block = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(static_cast<int>(mine.size()), MPI_BYTE, &block);
  MPI_Type_commit(&block);
  const int code = MPI_Allgather(mine.data(), 1, block, all.data(), 1, block, state_->own);
  MPI_Type_free(&block);
  return check(code, "all_gather");
}

Result<void> MpiRanks::swap(std::span<const std::uint64_t> to, std::span<std::uint64_t> from) {
  return check(MPI_Alltoall(to.data(), 1, MPI_UINT64_T, from.data(), 1, MPI_UINT64_T, state_->own), "swap");
}

Result<void> MpiRanks::start(std::span<const RankSend> sends, std::span<const RankReceive> receives) {
  auto& requests = state_->requests;
  for (const RankReceive& receive : receives) {  // first, so that what arrives has its place
    JUXTA_TRY(for_each_piece(receive.bytes.size(), [&](std::size_t at, int bytes, int tag) {
      return check(MPI_Irecv(receive.bytes.data() + at, bytes, MPI_BYTE, static_cast<int>(receive.rank), tag,
                             state_->own, &requests.emplace_back()),
                   "receive");
    }));
  }
  for (const RankSend& send : sends) {
    JUXTA_TRY(for_each_piece(send.bytes.size(), [&](std::size_t at, int bytes, int tag) {
      return check(MPI_Isend(send.bytes.data() + at, bytes, MPI_BYTE, static_cast<int>(send.rank), tag,
                             state_->own, &requests.emplace_back()),
                   "send");
    }));
  }
  return {};
}

void MpiRanks::poke() noexcept {
  auto& requests = state_->requests;
  int all = 0;
  const int code = MPI_Testall(static_cast<int>(requests.size()), requests.data(), &all, MPI_STATUSES_IGNORE);
  state_->poked = code != MPI_SUCCESS ? code : state_->poked;
}

Result<void> MpiRanks::finish() {
  auto& requests = state_->requests;
  const int poked = std::exchange(state_->poked, MPI_SUCCESS);
  const int code = MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  requests.clear();
  return check(poked != MPI_SUCCESS ? poked : code, "wait");
}

}  // namespace juxta

// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A flock over the processes of MPI, begun as docs/how-to/cluster.md shows; without mpirun that is one.
#include <juxta/agents/flock.h>
#include <juxta/cluster/mpi_ranks.h>
#include <mpi.h>

namespace {

bool fly() {
  auto ranks = juxta::MpiRanks::build(MPI_COMM_WORLD);
  auto flock = juxta::Flock::build();
  if (!ranks || !flock || !flock->scatter((*ranks)->rank() == 0 ? 100 : 0, 1) ||
      !flock->distribute(**ranks) || !flock->step()) {
    return false;
  }
  const auto all = flock->gather();
  return all && ((*ranks)->rank() != 0 || all->size() == 100);
}

}  // namespace

int main(int argc, char** argv) {
  if (juxta::MpiRanks::build(MPI_COMM_WORLD)) {
    return 1;  // MPI is not running yet
  }
  MPI_Init(&argc, &argv);
  const bool flew = fly();
  MPI_Finalize();
  return flew ? 0 : 1;
}

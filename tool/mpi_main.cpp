// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The juxta-mpi command: models and sweeps over the processes of mpirun. Exit codes as those of juxta.
#include <fmt/format.h>
#include <juxta/cluster/mpi_ranks.h>
#include <juxta/version.h>
#include <mpi.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <sstream>

#include "tool/arguments.h"
#include "tool/commands.h"
#include "tool/console.h"
#include "tool/flock.h"
#include "tool/model.h"
#include "tool/mpi_sweep.h"

namespace {

int run_command(juxta::Ranks& ranks, int argc, char** argv) {
  using namespace juxta::tool;
  CLI::App app("Juxta over MPI: mpirun -n RANKS juxta-mpi COMMAND", "juxta-mpi");
  app.set_version_flag("--version", "juxta-mpi " JUXTA_VERSION_STRING);
  app.require_subcommand(1);
  Run run;
  // One thread a rank: mpirun starts as many ranks as there are cores.
  ModelSettings defaults;
  defaults.threads = 1;
  defaults.ranks = &ranks;
  defaults.command = "juxta-mpi model";
  defaults.sweep_over_ranks = run_sweep_over_mpi;
  add_flock(app, run, &ranks);
  add_model(app, run, defaults);
  add_sweep(app, run, defaults);
  try {
    app.parse(joined_arguments(argc, argv));
  } catch (const CLI::Success& request) {  // --help, --version
    std::ostringstream out, none;
    const int status = app.exit(request, out, none);
    return print(out.str()) ? status : kFailed;
  } catch (const CLI::ParseError& error) {
    return complain(std::string(error.what()) + ": see juxta-mpi --help");
  }
  return run();
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) {
    std::fputs("juxta-mpi: MPI does not start: run it with mpirun\n", stderr);
    return juxta::tool::kFailed;
  }
  int status = juxta::tool::kFailed;
  try {
    juxta::tool::begin_console();
    juxta::tool::end_on(SIGUSR1);  // mpirun hands it on; of Ctrl-C it leaves a rank a second
    if (auto ranks = juxta::MpiRanks::build(MPI_COMM_WORLD); ranks) {
      if ((*ranks)->rank() != 0) {
        juxta::tool::be_silent();
      }
      status = run_command(**ranks, argc, argv);
    } else {
      juxta::tool::complain(ranks.error());
    }
    status = juxta::tool::finish_output(status);
  } catch (const std::bad_alloc&) {
    // The others wait for this rank: end them too.
    std::fputs("juxta-mpi: not enough memory: use more ranks, or a smaller model\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, status);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "juxta-mpi: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, status);
  }
  if (status != 0) {
    juxta::tool::be_silent();  // all is said; mpirun ends us with a signal as soon as another rank has ended
  }
  MPI_Finalize();
  return status;
}

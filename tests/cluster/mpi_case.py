# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What the tests of juxta-mpi share: the program under mpirun, and its ranks as processes."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

JUXTA_MPI = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tool"))
from model_case import JUXTA  # noqa: E402  (it takes the next word of the command line)

# More ranks than cores, which then give way to each other; also in containers, where everybody is root.
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
       "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_hwloc_base_binding_policy": "none"}


def command(ranks, *arguments):
    return ["mpirun", "-n", str(ranks), JUXTA_MPI, *map(str, arguments)]


def runs(rank):
    try:
        return os.readlink(f"/proc/{rank}/exe") == str(JUXTA_MPI)
    except OSError:
        return False  # it has ended, even if nobody has asked how


class MpiCase(unittest.TestCase):
    def setUp(self):
        if shutil.which("mpirun") is None:
            print("mpirun is missing: scripts/install_packages mpi brings it")
            sys.exit(77)
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)

    def tearDown(self):
        self.scratch.cleanup()

    def over(self, ranks, *arguments, env=None):
        return subprocess.run(command(ranks, *arguments), capture_output=True, text=True, timeout=250,
                              env={**os.environ, **MPI, **(env or {})})

    def done(self, ranks, *arguments, env=None):
        done = self.over(ranks, *arguments, env=env)
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        return done.stdout

    def state(self, ranks, *arguments, env=None):
        """The state at the end, of juxta itself when ranks is 0."""
        if ranks == 0:
            done = subprocess.run([JUXTA, *map(str, arguments), "--json"], capture_output=True, text=True, timeout=250)
            self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
            return json.loads(done.stdout)["state"]
        report = json.loads(self.done(ranks, *arguments, "--json", env=env))
        self.assertEqual((report["ranks"], report["threads"]), (ranks, 1))
        return report["state"]

    def refused(self, ranks, code, *arguments):
        """One rank says why; what mpirun adds is its own."""
        done = self.over(ranks, *arguments)
        self.assertEqual((done.returncode, done.stdout), (code, ""), f"{arguments}: {done.stderr}")
        ours = [line for line in done.stderr.splitlines() if line.startswith("juxta")]
        self.assertEqual(len(ours), 1, done.stderr)
        return ours[0]

    def start(self, ranks, *arguments):
        process = subprocess.Popen(command(ranks, *arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, **MPI})
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        process.kill()
        process.communicate()

    def ranks_of(self, process):
        """Process numbers of the ranks, which are children of mpirun."""
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
        return [int(child) for child in children.read_text().split() if runs(child)]

    def wait_for(self, process, there):
        deadline = time.time() + 120
        while not there() and process.poll() is None and time.time() < deadline:
            time.sleep(.005)
        self.assertIsNone(process.poll(), "ended too early")
        self.assertTrue(there())

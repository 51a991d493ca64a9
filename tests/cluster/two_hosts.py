# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Two hosts on one machine: network namespaces with addresses and host names of their own, and a cable between them."""
import os
import pathlib
import shutil
import subprocess

ADDRESSES = ("10.77.0.1", "10.77.0.2")
AGENT = """#!/bin/bash
# mpirun calls this in place of ssh: HOST COMMAND...
shift
exec ip netns exec {second} unshare --uts bash -c "hostname {second}; $*"
"""


class TwoHosts:
    def __init__(self, folder):
        self.names = [f"juxta{os.getpid()}{which}" for which in "ab"]
        self.agent = pathlib.Path(folder) / "agent"

    def __enter__(self):
        """Errors: OSError where the machine does not let us."""
        if shutil.which("ip") is None or shutil.which("unshare") is None:
            raise OSError("ip or unshare is missing")
        try:
            for name in self.names:
                self.ip("netns", "add", name)
            first, second = self.names
            self.ip("link", "add", "cable", "netns", first, "type", "veth", "peer", "name", "cable", "netns", second)
            for name, address in zip(self.names, ADDRESSES):
                self.ip("-n", name, "addr", "add", f"{address}/24", "dev", "cable")
                for link in ("lo", "cable"):
                    self.ip("-n", name, "link", "set", link, "up")
        except OSError:
            self.__exit__()
            raise
        self.agent.write_text(AGENT.format(second=second), encoding="utf-8")
        self.agent.chmod(0o755)
        return self

    def __exit__(self, *_):
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], capture_output=True)

    @staticmethod
    def ip(*words):
        done = subprocess.run(["ip", *words], capture_output=True, text=True)
        if done.returncode != 0:
            raise OSError(f"ip {' '.join(words)}: {done.stderr.strip()}")

    def command(self, ranks_each, *program):
        """mpirun on the first host, with as many ranks on each."""
        hosts = ",".join(f"{address}:{ranks_each}" for address in ADDRESSES)
        words = ["mpirun", "--host", hosts, "--mca", "plm_rsh_agent", str(self.agent), "--mca", "btl", "self,tcp",
                 "--mca", "btl_tcp_if_include", "10.77.0.0/24", "--mca", "oob_tcp_if_include", "10.77.0.0/24",
                 "-n", str(2 * ranks_each), *map(str, program)]
        return ["ip", "netns", "exec", self.names[0], "unshare", "--uts", "bash", "-c",
                f"hostname {self.names[0]}; exec {' '.join(words)}"]

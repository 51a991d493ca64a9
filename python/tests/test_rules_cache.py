# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""The cache of juxta.compile_rules and the compilers behind it: everything that can be wrong with them."""

import os
import stat
import subprocess
import sys
import textwrap
import threading
import time

import pytest
from test_rules import CONTACTS

import juxta
from juxta import _compile
from juxta._cache import Cache


@pytest.fixture(autouse=True, scope="module")
def compiler():
    try:
        _compile.find_compiler()
    except juxta.errors.IoError as error:
        pytest.skip(str(error))


@pytest.fixture
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("JUXTA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(_compile, "_loaded", {})
    return tmp_path / "cache" / "rules"


def test_the_same_text_is_compiled_once(own_cache, monkeypatch):
    text = CONTACTS + "// once\n"
    juxta.compile_rules(text)
    made = sorted(path.name for path in own_cache.iterdir() if not path.name.startswith("."))
    assert len(made) == 2 and made[0].endswith(".sha256") and made[1].endswith(".so")
    assert not [*own_cache.glob(".making-*")] and stat.S_IMODE(own_cache.stat().st_mode) == 0o700

    def refuse(*arguments, **options):
        raise AssertionError("compiled again")

    monkeypatch.setattr(_compile.subprocess, "run", refuse)
    juxta.compile_rules(text)
    monkeypatch.setattr(_compile, "_loaded", {})
    began = time.perf_counter()
    assert [*juxta.compile_rules(text)] == ["Contacts"]
    assert time.perf_counter() - began < 0.5
    with pytest.raises(AssertionError, match="compiled again"):
        juxta.compile_rules(text + "// another one\n")


@pytest.mark.parametrize("damage", [b"", b"not a library", None])
def test_a_damaged_file_is_made_again(own_cache, monkeypatch, damage):
    text = CONTACTS + "// damaged\n"
    key = _compile.key_of(text, _compile.find_compiler())
    own_cache.mkdir(parents=True, mode=0o700)
    (own_cache / f"{key}.so").write_bytes(b"x" if damage is None else damage)
    if damage is None:
        (own_cache / f"{key}.sha256").write_text("0" * 64)
    assert [*juxta.compile_rules(text)] == ["Contacts"]


def test_what_others_could_have_written_is_not_loaded(own_cache, monkeypatch):
    text = CONTACTS + "// of others\n"
    juxta.compile_rules(text)
    monkeypatch.setattr(_compile, "_loaded", {})
    (library,) = own_cache.glob("*.so")
    os.chmod(own_cache, 0o777)
    with pytest.raises(juxta.errors.IoError, match="others may write to .*rules.*chmod go-w.*JUXTA_CACHE"):
        juxta.compile_rules(text)
    os.chmod(own_cache, 0o700)
    os.chmod(library, 0o722)
    with pytest.raises(OSError, match="others may write to"):
        juxta.compile_rules(text)
    os.chmod(library, 0o700)
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    with pytest.raises(OSError, match="belongs to another user"):
        juxta.compile_rules(text)
    monkeypatch.undo()


def test_a_link_is_not_followed(own_cache, tmp_path):
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    own_cache.parent.mkdir()
    own_cache.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(juxta.errors.IoError, match="is a link"):
        juxta.compile_rules(CONTACTS + "// link\n")


def test_a_cache_that_cannot_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("JUXTA_CACHE", str(tmp_path / "file"))
    with pytest.raises(juxta.errors.IoError, match="cannot be used: Not a directory. Or set JUXTA_CACHE"):
        juxta.compile_rules(CONTACTS + "// no folder\n")
    if os.getuid() != 0:  # rights do not bind the superuser
        (tmp_path / "closed").mkdir(mode=0o500)
        monkeypatch.setenv("JUXTA_CACHE", str(tmp_path / "closed/cache"))
        with pytest.raises(juxta.errors.IoError, match="Permission denied"):
            juxta.compile_rules(CONTACTS + "// closed\n")
    monkeypatch.delenv("JUXTA_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")  # is to be ignored
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert Cache.of_user("rules").folder == tmp_path / "home/.cache/juxta/rules"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert Cache.of_user("rules").folder == tmp_path / "xdg/juxta/rules"


def test_a_full_disk(own_cache):
    """A limit on the size of files stands for it: the write fails half way."""
    text = CONTACTS + "// full\n"
    program = f"""
        import resource, signal, juxta
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
        try:
            juxta.compile_rules({text!r})
        except juxta.errors.IoError as error:
            print("told:", error)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True)
    assert done.stdout.startswith("told: "), done.stdout + done.stderr
    assert not [*own_cache.glob("*.so")] and not [*own_cache.glob(".making-*")]
    assert [*juxta.compile_rules(text)] == ["Contacts"]


def script(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def test_compilers_that_fail(own_cache, tmp_path, monkeypatch):
    for variable in ("JUXTA_CXX", "CXX"):
        monkeypatch.setenv(variable, str(tmp_path / "none"))
        with pytest.raises(juxta.errors.IoError, match=f"{variable} is .*no such program. Install one"):
            juxta.compile_rules(CONTACTS)
        monkeypatch.delenv(variable)
    monkeypatch.setattr(_compile.shutil, "which", lambda name: None)
    with pytest.raises(juxta.errors.IoError, match="there is no C\\+\\+ compiler.*Debian: g\\+\\+"):
        juxta.compile_rules(CONTACTS)
    monkeypatch.undo()
    monkeypatch.setenv("JUXTA_CACHE", str(own_cache.parent))
    for text, error, sentence in [
        ("echo 'write: No space left on device' >&2; exit 1", OSError, "No space left on device"),
        ("kill -9 $$", OSError, "was ended by signal 9"),
        ("exit 3", OSError, "cxx failed: it said nothing"),
        ("echo nonsense > rules.so", juxta.errors.CorruptFile, "cannot be loaded.*The file was removed"),
        ("true", OSError, "No such file"),
    ]:
        monkeypatch.setenv("JUXTA_CXX", script(tmp_path / "cxx", text))
        with pytest.raises(error, match=sentence):
            juxta.compile_rules(CONTACTS)
        assert not [*own_cache.glob("*.so")] and not [*own_cache.glob(".making-*")]


def test_a_compiler_with_words_behind_it(own_cache, monkeypatch):
    (plain,) = _compile.find_compiler()
    monkeypatch.setenv("JUXTA_CXX", f"env {plain} -DGAIN=3.0F")
    text = CONTACTS.replace("gain = 2", "gain = GAIN")
    assert juxta.compile_rules(text)["Contacts"].parameters["gain"] == 3
    monkeypatch.setenv("JUXTA_CXX", f"env {plain} -DGAIN=4.0F")
    assert juxta.compile_rules(text)["Contacts"].parameters["gain"] == 4


def test_processes_and_threads_at_once(own_cache, tmp_path, monkeypatch):
    """Six of them want the same rules: one compiles, all have them."""
    counter = tmp_path / "runs"
    real = _compile.find_compiler()
    monkeypatch.setenv("JUXTA_CXX", script(tmp_path / "cxx", f'echo run >> {counter}\nexec {" ".join(real)} "$@"'))
    program = f"import juxta; print(*juxta.compile_rules({CONTACTS!r}))"
    others = [subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    found = []
    threads = [threading.Thread(target=lambda: found.extend(juxta.compile_rules(CONTACTS))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ["Contacts"] * 3
    assert [other.communicate(timeout=120)[0].strip() for other in others] == ["Contacts"] * 3
    assert counter.read_text().split() == ["run"]


def test_what_a_killed_process_left_is_removed(own_cache):
    old, new = own_cache / ".making-old", own_cache / ".making-new"
    own_cache.mkdir(parents=True, mode=0o700)
    for folder in (old, new):
        folder.mkdir()
        (folder / "rules.cpp").write_text("")
    os.utime(old, (0, 0))
    juxta.compile_rules(CONTACTS + "// left\n")
    assert not old.exists() and new.exists()

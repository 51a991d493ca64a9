# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""juxta.sector: the same battle as the command's, tables, ships, checkpoints."""

import os
import signal
import threading

import numpy as np
import pytest
from command import run_json

import juxta

pytest.importorskip("juxta._study", reason="built without the battle")
SMALL = {"world.ships": 60, "world.spawn_points": 20, "world.asteroids": 4}


def test_bits_of_the_command():
    told = run_json("sector", "skirmish", "--ticks", 40, "--seed", 3)
    battle = juxta.sector.run("skirmish", ticks=40, seed=3, threads=2)
    assert f"{battle.state_hash:016x}" == told["state"] and battle.tick == told["tick"]
    last = battle.table[-1]
    for name, number in told["living"].items():
        assert last[name.replace(" ", "_")] == number, name
    for name, number in told["happened"].items():
        assert battle.table[name.replace(" ", "_")].sum() == number, name


def test_table_and_ships():
    battle = juxta.sector.run("skirmish", ticks=25, set=SMALL, ships_every=10)
    table = battle.table
    assert table["tick"].tolist() == [*range(26)] and {table.dtype[name] for name in table.dtype.names} == {np.dtype("i8")}
    assert [*battle.ships] == [0, 10, 20, 25]
    for tick, ships in battle.ships.items():
        assert len(ships) == table["ships_0"][tick] + table["ships_1"][tick]
        assert np.bincount(ships["faction"].astype(int), minlength=2).tolist() == [table[f"ships_{f}"][tick] for f in (0, 1)]
    half = [juxta.sector.parameters("skirmish")[f"world.{edge}"].value / 2 for edge in ("width", "depth", "height")]
    for axis, most in zip("xyz", half):
        assert np.abs(battle.ships[25][axis]).max() <= most
    stayed = np.isin(battle.ships[20]["id"], battle.ships[25]["id"])
    assert stayed.any() and battle.ships[20]["id"].dtype == np.uint64


def test_parameters():
    assert juxta.sector.presets() == ["skirmish", "battle", "mission5", "fleets"]
    battle, skirmish = juxta.sector.parameters(), juxta.sector.parameters("skirmish")
    assert battle.keys() == skirmish.keys() and battle["world.ships"].value == 12000
    assert skirmish["world.ships"].whole and not skirmish["steer.sight"].whole
    for p in battle.values():
        assert p.lo <= p.value <= p.hi and p.what


def test_a_scenario_of_a_file_and_of_its_own_text(tmp_path):
    (tmp_path / "ambush.toml").write_text('preset = "skirmish"\nname = "ambush"\nseed = 7\n[world]\nships = 60\n')
    battle = juxta.sector.run(tmp_path / "ambush.toml", ticks=3)
    assert battle.name == "ambush" and battle.seed == 7 and "ambush" in repr(battle)
    (tmp_path / "same.toml").write_text(battle.scenario)
    assert juxta.sector.run(tmp_path / "same.toml", ticks=3).state_hash == battle.state_hash
    assert juxta.sector.run("skirmish", ticks=3, seed=7, set={"world.ships": 60}).state_hash == battle.state_hash


def test_parts_threads_and_checkpoints(tmp_path):
    whole = juxta.sector.run("skirmish", ticks=20, set=SMALL)
    parts = juxta.sector.begin("skirmish", set=SMALL, threads=2).advance(8, threads=3)
    parts.save(tmp_path / "checkpoint")
    loaded = juxta.sector.load(tmp_path / "checkpoint", ships_every=5)
    assert loaded.tick == 8 and loaded.state_hash == parts.state_hash
    loaded.advance(12, threads=2)
    parts.advance(12)
    assert loaded.state_hash == parts.state_hash == whole.state_hash
    assert loaded.table[1:].tobytes() == whole.table[9:].tobytes()
    assert parts.table.tobytes() == whole.table.tobytes() and [*loaded.ships] == [10, 15, 20]
    with pytest.raises(juxta.Error):
        juxta.sector.load(tmp_path)


def test_draw_and_pandas():
    battle = juxta.sector.run("skirmish", ticks=2, set=SMALL)
    picture = battle.draw(150)
    assert picture.dtype == np.uint8 and picture.shape == (150, 150, 3)
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 3
    pytest.importorskip("pandas")
    assert battle.to_pandas()["tick"].tolist() == [0, 1, 2]
    assert [*battle.ships.to_pandas().columns[:2]] == ["step", "id"]


def test_ctrl_c_ends_between_two_ticks():
    threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()  # a battle begins in less
    with pytest.raises(KeyboardInterrupt) as stopped:
        juxta.sector.run("skirmish", ticks=10_000_000, set=SMALL)
    battle = stopped.value.battle
    done = battle.tick
    assert done > 0 and battle.table["tick"].tolist() == [*range(done + 1)]
    battle.advance(3)
    assert battle.state_hash == juxta.sector.run("skirmish", ticks=done + 3, set=SMALL).state_hash


@pytest.mark.parametrize(
    "options,error,sentence",
    [
        ({"preset": "skirmish2"}, (KeyError, OSError), "skirmish2"),
        ({"set": {"ships": 5}}, KeyError, "no number 'ships': juxta.sector.parameters"),
        ({"set": {"world.ships": 1.5}}, ValueError, "world.ships: give a whole number from 0 to"),
        ({"set": {"world.ships": 1e12}}, ValueError, "world.ships: give"),
        ({"set": {"steer.sight": float("nan")}}, ValueError, "steer.sight: give a number"),
        ({"set": {"fighter.speed_min": 70, "fighter.speed_max": 60}}, ValueError, "speed_min"),
        ({"seed": -1}, ValueError, "seed is -1"),
        ({"ticks": -1}, ValueError, "ticks is -1"),
        ({"ticks": 1.5}, TypeError, "ticks is 1.5"),
        ({"ships_every": 0}, ValueError, "ships_every is 0"),
        ({"threads": -2}, ValueError, "threads is -2"),
        ({"progress": 3}, TypeError, "progress is neither"),
        ({"preset": 5}, TypeError, ""),
    ],
)
def test_wrong_arguments(options, error, sentence):
    with pytest.raises(error, match=sentence):
        juxta.sector.run(**{"preset": "skirmish", "ticks": 1, **options})

"""The cache of compiled code: never stale, never trusted when damaged, never in the way."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import uhp_engine
from uhp_engine import warmup
from uhp_engine.core import jit

PACKAGE = Path(uhp_engine.__file__).parent
SCRIPT = "newgame Base+MLP\nperft 3\nbestmove depth 1\nexit\n"
RIGHT = "6678"


def play(cache: Path | None = None, package: Path = PACKAGE, **variables: str):
    environment = {**os.environ, "PYTHONPATH": str(package.parent), **variables}
    if cache is not None:
        environment["UHP_ENGINE_CACHE_DIR"] = str(cache)
    return subprocess.Popen(
        [sys.executable, "-m", "uhp_engine"],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd="/",
    )


def finish(process) -> tuple[str, str]:
    out, err = process.communicate(SCRIPT, timeout=120)
    assert process.returncode == 0, err
    return out, err


@pytest.fixture(scope="module")
def sealed(tmp_path_factory) -> Path:
    """A cache folder filled by one run of the engine."""
    cache = tmp_path_factory.mktemp("cache")
    out, err = finish(play(cache))
    assert RIGHT in out
    assert "compiling for this machine" in err
    return cache


def copy_of(cache: Path, to: Path) -> Path:
    shutil.copytree(cache, to)
    os.chmod(to, 0o700)
    return to


@pytest.mark.slow
def test_a_second_start_compiles_nothing(sealed):
    out, err = finish(play(sealed))
    assert RIGHT in out
    assert err == ""
    assert len([folder for folder in (sealed / "compiled").iterdir() if folder.is_dir()]) == 1


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["truncated index", "changed code"])
def test_a_damaged_cache_is_compiled_anew(sealed, tmp_path, damage):
    cache = copy_of(sealed, tmp_path / "cache")
    victim = sorted(cache.rglob("*.nbi" if damage == "truncated index" else "*.nbc"))[0]
    content = victim.read_bytes()
    victim.write_bytes(content[:40] if damage == "truncated index" else content[:-9] + b"?" * 9)
    out, err = finish(play(cache))
    assert RIGHT in out
    assert "compiling" in err
    assert finish(play(cache))[1] == ""


@pytest.mark.slow
def test_several_first_starts_at_once_compile_once(tmp_path):
    cache = tmp_path / "cache"
    processes = [play(cache) for _ in range(3)]
    for process in processes:
        process.stdin.write(SCRIPT)
        process.stdin.close()
        process.stdin = None
    outs = [process.communicate(timeout=180) for process in processes]
    assert all(process.returncode == 0 for process in processes)
    assert all(RIGHT in out for out, _ in outs)
    assert len([folder for folder in (cache / "compiled").iterdir() if folder.is_dir()]) == 1


@pytest.mark.slow
def test_a_changed_kernel_never_runs_stale(sealed, tmp_path):
    """Edit a kernel that other files' kernels call: the callers must see the change."""
    package = tmp_path / "install" / "uhp_engine"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    cache = copy_of(sealed, tmp_path / "cache")
    source = (package / "core" / "reach.py").read_text()
    slides = "return list_steps(s, at, piece, cell, SLIDES[ring(s, cell)]"
    changed = source.replace(slides, f"{slides} * 0")
    assert changed != source
    (package / "core" / "reach.py").write_text(changed)
    position = "newgame Base;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-\nvalidmoves\nperft 2\nexit\n"
    out, _ = play(cache, package).communicate(position, timeout=120)
    assert not out.splitlines()[5].startswith("wQ ")  # the queen no longer slides
    out, _ = play(cache).communicate(position, timeout=120)
    assert out.splitlines()[5].startswith("wQ ")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="permissions and HOME are POSIX's")
def test_a_read_only_install_without_a_home_folder_plays(tmp_path):
    package = tmp_path / "install" / "uhp_engine"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    for path in [package, *package.rglob("*")]:
        os.chmod(path, 0o555 if path.is_dir() else 0o444)
    nowhere = str(tmp_path / "no-such-home" / "below")
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    try:
        out, _ = finish(
            play(
                None, package, HOME="/proc/none", XDG_CACHE_HOME="/proc/none", TMPDIR=str(temporary)
            )
        )
        assert RIGHT in out
        assert not Path(nowhere).exists()
        out, _ = finish(
            play(None, package, HOME="/proc/none", XDG_CACHE_HOME="/proc/none", TMPDIR="/proc/none")
        )
        assert RIGHT in out
    finally:
        for path in [package, *package.rglob("*")]:
            os.chmod(path, 0o755 if path.is_dir() else 0o644)


@pytest.mark.skipif(os.name != "posix", reason="ownership is POSIX's")
def test_a_folder_that_others_may_write_is_refused(tmp_path):
    folder = tmp_path / "shared"
    folder.mkdir()
    os.chmod(folder, 0o777)
    assert not jit._usable(folder)
    os.chmod(folder, 0o700)
    assert jit._usable(folder)


def test_what_is_not_ours_is_left_alone(tmp_path, monkeypatch):
    """The folder that was named may hold anything; ours are told by their names."""
    old = 1_000_000_000
    monkeypatch.setenv("UHP_ENGINE_CACHE_DIR", str(tmp_path))
    base = jit.cache_base()
    assert base is not None
    assert base.parent == tmp_path
    stale = f"{'0' * 20}-123-unsealed"
    for folder in (tmp_path / "thesis", base / "thesis", base / stale):
        folder.mkdir()
        os.utime(folder, (old, old))
    jit._drop_stale_folders(base)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["compiled", "thesis"]
    assert [path.name for path in base.iterdir()] == ["thesis"]


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="ulimit is POSIX's")
def test_a_full_disk_costs_the_cache_and_nothing_else(tmp_path):
    """No file may grow beyond some kilobytes: the code can't be kept, the game goes on."""
    command = f"ulimit -f 8; exec '{sys.executable}' -m uhp_engine"
    environment = {**os.environ, "UHP_ENGINE_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        ["bash", "-c", command],
        input=SCRIPT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert RIGHT in done.stdout
    assert "the compiled code cannot be kept" in done.stderr
    assert done.returncode == 0


def test_loading_twice_is_free():
    warmup.load()
    assert warmup.load() == 0.0

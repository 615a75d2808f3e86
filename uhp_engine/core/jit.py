"""The house decorator for kernels, and the folder where their machine code is kept.

numba checks a cached function against its own source file alone, so an edited callee in another
file would go on running as stale code inside its cached callers. The cache folder's name
therefore holds a fingerprint of every kernel file (and of numba, Python and the CPU): any change
anywhere means a new folder. A folder is filled under another name, then sealed with a list of
checksums and renamed, so that a damaged or half-filled one is never loaded.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import json
import os
import platform
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from llvmlite import binding as llvm
from numba.core.registry import CPUDispatcher

from .lean import Kernel, KernelCompiler

SEAL = "seal.json"
FOLDER_NAME = re.compile(r"[0-9a-f]{20}(-\d+-unsealed(-damaged)?)?")
SEALED_KEPT_SECONDS = 30 * 24 * 3600
UNSEALED_KEPT_SECONDS = 24 * 3600
LOCK_PATIENCE_SECONDS = 60.0
PACKAGE = Path(__file__).resolve().parent.parent
# Nobody calls a kernel from C, so no wrappers are compiled for that.
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
# And Python calls entry points alone: without the others' wrappers a cold start is 2 s shorter.
INNER_OPTIONS = {**OPTIONS, "no_cpython_wrapper": True}
KERNEL_ROOMS = ("core", "search")


def fingerprint() -> str:
    """Return a hash over all that machine code depends on: kernel sources, numba, Python, CPU."""
    digest = hashlib.sha256()
    for room in KERNEL_ROOMS:
        for path in sorted((PACKAGE / room).glob("*.py")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    settings = {name: value for name, value in os.environ.items() if name.startswith("NUMBA_")}
    libraries = (numba.__version__, llvmlite.__version__, np.__version__)
    cpu = (llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten())
    versions = (libraries, sys.version, platform.machine(), PACKAGE, cpu)
    digest.update(repr((versions, sorted(settings.items()))).encode())
    return digest.hexdigest()[:20]


def _usable(folder: Path) -> bool:
    """Say whether the folder can be made and written to by us, and by nobody else before us.

    Cached code is unpickled, so a folder that another user owns or may write to is refused, and
    so is a link that somebody may have laid.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        status = folder.lstat()
        if not stat.S_ISDIR(status.st_mode):
            return False
        if hasattr(os, "getuid") and (
            status.st_uid != os.getuid() or status.st_mode & (stat.S_IWOTH | stat.S_IWGRP)
        ):
            return False
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def cache_base() -> Path | None:
    """Return the folder that holds all cache folders, or None where nothing can be written.

    It is a folder of our own inside the one that was chosen, which may hold other things.
    """
    chosen = os.environ.get("UHP_ENGINE_CACHE_DIR")
    if chosen:
        candidates = [Path(chosen)]
    else:
        import platformdirs

        user = os.getuid() if hasattr(os, "getuid") else "user"
        candidates = [Path(tempfile.gettempdir()) / f"uhp-engine-cache-{user}"]
        # Without a home folder, or with one that is not there, the answer is no absolute path.
        with contextlib.suppress(RuntimeError, OSError):
            home_cache = Path(platformdirs.user_cache_dir("uhp-engine", appauthor=False))
            if home_cache.is_absolute():
                candidates.insert(0, home_cache)
    ours = (folder / "compiled" for folder in candidates)
    return next((folder for folder in ours if _usable(folder)), None)


def _checksums(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*.nb[ci]"))
    }


def is_sealed(folder: Path) -> bool:
    """Say whether the folder was filled to the end and every file is still as it was then."""
    try:
        sealed: dict[str, str] = json.loads((folder / SEAL).read_text())
        return bool(sealed) and all(
            hashlib.sha256((folder / name).read_bytes()).hexdigest() == checksum
            for name, checksum in sealed.items()
        )
    except (OSError, ValueError, AttributeError):
        return False


class CodeCache:
    """Where this process keeps its machine code; made once, before the first kernel is defined.

    Attributes:
        folder: what numba reads and writes now; None where nothing can be cached.
        target: the sealed folder's name, which `seal` renames `folder` to.
        warm: True where everything was compiled before and only needs loading.
        usable: False once something could not be written.
    """

    def __init__(self) -> None:
        self.base = cache_base()
        self.target = self.base / fingerprint() if self.base else None
        self.folder = self.target
        self.usable = True
        self.warm = self.target is not None and is_sealed(self.target)
        if self.target is not None and not self.warm:
            self.folder = self.target.with_name(f"{self.target.name}-{os.getpid()}-unsealed")
            atexit.register(shutil.rmtree, self.folder, ignore_errors=True)

    @contextlib.contextmanager
    def compiling(self) -> Iterator[None]:
        """Hold the right to compile: one process does it, the others wait for what it makes.

        Enter before the kernels are imported: what another process has sealed meanwhile is taken.
        """
        if self.base is None or self.target is None or self.warm:
            yield
            return
        with _locked(self.base / "compiling.lock"):
            if is_sealed(self.target):
                self.folder, self.warm = self.target, True
            yield

    def seal(self) -> None:
        """Declare everything compiled; later processes load this folder."""
        if self.warm or self.base is None or self.folder is None or self.target is None:
            return
        if not self.usable:
            return
        if self.target.name != fingerprint():
            return  # a kernel file was edited while we compiled: what we hold is neither version
        with contextlib.suppress(OSError):
            _drop_stale_folders(self.base)
            if self.target.exists() and not is_sealed(self.target):  # damaged
                os.rename(self.target, f"{self.folder}-damaged")
                shutil.rmtree(f"{self.folder}-damaged", ignore_errors=True)
            (self.folder / SEAL).write_text(json.dumps(_checksums(self.folder), indent=1))
            os.rename(self.folder, self.target)
            self.warm = True


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on a file, waiting for its present holder for a while.

    Where it can't be had the block runs all the same: the lock only saves work, since two
    processes may compile the same code without harm.
    """
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(ImportError, OSError):
            import fcntl  # not on Windows

            handle = stack.enter_context(path.open("a"))
            deadline = time.monotonic() + LOCK_PATIENCE_SECONDS
            while time.monotonic() < deadline:
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    time.sleep(0.02)
        yield


def _drop_stale_folders(base: Path) -> None:
    """Remove sealed folders unused for a month and what killed processes left a day ago."""
    now = time.time()
    for folder in base.iterdir():
        if not FOLDER_NAME.fullmatch(folder.name) or folder.is_symlink():
            continue
        keep = SEALED_KEPT_SECONDS if (folder / SEAL).exists() else UNSEALED_KEPT_SECONDS
        if folder.is_dir() and folder.stat().st_mtime < now - keep:
            shutil.rmtree(folder, ignore_errors=True)


code_cache = CodeCache()


@contextlib.contextmanager
def _numba_cache_at(folder: Path) -> Iterator[None]:
    """Point numba's cache at our folder while one kernel is defined; other users keep theirs."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function that other kernels call: no GIL, numpy's error model.

    Its code is cached with the entry points that call it. Python can't call it.

    Two things make kernels compile slowly. A literal or global integer given to another kernel
    has that one compiled for this very number: where it is large, give it `np.int64(0)`. And
    each caller optimises all that it calls once more: keep chains of calls short.
    """
    compiled = numba.njit(**INNER_OPTIONS, pipeline_class=KernelCompiler)(function)
    if isinstance(compiled, CPUDispatcher):  # not where NUMBA_DISABLE_JIT is set
        compiled.__class__ = Kernel
    return compiled


def uncached_entry(function: Callable[..., Any]) -> Any:
    """Compile a function that Python calls, anew in each process that does."""
    return numba.njit(**OPTIONS)(function)


def entry(function: Callable[..., Any]) -> Any:
    """Compile a function that Python calls, as `kernel` does, and cache its code on disk."""
    if code_cache.folder is None:
        return uncached_entry(function)
    options = {**OPTIONS, "cache": True}
    with _numba_cache_at(code_cache.folder):
        return numba.njit(**options)(function)

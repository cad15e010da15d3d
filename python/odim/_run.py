"""Runs long calls of the library with progress, and stops them if an exception such as KeyboardInterrupt occurs.

The call runs in its own thread. The caller's thread waits, so that Python can handle signals, and the user's progress
callback runs in the caller's thread. The library's callback only stores the progress and passes on a request to stop.
"""
from __future__ import annotations

import sys
import threading
import time
from ctypes import byref
from dataclasses import dataclass
from typing import Any, Callable, List, Optional, Union

from . import _native
from ._errors import check

_LOOK_EVERY = 0.1  # seconds


@dataclass(frozen=True)
class Progress:
    """The progress of a call."""

    scoring: bool
    "False: fitting, True: scoring or explaining. Fitting ends with scoring the training rows."
    members: int
    "Models in the ensemble."
    members_done: int
    "Those fitted so far."
    updates: int
    "Gradient updates so far, all members together."
    rows: int
    "Rows to score."
    rows_done: int
    "Rows scored so far."
    fraction: float
    "0 to 1, an estimate: how much of the stage is done."
    stage: str = ""
    """What is being done: "fitting", "scoring" or "explaining" (finding reasons)."""


ProgressCallback = Union[None, bool, Callable[[Progress], Any]]


class Bar:
    """A progress bar. It is shown only on a terminal and in notebooks, and removed at the end."""

    def __init__(self, stream=None) -> None:
        self.stream = sys.stderr if stream is None else stream
        self.shown = False
        self.start = time.monotonic()
        self.notebook = type(self.stream).__module__.startswith("ipykernel.")  # \r works there, escapes do not
        self.visible = self.stream is not None and (self.notebook or self.stream.isatty())

    def __call__(self, now: Progress) -> None:
        if not self.visible:
            return
        filled = int(round(now.fraction * 30))
        what = now.stage or ("scoring" if now.scoring else "fitting")
        seconds = time.monotonic() - self.start
        if not (now.rows if now.scoring else now.members):  # the duration of a classical method is unknown
            self._write(f"{what} {seconds:.1f} s")
            return
        part = f"{now.rows_done}/{now.rows} rows" if now.scoring else f"{now.members_done}/{now.members} members"
        self._write(f"{what} {100 * now.fraction:3.0f}% |{'#' * filled}{' ' * (30 - filled)}| {part}, {seconds:.1f} s")

    def _write(self, text: str) -> None:
        """Replaces the line."""
        self.stream.write(f"\r{text:<90}" if self.notebook else f"\r{text}\x1b[K")
        self.stream.flush()
        self.shown = True

    def close(self) -> None:
        if self.shown:
            self.stream.write(f"\r{'':90}\r" if self.notebook else "\r\x1b[K")
            self.stream.flush()


class _Call:
    """The state that the two threads share."""

    def __init__(self, native: Callable[..., int]) -> None:
        self.native = native
        self.error = _native.odim_error()
        self.status = _native.OK
        self.failure: Optional[BaseException] = None
        self.now: Optional[Progress] = None
        self.notes: List[str] = []
        self.cancel = False
        self.begun = False
        self.gate = threading.Lock()  # protects begun and cancel
        self.done = threading.Event()
        # ctypes keeps no reference to the callbacks while C uses them, so this object does.
        self.hooks = _native.odim_hooks(progress=_native.progress_function(self.see),
                                        note=_native.note_function(self.hear))

    def see(self, now, _user) -> int:
        p = now.contents
        self.now = Progress(p.stage in (_native.STAGE_SCORING, _native.STAGE_EXPLAINING), p.members, p.members_done,
                            p.updates, p.rows, p.rows_done, p.fraction, _native.lib.odim_stage_text(p.stage).decode())
        return int(self.cancel)

    def hear(self, text, _user) -> None:
        self.notes.append(text.decode("utf-8", "replace"))

    def work(self) -> None:
        with self.gate:
            self.begun = not self.cancel
        try:
            if self.begun:
                self.status = self.native(byref(self.hooks), byref(self.error))
        except BaseException as failure:  # before the library was called
            self.failure = failure
        finally:
            self.native = self.hooks = None  # breaks a reference cycle that would keep the caller's arrays alive
            self.done.set()

    def end(self) -> None:
        """Stops the call and always waits until it has ended, because it still uses the caller's arrays."""
        with self.gate:
            self.cancel = True
        while self.begun and not self.done.is_set():
            try:
                self.done.wait()
            except BaseException:  # a second Ctrl-C changes nothing
                pass


def run(native: Callable[..., int], progress: ProgressCallback = None, path: Any = None) -> List[str]:
    """Runs native(hooks, error) in a thread. Returns the library's notes, or raises its error.

    path: the file that it reads.
    """
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        raise TypeError(f"progress is None, True, False or a function, not {progress!r}")
    call = _Call(native)
    bar = Bar() if progress is True else None
    report = bar or (progress if callable(progress) else None)
    try:
        threading.Thread(target=call.work, name="odim", daemon=True).start()
        while not call.done.wait(_LOOK_EVERY):
            if report and call.now and report(call.now):
                call.cancel = True
        if report and call.now and call.status == _native.OK:
            report(call.now)
    except BaseException:
        call.end()
        raise
    finally:
        if bar:
            bar.close()
    if call.failure:
        raise call.failure
    check(call.status, call.error, path)
    return call.notes

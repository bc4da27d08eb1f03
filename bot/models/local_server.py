"""The process of the built-in model: llama.cpp's own server on a loopback port.

It is started as a file, imports nothing of the bot, takes its settings as one JSON line on standard
input and tells its port, or an error, as one JSON line on standard output. It ends when its parent
does: a fault or a long computation in native code can neither stop nor stall the bot.
"""

import ctypes
import json
import os
import signal
import sys
import threading
from typing import Any

_PR_SET_PDEATHSIG = 1


def serve(settings: dict[str, Any]) -> Any:
    """Load the model and serve it; returns the server, which lives as long as it is kept."""
    import xllamacpp  # noqa: PLC0415 - an optional extra, wanted in this process only

    params = xllamacpp.CommonParams()
    params.model.path = settings["path"]
    params.model_alias = {settings["name"]}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [settings["api_key"]]
    params.n_ctx = settings["context_tokens"]
    params.n_parallel = 1
    params.cpuparams.n_threads = settings["threads"]
    params.cpuparams_batch.n_threads = settings["threads"]
    params.n_threads_http = 2
    params.cache_ram_mib = 0
    params.ui = False
    params.endpoint_slots = False
    params.cors_origins = "http://127.0.0.1"
    params.offline = True
    params.warmup = False
    params.verbosity = -1
    return xllamacpp.Server(params)


def _die_with_parent() -> None:
    """Ask the kernel, where it can be asked; the end of standard input is the other sign."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which then ends us
    _die_with_parent()
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever native code prints must not be taken for the answer
    try:
        server = serve(json.loads(sys.stdin.readline()))
        told = {"address": server.listening_address}
    except Exception as error:  # noqa: BLE001 - the border of the process: the parent is told
        told = {"error": f"{type(error).__name__}: {error}"}
    answer.write(json.dumps(told) + "\n")
    answer.flush()
    if "error" not in told:
        sys.stdin.read()
    # No orderly teardown of native threads: nothing is stored, and it may hang while it computes.
    os._exit(0)


if __name__ == "__main__":
    threading.current_thread().name = "local-model"
    main()

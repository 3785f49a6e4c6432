"""Tests of collecting a bundle from an operator's files, served on loopback."""

import json
import threading
import unittest
from contextlib import redirect_stderr, redirect_stdout
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Dict

from fairball.collect import Source, Tree, section_entries, tile_name
from fairball.command import main
from fairball.hashing import base64_bytes, hash_text
from fairball.plays import read_entries
from fairball.statements import read_statement
from fairball.tree import consistency_proof, frontier, inclusion_path, leaf_hash
from tests.support import INDEX, VECTORS, bundle_bytes, vector

HONEST = json.loads(bundle_bytes("honest"))
DRAWS = [draw["open"] for draw in HONEST["draws"]]
GAME = "bitcoin-hero"


def files_of(bundle: "dict[str, object]") -> Dict[str, bytes]:
    """The files of the operator of a bundle whose list holds every statement of the log."""
    head = bundle["head"]
    texts = {one["index"]: one["text"].encode() for one in bundle["statements"]}
    entries = b"".join(len(texts[i]).to_bytes(2, "big") + texts[i] for i in range(len(texts)))
    files = {"checkpoint": head.encode(), f"tile/entries/000.p/{len(texts)}": entries}
    files.update({f"text/{hash_text(text)}": text.encode() for text in bundle["texts"]})
    for draw in bundle["draws"]:
        folder = f"draw/{draw['open']}/"
        if draw["beacon"]:
            files[folder + "beacon"] = "{round} {signature}\n".format(**draw["beacon"]).encode()
        if draw["plays"]:
            leaves = base64_bytes(draw["plays"]["parts"][0]["leaves"])
            files[f"{folder}tile/entries/000.p/{len(read_entries(leaves))}"] = leaves
        for seal in [draw["seal"], *draw["postpones"]]:
            last = [read_statement(text) for text in seal["statements"]][-1]
            if last.kind in ("close", "postpone"):
                files[f"seal/{last.hash}"] = json.dumps({**seal, "consistency": []}).encode()
    return files


class Operator:
    """A server on loopback for the duration of a test."""

    def __init__(self, files: Dict[str, bytes]) -> None:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                data = files.get(self.path.removeprefix("/fairball/"))
                self.send_response(404 if data is None else 200)
                self.end_headers()
                self.wfile.write(data or b"")

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})

    def __enter__(self) -> str:
        self.thread.start()
        return f"http://127.0.0.1:{self.server.server_port}"

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


class PlaysFiles(unittest.TestCase):
    """A section of a draw's plays: 4,096 of a file, and 300 in tiles."""

    SIZE = 4396
    TILES = ["tile/entries/016", "tile/entries/017.p/44"]

    def read(self, files: Dict[str, bytes]) -> "tuple[bytes, list[str]]":
        asked = []

        class Files(Source):
            def get(self, path: str) -> "bytes | None":
                asked.append(path)
                return files.get(path)

        return section_entries(Files("https://lottery.example"), "draw/x/", 0, self.SIZE), asked

    def setUp(self) -> None:
        leaves = [(4).to_bytes(2, "big") + place.to_bytes(4, "big") for place in range(self.SIZE)]
        self.all = b"".join(leaves)
        self.tiles = {
            f"draw/x/tile/entries/{tile_name(number)}": b"".join(leaves[256 * number : 256 * number + 256])
            for number in range(18)
        }
        self.tiles["draw/x/tile/entries/017.p/44"] = self.tiles.pop("draw/x/tile/entries/017")

    def test_files_of_4096_plays_are_fetched_for_those_of_256(self) -> None:
        whole = {"draw/x/plays/0": b"".join(self.tiles[f"draw/x/tile/entries/{tile_name(n)}"] for n in range(16))}
        read, asked = self.read({**whole, **self.tiles})
        self.assertEqual(read, self.all)
        self.assertEqual(sorted(asked), sorted(["draw/x/plays/0", *(f"draw/x/{tile}" for tile in self.TILES)]))

    def test_an_operator_who_serves_only_tiles_is_read_as_well(self) -> None:
        read, asked = self.read(self.tiles)
        self.assertEqual(read, self.all)
        self.assertEqual(len(asked), 1 + 18)


def run(*arguments: str) -> "tuple[int, str, str]":
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main(list(arguments))
    return status, out.getvalue(), err.getvalue()


class CollectTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.trust = self.folder / "trust.json"
        self.trust.write_text(json.dumps(INDEX["default_trust"]))

    def test_draws_of_an_honest_operator_are_proved_from_its_files(self) -> None:
        saved = self.folder / "bundle.json"
        with Operator(files_of(HONEST)) as address:
            named = [f"--draw={name}" for name in DRAWS]
            status, out, _ = run("--from", address, *named, "--trust", str(self.trust), "--save", str(saved))
            self.assertEqual((status, out.count("Proved.")), (0, 3), out)
            status, out, _ = run("--from", address + "/fairball/", "--json", "--trust", str(self.trust))
            self.assertEqual([draw["open"] for draw in json.loads(out)["draws"]], DRAWS[1:])
            status, out, _ = run("--from", address, "--draw", f"{GAME}/1", "--json", "--trust", str(self.trust))
            self.assertEqual([draw["open"] for draw in json.loads(out)["draws"]], DRAWS[:1])
            self.assertEqual(run("--from", address, "--draw", f"{GAME}/9")[0], 2)
        collected = json.loads(saved.read_bytes())
        for part in ("head", "texts", "draws"):
            self.assertEqual(collected[part], HONEST[part])
        self.assertEqual(run(str(saved), "--trust", str(self.trust))[0], 0)

    def test_void_and_postponed_draws_are_collected_with_their_ranges(self) -> None:
        for name, outcome, status in (("honest-void", "holds", 3), ("A7a", "not yet", 4), ("A6c", "failed", 1)):
            bundle = json.loads(bundle_bytes(name))
            with Operator(files_of(bundle)) as address:
                named = [f"--draw={draw['open']}" for draw in bundle["draws"]]
                found, out, err = run("--from", address, *named, "--trust", str(self.trust), "--json")
                self.assertEqual((found, json.loads(out)["outcome"]), (status, outcome), name + err)

    def test_a_log_that_was_rewritten_since_a_head_was_kept_is_reported(self) -> None:
        other = json.loads(bundle_bytes("honest-short"))
        trust = {**INDEX["default_trust"], "heads": [HONEST["draws"][0]["seal"]["checkpoint"]]}
        self.trust.write_text(json.dumps(trust))
        for bundle, status in ((HONEST, 0), (other, 1)):
            with Operator(files_of(bundle)) as address:
                name = f"--draw={bundle['draws'][1]['open']}"
                self.assertEqual(run("--from", address, name, "--trust", str(self.trust))[0], status)

    def test_missing_or_wrong_files_end_with_a_sentence(self) -> None:
        files = files_of(HONEST)
        wrong = {path: data for path, data in files.items() if path != "checkpoint"}
        entries = files["tile/entries/000.p/11"].replace(b"stake 29790", b"stake 29791")
        changed = {**files, "tile/entries/000.p/11": entries}
        for served in (wrong, changed, {**files, "checkpoint": b"x"}):
            with Operator(served) as address:
                status, _, err = run("--from", address)
                self.assertEqual((status, err.count("\n")), (2, 1), err)
        for address in ("ftp://lottery.example", "http://lottery.example"):
            status, _, err = run("--from", address)
            self.assertEqual((status, err), (2, "fairball-verify: the address is to begin with https://\n"))
        self.assertEqual(run(str(self.folder / "nothing.json"))[0], 2)


class TilesTest(unittest.TestCase):
    def test_tile_names_match_the_vectors(self) -> None:
        for number, name in vector("trees.json")["tile_paths"]:
            self.assertEqual(tile_name(number), name)

    def test_proofs_from_tiles_match_the_definition(self) -> None:
        leaves = [leaf_hash(bytes([number])) for number in range(40)]
        tree = Tree(leaves)
        for size in range(1, 41):
            for index in range(size):
                path = [one.hex() for one in inclusion_path(leaves[:size], index)]
                proof = [one.hex() for one in consistency_proof(leaves[:size], index + 1)]
                self.assertEqual(tree.path(index, size), path)
                self.assertEqual(tree.consistency(index + 1, size), proof)
                self.assertEqual(tree.left(index), [one.hex() for one in frontier(leaves[:index])])


class CommandTest(unittest.TestCase):
    def test_the_exit_code_is_that_of_the_worst_file(self) -> None:
        names = {name: str(VECTORS / f"bundle-{name}.json") for name in ("honest", "B22", "A4b", "C1")}
        for files, status in ((["honest"], 3), (["honest", "B22"], 4), (["B22", "A4b"], 1), (["A4b", "C1"], 2)):
            found, out, _ = run(*(names[name] for name in files))
            self.assertEqual(found, status, out)
        self.assertIn("when it was sealed is not proved", run(names["honest"])[1])


if __name__ == "__main__":
    unittest.main()

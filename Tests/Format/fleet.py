"""Compares what Tools/fleet finds of 400 bundles with `replay ci` on this machine.

    fleet.py TESTAPP FOLDER

TESTAPP is the tests' app. The bundles are of sessions of random notes, some of which a build of the
app refuses, and some are damaged. While Spark checks them with the master local[2,4], one worker is
killed. All rows have to be those of `testapp ci`, except for times.

Exit codes: 0 all agree, 1 they do not.
"""

import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).parent.parent.parent
BUNDLES, SESSIONS = 400, 40
# A build whose reducer ends the process at a note.
TRAPPING = {**os.environ, "TESTAPP_REFUSES": "poison", "TESTAPP_REDUCER": "2"}


def record(testapp, folder, number, chance):
    """Records a session, and returns the path of its bundle."""
    store, bundle = folder / f"store{number}", folder / f"{number}.bundle"
    notes = [f"note {chance.randrange(1000)}" for _ in range(chance.randrange(20, 200))]
    if number % 5 == 0:
        notes[chance.randrange(len(notes))] = "note poison"
    environment = {**os.environ, "TESTAPP_REDUCER": str(number % 3)}
    subprocess.run(
        [testapp, "send", "--store", store], input="\n".join(notes) + "\n", text=True, check=True,
        stdout=subprocess.DEVNULL, env=environment)
    subprocess.run(
        [testapp, "bundle", "--plain", "--store", store, "--output", bundle], check=True,
        stdout=subprocess.DEVNULL)
    return bundle


def make(testapp, folder, chance):
    """Makes the bundles, and returns their folder."""
    bugs = folder / "bugs"
    bugs.mkdir()
    made = [record(testapp, folder, number, chance) for number in range(SESSIONS)]
    for number in range(BUNDLES):
        path = bugs / f"{number:03}.bundle"
        shutil.copy(made[number % SESSIONS], path)
        if number % 50 == 7:
            changed = bytearray(path.read_bytes())
            changed[chance.randrange(100, len(changed))] ^= 1 << chance.randrange(8)
            path.write_bytes(changed)
        if number % 100 == 5:
            declared = {"verdict": "crash"}
            path.with_name(path.name + ".json").write_text(json.dumps(declared))
    return bugs


def descendants(process):
    """The processes that a process started, directly or not."""
    found, queue = [], [process]
    while queue:
        parent = queue.pop()
        try:
            threads = list(pathlib.Path(f"/proc/{parent}/task").iterdir())
            children = [int(child) for thread in threads
                        for child in (thread / "children").read_text().split()]
        except (FileNotFoundError, ProcessLookupError):
            continue
        found += children
        queue += children
    return found


def kill_worker(fleet):
    """Kills one worker of the fleet while it runs; returns its id, or None at the end of all."""
    while fleet.poll() is None:
        for process in descendants(fleet.pid):
            try:
                words = pathlib.Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
            except (FileNotFoundError, ProcessLookupError):
                continue
            # The one that Spark started; its own child has a flag.
            if b"worker" in words and b"--in-this-process" not in words:
                os.kill(process, signal.SIGKILL)
                return process
        time.sleep(0.005)
    return None


def rows_of_ci(testapp, bugs):
    """The rows of `ci`, and its exit code."""
    done = subprocess.run(
        [testapp, "ci", bugs, "--jobs", "2", "--json"], stdout=subprocess.PIPE, text=True,
        env=TRAPPING)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return rows[:-1], done.returncode


def comparable(row):
    """What of a row does not depend on the run, in one form for both sources."""
    error = row.get("error") or {}
    kept = {name: value for name, value in row.items()
            if name not in ("milliseconds", "error", "declared") and value is not None}
    return {**kept, "error": [error.get(name) for name in ("what", "why", "code")]}


def rows_of_fleet(output):
    """The rows of the Parquet file, with the tables beside it."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[1]")
    spark = builder.config("spark.ui.enabled", "false").getOrCreate()
    tables = {
        name: [row.asDict(recursive=True)
               for row in spark.read.parquet(f"{output}/{name}").collect()]
        for name in ("results", "builds", "failures", "throughput")
    }
    spark.stop()
    return tables


def main():
    testapp, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    seed = int(os.environ.get("RETRACE_SEED", random.randrange(1 << 32)))
    print("seed", seed)
    bugs = make(testapp, folder, random.Random(seed))
    expected, code = rows_of_ci(testapp, bugs)
    output, errors = folder / "fleet", folder / "errors"
    with open(errors, "w") as log:
        fleet = subprocess.Popen(
            [ROOT / "Tools/fleet", "--master", "local[2,4]", f"{testapp} worker", bugs, output],
            env=TRAPPING, stderr=log)
        killed = kill_worker(fleet)
        status = fleet.wait()
    tables = rows_of_fleet(output) if output.exists() else {"results": []}
    found = sorted(tables["results"], key=lambda row: row["path"])
    problems = []
    if killed is None:
        problems.append("no worker was killed")
    if "Lost task" not in errors.read_text():
        problems.append("Spark lost no task")
    if status != code:
        problems.append(f"exit code {status}, not {code}")
    if len(expected) != BUNDLES or len(found) != len(expected):
        problems.append(f"{len(found)} rows of Spark, {len(expected)} of ci")
    for left, right in zip(expected, found):
        if comparable(left) != comparable(right):
            problems.append(f"ci: {comparable(left)}\n  Spark: {comparable(right)}")
    verdicts = {row["verdict"] for row in expected}
    if not {"same", "crash", "damaged"} <= verdicts:
        problems.append(f"only the verdicts {verdicts}")
    crashed = sum(row["verdict"] == "crash" for row in expected)
    named = sum(row["bundles"] for row in tables.get("failures", [])
                if row["verdict"] == "crash" and row.get("name") == "noted")
    if named != crashed:
        problems.append(f"{named} crashes at notes, not {crashed}")
    for problem in problems[:10]:
        print(problem)
    if problems:
        print(errors.read_text()[-3000:])
    else:
        print(f"{len(found)} bundles: Spark and ci agree, worker {killed} was killed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

"""Compares the time by project that Tools/fleet finds in bundles with `track report`.

    tracked.py TRACK REPLAY FOLDER

Stores of random entries of the tracker are made: with and without projects, deleted ones, merged
projects, running ones, and an import that was undone. The sums over all their bundles have to be
the sums of `track report :all --by project` over all stores.

Exit codes: 0 all agree, 1 they do not.
"""

import collections
import json
import os
import pathlib
import random
import subprocess
import sys

ROOT = pathlib.Path(__file__).parent.parent.parent
STORES = 6
NOW = "2026-03-04T18:00:00Z"
PROJECTS = ["website", "写作", "thesis", "a client's"]
CSV = "Project,Description,Start date,Start time,End date,End time\n" \
    "imported,read,2026-02-01,09:00:00,2026-02-01,10:00:00\n"


def track(tool, store, *words, lines=""):
    return subprocess.run(
        [tool, *words, "--store", store, "--now", NOW, "--tz", "UTC"], check=True, text=True,
        input=lines, stdout=subprocess.PIPE, env={**os.environ, "TZ": "UTC"}).stdout


def record(tool, folder, number, chance):
    """Records a store, and returns its path."""
    store = folder / f"store{number}"
    lines = []
    for day in range(1, 29):
        for hour in sorted(chance.sample(range(0, 22), chance.randrange(5))):
            project = chance.choice([None, *PROJECTS])
            named = f' --project "{project}"' if project else ""
            lines.append(
                f"add --from 2026-02-{day:02}T{hour:02}:{chance.randrange(30):02}:00Z "
                f"--to 2026-02-{day:02}T{hour:02}:{chance.randrange(30, 60):02}:00Z work{named}")
    lines += [f"delete {chance.randrange(len(lines))}" for _ in range(2)]
    # It starts now, so its time is 0 in the report.
    lines.append('start --project "website" later')
    track(tool, store, "batch", "--user", "anna", lines="".join(f"{line}\n" for line in lines))
    if number % 2 == 0:
        file = folder / f"{number}.csv"
        file.write_text(CSV, encoding="utf-8")
        track(tool, store, "import", file, "--user", "ben")
        if number % 4 == 0:
            track(tool, store, "undo", "--user", "ben")
        track(tool, store, "projects", "merge", "thesis", "website", "--user", "anna")
    return store


def reported(tool, stores):
    """The entries and seconds of each project, by `track report`."""
    sums = collections.defaultdict(lambda: [0, 0])
    for store in stores:
        found = json.loads(track(tool, store, "report", ":all", "--by", "project", "--json"))
        for group in found["groups"]:
            sums[group["name"]][0] += group["entries"]
            sums[group["name"]][1] += group["seconds"]
    return dict(sums)


def tabled(output):
    """The same of the table of the fleet."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[1]")
    spark = builder.config("spark.ui.enabled", "false").getOrCreate()
    rows = spark.read.parquet(f"{output}/tracked").collect()
    spark.stop()
    return {row.project: [row.entries + row.running, row.seconds] for row in rows}


def main():
    tool, replay, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    seed = int(os.environ.get("RETRACE_SEED", random.randrange(1 << 32)))
    print("seed", seed)
    chance = random.Random(seed)
    stores = [record(tool, folder, number, chance) for number in range(STORES)]
    bugs, output = folder / "bundles", folder / "tracked"
    bugs.mkdir()
    for number, store in enumerate(stores):
        subprocess.run(
            [replay, "bundle", "--plain", "--store", store, "--output",
             bugs / f"{number}.bundle"], check=True, stdout=subprocess.DEVNULL)
    status = subprocess.run(
        [ROOT / "Tools/fleet", "--master", "local[2,4]", "--tracked", replay, f"{replay} worker",
         bugs, output]).returncode
    wanted, found = reported(tool, stores), tabled(output) if status == 0 else {}
    if found != wanted or len(wanted) < len(PROJECTS):
        print(f"exit code {status}\nfleet:  {found}\nreport: {wanted}")
        return 1
    print(f"{len(wanted)} projects of {STORES} bundles: the fleet and track report agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())

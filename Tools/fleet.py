"""Checks many bundles on Apache Spark. `Tools/fleet` starts it with a Python that has pyspark.

    fleet.py [--master URL] [--timeout SECONDS] [--tracked REPLAY] WORKER FOLDER OUTPUT
"""

import argparse
import json
import os
import shlex
import subprocess
import sys

# A killed worker loses the results of at most so many bundles, which Spark repeats.
BUNDLES_PER_TASK = 16
# The first bytes of an Avro container file, as a bundle has them.
MAGIC = b"Obj\x01"
USAGE, NOT_FOUND, GAVE_UP = 64, 7, 70

RESULT = """
  path string, passed boolean, exitCode int, verdict string, record long,
  unexpected array<string>, milliseconds double, app string, contents string, bytes long,
  records long, recordedBy array<struct<build: string, reducer: string>>, build string,
  reducer string, chain string, stateHash string, compared long, decided long, kind string,
  name string, routes array<string>, error struct<what: string, why: string, code: string>
"""

BUILDS = """
  SELECT recorder.build, recorder.reducer, count(*) AS bundles,
    count_if(verdict = 'same') AS same, count_if(verdict = 'divergence') AS divergence,
    count_if(verdict = 'crash') AS crash, count_if(verdict = 'incompatible') AS incompatible,
    count_if(verdict = 'damaged') AS damaged, count_if(NOT passed) AS failed
  FROM (SELECT *, explode_outer(recordedBy) AS recorder FROM results)
  GROUP BY 1, 2 ORDER BY 1, 2
"""
FAILURES = """
  SELECT verdict, kind, name, count(*) AS bundles, min(path) AS first
  FROM results WHERE verdict <> 'same' GROUP BY 1, 2, 3 ORDER BY bundles DESC, 1, 2, 3
"""
# Bundles that were not folded to their end say nothing of the speed.
THROUGHPUT = """
  SELECT recorder.reducer, count(*) AS bundles, sum(records) AS records,
    sum(milliseconds) / 1000 AS seconds, 1000 * sum(records) / sum(milliseconds) AS recordsPerSecond
  FROM (SELECT *, explode_outer(recordedBy) AS recorder FROM results
        WHERE verdict IN ('same', 'divergence'))
  GROUP BY 1 ORDER BY 1
"""

# The time of the entries of one project in one bundle; without a project, its name is null.
TIME = "path string, project string, entries long, running long, microseconds long"
TRACKED = """
  SELECT project, count(*) AS bundles, sum(entries) AS entries, sum(running) AS running,
    sum(microseconds) / 1000000 AS seconds
  FROM times GROUP BY 1 ORDER BY seconds DESC, 1
"""


def is_bundle(path):
    """Whether a file is a bundle by its name or by its first bytes, as for `replay ci`."""
    if path.endswith(".bundle"):
        return True
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def bundles(folder):
    """The paths of the bundles in a folder, sorted by the bytes of their names."""
    names = sorted(os.listdir(os.fsencode(folder)))
    paths = [os.fsdecode(os.path.join(os.fsencode(folder), name)) for name in names]
    return [path for path in paths if is_bundle(path)]


def results(spark, worker, paths):
    """The row of each bundle; workers read paths and write lines over pipes."""
    lines = [json.dumps({"path": path}, ensure_ascii=False) for path in paths]
    slices = max(1, (len(lines) + BUNDLES_PER_TASK - 1) // BUNDLES_PER_TASK)
    # A worker that ends by a signal fails its task, so no line can be missing.
    found = spark.sparkContext.parallelize(lines, slices).pipe(
        worker, env=dict(os.environ), checkCode=True)
    return spark.read.schema(RESULT).json(found)


def times(replay, path):
    """The rows of a bundle of the tracker: what each project has after the last record."""
    done = subprocess.run(
        [*shlex.split(replay), "state", "--store", path, "--json"], check=True,
        stdout=subprocess.PIPE)
    domain = json.loads(done.stdout)["state"]["domain"]
    projects, runs = (
        {row["id"]: row["value"] for row in domain[table]} for table in ("projects", "importRuns"))
    rows = {}
    for entry in (row["value"] for row in domain["timeEntries"]):
        run = entry["importRun"]
        if entry["deleted"] is not None or (run is not None and not runs[run]["isActive"]):
            continue
        project = projects.get(entry["project"])
        while project is not None and project["mergedInto"] is not None:
            project = projects.get(project["mergedInto"])
        name = project and project["name"]["text"]
        row = rows.setdefault(name, [path, name, 0, 0, 0])
        if entry["end"] is None:
            row[3] += 1
        else:
            row[2] += 1
            row[4] += entry["end"] - entry["start"]
    return list(rows.values())


def all_times(spark, replay, found):
    """The rows of all bundles of the tracker that could be folded to their end."""
    folded = found.where("app = 'track' AND verdict IN ('same', 'divergence')").select("path")
    rows = folded.rdd.flatMap(lambda row: times(replay, row.path))
    return spark.createDataFrame(rows, TIME)


def main():
    parser = argparse.ArgumentParser(prog="fleet", add_help=False)
    parser.add_argument("--master", default="local[*,4]")
    parser.add_argument("--timeout", type=int, default=600)
    parser.add_argument("--tracked")
    parser.add_argument("worker")
    parser.add_argument("folder")
    parser.add_argument("output")
    try:
        options = parser.parse_args()
    except SystemExit:
        return USAGE
    if os.path.exists(options.output):
        print(f"fleet: {options.output} exists already; give another folder", file=sys.stderr)
        return USAGE
    try:
        paths = bundles(options.folder)
    except OSError as error:
        print(f"fleet: {error}", file=sys.stderr)
        return NOT_FOUND
    if not paths:
        print(f"fleet: there is no bundle in {options.folder}", file=sys.stderr)
        return NOT_FOUND
    worker = f"{options.worker} --timeout {options.timeout}"
    return check(options.master, worker, paths, options.output, options.tracked)


def check(master, worker, paths, output, replay):
    """Checks the bundles, writes and prints the tables, and returns the exit code."""
    from pyspark.sql import SparkSession

    spark = (
        SparkSession.builder.master(master).appName("replay fleet")
        .config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "8")
        .config("spark.sql.debug.maxToStringFields", "100").getOrCreate())
    try:
        results(spark, worker, paths).write.parquet(f"{output}/results")
        found = spark.read.parquet(f"{output}/results")
        found.createOrReplaceTempView("results")
        count = found.count()
        if count != len(paths):
            print(f"fleet: {count} results of {len(paths)} bundles", file=sys.stderr)
            return GAVE_UP
        tables = [("builds", BUILDS), ("failures", FAILURES), ("throughput", THROUGHPUT)]
        if replay is not None:
            all_times(spark, replay, found).createOrReplaceTempView("times")
            tables.append(("tracked", TRACKED))
        for name, query in tables:
            table = spark.sql(query).coalesce(1)
            table.write.parquet(f"{output}/{name}")
            print(name, flush=True)
            table.show(50, truncate=20)
        return found.agg({"exitCode": "max"}).first()[0]
    except Exception as error:
        print(f"fleet: Spark has given up: {str(error)[:2000]}", file=sys.stderr)
        return GAVE_UP
    finally:
        spark.stop()


if __name__ == "__main__":
    sys.exit(main())

"""Runs the lines of a page on exported files, and compares what each reader makes of them.

    readers.py PAGE TOOLS PARQUET FOLDER RECORDS

PAGE has a table of lines; TOOLS has `track` and `audit`; PARQUET is `Tools/parquet`. A log with
about RECORDS records is written into FOLDER and exported. Its second half has values that the first
half lacks. Python's own json reads the rows that all others have to agree with.
"""

import datetime
import hashlib
import json
import os
import re
import subprocess
import sys

COLUMNS = [
    "sequence", "kind", "session", "moment", "action", "entity", "id", "who", "payload",
]
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
# Values that readers have mistaken for others: words, formulas, quotation marks, dates, numbers.
TEXTS = [
    '=1+1', "'tis", 'a "b", c', "epoch", "infinity", "NaN", "null", "2026-01-02", "0012", "1e400",
    "true", "\\n and \\",
    "flag \U0001F3F4\U000E0067\U000E007F zero\u200bwidth", "naïve 写作", "",
]


class Log:
    """A store, and the commands that fill it."""

    def __init__(self, tools, folder):
        self.tools, self.folder, self.store = tools, folder, os.path.join(folder, "store")

    def run(self, tool, *words, login="anna"):
        environment = dict(
            os.environ, TZ="UTC", LC_ALL="C.UTF-8", LOGNAME=login, USER=login, HOME=self.folder,
            XDG_DATA_HOME=self.folder, XDG_CONFIG_HOME=self.folder)
        result = subprocess.run(
            [os.path.join(self.tools, tool), *words, "--store", self.store], env=environment,
            capture_output=True, text=True)
        if result.returncode != 0:
            sys.exit(f"{tool} {' '.join(words)}: {result.stderr}")
        return result.stdout

    def add(self, name, rows, now, columns):
        """Imports rows, each of which becomes a command and its facts."""
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(",".join(columns) + "\n")
            file.writelines(rows)
        words = [f"--column={field}={field}" for field in columns]
        self.run(
            "track", "import", path, "--format", "csv", "--source", name, "--date-format",
            "yyyy-MM-dd HH:mm", "--duration-unit", "minutes", "--zone", "UTC", "--now", now, *words)

    def write(self, records):
        """Fills the store, a record a row; the first half has neither texts nor projects."""
        rows = records // 2
        start = datetime.datetime(2000, 1, 1)
        step = datetime.timedelta(minutes=10)

        def plain(index):
            return f"{start + step * index:%Y-%m-%d %H:%M},5\n"

        def full(index):
            text = TEXTS[index % len(TEXTS)].replace('"', '""')
            begin = f"{start + step * (rows + index):%Y-%m-%d %H:%M}"
            return f'{begin},5,"{text}",p{index % 7},t{index % 3}\n'

        self.add("first.csv", map(plain, range(rows)), "2026-03-02T09:00:00Z",
                 ["start", "duration"])
        self.add("second.csv", map(full, range(rows)), "2026-03-02T10:00:00.25Z",
                 ["start", "duration", "description", "project", "tags"])
        for index, text in enumerate(TEXTS):
            now = f"2026-03-02T11:{index:02}:00.000{index:03}Z"
            self.run("track", "start", "--now", now, "--", text or "-", login="=bo")

    def export(self):
        """Exports the store, and leaves the folder as the directory of the lines."""
        os.chdir(self.folder)
        self.run("audit", "export", "--flat", "--output", "records.jsonl")
        self.run("audit", "export", "--flat", "--format", "csv", "--exact", "--output",
                 "records.csv")
        self.run("audit", "export", "--output", "records.avro")


def microseconds(moment):
    """An instant of any reader as microseconds since 1970; a text has to have six digits."""
    if isinstance(moment, str):
        if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", moment):
            raise TypeError(f"{moment} has another form")
        moment = datetime.datetime.fromisoformat(moment.replace("Z", "+00:00"))
    if moment.tzinfo is None:
        raise TypeError(f"{moment} has no zone")
    return (moment - EPOCH) // datetime.timedelta(microseconds=1)


class Summary:
    """The number of rows, the sums of numbers, and a digest of all values."""

    def __init__(self, rows):
        self.count = self.sequences = self.sessions = self.moments = self.characters = 0
        digest = hashlib.sha256()
        for row in rows:
            sequence, kind, session, moment, *texts = row
            for value, kinds in [(sequence, int), (session, int), (kind, str),
                                 *((text, str) for text in texts)]:
                if not isinstance(value, kinds) or isinstance(value, bool):
                    raise TypeError(f"record {sequence}: {value!r} is no {kinds.__name__}")
            moment = microseconds(moment)
            self.count += 1
            self.sequences += sequence
            self.sessions += session
            self.moments += moment
            self.characters += sum(map(len, texts))
            digest.update(repr((sequence, kind, session, moment, *texts)).encode())
        self.digest = digest.hexdigest()

    def __eq__(self, other):
        return self.__dict__ == other.__dict__

    def __repr__(self):
        return repr(self.__dict__)


def own_rows(path):
    """The rows as Python's own json reads them."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            if list(row) != COLUMNS:
                raise TypeError(f"the members are {list(row)}")
            yield tuple(row.values())


def of_arrow(table):
    types = [str(table.schema.field(name).type) for name in COLUMNS]
    expected(types, ["int64", "string", "int64", "timestamp[us, tz=UTC]"] + ["string"] * 5)
    for batch in table.select(COLUMNS).to_batches(max_chunksize=10_000):
        yield from zip(*(column.to_pylist() for column in batch.columns))


def of_polars(frame):
    types = [str(frame.schema[name]) for name in COLUMNS]
    moment = "Datetime(time_unit='us', time_zone='UTC')"
    expected(types, ["Int64", "String", "Int64", moment] + ["String"] * 5)
    yield from frame.select(COLUMNS).iter_rows()


def of_pandas(frame):
    types = [str(frame[name].dtype) for name in COLUMNS]
    text = "str" if "str" in types else "object"
    expected(types, ["int64", text, "int64", "datetime64[us, UTC]"] + [text] * 5)
    for row in frame[COLUMNS].itertuples(index=False, name=None):
        yield (*row[:3], row[3].to_pydatetime(), *row[4:])


def of_duckdb(relation):
    types = [str(kind) for kind in relation.types]
    expected(relation.columns, COLUMNS)
    expected(types, ["BIGINT", "VARCHAR", "BIGINT", "TIMESTAMP WITH TIME ZONE"] + ["VARCHAR"] * 5)
    yield from relation.fetchall()


def of_spark(frame):
    types = dict(frame.dtypes)
    expected([types[name] for name in COLUMNS],
             ["bigint", "string", "bigint", "timestamp"] + ["string"] * 5)
    # Python gets instants in the zone of the machine, without saying so. The driver keeps one
    # partition at a time.
    for row in frame.select(*COLUMNS).repartition(64).toLocalIterator():
        yield (*row[:3], row[3].replace(tzinfo=datetime.timezone.utc), *row[4:])


def expected(found, wanted):
    if list(found) != list(wanted):
        raise TypeError(f"the types are {found}, not {wanted}")


ROWS = {
    "polars": of_polars, "pandas": of_pandas, "duckdb": of_duckdb, "pyarrow": of_arrow,
    "pyspark": of_spark,
}


def check_avro(records, rows, has_names):
    """Compares the records of the Avro file with the rows, and returns what differs."""
    for record, row in zip(records, rows, strict=True):
        found = (record["sequence"], record["kind"], record["session"])
        if found != row[:3] or microseconds(record["moment"]) != microseconds(row[3]):
            return f"record {row[0]} is {found}"
        if has_names:
            name, payload = record["payload"]
            wanted = {"action": "schema1.", "command": "Command"}.get(row[1])
            if wanted and not name.startswith(wanted):
                return f"record {row[0]} is a {name}"
            if row[1] == "command":
                name, value = payload["command"]["value"]
                if not name.startswith("commands") or "case" not in value:
                    return f"the command of record {row[0]} is a {name}"
    return None


def lines(page):
    """The reader, the version, the file and the line of each row of the table."""
    with open(page, encoding="utf-8") as file:
        table = file.read().split("<!-- readers -->")[1].split("<!-- end of readers -->")[0]
    for row in table.splitlines():
        cells = [cell.strip() for cell in row.strip("|").split(" | ")]
        if len(cells) == 4 and cells[3].startswith("`"):
            yield cells[0], cells[1], cells[2], cells[3].strip("`")


def names():
    """The modules that the lines use."""
    import avro.datafile
    import avro.io
    import duckdb
    import fastavro
    import pandas
    import polars
    import pyarrow
    import pyarrow.csv
    import pyarrow.json
    import pyarrow.parquet
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[1]").config("spark.driver.memory", "4g")
    for key, value in [("spark.ui.enabled", "false"), ("spark.sql.session.timeZone", "UTC"),
                       ("spark.driver.bindAddress", "127.0.0.1"),
                       ("spark.driver.host", "127.0.0.1")]:
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    duckdb.sql("SET TimeZone = 'UTC'")
    return dict(avro=avro, duckdb=duckdb, fastavro=fastavro, pandas=pandas, polars=polars,
                pyarrow=pyarrow, spark=spark)


def main(page, tools, parquet, folder, records):
    os.environ["TZ"] = "UTC"
    page, parquet = os.path.abspath(page), os.path.abspath(parquet)
    log = Log(os.path.abspath(tools), folder)
    log.write(int(records))
    log.export()
    subprocess.run([parquet, "records.jsonl", "records.parquet"], check=True)
    wanted = Summary(own_rows("records.jsonl"))
    print(f"{wanted.count} records")
    failed = 0
    known = names()
    for reader, _, kind, line in lines(page):
        try:
            result = eval(line, dict(known))
            if reader in ROWS:
                found = Summary(sorted(ROWS[reader](result)))
                problem = None if found == wanted else f"{found}, not {wanted}"
            else:
                problem = check_avro(result, own_rows("records.jsonl"), reader == "fastavro")
        except Exception as error:  # A reader may raise anything; the next one is tried.
            problem = f"{type(error).__name__}: {error}"
        failed += problem is not None
        print(f"{reader:9} {kind:11} {'ok' if problem is None else problem}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

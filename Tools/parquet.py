"""Makes a Parquet file of flat rows. `Tools/parquet` starts it with a Python that has pyarrow.

    parquet.py ROWS FILE
"""

import os
import sys

import pyarrow
import pyarrow.compute
import pyarrow.json
import pyarrow.parquet

NUMBERS = ("sequence", "session")
COLUMNS = (
    "sequence", "kind", "session", "moment", "action", "entity", "id", "who", "payload",
)
MOMENT = pyarrow.timestamp("us", tz="UTC")
# The longest line that is read; a block of rows is as long.
BLOCK_BYTES = 64 << 20
ROWS_PER_GROUP = 100_000


def field(name, text):
    """A column, with text as the type of moments or not."""
    if name in NUMBERS:
        return pyarrow.field(name, pyarrow.int64(), nullable=False)
    if name == "moment" and not text:
        return pyarrow.field(name, MOMENT, nullable=False)
    return pyarrow.field(name, pyarrow.string(), nullable=False)


READ = pyarrow.schema([field(name, True).with_nullable(True) for name in COLUMNS])
WRITTEN = pyarrow.schema([field(name, False) for name in COLUMNS])


def batches(source):
    """The rows in batches, as JSON has them."""
    options = pyarrow.json.ParseOptions(explicit_schema=READ, unexpected_field_behavior="error")
    yield from pyarrow.json.open_json(
        source,
        read_options=pyarrow.json.ReadOptions(block_size=BLOCK_BYTES),
        parse_options=options,
    )


def typed(batch):
    """A batch with moments as timestamps; raises ArrowInvalid for rows of another kind."""
    columns = []
    for name in COLUMNS:
        column = batch.column(name)
        if column.null_count:
            raise pyarrow.ArrowInvalid(f"{name} is missing in {column.null_count} rows")
        columns.append(column.cast(MOMENT) if name == "moment" else column)
    return pyarrow.RecordBatch.from_arrays(columns, schema=WRITTEN)


def convert(rows, path):
    """Writes a new file, under another name until it is complete."""
    unfinished = f"{path}.unfinished-{os.getpid()}"
    source = sys.stdin.buffer if rows == "-" else rows
    try:
        with pyarrow.parquet.ParquetWriter(unfinished, WRITTEN, compression="zstd") as writer:
            count = 0
            for batch in batches(source):
                writer.write_batch(typed(batch), row_group_size=ROWS_PER_GROUP)
                count += batch.num_rows
        os.link(unfinished, path)
        return count
    finally:
        if os.path.exists(unfinished):
            os.unlink(unfinished)


def main(rows, path):
    try:
        count = convert(rows, path)
    except pyarrow.ArrowInvalid as error:
        # An input without a line has no rows.
        if "Empty JSON file" in str(error):
            pyarrow.parquet.write_table(WRITTEN.empty_table(), path)
            count = 0
        else:
            print(f"parquet: {rows} has no flat rows: {error}", file=sys.stderr)
            return 3
    except OSError as error:
        print(f"parquet: {error}", file=sys.stderr)
        return 6
    print(f"{count} rows were written to {path}.")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

import CBaseline
import Figures
import RetraceArchitecture
import RetraceLog
import RetraceState
import RetraceSystem
import RetraceStorage

/// Registers rows of the log in blocks: encoded records, chained and checksummed as in every store.
func registerLogRows() {
  registerBlockAppend()
  registerDurableAppend(batch: 1, count: 500)
  registerDurableAppend(batch: 100, count: 20_000)
  registerDurableAppend(batch: 1_000, count: 200_000)
  registerLogScan()
}

/// Registers appends that wait for no disk, beside C with one key per record: the blocks alone, and
/// the log with its checksums, its chain and its head.
private func registerBlockAppend() {
  let input = "1,000,000 \(Records.input), on a file system in memory"
  func keys() throws -> Measured {
    try inMemoryFolder { folder in
      try measured(Records.million.withC { storage_append(folder, $0, 1_000) })
    }
  }
  var batches: [EncodedActions] = []
  compare(
    Row(
      "block append, 1,000 per transaction",
      input: input + ", each transaction a batch; without checksum and chain",
      limit: "copying 55 bytes a record"),
    setUp: { batches = Records.million.batches(of: 1_000) },
    tearDown: { batches = [] },
    ours: { try inMemoryFolder { try appendBlocks(batches, to: $0) } },
    yardsticks: [
      Yardstick("C, one key per record", .fasterThanYardstick(atLeast: 2), round: keys),
      // The cost without the engine; it has no target.
      Yardstick("C, the same blocks") {
        try inMemoryFolder { folder in
          try measured(Records.million.withC { storage_append_blocks(folder, $0, 1_000) })
        }
      },
    ])
  compare(
    Row(
      "log append, 1,000 per transaction", input: input,
      limit: "SHA-256, 2 GB/s: 27 ns a record"),
    ours: {
      let storage = try LogStorage.inMemory()
      defer { storage.close() }
      return try append(.million, to: storage, batch: 1_000, by: .thread)
    },
    yardsticks: [Yardstick("C, one key per record", round: keys)])
}

/// Registers appends on the disk, with each transaction synced before the next begins.
private func registerDurableAppend(batch: Int, count: Int) {
  let records = Records.million.prefix(count)
  compare(
    Row(
      "durable log append, \(grouped(batch)) per transaction",
      input: "\(grouped(count)) \(Records.input)", unit: batch == 1 ? .microseconds : .nanoseconds,
      limit: "LMDB waits for the disk twice"),
    ours: {
      try onDisk("durable") { folder in
        let storage = try LogStorage.open(at: folder + "/store", access: .create)
        defer { storage.close() }
        return try append(records, to: storage, batch: batch, by: .wall)
      }
    },
    yardsticks: [
      Yardstick("write + fdatasync") {
        try onDisk("file") { folder in
          try measured(records.withC { storage_file(folder + "/log", $0, UInt64(batch)) })
        }
      },
      Yardstick("GRDB, synchronous=FULL") {
        try onDisk("grdb") { folder in
          try SQLiteLog(folder).append(records, batch: batch)
        }
      },
    ])
}

private func registerLogScan() {
  var folder = ""
  compare(
    Row(
      "log scan", input: "1,000,000 \(Records.input), in blocks",
      limit: "reading 52 bytes a record and checking them"),
    setUp: {
      folder = try scratch("log-scan")
      let storage = try LogStorage.open(at: folder + "/store", access: .create)
      defer { storage.close() }
      _ = try append(.million, to: storage, batch: 100_000, by: .wall)
      _ = try SQLiteLog(folder).append(.million, batch: 100_000)
      _ = try writtenByC("log-scan/keys")
    },
    tearDown: { removeScratch(folder) },
    ours: { try scan(folder + "/store") },
    yardsticks: [
      Yardstick("C, one key per record") { try measured(storage_scan(folder + "/keys")) },
      Yardstick("GRDB") { try SQLiteLog(folder).scan() },
    ])
}

/// Appends all records; times the appends only.
private func append(
  _ records: Records, to storage: LogStorage, batch: Int, by clock: FiguresClock
) throws -> Measured {
  let measured = try storage.appendRaw { transaction throws(StoreError) in
    let start = clock.now
    var checksum: UInt64 = 0
    var at = 0
    var envelope = Envelope(
      sequence: 1, session: 1, moment: Moment(microseconds: 1_700_000_000_000_000), schema: 1)
    envelope.startsBatch = true
    while at < records.count {
      let end = min(at + batch, records.count)
      try transaction { appender throws(StoreError) in
        if at == 0 { envelope.schema = try appender.schemaNumber(json: "\"bytes\"") }
        let bytes = records.bytes.span
        while at < end {
          let record = bytes.extracting(records.range(at))
          envelope.moment.microseconds += 1_000_000
          try appender.append(envelope, payload: record)
          checksum &+= UInt64(record.count) + UInt64(record[0])
          at += 1
        }
      }
    }
    return Measured(
      nanoseconds: clock.now - start, operations: UInt64(at), checksum: checksum)
  }
  let head = try storage.head()
  guard head.sequence == records.count else {
    throw FiguresError("the log ends at \(head.sequence)")
  }
  return measured
}

private func scan(_ store: String) throws -> Measured {
  let storage = try LogStorage.open(at: store, access: .read)
  defer { storage.close() }
  return try timed(by: .thread) {
    var records: UInt64 = 0
    var checksum: UInt64 = 0
    try storage.withReadView { view throws(StoreError) in
      try view.scan(from: 1, through: view.head.sequence) { record throws(StoreError) in
        let payload = record.payload
        records += 1
        checksum &+= UInt64(payload.count) + UInt64(payload[0])
      }
    }
    return (records, checksum)
  }
}

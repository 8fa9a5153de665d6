import CBaseline
import Figures
import RetraceLMDB

/// Registers rows of `RetraceLMDB`, the wrapper of LMDB, beside C with the same keys, values and
/// flags.
func registerWrapperRows() {
  registerAppend(batch: 1, count: 100_000)
  registerAppend(batch: 100, count: 1_000_000)
  registerAppend(batch: 10_000, count: 1_000_000)
  registerScan()
}

/// Both write to a file system in memory, where waiting for the disk takes no time, so that the
/// difference is the cost of the wrapper.
private func registerAppend(batch: Int, count: Int) {
  compare(
    Row(
      "wrapper append, \(grouped(batch)) per transaction",
      input: "\(grouped(count)) \(Records.input), one key each, on a file system in memory",
      limit: "C over LMDB"),
    ours: { try inMemoryFolder { try append(Records.million.prefix(count), to: $0, batch) } },
    yardsticks: [
      Yardstick("C", .timesYardstick(atMost: 1.15)) {
        try inMemoryFolder { folder in
          try measured(
            Records.million.prefix(count).withC { storage_append(folder, $0, UInt64(batch)) })
        }
      }
    ])
}

private func append(_ records: Records, to folder: String, _ batch: Int) throws -> Measured {
  let environment = try LMDBEnvironment.open(folder)
  defer { environment.close() }
  let database = try environment.createDatabase("log")
  return try timed(by: .thread) {
    let bytes = records.bytes.span
    var checksum: UInt64 = 0
    var at = 0
    while at < records.count {
      let end = min(at + batch, records.count)
      var transaction = try environment.beginWrite()
      while at < end {
        let record = bytes.extracting(records.range(at))
        try transaction.append(record, for: UInt64(at + 1), in: database)
        checksum &+= UInt64(record.count) + UInt64(record[0])
        at += 1
      }
      try transaction.commit()
    }
    return (UInt64(at), checksum)
  }
}

private func registerScan() {
  var folder = ""
  compare(
    Row(
      "wrapper scan", input: "1,000,000 \(Records.input), one key each", limit: "C over LMDB"),
    setUp: { folder = try writtenByC("wrapper-scan") },
    tearDown: { removeScratch(folder) },
    ours: { try scan(folder) },
    yardsticks: [
      Yardstick("C", .timesYardstick(atMost: 1.15)) { try measured(storage_scan(folder)) }
    ])
}

private func scan(_ folder: String) throws -> Measured {
  let environment = try LMDBEnvironment.open(folder, options: .init(isReadOnly: true))
  defer { environment.close() }
  guard let database = try environment.openDatabase("log") else {
    throw FiguresError("no database")
  }
  let transaction = try environment.beginRead()
  return try timed(by: .thread) {
    var records: UInt64 = 0
    var checksum: UInt64 = 0
    var cursor = try transaction.cursor(over: database)
    while try cursor.next() {
      let value = cursor.value
      records += 1
      checksum &+= UInt64(value.count) + UInt64(value[0])
    }
    return (records, checksum)
  }
}

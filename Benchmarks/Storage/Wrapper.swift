import CBaseline
import Figures
import RetraceLMDB

/// The wrapper beside C: the same keys and values, the same flags.
func registerWrapperRows() {
  var folder = ""
  compare(
    Row(
      "scan", input: "1,000,000 \(Records.input), one key each",
      limit: "the walk of C over the same pages"),
    setUp: {
      folder = try scratch("scan")
      let written = Records.million.withC { storage_append(folder, $0, 1_000_000) }
      guard written.error == 0 else { throw FiguresError("C cannot write: \(written.error)") }
    },
    tearDown: { removeScratch(folder) },
    ours: { try scan(folder) },
    yardsticks: [
      Yardstick("C", .timesYardstick(atMost: 1.15)) { try measured(storage_scan(folder)) }
    ])
}

/// What C did, or why it failed.
func measured(_ result: storage_result) throws -> Measured {
  guard result.error == 0 else { throw FiguresError("C failed with \(result.error)") }
  return Measured(
    nanoseconds: Int64(result.nanoseconds), operations: result.records,
    checksum: result.checksum)
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

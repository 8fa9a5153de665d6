import Figures
import Foundation
import GRDB

/// A table of numbered records in SQLite, by the library that Swift programs use.
struct SQLiteLog {
  private let queue: DatabaseQueue

  /// Opens the table, and creates it if needed.
  init(_ folder: String) throws {
    var configuration = Configuration()
    configuration.journalMode = .wal
    queue = try DatabaseQueue(path: folder + "/log.sqlite", configuration: configuration)
    let level = try queue.writeWithoutTransaction { database in
      // GRDB sets NORMAL, which loses commits in a power cut, when it turns the write-ahead log on.
      try database.execute(sql: "PRAGMA synchronous = FULL")
      try database.execute(
        sql: "CREATE TABLE IF NOT EXISTS log (sequence INTEGER PRIMARY KEY, payload BLOB NOT NULL)")
      return try Int.fetchOne(database, sql: "PRAGMA synchronous")
    }
    guard level == 2 else { throw FiguresError("synchronous is \(level ?? -1), not FULL") }
  }

  /// Inserts all records, in transactions of `batch` records.
  func append(_ records: Records, batch: Int) throws -> Measured {
    let payloads = (0..<records.count).map { Data(records.bytes[records.range($0)]) }
    return try timed(by: .wall) {
      var checksum: UInt64 = 0
      var at = 0
      while at < payloads.count {
        let end = min(at + batch, payloads.count)
        try queue.write { database in
          let insert = try database.cachedStatement(sql: "INSERT INTO log VALUES (?, ?)")
          while at < end {
            try insert.execute(arguments: [at + 1, payloads[at]])
            checksum &+= UInt64(payloads[at].count) + UInt64(payloads[at][0])
            at += 1
          }
        }
      }
      return (UInt64(at), checksum)
    }
  }

  /// Reads all records in order.
  func scan() throws -> Measured {
    try queue.read { database in
      try timed(by: .thread) {
        var records: UInt64 = 0
        var checksum: UInt64 = 0
        let rows = try GRDB.Row.fetchCursor(
          database, sql: "SELECT payload FROM log ORDER BY sequence")
        while let row = try rows.next() {
          try row.withUnsafeData(atIndex: 0) { payload in
            guard let payload else { throw FiguresError("a record without bytes") }
            records += 1
            checksum &+= UInt64(payload.count) + UInt64(payload[0])
          }
        }
        return (records, checksum)
      }
    }
  }
}

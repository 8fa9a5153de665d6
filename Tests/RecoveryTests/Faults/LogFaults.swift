import Foundation
import RetraceAvro
import RetraceLMDB
import RetraceSystem
import Testing
import ToolTestSupport

/// Faults of what is inside the data file.
extension Fault {
  static var ofLog: [Fault] {
    [
      Fault(name: "a flipped byte in a block", code: "damaged", exitCode: 3) { store in
        try store.flip(Array(RecordedStore.marker.utf8), offset: 3)
      },
      Fault(name: "a flipped byte in the head", code: "damaged", exitCode: 3) { store in
        // Beside the anchor, which is another file, only the head holds the last digest.
        try store.flip(try #require(bytes(ofHex: store.truth.chain)))
      },
      Fault(
        name: "a flipped byte in the stored schema", code: "damaged", exitCode: 3,
        commands: [.audit, .verify]
      ) { store in
        // Programs that have the schema compare its digest, which is stored elsewhere.
        try store.flip(Array(#""name":"TrackerAction""#.utf8), offset: 12)
      },
      Fault(name: "a block of a newer version", code: "incompatible", exitCode: 4) { store in
        try changeBlock(of: store) { $0[8] = 4 }
      },
      Fault(
        name: "a block of an older version", code: "damaged", exitCode: 3,
        commands: [.audit, .verify]
      ) { store in
        try changeBlock(of: store) { $0[8] = 1 }
      },
      Fault(name: "a block with unknown flags", code: "incompatible", exitCode: 4) { store in
        try changeBlock(of: store) { $0[9] = 1 }
      },
      Fault(
        name: "a block exchanged for another", code: "damaged", exitCode: 3,
        commands: [.audit, .verify]
      ) { store in
        // Its own checksum is right, so only the chain can show the damage.
        try changeBlock(of: store) { $0[50] ^= 1 }
      },
    ]
  }

  private static func bytes(ofHex text: String) -> [UInt8]? {
    let digits = Array(text)
    guard digits.count % 2 == 0 else { return nil }
    return stride(from: 0, to: digits.count, by: 2).reduce(into: [UInt8]?([])) { bytes, at in
      guard let byte = UInt8(String(digits[at...at + 1]), radix: 16) else { return bytes = nil }
      bytes?.append(byte)
    }
  }

  /// Changes a block in the middle of the log, with a checksum that is right.
  private static func changeBlock(
    of store: RecordedStore, _ change: (inout [UInt8]) -> Void
  ) throws -> RecordedStore.Undo {
    let middle = UInt64(store.truth.records.count / 2)
    let (key, before) = try withLog(of: store) { environment, log in
      let transaction = try environment.beginRead()
      var cursor = try transaction.cursor(over: log)
      let isFound = try cursor.seek(atOrBefore: middle)
      let key = cursor.integerKey
      let value = cursor.value
      try #require(isFound)
      return (try #require(key), [UInt8](value))
    }
    try #require(key > 1 && Int(key) < store.truth.records.count)
    var after = before
    change(&after)
    let checksum = SHA256Hasher.checksum(after.span.extracting(8...))
    for byte in 0..<8 { after[byte] = UInt8(truncatingIfNeeded: checksum >> UInt64(8 * byte)) }
    let changed = after
    func put(_ block: [UInt8]) throws {
      try withLog(of: store) { environment, log in
        var transaction = try environment.beginWrite()
        try transaction.put(block.span, for: key, in: log)
        try transaction.commit()
      }
    }
    try put(changed)
    return { try put(before) }
  }

  private static func withLog<R>(
    of store: RecordedStore, _ body: (LMDBEnvironment, LMDBDatabase) throws -> R
  ) throws -> R {
    let environment = try LMDBEnvironment.open(store.path)
    defer { environment.close() }
    return try body(environment, try #require(try environment.openDatabase("log")))
  }
}

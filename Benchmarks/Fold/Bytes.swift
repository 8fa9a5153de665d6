import Figures
import Foundation
import RetraceLog
import RetraceStorage
import Workload

/// Registers rows of bytes on disk; each action is a batch of its own, with a moment of its own.
func registerBytes() {
  let file = LogFile("bytes", actions: 1_000_000, entries: 10_000)
  let input = "the mix, seed \(seed), \(file.text)"
  figure(
    Row(
      "bytes on disk per action", input: input, unit: .counted("B"),
      target: .atMost(44), rounds: 1),
    setUp: file.make, tearDown: file.remove
  ) {
    let size = try fileBytes(file)
    return Counted(
      Double(size) / Double(file.written.actions), operations: file.written.actions,
      checksum: size)
  }
  figure(
    Row(
      "framing and envelope per action", input: input, unit: .counted("B"),
      target: .atMost(8), rounds: 1),
    setUp: file.make, tearDown: file.remove
  ) {
    let bytes = try recordBytes(file)
    return Counted(
      Double(bytes - file.written.payloadBytes) / Double(file.written.records),
      operations: file.written.records, checksum: bytes)
  }
  figure(
    Row(
      "file size relative to payload, framing and envelope", input: input, unit: .counted("x"),
      target: .atMost(1.03), rounds: 1),
    setUp: file.make, tearDown: file.remove
  ) {
    let bytes = try recordBytes(file)
    return Counted(
      Double(try fileBytes(file)) / Double(bytes), operations: file.written.records,
      checksum: bytes)
  }
}

/// The bytes of all records, with framing and envelopes.
private func recordBytes(_ file: LogFile) throws -> UInt64 {
  var bytes: UInt64 = 0
  try file.read { view throws(StoreError) in
    try view.scan(from: 1, through: view.head.sequence) { record throws(StoreError) in
      bytes += UInt64(record.recordEnd - record.recordStart)
    }
  }
  return bytes
}

private func fileBytes(_ file: LogFile) throws -> UInt64 {
  let attributes = try FileManager.default.attributesOfItem(atPath: file.path + "/data.mdb")
  return (attributes[.size] as? NSNumber)?.uint64Value ?? 0
}

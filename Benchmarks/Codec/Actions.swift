import Figures
import Foundation
import RetraceAvro
import SwiftProtobuf
import Workload

/// The actions that all rows work on, in every form that a side reads.
final class Actions {
  /// The seed of the random numbers.
  static let seed: UInt64 = 1
  /// The actions of the codec's rows, made when a row first needs them.
  nonisolated(unsafe) static let codec = Actions(50_000, entries: 10_000)
  /// The description of these actions that the rows print.
  static let codecInput = "50,000 actions of the mix, seed \(seed)"

  let values: [WorkloadAction]
  /// The same actions, each of which can be encoded without a copy.
  let borrowable: BorrowableArray<WorkloadAction>
  /// The Avro bytes of all actions, one after another.
  let bytes: [UInt8]
  /// The end of each action in ``bytes``.
  let ends: [Int64]
  lazy var json: [Data] = values.map { value in
    (try? JSONEncoder().encode(value)) ?? Data()
  }
  lazy var messages: [PBAction] = values.map { PBAction($0) }
  lazy var protobuf: [[UInt8]] = messages.map { message in
    (try? message.serializedBytes() as [UInt8]) ?? []
  }

  init(_ count: Int, entries: Int) {
    var mix = ActionMix(seed: Self.seed, entries: entries)
    values = (0..<count).map { _ in mix.next() }
    borrowable = BorrowableArray(values)
    var writer = AvroWriter()
    var ends: [Int64] = []
    for value in values {
      value.encode(into: &writer)
      ends.append(Int64(writer.count))
    }
    bytes = writer.bytes
    self.ends = ends
  }

  /// The number of actions.
  var count: UInt64 { UInt64(values.count) }

  /// Calls `body` with the borrowed bytes of each action in turn.
  func forEachSpan(_ body: (Span<UInt8>) throws -> Void) rethrows {
    var start = 0
    let bytes = bytes
    for end in ends {
      try body(bytes.span.extracting(start..<Int(end)))
      start = Int(end)
    }
  }
}

/// The checksum of bytes: FNV-1a.
func checksum(_ bytes: some Sequence<UInt8>) -> UInt64 {
  var sum: UInt64 = 0xcbf2_9ce4_8422_2325
  for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
  return sum
}

/// The checksum of actions, over their Avro bytes in order.
func checksum(of actions: some Sequence<WorkloadAction>) -> UInt64 {
  var writer = AvroWriter()
  for action in actions { action.encode(into: &writer) }
  return checksum(writer.bytes)
}

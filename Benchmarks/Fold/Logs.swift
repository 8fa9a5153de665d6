import Figures
import Foundation
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceStorage
import Workload

/// The seed of every log.
let seed: UInt64 = 1

/// The fraction of the actions that are folded, such as 0.01 for a quick look; 1 by default.
private let scale =
  ProcessInfo.processInfo.environment["RETRACE_FIGURES_SCALE"].flatMap { Double($0) } ?? 1

/// A log of the workload in a store of its own, written by ``make()``.
final class LogFile {
  let log: WorkloadLog
  let name: String
  private(set) var path = ""
  private(set) var written = WorkloadLog.Written()

  init(
    _ name: String, actions: Int, entries: Int, endsWhenFull: Bool = false, hashes: Int = 0,
    hasShortHashes: Bool = false
  ) {
    self.name = name
    var log = WorkloadLog(
      actions: max(1_000, Int(Double(actions) * scale)),
      entries: max(10, endsWhenFull ? Int(Double(entries) * scale) : entries), seed: seed)
    log.endsWhenFull = endsWhenFull
    log.hashInterval = hashes
    log.hasShortHashes = hasShortHashes
    self.log = log
  }

  /// Writes the log.
  func make() throws {
    path = try scratch(name) + "/store"
    written = try log.write(to: path)
  }

  /// Removes the log.
  func remove() {
    removeScratch(path.replacingOccurrences(of: "/store", with: ""))
  }

  /// The description of the log that the rows print.
  var text: String {
    let size = log.endsWhenFull ? "enough actions for" : "\(grouped(log.actions)) actions,"
    return "\(size) \(grouped(log.entries)) entries"
  }

  /// Opens the log for reading and calls `body` with a read view.
  func read<R>(_ body: (borrowing ReadView) throws(StoreError) -> R) throws -> R {
    let storage = try LogStorage.open(at: path, access: .read, mapBytes: 8 << 30)
    defer { storage.close() }
    return try storage.withReadView { view throws(StoreError) in try body(view) }
  }
}

/// The checksum of a row, over the state and the first bytes of the chain.
func combined(_ state: UInt64, chain: UInt64) -> UInt64 { state ^ chain }

extension Digest {
  /// The first 8 bytes as a little-endian integer.
  var firstWord: UInt64 { bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) } }
}

/// Times work on a log, by the clock of the thread unless another is named.
func clocked(
  by clock: FiguresClock = .thread,
  _ work: () throws(StoreError) -> (operations: UInt64, checksum: UInt64)
) throws(StoreError) -> Measured {
  let start = clock.now
  let (operations, checksum) = try work()
  return Measured(
    nanoseconds: clock.now - start, operations: operations, checksum: checksum)
}

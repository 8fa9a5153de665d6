import RetraceArchitecture
package import RetraceAvro
import RetraceState

/// The blocks of a log in memory.
package struct LogBlocks<H: ByteHasher>: ~Copyable {
  private var builder: BlockBuilder<H>
  /// The finished blocks, each with the sequence of its first record.
  package private(set) var finished: [(first: UInt64, bytes: [UInt8])] = []
  private var lastMoment = Moment(microseconds: 0)

  /// Starts the log with an identity.
  package init(store: StoreID) {
    builder = BlockBuilder(store: store, startingAt: 1, after: .zero)
  }

  /// The sequence of the next record.
  package var sequence: UInt64 { builder.sequence }

  /// Appends a record.
  ///
  /// - Throws: The error of a record with too many bytes.
  package mutating func append(_ envelope: Envelope, _ payload: [UInt8]) throws(LogError) {
    lastMoment = envelope.moment
    if try builder.append(envelope, payload: payload.span) { return }
    _ = builder.finish()
    keep()
    builder.startNext()
    _ = try builder.append(envelope, payload: payload.span)
  }

  /// Ends the last block, and returns the end of the log.
  package mutating func finish() -> Head {
    let chain = builder.finish()
    guard builder.recordCount > 0 else { return .empty }
    keep()
    return Head(
      sequence: builder.sequence - 1, chain: chain, moment: lastMoment,
      lastBlockKey: builder.firstSequence)
  }

  private mutating func keep() {
    finished.append((builder.firstSequence, [UInt8](copying: builder.bytes)))
  }
}

import Retrace
import RetraceStorage
import RetraceSystem

/// The blocks of a log in memory.
struct BundleBlocks: ~Copyable {
  private var builder: BlockBuilder<SHA256Hasher>
  private(set) var blocks: [(first: UInt64, bytes: [UInt8])] = []
  private var lastMoment = Moment(microseconds: 0)

  /// Starts the log with an identity.
  init(store: StoreID) { builder = BlockBuilder(store: store, startingAt: 1, after: .zero) }

  /// Appends a record.
  mutating func append(_ envelope: Envelope, _ payload: [UInt8]) throws(StoreError) {
    do throws(LogError) {
      lastMoment = envelope.moment
      if try builder.append(envelope, payload: payload.span) { return }
      _ = builder.finish()
      keep()
      builder.startNext()
      _ = try builder.append(envelope, payload: payload.span)
    } catch {
      throw StoreError(error, in: "a bundle")
    }
  }

  /// Ends the last block, and returns the end of the log.
  mutating func finish() -> Head {
    let chain = builder.finish()
    guard builder.recordCount > 0 else { return .empty }
    keep()
    return Head(
      sequence: builder.sequence - 1, chain: chain, moment: lastMoment,
      lastBlockKey: builder.firstSequence)
  }

  private mutating func keep() {
    blocks.append((builder.firstSequence, [UInt8](copying: builder.bytes)))
  }
}

/// Folds records that are in no log yet, each in a block of its own.
struct SingleRecords: ~Copyable {
  private var builder: BlockBuilder<SHA256Hasher>

  /// Starts with the record of a sequence.
  init(startingAt sequence: UInt64) {
    builder = BlockBuilder(store: StoreID(0, 0), startingAt: sequence, after: .zero)
  }

  /// Folds the next record.
  mutating func fold<App: ReplayableApp>(
    _ envelope: Envelope, _ payload: [UInt8], into fold: inout RecordFold<App>
  ) throws(StoreError) {
    do throws(LogError) {
      _ = try builder.append(envelope, payload: payload.span)
      _ = builder.finish()
    } catch {
      throw StoreError(error, in: "a bundle")
    }
    try Self.fold(builder.bytes, at: envelope.sequence, into: &fold)
    builder.startNext()
  }

  private static func fold<App: ReplayableApp>(
    _ block: Span<UInt8>, at sequence: UInt64, into fold: inout RecordFold<App>
  ) throws(StoreError) {
    do throws(LogError) {
      var cursor = try RecordCursor(block, at: sequence)
      _ = try cursor.next()
      do throws(FoldError) {
        _ = try fold.advance(cursor)
      } catch {
        throw LogError.damaged(sequence: sequence, detail: StoreError(error).why)
      }
    } catch {
      throw StoreError(error, in: "a bundle")
    }
  }
}

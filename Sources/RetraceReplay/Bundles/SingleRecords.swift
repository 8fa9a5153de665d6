import Retrace
import RetraceStorage
import RetraceSystem

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

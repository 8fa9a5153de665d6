import Retrace
import RetraceStorage

/// The encoder of an app's actions, which rejects those that could not be read back.
struct ActionEncoder<App: ReplayableApp>: Sendable {
  private let schema = AppSchemas.of(App.self).action

  /// Encodes the actions of a batch.
  ///
  /// - Throws: `recordTooLarge`.
  func encode(_ actions: [App.Action]) throws(StoreError) -> EncodedActions {
    var encoded: [UInt8] = []
    let longest = App.encode(actions, into: &encoded)
    guard longest <= LogFormat.actionBytesMax else {
      throw StoreError.recordTooLarge(bytes: longest)
    }
    if longest >= schema.digests.minViolationByteCount { try refuseBeyondLimits(encoded.span) }
    try checkBatch(encoded.count)
    return EncodedActions(bytes: encoded)
  }

  /// Returns the error for a command or refusal that could not be read back; `nil` if it could.
  ///
  /// - Parameter name: `command` or `refusal`.
  static func limitFailure(
    of bytes: [UInt8], _ schema: AppSchema, name: String
  ) -> StoreError? {
    guard bytes.count <= LogFormat.actionBytesMax else {
      return StoreError.commandTooLarge(name, bytes: bytes.count)
    }
    guard bytes.count >= schema.digests.minViolationByteCount else { return nil }
    do throws(AvroError) {
      try schema.limits.check(bytes.span)
      return nil
    } catch {
      return StoreError.commandBeyondLimits(name, error)
    }
  }

  /// Throws if a batch is larger than the log allows.
  ///
  /// - Parameter bytes: The bytes of its actions and their lengths, which the attempt and a
  ///   `crashed` record also contain.
  func checkBatch(_ bytes: Int) throws(StoreError) {
    guard bytes <= LogFormat.batchBytesMax else { throw StoreError.batchTooLarge(bytes: bytes) }
  }

  /// Throws if encoded actions, each preceded by its length, could not be read back.
  private func refuseBeyondLimits(_ actions: Span<UInt8>) throws(StoreError) {
    let limits = schema.limits
    var reader = AvroReader(actions)
    do throws(AvroError) {
      while !reader.isAtEnd {
        let count = Int(try reader.littleEndian32())
        try limits.check(try reader.raw(count))
      }
    } catch {
      throw StoreError.beyondLimits(error)
    }
  }
}

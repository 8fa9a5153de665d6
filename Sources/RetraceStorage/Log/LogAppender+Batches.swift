package import Retrace

extension LogAppender {
  /// Appends the actions of a batch after all other records.
  ///
  /// Nothing is on disk before the transaction is committed; see `LogWriter.Access.append`.
  ///
  /// - Parameters:
  ///   - actions: The encoded actions.
  ///   - envelope: The envelope of all of them; the first begins the batch and carries the key.
  ///   - effects: The sequences of the actions that have an effect, in order.
  ///   - hash: The hash of the state after the last action, to be stored with that action; `nil`
  ///     for none.
  /// - Returns: The sequences of the records.
  /// - Complexity: O(bytes of the records), and a write of 16 KiB for each block that gets full.
  /// - Throws: As ``append(_:payload:)``.
  @discardableResult
  package mutating func append(
    _ actions: EncodedActions, _ envelope: Envelope, effectsAt effects: [UInt64] = [],
    hashOfLast hash: RecordedStateHash? = nil
  ) throws(StoreError) -> Range<UInt64> {
    let first = nextSequence
    var envelope = envelope
    var effects = effects[...]
    let bytes = actions.bytes.span
    var offset = 0
    while let range = actions.range(at: offset) {
      envelope.hasEffect = effects.first == nextSequence
      if envelope.hasEffect { effects.removeFirst() }
      let isLast = range.upperBound == bytes.count
      if isLast { envelope.recordedHash = hash }
      let sequence = try append(envelope, payload: bytes.extracting(range))
      if sequence == first { (envelope.startsBatch, envelope.key) = (false, nil) }
      offset = range.upperBound
      envelope.hasEffect = false
      // Appends all actions before the next one with an effect, but not the batch's last action if
      // that carries the hash.
      let plain = effects.first.map { Int($0 - nextSequence) } ?? .max
      _ = builder.append(
        further: bytes, at: &offset, leavingLast: hash != nil, limit: plain, envelope)
    }
    return first..<nextSequence
  }
}

public import RetraceAvro

/// What a check of a whole log found.
public struct LogReport: Sendable {
  /// The number of records that were checked and are sound.
  public var records: UInt64
  /// The number of blocks that they are in.
  public var blocks: UInt64
  /// The bytes of those blocks.
  public var bytes: UInt64
  /// The chain digest of the last sound record of those blocks.
  public var chain: Digest
  /// What is wrong, if anything is; what comes after it was not looked at.
  public var damage: LogError?
}

extension RecordSource where Self: ~Copyable {
  /// Checks the whole log: every block, record, schema number and the head.
  ///
  /// - Parameters:
  ///   - hasher: The hash functions.
  ///   - fingerprint: Gives the fingerprint of a schema's JSON; `nil` if it is no schema. The
  ///     numbers are then checked against what the sessions said.
  /// - Complexity: O(bytes of the log), about a quarter of a second per 100 MB.
  /// - Throws: What the source throws; damage is reported, not thrown.
  public func verifyLog<H: ByteHasher>(
    with hasher: H.Type, fingerprint: ((String) -> Digest?)? = nil
  ) throws(Failure) -> LogReport {
    var verifier = LogVerifier<H>(store: storeID)
    var damage: LogError?
    try forEachBlock(from: 1) { key, block in
      do throws(LogError) {
        try verifier.check(block, at: key)
        return true
      } catch {
        damage = error
        return false
      }
    }
    if damage == nil { damage = try damagedSchema(verifier, fingerprint: fingerprint) }
    if damage == nil {
      let head = try readHead()
      do { try verifier.finish(head) } catch { damage = error }
    }
    return LogReport(
      records: verifier.records, blocks: verifier.blocks, bytes: verifier.bytes,
      chain: verifier.chain, damage: damage)
  }

  /// The first record whose schema number is not to be trusted.
  private func damagedSchema<H: ByteHasher>(
    _ verifier: LogVerifier<H>, fingerprint: ((String) -> Digest?)?
  ) throws(Failure) -> LogError? {
    for (number, user) in verifier.schemas.sorted(by: { $0.value < $1.value }) {
      guard let json = try schemaJSON(number) else {
        return .damaged(sequence: user, detail: "its schema \(number) is missing")
      }
      guard let fingerprint, let named = verifier.fingerprints[number] else { continue }
      guard fingerprint(json) == named.fingerprint else {
        return .damaged(
          sequence: user, detail: "schema \(number) is not the one that its session names")
      }
    }
    return nil
  }
}

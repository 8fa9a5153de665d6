import RetraceArchitecture
public import RetraceAvro

/// The result of checking a whole log.
///
/// ```swift
/// let report: LogReport = try storage.withReadView { (view) throws(StoreError) in
///   try view.verify()
/// }
/// if let damage = report.damage { print("damaged from record \(damage.sequence) on") }
/// ```
public struct LogReport: Sendable {
  /// The number of valid records.
  public var records: UInt64
  /// The number of blocks of those records.
  public var blocks: UInt64
  /// The number of bytes of those blocks.
  public var bytes: UInt64
  /// The chain digest of the last valid record of those blocks.
  public var chain: Digest
  /// The first damage, if any; nothing after it was checked.
  public var damage: LogError?
}

extension LogSource where Self: ~Copyable {
  /// Checks the whole log: every block, record, schema number and the head.
  ///
  /// - Parameters:
  ///   - hasher: The hash functions.
  ///   - fingerprint: Returns the fingerprint of a schema's JSON, or `nil` if it is not a schema.
  ///     If given, the schemas are checked against the fingerprints that the sessions recorded.
  ///   - progress: Called after each block with the sequence of the last record before the block,
  ///     because the block confirms the chain digest of that record.
  /// - Complexity: O(bytes of the log), about a quarter of a second per 100 MB.
  /// - Throws: The error of the source; damage is reported, not thrown.
  package func verifyLog<H: ByteHasher>(
    with hasher: H.Type, fingerprint: ((String) -> Digest?)? = nil,
    progress: (UInt64) -> Void = { _ in }
  ) throws(Failure) -> LogReport {
    var verifier = LogVerifier<H>(store: storeID)
    var damage: LogError?
    try forEachBlock(from: 1) { key, block in
      do throws(LogError) {
        try verifier.check(block, at: key)
        progress(verifier.lastBlockKey - 1)
      } catch {
        damage = error
      }
      return damage == nil
    }
    if damage == nil { damage = try schemaDamage(verifier, fingerprint: fingerprint) }
    if damage == nil {
      let head = try readHead()
      do { try verifier.finish(head) } catch { damage = error }
    }
    return LogReport(
      records: verifier.records, blocks: verifier.blocks, bytes: verifier.bytes,
      chain: verifier.chain, damage: damage)
  }

  /// Returns the damage of the first record whose schema is missing or wrong.
  private func schemaDamage<H: ByteHasher>(
    _ verifier: LogVerifier<H>, fingerprint: ((String) -> Digest?)?
  ) throws(Failure) -> LogError? {
    for (number, firstUse) in verifier.schemas.sorted(by: { $0.value < $1.value }) {
      guard let json = try schemaJSON(number) else {
        return .damaged(sequence: firstUse, detail: "its \(Self.name(ofSchema: number)) is missing")
      }
      if let firstUse = verifier.commandSchemas[number], verifier.fingerprints[number] == nil {
        return .damaged(
          sequence: firstUse,
          detail: "its command uses \(Self.name(ofSchema: number)), which no session names")
      }
      guard let fingerprint, let named = verifier.fingerprints[number] else { continue }
      guard fingerprint(json) == named.fingerprint else {
        return .damaged(
          sequence: firstUse,
          detail: "\(Self.name(ofSchema: number)) does not have the fingerprint that the session "
            + "recorded")
      }
    }
    return nil
  }

  /// Returns the name, for messages, of the schema that the log stores under a number.
  private static func name(ofSchema number: UInt32) -> String {
    let commands = LogFormat.commandSchemaNumber(0)
    return number < commands ? "schema \(number)" : "command schema \(number - commands)"
  }
}

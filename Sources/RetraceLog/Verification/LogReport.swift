import RetraceArchitecture
public import RetraceAvro
package import RetraceState

/// The result of checking a whole log.
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

extension RecordSource where Self: ~Copyable {
  /// Checks the whole log: every block, record, schema number and the head.
  ///
  /// - Parameters:
  ///   - hasher: The hash functions.
  ///   - fingerprint: Returns the fingerprint of a schema's JSON, or `nil` if it is not a schema.
  ///     If given, the schemas are checked against the fingerprints that the sessions recorded.
  ///   - workers: Threads to share the work. They check copies of about 4 MiB at a time. The report
  ///     is the same with and without them.
  /// - Complexity: O(bytes of the log), about a quarter of a second per 100 MB.
  /// - Throws: The error of the source; damage is reported, not thrown.
  package func verifyLog<H: ByteHasher>(
    with hasher: H.Type, on workers: (any WorkerPool)? = nil,
    fingerprint: ((String) -> Digest?)? = nil
  ) throws(Failure) -> LogReport {
    var verifier = LogVerifier<H>(store: storeID)
    var damage = try damagedBlock(workers, gathering: 4 << 20, &verifier)
    if damage == nil { damage = try damagedSchema(verifier, fingerprint: fingerprint) }
    if damage == nil {
      let head = try readHead()
      do { try verifier.finish(head) } catch { damage = error }
    }
    return LogReport(
      records: verifier.records, blocks: verifier.blocks, bytes: verifier.bytes,
      chain: verifier.chain, damage: damage)
  }

  /// Returns the error of the first damaged block; the verifier stops before that block.
  ///
  /// - Parameters:
  ///   - workers: Threads to share the work, if any.
  ///   - bytes: The number of bytes that they check at a time.
  ///   - verifier: A verifier before the first block.
  func damagedBlock<H: ByteHasher>(
    _ workers: (any WorkerPool)?, gathering bytes: Int, _ verifier: inout LogVerifier<H>
  ) throws(Failure) -> LogError? {
    var damage: LogError?
    guard let workers, workers.threadCount > 1 else {
      try forEachBlock(from: 1) { key, block in
        damage = .thrown { () throws(LogError) in try verifier.check(block, at: key) }
        return damage == nil
      }
      return damage
    }
    var batch = BlockBatch<H>(of: storeID, on: workers, gathering: bytes)
    do throws(Failure) {
      try forEachBlock(from: 1) { key, block in
        damage = .thrown { () throws(LogError) in try batch.check(block, at: key, by: &verifier) }
        return damage == nil
      }
    } catch {
      // Damage in the blocks already read comes before the error of reading the next one.
      damage = .thrown { () throws(LogError) in try batch.finish(by: &verifier) }
      guard damage != nil else { throw error }
    }
    if damage == nil {
      damage = .thrown { () throws(LogError) in try batch.finish(by: &verifier) }
    }
    return damage
  }

  /// Returns the damage of the first record whose schema is missing or wrong.
  private func damagedSchema<H: ByteHasher>(
    _ verifier: LogVerifier<H>, fingerprint: ((String) -> Digest?)?
  ) throws(Failure) -> LogError? {
    for (number, user) in verifier.schemas.sorted(by: { $0.value < $1.value }) {
      guard let json = try schemaJSON(number) else {
        return .damaged(sequence: user, detail: "its schema \(number) is missing")
      }
      if let user = verifier.commandSchemas[number], verifier.fingerprints[number] == nil {
        return .damaged(
          sequence: user,
          detail: "its command uses command schema \(number & 0x7fff_ffff), which no session "
            + "names")
      }
      guard let fingerprint, let named = verifier.fingerprints[number] else { continue }
      guard fingerprint(json) == named.fingerprint else {
        return .damaged(
          sequence: user,
          detail: "schema \(number) does not have the fingerprint that the session recorded")
      }
    }
    return nil
  }
}

extension LogError {
  /// Returns the error that a check throws, or `nil`.
  fileprivate static func thrown(by check: () throws(LogError) -> Void) -> LogError? {
    do throws(LogError) {
      try check()
      return nil
    } catch {
      return error
    }
  }
}

package import Retrace
import RetraceSystem

/// A record in an intact block of a damaged store.
package struct IntactRecord: Sendable {
  package var envelope: Envelope
  /// The format version of its block.
  package var version: UInt8
  /// A remark on the moment, if there is one.
  package var clock: RecordClocks.Remark?
  /// Whether the chain from the first record on covers the record.
  ///
  /// A checksum shows that a block is intact. Only the chain shows that the record was recorded at
  /// its place.
  package var isChained: Bool
}

/// The schemas that were found in a damaged store.
package struct IntactSchemas: Sendable {
  private let found: FoundSchemas
  /// The fingerprints that sessions recorded, by number.
  private var fingerprints: [UInt32: Digest] = [:]

  fileprivate init(_ found: FoundSchemas) { self.found = found }

  /// Returns the schema with a number; `nil` if it is missing, or may be one of several.
  package func schema(_ number: UInt32) -> Schema? {
    let named = fingerprints[number].flatMap { found.json(number, fingerprint: $0) }
    return (named ?? found.json(number)).flatMap { try? Schema(parsing: $0) }
  }

  fileprivate mutating func note(_ opened: SessionOpened, schema: UInt32) {
    fingerprints[schema] = opened.actionSchema
    for named in opened.schemas {
      fingerprints[LogFormat.commandSchemaNumber(named.number)] = named.fingerprint
    }
  }
}

extension LogStorage {
  /// Calls `body` with each record in an intact block of a damaged store, in the order of their
  /// sequences.
  ///
  /// These are the records that ``salvage(_:to:knowing:)`` keeps, and the intact ones that it
  /// cannot keep because records before them are missing. Nothing is written.
  ///
  /// - Parameters:
  ///   - path: The directory of the store, which no process may have open.
  ///   - body: Receives a record, its payload and the known schemas, and returns whether to
  ///     continue.
  /// - Returns: The ranges of records that are missing, up to the last known record; none if `body`
  ///   ended the search.
  /// - Complexity: O(bytes of the data file), read up to four times; memory for an entry for each
  ///   block.
  /// - Throws: `inUse` if a process has the store open; `damaged` if the identity of the store is
  ///   lost; storage failures.
  package static func forEachIntactRecord(
    at path: String,
    _ body: (IntactRecord, Span<UInt8>, IntactSchemas) throws(StoreError) -> Bool
  ) throws(StoreError) -> [ClosedRange<UInt64>] {
    try Salvage.withLock(on: StorePath(path)) { store throws(StoreError) in
      try Salvage(store, knowing: []).forEachRecord(body)
    }
  }
}

extension Salvage {
  /// The values that reading records in their order collects.
  private struct Reading {
    var schemas: IntactSchemas
    var clocks = RecordClocks()
    /// The sessions whose clock an option fixed.
    var fixed: Set<UInt64> = []
  }

  /// Calls `body` as ``LogStorage/forEachIntactRecord(at:_:)`` does.
  fileprivate func forEachRecord(
    _ body: (IntactRecord, Span<UInt8>, IntactSchemas) throws(StoreError) -> Bool
  ) throws(StoreError) -> [ClosedRange<UInt64>] {
    let path = try StoreError.system(
      try findBlockPath(), in: store.directory, doing: Self.doing)
    let chained = path.blocks.map { block in
      Part(
        block: block,
        records: block.header.firstSequence...min(block.header.lastSequence, path.last))
    }
    var reading = Reading(schemas: IntactSchemas(search.schemas))
    var found: [ClosedRange<UInt64>] = []
    for part in chained + intactParts(after: path.last) {
      let isChained = part.records.upperBound <= path.last
      var last = part.records.lowerBound - 1
      let goesOn = try forEachRecord(of: part, &reading) {
        envelope, payload, reading throws(StoreError) in
        last = envelope.sequence
        let record = IntactRecord(
          envelope: envelope, version: part.block.header.version,
          clock: reading.clocks.remark(
            onNext: envelope, isFixed: reading.fixed.contains(envelope.session)),
          isChained: isChained)
        return try body(record, payload, reading.schemas)
      }
      guard goesOn else { return [] }
      if last >= part.records.lowerBound { found.append(part.records.lowerBound...last) }
    }
    return missing(from: 1, besides: found)
  }

  /// Calls `body` with the records of a part of a block; stops at a fault within the block.
  ///
  /// - Returns: Whether `body` did not stop.
  private func forEachRecord(
    of part: Part, _ reading: inout Reading,
    _ body: (Envelope, Span<UInt8>, inout Reading) throws(StoreError) -> Bool
  ) throws(StoreError) -> Bool {
    let block = part.block
    let bytes = try StoreError.system(
      try file.read(at: block.offset, count: block.byteCount), in: store.directory,
      doing: Self.doing)
    var record = try BlockScan.cursor(
      over: bytes.span, at: block.header.firstSequence, in: store.directory)
    while true {
      do throws(LogError) {
        guard try record.next(), record.sequence <= part.records.upperBound else { return true }
      } catch {
        return true
      }
      guard record.sequence >= part.records.lowerBound else { continue }
      if record.kind == .sessionOpened,
        let opened = try? record.systemPayload(as: SessionOpened.self)
      {
        reading.schemas.note(opened, schema: record.schema)
        if opened.origin?.isClockFixed == true { reading.fixed.insert(record.session) }
      }
      guard try body(record.envelope, record.payload, &reading) else { return false }
    }
  }
}

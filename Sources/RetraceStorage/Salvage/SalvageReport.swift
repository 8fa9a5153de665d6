public import RetraceLog

/// What a salvage kept of a store, and what is missing.
public struct SalvageReport: Hashable, Sendable {
  /// The directory of the new store.
  public var path: String
  /// Where the log of the new store ends: records 1 to its sequence were kept.
  public var head: Head
  /// The bytes of the new data file.
  public var bytes: Int
  /// The version of the format that the records had.
  public var version: UInt8
  /// The sequence of the last record that the old store is known to have had.
  public var lastKnown: UInt64
  /// The ranges of records up to ``lastKnown`` of which no whole block was found.
  public var missing: [ClosedRange<UInt64>]
  /// The ranges of records that are whole, but come after something that is missing.
  public var unreachable: [ClosedRange<UInt64>]
  /// The records that are whole and were left out because their batch, or commit, may go on in
  /// what is missing.
  public var dropped: ClosedRange<UInt64>?
  /// The number of the schema that is missing, if the kept records end because of that.
  public var missingSchema: UInt32?
  /// The kept sessions that have no end.
  public var openSessions: [UInt64]

  /// Whether all records that the old store is known to have had were kept.
  public var isComplete: Bool { head.sequence == lastKnown }
}

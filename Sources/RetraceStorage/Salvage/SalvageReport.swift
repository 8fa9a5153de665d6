public import RetraceLog

/// The result of salvaging a store: what was kept, and what is missing.
public struct SalvageReport: Hashable, Sendable {
  /// The directory of the new store.
  public var path: String
  /// The end of the new store's log; all records up to its sequence were kept.
  public var head: Head
  /// The size of the new data file in bytes.
  public var bytes: Int
  /// The format version of the original records.
  public var version: UInt8
  /// The last record that the old store is known to have had.
  public var lastKnown: UInt64
  /// The ranges of records up to ``lastKnown`` without an intact block.
  public var missing: [ClosedRange<UInt64>]
  /// The ranges of intact records after something that is missing.
  public var unreachable: [ClosedRange<UInt64>]
  /// The intact records that were left out because their batch or commit may continue in missing
  /// ones.
  public var dropped: ClosedRange<UInt64>?
  /// The number of the missing schema that ended the kept records; `nil` if none did.
  public var missingSchema: UInt32?
  /// The kept sessions without an end.
  public var openSessions: [UInt64]

  /// Whether all known records of the old store were kept.
  public var isComplete: Bool { head.sequence == lastKnown }
}

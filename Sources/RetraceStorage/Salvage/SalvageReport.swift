package import Retrace

/// The result of salvaging a store: what was kept, and what is missing.
package struct SalvageReport: Hashable, Sendable {
  package var path: String
  /// The end of the new store's log; all records up to its sequence were kept.
  package var head: Head
  /// The size of the new data file in bytes.
  package var bytes: Int
  /// The format version of the original records.
  package var version: UInt8
  /// The last record that the old store is known to have had.
  package var lastKnown: UInt64
  /// The ranges of records up to ``lastKnown`` without an intact block.
  package var missing: [ClosedRange<UInt64>]
  /// The ranges of intact records after a missing record or schema.
  package var unreachable: [ClosedRange<UInt64>]
  /// The intact records that were left out because their batch or commit may continue in missing
  /// ones.
  package var dropped: ClosedRange<UInt64>?
  /// The number of the missing schema that ended the kept records; `nil` if none did.
  package var missingSchema: UInt32?
  /// The kept sessions without an end.
  package var openSessions: [UInt64]

  /// Whether all known records of the old store were kept.
  package var isComplete: Bool { head.sequence == lastKnown }
}

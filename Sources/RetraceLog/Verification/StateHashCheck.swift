package import RetraceAvro

/// The comparison of the state hashes in a log with those of a fold.
///
/// Hashes that were recorded under another state schema are counted and not compared.
@usableFromInline
package struct StateHashCheck: Sendable {
  private let stateSchema: Digest
  /// The fingerprint of the state schema of each session so far.
  private var sessions: [UInt64: Digest] = [:]
  private var lastAgreement: UInt64 = 0
  /// The number of hashes that were compared.
  package private(set) var compared = 0
  /// The number of these of which the record has only the first four bytes.
  package private(set) var comparedShort = 0
  /// The number of hashes recorded under another state schema.
  package private(set) var notComparable = 0
  /// The last record whose hash was compared, or 0.
  package private(set) var lastCompared: UInt64 = 0
  /// The largest number of records from one compared hash to the next.
  package private(set) var largestDistance: UInt64 = 0
  /// The last record at which the hashes agreed before the first at which they did not, and that
  /// one.
  package private(set) var firstDivergence: (after: UInt64, upTo: UInt64)?

  /// Creates a check before the first record.
  ///
  /// - Parameter stateSchema: The fingerprint of the schema of the fold's state.
  package init(stateSchema: Digest) { self.stateSchema = stateSchema }

  /// Notes the state schema of a session.
  package mutating func register(_ session: UInt64, _ opened: SessionOpened) {
    sessions[session] = opened.stateSchema
  }

  /// Returns whether the hash of a record can be compared, and counts one that cannot.
  package mutating func canCompare(_ record: borrowing RecordCursor) -> Bool {
    if sessions[record.session] == stateSchema { return true }
    notComparable += 1
    return false
  }

  /// Compares the hash of a record with the hash of the state after it.
  package mutating func compare(
    _ recorded: RecordedStateHash, of record: borrowing RecordCursor, with stateHash: Digest
  ) {
    compared += 1
    if case .short = recorded { comparedShort += 1 }
    largestDistance = max(largestDistance, record.sequence - lastCompared)
    lastCompared = record.sequence
    if recorded.matches(stateHash) {
      lastAgreement = record.sequence
    } else if firstDivergence == nil {
      firstDivergence = (after: lastAgreement, upTo: record.sequence)
    }
  }
}

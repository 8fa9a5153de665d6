package import Retrace

/// The end of the part of a log that a reader looks at.
package enum HistoryEnd: Hashable, Sendable {
  /// The last record of the log.
  case head
  /// The record with this sequence, or the last one of a shorter log.
  case sequence(UInt64)
  /// The last record that existed at this moment.
  case moment(Moment)

  /// Returns the records to look at.
  ///
  /// - Complexity: O(records of the log) for a moment, else O(1).
  /// - Throws: As ``RecordClocks/past(at:in:)``.
  package func past(in view: borrowing ReadView) throws(StoreError) -> RecordClocks.Past {
    let head = view.head.sequence
    return switch self {
    case .head: RecordClocks.Past(last: head)
    case .sequence(let sequence): RecordClocks.Past(last: min(head, sequence))
    case .moment(let moment): try RecordClocks.past(at: moment, in: view)
    }
  }
}

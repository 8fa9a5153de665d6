package import Retrace
import RetraceStorage
package import RetraceToolSupport

package enum HistoryEnd: Sendable {
  case head
  case sequence(UInt64)
  /// The last record of this moment or before.
  case moment(Moment)

  /// Parses a sequence or a timestamp; `nil` is the head.
  ///
  /// - Throws: A usage failure for other text.
  package init(_ text: String?) throws(ToolFailure) {
    guard let text else {
      self = .head
      return
    }
    if let sequence = UInt64(text), sequence > 0 {
      self = .sequence(sequence)
    } else if let moment = Moment(timestamp: text) {
      self = .moment(moment)
    } else {
      throw .usage(
        "--as-of takes a record's number or an instant such as 2026-03-02T09:00:00Z.",
        advice: "Correct it and try again.")
    }
  }

  /// Returns the last sequence to look at.
  ///
  /// - Complexity: O(records after it); O(1) without a moment.
  func sequence(in storage: LogStorage) throws(StoreError) -> UInt64 {
    let head = try storage.head().sequence
    switch self {
    case .head: return head
    case .sequence(let sequence): return min(head, sequence)
    case .moment(let moment):
      guard head > 0 else { return 0 }
      return try storage.withReadView { view throws(StoreError) in
        try view.lastRecord(in: 1...head) { $0.moment <= moment } ?? 0
      }
    }
  }
}

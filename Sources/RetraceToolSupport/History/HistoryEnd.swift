import CivilTime
import RetraceLog
package import RetraceState

/// The end of a history.
package enum HistoryEnd: Sendable {
  /// The last record of the log.
  case head
  /// A record.
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

  /// Returns whether a record is one that the history needs.
  func includes(_ envelope: Envelope) -> Bool {
    guard [.sessionOpened, .command, .action].contains(envelope.kind) else { return false }
    if case .moment(let moment) = self { return envelope.moment <= moment }
    return true
  }
}

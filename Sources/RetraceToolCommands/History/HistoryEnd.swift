package import Retrace
package import RetraceStorage
package import RetraceToolSupport

package enum HistoryEnd: Sendable {
  case head
  case sequence(UInt64)
  /// The last record that existed at this moment.
  case moment(Moment)

  /// Parses a sequence or a timestamp; `nil` is the head.
  ///
  /// - Parameters:
  ///   - text: The value of the option, if it was given.
  ///   - option: The name of the option.
  ///   - first: The lowest sequence.
  /// - Throws: A usage failure for other text.
  package init(
    _ text: String?, option: String = "--as-of", first: UInt64 = 1
  ) throws(ToolFailure) {
    guard let text else {
      self = .head
      return
    }
    if let sequence = UInt64(text), sequence >= first {
      self = .sequence(sequence)
    } else if let moment = Moment(timestamp: text) {
      self = .moment(moment)
    } else {
      throw .usage(
        "\(option) takes a record's number or an instant such as 2026-03-02T09:00:00Z.",
        advice: "Correct it and try again.")
    }
  }

  /// Returns the sequence of the last record to look at.
  ///
  /// Prints a note if the clock was set back over the moment.
  ///
  /// - Complexity: O(records of the log); O(1) without a moment.
  /// - Throws: `notFound` for a sequence after the last record.
  package func position(in storage: LogStorage) throws(ToolFailure) -> UInt64 {
    let past = try orFail(try past(in: storage))
    if case .sequence(let sequence) = self, sequence > past.last {
      throw ToolFailure.noRecord(sequence, last: past.last)
    }
    Self.printNote(on: past)
    return past.last
  }

  /// Prints a note if a record is left out because the clock was set back.
  package static func printNote(on past: RecordClocks.Past) {
    guard let exception = past.exception else { return }
    Output.standard.printErrorWrapped(
      "note: record \(exception) is left out. Its time is not later than the one given, but it "
        + "follows record \(past.last + 1), whose time is: the clock was set back.")
  }

  /// Returns the records to look at.
  ///
  /// - Complexity: O(records of the log); O(1) without a moment.
  func past(in storage: LogStorage) throws(StoreError) -> RecordClocks.Past {
    let head = try storage.head().sequence
    switch self {
    case .head: return RecordClocks.Past(last: head)
    case .sequence(let sequence): return RecordClocks.Past(last: min(head, sequence))
    case .moment(let moment):
      return try storage.withReadView { view throws(StoreError) in
        try RecordClocks.past(at: moment, in: view)
      }
    }
  }
}

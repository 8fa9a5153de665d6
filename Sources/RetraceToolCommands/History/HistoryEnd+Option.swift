import Retrace
package import RetraceStorage
package import RetraceToolSupport

extension HistoryEnd {
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
  /// - Complexity: As ``past(in:)``.
  /// - Throws: `notFound` for a sequence after the last record.
  package func position(in storage: LogStorage) throws(ToolFailure) -> UInt64 {
    let last = try lastRecord(in: storage)
    if case .sequence(let sequence) = self, sequence > last {
      throw ToolFailure.noRecord(sequence, last: last)
    }
    return last
  }

  /// Returns the sequence of the last record to look at, which is the last of a shorter log.
  ///
  /// Prints a note if the clock was set back over the moment.
  ///
  /// - Complexity: As ``past(in:)``.
  package func lastRecord(in storage: LogStorage) throws(ToolFailure) -> UInt64 {
    let past = try orFail(
      try storage.withReadView { view throws(StoreError) in try self.past(in: view) })
    if let note = past.note { Output.standard.printErrorWrapped(note) }
    return past.last
  }
}

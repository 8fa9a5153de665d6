package import Retrace
package import RetraceStorage

extension HistoryEnd {
  /// Parses a sequence or a time; `nil` is the head.
  ///
  /// A day or a longer period stands for its last moment, because what was recorded in it is asked
  /// for.
  ///
  /// - Parameters:
  ///   - text: The value of the option, if it was given.
  ///   - option: The name of the option.
  ///   - first: The lowest sequence.
  ///   - context: The context of a time without an offset; by default the zone and the clock of the
  ///     process.
  /// - Throws: A usage failure for other text.
  package init(
    _ text: String?, option: String = "--as-of", first: UInt64 = 1,
    in context: @autoclosure () -> ExpressionContext = .ofProcess
  ) throws(ToolFailure) {
    guard let text else {
      self = .head
      return
    }
    if let sequence = UInt64(text), sequence >= first {
      self = .sequence(sequence)
    } else {
      self = .moment(try TypedTime(text, option: option, orRecord: true, in: context()).last)
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

  /// Returns the sequence of the first record to look at, if what begins there was given as `text`.
  ///
  /// A time leads to the first record that was appended at it or later. Prints a note if the clock
  /// was set back over the moment.
  ///
  /// - Parameters:
  ///   - text: The number of a record, or a time.
  ///   - option: The name of the option.
  ///   - storage: The log.
  /// - Complexity: As ``past(in:)``.
  /// - Throws: A usage failure for other text.
  package static func start(
    _ text: String, option: String, in storage: LogStorage
  ) throws(ToolFailure) -> UInt64 {
    if let sequence = UInt64(text) { return sequence }
    let time = try TypedTime(text, option: option, orRecord: true, in: .ofProcess)
    let before = HistoryEnd.moment(time.first.adding(ElapsedTime(microseconds: -1)))
    return try before.lastRecord(in: storage) + 1
  }
}

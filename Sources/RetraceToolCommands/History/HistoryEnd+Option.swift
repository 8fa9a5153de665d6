package import Retrace
package import RetraceStorage
import RetraceSystem
package import RetraceToolSupport

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
    } else if let moment = Moment(timestamp: text) {
      self = .moment(moment)
    } else {
      do throws(ExpressionError) {
        self = .moment(try context().lastMoment(of: text))
      } catch {
        throw .usage(
          "\(option): \(error)",
          advice:
            "Give the number of a record, a time such as 14:30, \"2026-11-28 14:30\" or "
            + "\"yesterday 9:00\", a day such as 2026-11-28, or an instant such as "
            + "2026-03-02T09:00:00Z.")
      }
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

extension ExpressionContext {
  /// The context of the times that a user types into a tool: the zone and the clock of the process.
  package static var ofProcess: ExpressionContext {
    ExpressionContext(
      zone: LocalZone.shown, now: Moment(microseconds: WallClock.now()), firstWeekday: 1)
  }
}

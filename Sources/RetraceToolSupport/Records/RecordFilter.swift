package import Retrace
import RetraceFilter
package import RetraceStorage

/// A condition on records that a user typed, such as `kind:command and not mentions:TimeEntry=3`.
package struct RecordFilter: Sendable {
  enum Key: String, CaseIterable {
    case kind, action, mentions, session, sequence, time, key
  }

  private indirect enum Condition: Sendable {
    case all([Condition])
    case any([Condition])
    case not(Condition)
    case kind(RecordKind)
    case action(String)
    case mentions(MentionedID)
    case session(Range<Int64>)
    case sequence(Range<Int64>)
    /// Microseconds since 1970.
    case time(Range<Int64>)
    case key([UInt8])
    case text(TextSearch)
  }

  private let condition: Condition

  /// Reads a filter.
  ///
  /// - Parameters:
  ///   - text: The filter.
  ///   - storage: The log.
  ///   - context: The context of times without an offset; by default the zone and the clock of the
  ///     process.
  /// - Complexity: O(bytes of the schemas), for each action and each id.
  /// - Throws: A usage failure if the text does not parse, or if it names an action or a type of
  ///   ids that is in no schema of the log.
  package init(
    _ text: String, in storage: LogStorage, at context: ExpressionContext = .ofProcess
  ) throws(ToolFailure) {
    let expression: FilterExpression
    do throws(FilterError) {
      expression = try FilterExpression(text)
    } catch {
      throw Self.failure("\(error)")
    }
    guard expression != .all([]) else { throw Self.failure("The filter is empty.") }
    condition = try Reader(storage: storage, context: context).condition(expression)
  }

  /// Returns whether a record matches.
  ///
  /// - Complexity: O(terms × size of the payload).
  package func accepts(_ record: RecordDescription) -> Bool { Self.accepts(record, condition) }

  private static func accepts(_ record: RecordDescription, _ condition: Condition) -> Bool {
    let envelope = record.envelope
    return switch condition {
    case .all(let parts): parts.allSatisfy { accepts(record, $0) }
    case .any(let parts): parts.contains { accepts(record, $0) }
    case .not(let part): !accepts(record, part)
    case .kind(let kind): envelope.kind == kind
    case .action(let name): record.isAction(named: name)
    case .mentions(let id): record.mentions(id)
    case .session(let range): range.contains(Int64(clamping: envelope.session))
    case .sequence(let range): range.contains(Int64(clamping: envelope.sequence))
    case .time(let range): range.contains(envelope.moment.microseconds)
    case .key(let key): envelope.key?.elementsEqual(key) == true
    case .text(let search): search.occurs(in: "\(envelope.kind) \(record.text)")
    }
  }
}

// MARK: - Reading

extension RecordFilter {
  private struct Reader {
    let storage: LogStorage
    let context: ExpressionContext

    func condition(_ expression: FilterExpression) throws(ToolFailure) -> Condition {
      func conditions(_ parts: [FilterExpression]) throws(ToolFailure) -> [Condition] {
        try parts.map { part throws(ToolFailure) in try condition(part) }
      }
      return switch expression {
      case .all(let parts): .all(try conditions(parts))
      case .any(let parts): .any(try conditions(parts))
      case .not(let part): .not(try condition(part))
      case .term(.text(let text)): .text(TextSearch(text))
      case .term(.range(let start, let end)): .time(try range(.time, from: start, to: end))
      case .term(.field(let name, let comparison, let value)):
        try condition(name, comparison, value)
      case .term(.tag), .term(.project):
        throw RecordFilter.failure(
          "Records have no tags and no projects; \"\(expression)\" in quotes is a text.")
      }
    }

    private func condition(
      _ name: String, _ comparison: FilterComparison, _ value: FilterValue
    ) throws(ToolFailure) -> Condition {
      guard let key = Key(rawValue: name.lowercased()) else {
        throw RecordFilter.failure("There is no key \(name).")
      }
      switch key {
      case .session: return .session(try range(key, comparison, value))
      case .sequence: return .sequence(try range(key, comparison, value))
      case .time: return .time(try range(key, comparison, value))
      case .kind, .action, .mentions, .key: break
      }
      guard comparison == .equal, case .text(let text) = value else {
        throw RecordFilter.failure("The key \(name) takes a colon and one value.")
      }
      switch key {
      case .kind:
        guard let kind = RecordKind(name: text) else {
          throw RecordFilter.failure("The kinds are \(RecordKind.names), not \(text).")
        }
        return .kind(kind)
      case .action:
        try RecordedActions(in: storage).require(text)
        return .action(text)
      case .mentions:
        return .mentions(try MentionedID(text, in: storage, option: "--filter mentions:"))
      // The last three returned above.
      case .key, .session, .sequence, .time: return .key(Array(text.utf8))
      }
    }

    /// Returns the numbers or the moments that a comparison selects.
    private func range(
      _ key: Key, _ comparison: FilterComparison, _ value: FilterValue
    ) throws(ToolFailure) -> Range<Int64> {
      switch (comparison, value) {
      case (.equal, .range(let start, let end)): return try range(key, from: start, to: end)
      case (_, .range), (_, .nothing):
        throw RecordFilter.failure(
          "The key \(key.rawValue) takes a value after \(comparison.rawValue).")
      case (_, .text(let text)):
        let one = try self.value(of: key, text)
        return switch comparison {
        case .equal: one
        case .less: .min..<one.lowerBound
        case .lessOrEqual: .min..<one.upperBound
        case .greater: one.upperBound..<(.max)
        case .greaterOrEqual: one.lowerBound..<(.max)
        }
      }
    }

    private func range(
      _ key: Key, from start: String, to end: String
    ) throws(ToolFailure) -> Range<Int64> {
      let first = start.utf8.isEmpty ? .min : try value(of: key, start).lowerBound
      let last = end.utf8.isEmpty ? .max : try value(of: key, end).upperBound
      guard first <= last else {
        throw RecordFilter.failure("The range \(start)..\(end) ends before it begins.")
      }
      return first..<last
    }

    /// Returns the numbers or the moments that one value stands for.
    private func value(of key: Key, _ text: String) throws(ToolFailure) -> Range<Int64> {
      if key == .time {
        let time = try TypedTime(text, option: "--filter: time", in: context)
        return time.first.microseconds..<time.last.microseconds + 1
      }
      guard let number = Int64(text), number >= 0, number < .max else {
        throw RecordFilter.failure("The key \(key.rawValue) takes a number, not \(text).")
      }
      return number..<number + 1
    }
  }

  private static func failure(_ why: String) -> ToolFailure {
    let keys = Key.allCases.map(\.rawValue).joined(separator: ", ")
    return .usage(
      "--filter: \(why)",
      advice: "Write a filter such as \"kind:command and not session:3\"; the keys are \(keys), "
        + "and other words are searched in the records.")
  }
}

extension RecordKind {
  package static var names: String { allCases.map { "\($0)" }.joined(separator: ", ") }

  package init?(name: String) {
    guard let kind = RecordKind.allCases.first(where: { "\($0)" == name }) else { return nil }
    self = kind
  }
}

import CivilTime
import Retrace
import RetraceFilter
import TimeTracking

/// A filter as a user types it, in the words of the command line, kept from frame to frame.
///
/// It is read at the beginning of the minute, so that frames of a minute read it once, and show the
/// same.
struct TypedFilter: Sendable {
  /// What the typed text means.
  enum Meaning: Sendable {
    /// All entries are listed, because nothing is typed.
    case all
    /// The entries that match are listed.
    case condition(EntryCondition)
    /// The text stands for saved filters, which are read when the filter is entered.
    case saved
    /// The text is no filter, for a reason.
    case problem(String)
  }

  /// What the typed text means.
  private(set) var meaning: Meaning
  private let text: String
  private let calendar: ReportCalendar
  private let minute: Moment
  /// A state with the names by which the text was read.
  private var domain: DomainState

  /// Reads a filter.
  ///
  /// - Complexity: O(bytes of the text), and O(terms) times the entities of the named kinds.
  init(_ text: String, in calendar: ReportCalendar, at moment: Moment, _ domain: DomainState) {
    (self.text, self.calendar, self.domain) = (text, calendar, domain)
    minute = moment.wholeMinute
    if text.utf8.allSatisfy({ $0 == UInt8(ascii: " ") }) {
      meaning = .all
    } else {
      meaning = Self.meaning(of: text, in: calendar, at: minute, domain)
    }
  }

  private static func meaning(
    of text: String, in calendar: ReportCalendar, at moment: Moment, _ domain: DomainState
  ) -> Meaning {
    let expression: FilterExpression
    do throws(FilterError) {
      expression = try FilterExpression(text)
    } catch {
      return .problem(error.description)
    }
    do throws(SavedFilterError) {
      // Without names to look up, a filter is the same if it has none.
      if try SavedFilters([]).resolved(expression) != expression { return .saved }
    } catch {
      if case .unknownName = error { return .saved }
      return .problem(error.description)
    }
    do throws(EntryConditionError) {
      return .condition(
        try EntryCondition(
          expression, in: domain, calendar.expressionContext(at: moment), excludesUnknown: true))
    } catch {
      return .problem(error.hint().isEmpty ? error.reason : "\(error.reason) \(error.hint())")
    }
  }

  /// Returns whether another filter would be read alike.
  ///
  /// - Complexity: O(bytes of the text), and O(1) for copies of the same tables.
  func isFilter(
    _ text: String, in calendar: ReportCalendar, at moment: Moment, _ domain: DomainState
  ) -> Bool {
    minute == moment.wholeMinute && self.text.hasBytes(of: text) && self.calendar == calendar
      && self.domain.hasNames(of: domain)
  }

  /// Returns the filter in another state; `nil` if that has other names.
  ///
  /// - Complexity: O(1) for copies of the same tables.
  func following(_ domain: DomainState) -> TypedFilter? {
    guard self.domain.hasNames(of: domain) else { return nil }
    var filter = self
    filter.domain = domain
    return filter
  }

  /// Takes over the condition of a filter that was read at another moment, if it has the same
  /// tests, so that what was counted with it is still that of this filter.
  mutating func keepCondition(of older: TypedFilter) {
    guard let condition, let kept = older.condition, kept.isSame(as: condition),
      kept.unknownTags == condition.unknownTags
    else { return }
    meaning = older.meaning
  }

  /// Why no entry is found, as a sentence; `nil` if the text is a filter.
  var problem: String? {
    switch meaning {
    case .all, .condition: nil
    case .saved: Self.savedText
    case .problem(let text): text
    }
  }

  private static var savedText: String {
    "Press enter in the field of the filter to use the saved one."
  }

  /// The condition; `nil` if all entries or none are listed.
  var condition: EntryCondition? {
    if case .condition(let condition) = meaning { condition } else { nil }
  }

  /// Whether all entries are listed.
  var isEmpty: Bool { if case .all = meaning { true } else { false } }

  /// Returns what is to be known about the filter.
  func remarks(fitting columns: Int) -> [Screen.Line] {
    guard let remark else { return [] }
    return TextWidth.lines(of: remark.text, cutTo: columns, indent: 2, linesMax: 2)
      .map { Screen.Line($0, remark.runs.first?.style ?? .plain) }
  }

  private var remark: Screen.Line? {
    switch meaning {
    case .all: return nil
    case .problem(let text): return Screen.Line("! \(text)", .warning)
    case .saved: return Screen.Line(Self.savedText, .faint)
    case .condition(let condition):
      guard let tag = condition.unknownTags.first else { return nil }
      return Screen.Line(
        "note: there is no tag \(tag), so the filter excludes nothing by it", .plain)
    }
  }
}

extension Moment {
  /// The moment without the seconds after the minute, as UTC has it.
  fileprivate var wholeMinute: Moment {
    let rest = microseconds % 60_000_000
    return Moment(microseconds: microseconds - (rest < 0 ? rest + 60_000_000 : rest))
  }
}

extension ScreenFrame {
  /// Returns the steps of the key that enters a filter; the texts of saved filters first take the
  /// places of their names, so that the state has what was meant.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - draft: The text that it was read from.
  ///   - replacing: Returns the step that replaces the text.
  ///   - entering: The steps that enter a filter without such names.
  func entering(
    _ filter: TypedFilter, _ draft: TextDraft, replacing: (TextReplacement) -> KeyStep,
    entering: [KeyStep]
  ) throws(KeyProblem) -> [KeyStep] {
    switch filter.meaning {
    case .all, .condition: return entering
    case .problem: return try telling(.unreadableFilter)
    case .saved: break
    }
    // While the frame is painted, the key is shown as available.
    guard let saved = edge?.saved else { return entering }
    do throws(SavedFilterError) {
      let text = try saved.replacing(in: draft.text)
      return text.map { [replacing(draft.replacing(with: $0))] } ?? entering
    } catch {
      guard case .unknownName(let name, _) = error else { return try telling(.unreadableFilter) }
      return try telling(.savedFilterUnknown(name))
    }
  }
}

extension SavedFilters {
  /// Returns the text of a filter in which the names of saved filters are replaced; `nil` without
  /// such names.
  ///
  /// - Throws: The text of the reason.
  fileprivate func replacing(in text: String) throws(SavedFilterError) -> String? {
    guard let expression = try? FilterExpression(text) else { return nil }
    let resolved = try resolved(expression)
    return resolved == expression ? nil : resolved.description
  }
}

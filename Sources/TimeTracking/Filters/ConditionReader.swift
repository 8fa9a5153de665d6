import CivilTime
import RetraceFilter
import RetraceState

/// A reader that turns the terms of a filter into tests, and looks up names.
struct ConditionReader {
  let state: DomainState
  let context: ExpressionContext
  /// Whether an unknown tag that is only excluded is no error.
  let excludesUnknown: Bool
  /// The unknown tags that are only excluded.
  private(set) var unknownTags: [String] = []

  init(state: DomainState, context: ExpressionContext, excludesUnknown: Bool) {
    (self.state, self.context, self.excludesUnknown) = (state, context, excludesUnknown)
  }

  /// Returns the tests of an expression.
  mutating func node(_ expression: FilterExpression) throws(EntryConditionError)
    -> EntryCondition.Node
  {
    switch expression {
    case .all(let parts):
      try refuseHyphens(in: parts)
      try refuseBlanks(in: parts)
      return .all(try nodes(parts))
    case .any(let parts): return .any(try nodes(parts))
    case .not(.term(let term)) where excludesUnknown:
      do throws(EntryConditionError) {
        return .not(.test(try test(term)))
      } catch {
        guard case .unknownName(.tag, let name, _) = error else { throw error }
        unknownTags.append(name)
        return .all([])
      }
    case .not(let part): return .not(try node(part))
    case .term(let term): return .test(try test(term))
    }
  }

  private mutating func nodes(
    _ parts: [FilterExpression]
  ) throws(EntryConditionError) -> [EntryCondition.Node] {
    var nodes: [EntryCondition.Node] = []
    for part in parts { nodes.append(try node(part)) }
    return nodes
  }

  /// Refuses `date:2026-11-02 - 2026-11-03`, in which the words after the first space are texts.
  private func refuseHyphens(in parts: [FilterExpression]) throws(EntryConditionError) {
    for (index, part) in parts.enumerated().dropFirst() {
      guard case .term(.text("-")) = part,
        case .field(let name, .equal, .text(let start))? = parts[index - 1].termWithoutNegation,
        let key = EntryConditionKey(name: name), key.isOrdered
      else { continue }
      var end = "..."
      if index + 1 < parts.count, case .term(.text(let text)) = parts[index + 1] { end = text }
      throw .rangeWithBlanks(key, start: start, end: end)
    }
  }

  /// Refuses `date>2026-01-01 13:00`, in which the words after the first space are texts.
  private func refuseBlanks(in parts: [FilterExpression]) throws(EntryConditionError) {
    for (index, part) in parts.enumerated() {
      guard let term = part.termWithoutNegation else { continue }
      var words: [String] = []
      for part in parts[(index + 1)...].prefix(3) {
        guard case .term(.text(let word)) = part else { break }
        words.append(word)
      }
      while !words.isEmpty {
        let rest = words.joinedByBlanks
        if let longer = term.followed(by: rest), (try? test(longer)) != nil {
          throw .valueWithBlanks(longer, text: rest)
        }
        words.removeLast()
      }
    }
  }

  private func test(_ term: FilterTerm) throws(EntryConditionError) -> EntryCondition.Test {
    switch term {
    case .tag(let name): return .tag(try DomainState.ids(named: name, in: state.tags, of: .tag))
    case .project(let name):
      // The verbs of the command line try the meanings of a name in the same order.
      if state.projects(named: name).isEmpty, let tasks = try tasks(named: name) {
        return .task(tasks)
      }
      return .project(Set(try state.projectIDs(named: name).map { $0 as ProjectID? }))
    case .text(let text):
      let parts = text.split(separator: "=", maxSplits: 1).map { String($0) }
      if parts.count == 2, !text.contains(" "), let key = EntryConditionKey(name: parts[0]) {
        throw .equalsSign(key, parts[1])
      }
      let name = text.utf8.dropFirst()
      let isLetters = name.allSatisfy { (0x61...0x7a).contains($0 | 0x20) }
      if text.utf8.first == UInt8(ascii: ":"), name.count > 1, isLetters {
        throw .colonWord(text, isRange: (try? RangeExpression(text, in: context)) != nil)
      }
      return .words(WordQuery(phrase: text))
    case .range(let start, let end):
      return .start(try ConditionTimes(key: .date, context: context).bounds(start, end))
    case .field(let name, let comparison, let value):
      guard let key = EntryConditionKey(name: name) else { throw .unknownKey(name) }
      if key.isOrdered { return try orderedTest(key, comparison, value) }
      guard comparison == .equal else { throw .notComparable(key) }
      switch value {
      case .range: throw .rangeNotAllowed(key)
      case .nothing: return try test(key, nil)
      case .text(let text): return try test(key, text)
      }
    }
  }

  private func orderedTest(
    _ key: EntryConditionKey, _ comparison: FilterComparison, _ value: FilterValue
  ) throws(EntryConditionError) -> EntryCondition.Test {
    if case .range = value, comparison != .equal { throw .rangeNotAllowed(key) }
    if key == .duration { return .duration(try durations(comparison, value)) }
    let times = ConditionTimes(key: key, context: context)
    switch value {
    case .range(let start, let end): return .start(try times.bounds(start, end))
    case .text(let text): return .start(try times.bounds(comparison, text))
    case .nothing: return .start(try times.bounds(comparison, "none"))
    }
  }

  /// Returns the test of a key and a value.
  ///
  /// - Parameter value: The value; `nil` for `none`. An empty value means `none`, too, unless the
  ///   key is about texts.
  private func test(
    _ key: EntryConditionKey, _ value: String?
  ) throws(EntryConditionError) -> EntryCondition.Test {
    let text = value ?? "none"
    let name = text.utf8.isEmpty ? nil : value
    switch key {
    case .project:
      guard let name else { return .project([nil]) }
      return .project(Set(try state.projectIDs(named: name).map { $0 as ProjectID? }))
    case .client: return .client(try optionalIDs(key, name, in: state.clients))
    case .task: return .task(try optionalIDs(key, name, in: state.tasks))
    case .workspace: return .workspace(try optionalIDs(key, name, in: state.workspaces))
    case .tag:
      return name == nil
        ? .noTag : .tag(try DomainState.ids(named: text, in: state.tags, of: key))
    case .user: return .user(try DomainState.ids(named: text, in: state.users, of: key))
    case .text: return text.utf8.isEmpty ? .noText : .text(WordQuery(phrase: text))
    case .billable: return .billable(try truth(key, text))
    case .rate:
      guard let name else { return .rate(nil) }
      return .rate(try rate(name))
    case .running: return .running(try truth(key, text))
    case .id:
      guard let number = Int64(text), number >= 0 else { throw .notAnID(text) }
      return .id(TimeEntryID(value: number))
    case .duration, .date, .day, .week, .month: throw .notComparable(key)
    }
  }

  /// Returns the ids of the tasks that `project/task` names; `nil` if the whole text is the name of
  /// a project, or no part before a slash names a project.
  private func tasks(named text: String) throws(EntryConditionError) -> Set<TaskID?>? {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !Name(String(parts[1])).isEmpty else { return nil }
    var (project, taskName) = (String(parts[0]), Name(String(parts[1]), in: state.tasks))
    // The project may be given as `client/project`.
    if let found = state.project(in: text), let task = found.task {
      (project, taskName) = (found.project, Name(task, in: state.tasks))
    }
    let wholeName = Name(text, in: state.projects)
    let projectName = Name(project, in: state.projects)
    var projects = Set(state.projects(named: project))
    var hasWhole = false
    state.projects.forEach { id, project in
      if project.name == wholeName { hasWhole = true }
      if project.name == projectName { projects.insert(id) }
    }
    guard !hasWhole, !projects.isEmpty else { return nil }
    var found: Set<TaskID?> = []
    var known: [String] = []
    state.tasks.forEach { id, task in
      let isOf = state.projects.resolve(task.project).map(projects.contains) ?? false
      guard isOf || projects.contains(task.project) else { return }
      if task.name == taskName { found.insert(id) }
      if task.deleted == nil { known.append("\(project)/\(task.name.text)") }
    }
    guard found.isEmpty else { return found }
    throw .unknownName(.task, text, known: known)
  }

  /// Returns the ids of all entities with a name, or a set of `nil` without a name.
  private func optionalIDs<ID, Entity: NamedEntity>(
    _ key: EntryConditionKey, _ text: String?, in table: EntityTable<ID, Entity>
  ) throws(EntryConditionError) -> Set<ID?> {
    guard let text else { return [nil] }
    return Set(try DomainState.ids(named: text, in: table, of: key).map { $0 as ID? })
  }

  private func truth(
    _ key: EntryConditionKey, _ text: String
  ) throws(EntryConditionError) -> Bool {
    let word = Name(text)
    if word == Name("yes") { return true }
    if word == Name("no") { return false }
    throw .neitherYesNorNo(key, text)
  }

  /// Reads a rate with at most two decimals, in hundredths.
  private func rate(_ text: String) throws(EntryConditionError) -> Int64 {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
    let areDigits = parts.allSatisfy { part in
      !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39) ~= $0 }
    }
    let decimals = parts.count == 2 ? String(parts[1]) : "0"
    guard areDigits, parts.count <= 2, decimals.utf8.count <= 2,
      let whole = Int64(parts[0]), whole < 1_000_000_000, let cents = Int64(decimals)
    else { throw .notARate(text) }
    return whole * 100 + (decimals.utf8.count == 1 ? cents * 10 : cents)
  }

  private func durations(
    _ comparison: FilterComparison, _ value: FilterValue
  ) throws(EntryConditionError) -> ConditionBounds {
    func duration(_ text: String) throws(EntryConditionError) -> Int64 {
      do throws(ExpressionError) {
        return try DurationExpression(text).time.microseconds
      } catch {
        throw .unreadable(.duration, error)
      }
    }
    switch value {
    case .range(let start, let end):
      return ConditionBounds(
        first: start.utf8.isEmpty ? .min : try duration(start),
        last: end.utf8.isEmpty ? .max : try duration(end))
    case .text, .nothing:
      let text = if case .text(let text) = value { text } else { "none" }
      let duration = try duration(text)
      return ConditionBounds(comparison, duration..<duration + 1)
    }
  }
}

extension FilterExpression {
  /// The term, negated or not; `nil` for other expressions.
  fileprivate var termWithoutNegation: FilterTerm? {
    switch self {
    case .term(let term): term
    case .not(let part): part.termWithoutNegation
    case .all, .any: nil
    }
  }
}

extension FilterTerm {
  /// Returns the term with a space and a text after its value; `nil` unless the term is about time
  /// or duration.
  fileprivate func followed(by text: String) -> FilterTerm? {
    switch self {
    case .range(let start, let end) where !end.utf8.isEmpty: return .range(start, "\(end) \(text)")
    case .field(let name, let comparison, let value)
    where EntryConditionKey(name: name)?.isOrdered == true:
      return switch value {
      case .text(let first): .field(key: name, comparison, .text("\(first) \(text)"))
      case .range(let start, let end) where !end.utf8.isEmpty:
        .field(key: name, comparison, .range(start, "\(end) \(text)"))
      case .range, .nothing: nil
      }
    case .field, .tag, .project, .text, .range: return nil
    }
  }
}

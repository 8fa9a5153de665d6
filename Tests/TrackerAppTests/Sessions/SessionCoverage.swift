import RetraceArchitecture
import RetraceAvro
import RetraceScreen
import RetraceState
import TimeTracking
import TrackerFeatures

/// What random sessions have visited: screens, what lies over them, and bindings.
///
/// The lists of what there is come from the recorded types, so a new screen, a new field of one and
/// a new sheet are in them.
struct SessionCoverage {
  /// How often each binding that a frame had took a key.
  private(set) var taken: [BoundKeys: Int] = [:]
  /// The screens, and the parts of screens and scenes, that were seen.
  var seen: Set<String> { Set(visits.keys) }
  /// How often each of them was seen.
  private(set) var visits: [String: Int] = [:]
  private let scenes = try? SchemaCodec(Scene.schema)
  private let routes = try? SchemaCodec(TrackerRoute.schema)

  /// Takes note of the bindings that a frame has.
  mutating func offer(_ bindings: [BoundKeys]) {
    for binding in bindings where taken[binding] == nil { taken[binding] = 0 }
  }

  private mutating func visit(_ place: String) { visits[place, default: 0] += 1 }

  mutating func take(_ binding: BoundKeys) { taken[binding, default: 0] += 1 }

  /// Takes note of what a scene shows.
  mutating func see(_ scene: Scene, in domain: DomainState) throws {
    // Kept drafts have routes, too, which are not shown.
    var shown = scene
    shown.drafts = []
    let (bytes, route) = (shown.encoded(), scene.stack.top.encoded())
    note(try scenes?.decode(bytes.span), isTop: true)
    note(try routes?.decode(route.span), isTop: true)
    if !scene.drafts.isEmpty { visit("Scene.drafts") }
    if let question = scene.question { visit("question: \(Self.name(of: question))") }
    if let forgotten = scene.forgotten, forgotten.isOpen(in: domain) {
      visit("forgotten: \(Self.name(of: forgotten))")
    }
  }

  /// Takes note of a question that no record asks.
  mutating func seeLongEntry() { visit("forgotten: long") }

  /// Takes note of the rail, of which nothing is recorded.
  mutating func seeRail() { visit(Self.rail) }

  private static let rail = "rail"

  /// Takes note of the fields that have a value, and of the cases; a scene's routes are left out.
  private mutating func note(_ value: AvroValue?, isTop: Bool) {
    switch value {
    case .record(let name, let fields):
      visit(name)
      for field in fields where !(isTop && name == "Scene" && field.name == "stack") {
        let place = "\(name).\(field.name)"
        switch field.value {
        case .boolean(true): visit(place)
        case .array(let items) where !items.isEmpty: visit(place)
        case .enumeration(_, let symbol): visit("\(place) \(symbol)")
        case .union(_, .null): break
        case .union: visit(place)
        default: break
        }
        note(field.value, isTop: false)
      }
    case .union(_, let inner): note(inner, isTop: false)
    case .array(let items): for item in items { note(item, isTop: false) }
    default: break
    }
  }

  // MARK: What there is

  /// The kinds of questions that the app asks about refused commands and forgotten entries.
  static let questions = [
    "question: overlaps", "question: inFuture", "question: tooLong", "question: runsSince",
    "forgotten: slept", "forgotten: sleptFor", "forgotten: long",
  ]

  /// What is open over a screen without a text of its own, and what a form is for.
  private static let dialogs = [
    "SettingsRoute.question", "HistoryRoute.question", "HistoryRoute.isOpen", "CalendarRoute.menu",
    "CalendarRoute.draft", "CalendarRoute.showsWeek", "TimerRoute.offer", "TimerRoute.isFiltering",
    "TimerRoute.showsSuggestions", "EntryEditorRoute.asked", "ListsRoute.isSearching",
    "AccountRoute.purpose login", "AccountRoute.purpose signUp",
    "AccountRoute.purpose passwordReset", "AccountProgress_failed",
  ]

  private static func name(of question: Question) -> String {
    switch question.refusal {
    case .overlaps: "overlaps"
    case .inFuture: "inFuture"
    case .tooLong: "tooLong"
    case .runsSince: "runsSince"
    default: "other"
    }
  }

  private static func name(of forgotten: Forgotten) -> String {
    switch forgotten {
    case .slept: "slept"
    case .sleptFor: "sleptFor"
    }
  }

  /// The names of the screens.
  static var screens: [String] { get throws { try RecordedPlaces().screens } }

  /// The screens, the sheets, the dialogs and the questions that no session has visited.
  ///
  /// The kind of the entity to which the history is restricted is left out: it is no sheet.
  func missing() throws -> [String] {
    let places = try RecordedPlaces()
    let wanted =
      places.screens + places.sheets + Self.questions + Self.dialogs + [Self.rail]
    return wanted.filter { visits[$0] == nil && !$0.hasPrefix("RestoredEntity_") }
  }

  /// The other states of screens that no session has visited.
  func unseenStates() throws -> [String] {
    try RecordedPlaces().states.filter { !seen.contains($0) }
  }

  /// The bindings that took no key, in the order of their tables.
  var untaken: [String] {
    taken.filter { $0.value == 0 }.map { "\($0.key.table): \($0.key.help)" }.sorted()
  }
}

/// Lists what the recorded types of scenes and routes have.
private struct RecordedPlaces {
  let codec: SchemaCodec
  private(set) var screens: [String] = []
  /// What may lie over a screen or be open in it: the fields of a scene, and each optional field of
  /// a screen that has a typed text or cases, with these.
  private(set) var sheets: [String] = []
  /// Each other field of a screen that is optional, a Boolean or a list, and each case of one.
  private(set) var states: [String] = []

  init() throws {
    codec = try SchemaCodec(Scene.schema)
    // Its routes are listed below, and no target is missing in a session.
    list(fieldsOf: Scene.schema, except: ["stack", "missing", "notice"])
    (sheets, states) = (sheets + states, [])
    let route = try SchemaCodec(TrackerRoute.schema).schema
    guard case .record(_, _, let fields) = route, case .union(let cases)? = fields.first?.type
    else { return }
    for branch in cases {
      guard case .record(let name, _, let parameters) = codec.definition(of: branch) else {
        continue
      }
      screens.append(name)
      for parameter in parameters { list(fieldsOf: parameter.type) }
    }
  }

  private mutating func list(fieldsOf schema: Schema, except left: Set<String> = []) {
    guard case .record(let name, _, let fields) = codec.definition(of: schema) else { return }
    for field in fields where !left.contains(field.name) {
      let place = "\(name).\(field.name)"
      switch codec.definition(of: field.type) {
      case .boolean, .array: states.append(place)
      case .enumeration(_, _, let symbols, _): states += symbols.map { "\(place) \($0)" }
      case .union(let branches) where branches.contains(.null):
        let cases = branches.flatMap { self.cases(of: $0) }
        if cases.isEmpty && !branches.contains(where: hasText) {
          states.append(place)
        } else {
          sheets += [place] + cases
        }
      default: states += cases(of: field.type)
      }
    }
  }

  /// The names of the cases of a type; none if it has no cases with values.
  private func cases(of schema: Schema) -> [String] {
    guard case .record(_, _, let fields) = codec.definition(of: schema), fields.count == 1,
      fields[0].name == "case", case .union(let cases) = codec.definition(of: fields[0].type)
    else { return [] }
    return cases.compactMap { branch in
      if case .record(let name, _, _) = codec.definition(of: branch) { name } else { nil }
    }
  }

  /// Whether a type is a typed text, or has one.
  private func hasText(_ schema: Schema) -> Bool {
    guard case .record(let name, _, let fields) = codec.definition(of: schema) else {
      return false
    }
    return name == "TextDraft"
      || fields.contains { field in
        if case .record("TextDraft", _, _) = codec.definition(of: field.type) {
          true
        } else {
          false
        }
      }
  }
}

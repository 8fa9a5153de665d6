import Retrace
import RetraceCommandLine
import RetraceFilter
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures

/// The settings of the command line: of a file, the environment and defaults.
///
/// The first weekday, the start of days and the policy are not settings: they are recorded
/// preferences of a user, so that every program and every replay sees the same ones.
struct Configuration: Sendable {
  /// A setting that has one value.
  enum Key: String, CaseIterable, Sendable {
    case user, store, zone, color, theme, pager, mouse, screens, calendars, analytics

    /// The environment variable that has precedence over the file; `nil` for none.
    var variable: String? {
      switch self {
      case .user: "RETRACE_USER"
      case .store: StoreLocation.variable
      case .zone: "TZ"
      case .color: "NO_COLOR"
      case .theme, .mouse, .screens, .calendars, .analytics: nil
      case .pager: "RETRACE_PAGER"
      }
    }

    /// The values that can be given; empty if any text can.
    var choices: [String] {
      switch self {
      case .color: ["auto", "always", "never"]
      case .theme: ["auto", "dark", "light"]
      case .mouse: ["on", "off"]
      case .screens: ["full", "lines"]
      case .user, .store, .zone, .pager, .calendars, .analytics: []
      }
    }

    /// The meaning of the setting, as a sentence.
    var help: String {
      switch self {
      case .user: "Who the entries are of; the default is the login name."
      case .store: "The directory of the store, absolute or below ~/."
      case .zone: "The time zone, such as Europe/Berlin, instead of the system's."
      case .color: "When output has colors: auto, always or never."
      case .theme: "The background of the terminal: auto, dark or light."
      case .pager: "The command that shows long output, or none."
      case .mouse: "Whether the app uses the mouse: on, or off to select text."
      case .screens: "How the app shows screens: full, or lines for a screen reader."
      case .calendars: "The .ics files, and folders of them, with a colon between two."
      case .analytics:
        "The file to which the app appends what is used, as JSON lines without texts; or none."
      }
    }
  }

  /// The source of a value.
  enum Source: Hashable, Sendable {
    case option(String)
    case environment(String)
    case file(line: Int)
    case standard
  }

  /// A value and its source.
  struct Value: Hashable, Sendable {
    var text: String
    var source: Source
  }

  /// A filter that has a name.
  struct SavedFilter: Sendable {
    var name: String
    var text: String
    var expression: FilterExpression
    var line: Int
  }

  /// The environment variables.
  private let environment: Environment
  let file: ConfigurationFile
  /// The path of the file, if any.
  private(set) var path: String?
  /// The values of the file.
  private var values: [Key: Value] = [:]
  /// The rules of the zone of the file; `nil` if it names none.
  private(set) var zoneRules: ZoneRules?
  /// The filters of the file, in order.
  private(set) var filters: [SavedFilter] = []

  /// The name of the table of saved filters.
  static let filtersTable = "filters"

  /// Reads the settings.
  ///
  /// - Throws: The failure if the file is wrong.
  init(in environment: Environment) throws(ToolFailure) {
    self.init(withoutFileIn: environment)
    if let document = try file.document() { try read(document) }
  }

  /// Creates the settings of an environment without a file.
  init(withoutFileIn environment: Environment) {
    self.environment = environment
    file = ConfigurationFile(of: TimeTracker.name, in: environment)
  }

  /// Returns the value that the environment or the file gives; `nil` if neither does.
  subscript(key: Key) -> Value? {
    if let variable = key.variable, let text = environment[variable],
      // An empty TZ means UTC. The other variables count only if they are not empty.
      !text.utf8.isEmpty || key == .zone
    {
      return Value(text: key == .color ? "never" : text, source: .environment(variable))
    }
    return values[key]
  }

  /// The filters by their names, for `saved:NAME` in other filters.
  var savedFilters: SavedFilters { SavedFilters(filters.map { ($0.name, $0.expression) }) }

  /// The value that turns the pager or the analytics off.
  static let none = "none"

  /// The command that shows long output: of the settings, else of `PAGER`, else `less`.
  var pager: Value {
    if let value = self[.pager] { return value }
    if let command = environment.text("PAGER") {
      return Value(text: command, source: .environment("PAGER"))
    }
    return Value(text: "less -FRX", source: .standard)
  }

  /// Returns where a value comes from, for errors.
  func place(of value: Value) -> String {
    switch value.source {
    case .option(let name): "--\(name)"
    case .environment(let name): name
    case .file(let line): "\(path ?? ""), line \(line)"
    case .standard: "default"
    }
  }
}

// MARK: - Reading

extension Configuration {
  /// Checks and returns the settings in the bytes of a file.
  ///
  /// - Throws: A usage failure with the line of the first error.
  @discardableResult
  func check(_ bytes: [UInt8]) throws(ToolFailure) -> Configuration {
    var settings = Configuration(withoutFileIn: environment)
    try settings.read(file.document(bytes))
    return settings
  }

  private mutating func read(_ document: TOMLDocument) throws(ToolFailure) {
    path = file.path
    for table in document.tables where table.name != Self.filtersTable {
      let name = table.name
      throw error(
        line: table.position.line, "There is no table `\(name)`.",
        Spelling.hint(name, in: [Self.filtersTable]) + "The only table is [filters].")
    }
    for setting in document.settings { try read(setting) }
    let savedFilters = savedFilters
    for filter in filters {
      do throws(SavedFilterError) {
        _ = try savedFilters.resolved(
          .term(.field(key: SavedFilters.key, .equal, .text(filter.name))))
      } catch {
        throw self.error(
          line: filter.line, "`\(Self.filtersTable).\(filter.name)`: \(error)", error.advice)
      }
    }
  }

  private mutating func read(_ setting: TOMLDocument.Setting) throws(ToolFailure) {
    let line = setting.position.line
    let name = setting.path.joined(separator: ".")
    if setting.path.count == 2, setting.path[0] == Self.filtersTable {
      return try readFilter(setting, name, line)
    }
    guard setting.path.count == 1, let key = Key(rawValue: setting.path[0]) else {
      throw error(line: line, "There is no setting `\(name)`.", Self.advice(onUnknown: name))
    }
    if key == .store {
      let text = try file.store(setting)
      values[key] = Value(text: text, source: .file(line: line))
      return
    }
    let text = setting.value
    if key == .calendars {
      let paths = Self.paths(text).map { environment.expandingTilde($0) }
      guard !paths.isEmpty, paths.allSatisfy({ $0.hasPrefix("/") }) else {
        throw error(
          line: line, "`\(name)`: A path of `\(text)` is not absolute.",
          "Give paths that begin with / or with ~/, with a colon between two.")
      }
      values[key] = Value(text: paths.joined(separator: ":"), source: .file(line: line))
      return
    }
    do throws(Refusal) {
      values[key] = Value(text: try Self.checked(text, of: key), source: .file(line: line))
      if key == .zone {
        zoneRules = LocalZone.rules(id: text)
        guard zoneRules != nil else {
          throw Refusal(
            why: "The zone `\(text)` is not known to this system.",
            advice: TrackerOptions.zoneAdvice(text))
        }
      }
    } catch {
      throw self.error(line: line, "`\(name)`: \(error.why)", error.advice)
    }
  }

  private mutating func readFilter(
    _ setting: TOMLDocument.Setting, _ name: String, _ line: Int
  ) throws(ToolFailure) {
    let text = setting.value
    guard !setting.path[1].utf8.isEmpty else {
      throw error(line: line, "A filter has no name.", "Give the filter a name.")
    }
    do throws(FilterError) {
      filters.append(
        SavedFilter(
          name: setting.path[1], text: text, expression: try FilterExpression(text), line: line))
    } catch {
      throw self.error(
        line: line, "`\(name)`: \(error)", "Write one such as \"#focus and not @thesis\".")
    }
  }

  /// The problem of a value, and its remedy.
  private struct Refusal: Error {
    var why: String
    var advice: String
  }

  /// Checks and returns a value.
  private static func checked(_ text: String, of key: Key) throws(Refusal) -> String {
    guard key.choices.isEmpty || key.choices.contains(text) else {
      throw Refusal(
        why: "The value cannot be `\(text)`.",
        advice: Spelling.hint(text, in: key.choices)
          + "Give one of \(key.choices.joined(separator: ", ")).")
    }
    switch key {
    case .user:
      guard !Name(text).isEmpty, text.utf8.count <= Name.bytesMax else {
        throw Refusal(
          why: "The name is empty or too long.",
          advice: "Give a name of at most \(Name.bytesMax) bytes.")
      }
    case .analytics:
      guard text == none || text.hasPrefix("/") || text.hasPrefix("~/") else {
        throw Refusal(
          why: "The path is neither absolute nor below ~/.",
          advice: "Give one such as \(example(of: key)), or \(none).")
      }
    case .zone, .pager:
      guard !text.utf8.isEmpty else {
        throw Refusal(
          why: "The value is empty.", advice: "Give one such as \(example(of: key)).")
      }
    case .store, .color, .theme, .mouse, .screens, .calendars: break
    }
    return text
  }

  /// Returns a value that a setting can have.
  static func example(of key: Key) -> String {
    switch key {
    case .user: "anna"
    case .store: ConfigurationFile.storeExample
    case .zone: "Europe/Berlin"
    case .color, .theme: "auto"
    case .pager: "less -FRX"
    case .mouse: "on"
    case .screens: "full"
    case .calendars: "~/calendars:~/work.ics"
    case .analytics: "~/track-events.jsonl"
    }
  }

  /// The calendar files and folders.
  var calendars: [String] { self[.calendars].map { Self.paths($0.text) } ?? [] }

  private static func paths(_ text: String) -> [String] {
    text.split(separator: ":").map(String.init)
  }

  /// Returns the advice about a setting that does not exist.
  static func advice(onUnknown name: String) -> String {
    let names = Key.allCases.map(\.rawValue)
    return Spelling.hint(name, in: names + [filtersTable])
      + "The settings are \(names.joined(separator: ", ")) and the table [filters]."
  }

  /// Returns the failure of a line of the file.
  func error(line: Int, _ why: String, _ advice: String) -> ToolFailure {
    file.failure(line: line, why, advice: advice)
  }
}

import Retrace
import RetraceCommandLine
import RetraceFilter
import RetraceSystem
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures

/// Prints and changes the settings of the command line.
struct ConfigVerb: Verb {
  static let name = "config"
  /// The verb has to work with a wrong file, to correct it.
  static let readsConfiguration = false
  static let syntax = CommandSyntax(
    "track config", summary: "Show the settings and where they come from, or change them.",
    discussion: """
      The settings are in the TOML file retrace/track.toml below XDG_CONFIG_HOME or ~/.config; \
      RETRACE_CONFIG names another file. An option has precedence over the environment, that over \
      the file, and that over the default. A wrong file is an error of every command \
      but `track config path` and `track config edit`.

      SETTINGS
      \(settings)
        [filters]   filters by their names, for --filter saved:NAME

      The words are `path`, which prints the path of the file, `edit`, which opens it in VISUAL or \
      EDITOR, `set NAME VALUE` and `unset NAME`. Both keep all other lines and comments. The \
      first weekday, the start of days and the policy are no settings: they are recorded in the \
      store as preferences of each user.

      EXAMPLES
        track config
        track config edit
        track config set user anna
        track config set filters.deep "#focus and duration>1h"
        track config unset zone
      """,
    operands: [
      CommandOperand(
        "verb", isOptional: true, kind: .words(verbs), "Nothing, path, edit, set or unset."),
      CommandOperand(
        "name", isOptional: true, kind: .words(Configuration.Key.allCases.map(\.rawValue)),
        "The setting that is set or unset, or filters.NAME."),
      CommandOperand("value", isOptional: true, "The value that it is set to."),
    ],
    options: TrackerOptions.ofUser + [EntryTimeOptions.dryRunOption])

  private static let verbs = ["path", "edit", "set", "unset"]

  private static var settings: String {
    Configuration.Key.allCases.map { key in
      "  \(TextWidth.padded(key.rawValue, to: 12))\(key.help)"
    }
    .joined(separator: "\n")
  }

  let arguments: CommandArguments
  let options: TrackerOptions
  let isDryRun: Bool

  init(_ arguments: CommandArguments, in context: VerbContext) {
    self.arguments = arguments
    options = TrackerOptions(arguments, in: context)
    isDryRun = arguments.has(EntryTimeOptions.dryRunOption)
  }

  func perform() throws(ToolFailure) {
    let words = arguments.operands
    func requireCount(_ count: Int, _ usage: String) throws(ToolFailure) {
      guard words.count == count else {
        throw .usage("`track config \(words[0])` takes other words.", advice: "Write \(usage).")
      }
    }
    switch words.first {
    case nil: try show()
    case "path":
      try requireCount(1, "`track config path`")
      let path = try options.context.settings.file.pathToWrite()
      if options.json {
        options.output.print(["path": .string(path)])
      } else {
        options.output.print(path)
      }
    case "edit":
      try requireCount(1, "`track config edit`")
      guard !isDryRun else {
        throw .usage(
          "`track config edit` has no dry run: the editor writes the file.",
          advice: "Leave out --dry-run, or read the file that `track config path` names.")
      }
      try edit()
    case "set":
      try requireCount(3, "`track config set NAME VALUE`, with the value in quotes")
      try set(words[1], to: words[2])
    case "unset":
      try requireCount(2, "`track config unset NAME`")
      try unset(words[1])
    case let word? where Configuration.Key(rawValue: word) != nil:
      let value = words.count == 2 ? commandWord(words[1]) : "VALUE"
      throw .usage(
        "`track config \(word)` is not understood.",
        advice: "Write `track config set \(word) \(value)`; `track config` shows all settings.")
    case let word?:
      let similar = Spelling.hint(word, in: Self.verbs)
      throw .usage(
        "`track config \(word)` is not understood.",
        advice: "\(similar)Write one of \(Self.verbs.joined(separator: ", ")), or nothing.")
    }
  }
}

// MARK: - Showing

extension ConfigVerb {
  private func show() throws(ToolFailure) {
    let configuration = try options.context.checkedSettings()
    let path = configuration.file.path
    let values = try Configuration.Key.allCases.map { (key) throws(ToolFailure) in
      (key, try value(of: key, in: configuration))
    }
    if options.json {
      return options.output.print(
        [
          "version": .integer(1), "path": path.map { .string($0) } ?? .null,
          "exists": .bool(configuration.path != nil),
          "settings": .array(values.map { json($0.0, $0.1) }),
          "filters": .array(
            configuration.filters.map { filter in
              [
                "name": .string(filter.name), "filter": .string(filter.text),
                "line": .integer(Int64(filter.line)),
              ]
            }),
        ])
    }
    let note = configuration.path == nil ? " (does not exist)" : ""
    options.output.print(path.map { "file  \($0)\(note)" } ?? "There is no directory for a file.")
    options.output.print("")
    var table = TextTable([.left, .text, .text])
    for (key, value) in values {
      let source =
        switch value.source {
        case .option(let name): "--\(name)"
        case .environment(let name): name
        case .file(let line): "line \(line)"
        case .standard: "default"
        }
      table.add([key.rawValue, value.text, source])
    }
    table.print(options.context.style(isWide: true))
    guard !configuration.filters.isEmpty else { return }
    options.output.print("")
    table = TextTable([.left, .text, .text])
    for filter in configuration.filters {
      table.add(["saved:\(filter.name)", filter.text, "line \(filter.line)"])
    }
    table.print(options.context.style(isWide: true))
  }

  private func json(_ key: Configuration.Key, _ value: Configuration.Value) -> JSONValue {
    var members = [
      JSONValue.Member("name", .string(key.rawValue)), .init("value", .string(value.text)),
    ]
    switch value.source {
    case .option(let name):
      members += [.init("source", .string("option")), .init("option", .string("--\(name)"))]
    case .environment(let name):
      members += [.init("source", .string("environment")), .init("variable", .string(name))]
    case .file(let line):
      members += [.init("source", .string("file")), .init("line", .integer(Int64(line)))]
    case .standard: members.append(.init("source", .string("default")))
    }
    return .object(members)
  }

  /// Returns the value that is in effect.
  private func value(
    of key: Configuration.Key, in configuration: Configuration
  ) throws(ToolFailure) -> Configuration.Value {
    if key == .store, arguments.has(TrackerOptions.storeOption) {
      return .init(text: try options.path(), source: .option(TrackerOptions.storeOption.name))
    }
    if key == .user, let name = arguments[TrackerOptions.userOption] {
      return .init(text: name, source: .option(TrackerOptions.userOption.name))
    }
    if key == .zone, let zone = try options.givenZone() {
      return .init(text: zone.id, source: .option(TrackerOptions.tzOption.name))
    }
    if let value = configuration[key] { return value }
    if key == .pager { return configuration.pager }
    let text: String =
      switch key {
      case .user: options.context.loginName
      case .store: try options.path()
      case .zone: try options.context.zone().id
      case .color, .theme: "auto"
      case .pager, .analytics: Configuration.none
      case .mouse: "on"
      case .screens: "full"
      case .calendars: "none"
      }
    return .init(text: text, source: .standard)
  }
}

// MARK: - Changing

extension ConfigVerb {
  /// Returns the path of a setting in the file.
  private func settingPath(_ name: String) throws(ToolFailure) -> [String] {
    let prefix = "\(Configuration.filtersTable)."
    if name.hasPrefix(prefix), name.utf8.count > prefix.utf8.count {
      return [Configuration.filtersTable, String(name.dropFirst(prefix.count))]
    }
    guard Configuration.Key(rawValue: name) != nil else {
      throw .usage(
        "There is no setting `\(name)`.",
        advice: Configuration.advice(onUnknown: name)
          + " A filter is filters.NAME.")
    }
    return [name]
  }

  private func set(_ name: String, to text: String) throws(ToolFailure) {
    let path = try options.context.settings.file.pathToWrite()
    let setting = try settingPath(name)
    if setting.count == 2, let filter = try? FilterExpression(text) {
      try check(filter, named: name, in: options.context.settings, "The settings were not changed.")
    }
    try change(path) { (bytes) throws(TOMLError) in
      try TOMLDocument.setting(setting, to: text, in: bytes)
    }
    var note: String?
    if let key = Configuration.Key(rawValue: name), let variable = key.variable,
      let value = options.context.settings[key], case .environment = value.source
    {
      note = "\(variable) is set and has precedence"
    }
    if options.json {
      var members: [JSONValue.Member] = [
        .init("path", .string(path)), .init("name", .string(name)), .init("value", .string(text)),
      ]
      if let note { members.append(.init("notes", .array([.string(note)]))) }
      return print(members)
    }
    printChange("set", "\(name) to \(text) in \(path)")
    if let note { options.output.printWrapped("note     \(note)", indent: 9) }
  }

  /// Checks the keys and the values of a filter, whose syntax and names are checked elsewhere.
  private func check(
    _ filter: FilterExpression, named name: String, in settings: Configuration, _ what: String
  ) throws(ToolFailure) {
    guard let filter = try? settings.savedFilters.resolved(filter) else { return }
    do throws(ToolFailure) {
      try FilterOptions.check(
        filter, ReportCalendar(options.context.zoneOrUTC), at: try options.currentMoment())
    } catch {
      var failure = error
      (failure.what, failure.why) = (what, "`\(name)`: \(failure.why)")
      throw failure
    }
  }

  private func unset(_ name: String) throws(ToolFailure) {
    let path = try options.context.settings.file.pathToWrite()
    let setting = try settingPath(name)
    var isFound = false
    try change(path) { (bytes) throws(TOMLError) in
      guard let rest = try TOMLDocument.removing(setting, from: bytes) else { return bytes }
      isFound = true
      return rest
    }
    guard isFound else {
      throw .refused(
        "\(path) has no setting `\(name)`.",
        advice: "`track config` shows the settings and where they come from.",
        what: "The settings were not changed.")
    }
    if options.json {
      print([
        .init("path", .string(path)), .init("name", .string(name)), .init("value", .null),
      ])
    } else {
      printChange("unset", "\(name) in \(path)")
    }
  }

  private func print(_ members: [JSONValue.Member]) {
    let dryRun = isDryRun ? [JSONValue.Member("dryRun", .bool(true))] : []
    options.output.print(.object(members + dryRun))
  }

  private func printChange(_ verb: String, _ change: String) {
    let head = isDryRun ? "would be \(verb)" : verb
    options.output.printWrapped("\(TextWidth.padded("\(head)  ", to: 9))\(change)", indent: 9)
  }

  private func change(
    _ path: String, _ edit: ([UInt8]) throws(TOMLError) -> [UInt8]
  ) throws(ToolFailure) {
    try options.context.settings.change(path, isDryRun: isDryRun, edit)
  }

  /// Opens the file in an editor; a new one has all settings as comments.
  private func edit() throws(ToolFailure) {
    let editor = TextEditor(context: options.context)
    try editor.refuseInBatch()
    let settings = options.context.settings
    let path = try settings.file.pathToWrite()
    let failed = "The settings were not edited."
    if try settings.file.bytesToChange().isEmpty {
      try ConfigurationFile.write(Array(Self.template.utf8), to: path)
    }
    try editor.run(on: path, failed)
    if let bytes = try settings.file.read() {
      let edited = try settings.check(bytes)
      for filter in edited.filters {
        try check(
          filter.expression, named: "\(Configuration.filtersTable).\(filter.name)", in: edited,
          "A filter of the settings cannot be used.")
      }
    }
    if options.json { options.output.print(["path": .string(path)]) }
  }

  /// The file that is made for an editor.
  private static var template: String {
    var lines = ["# Settings of track. See `track help config`."]
    for key in Configuration.Key.allCases {
      lines += ["", "# \(key.help)", "# \(key.rawValue) = \"\(Configuration.example(of: key))\""]
    }
    lines += [
      "", "# Filters by their names, for --filter saved:deep.", "[filters]",
      "# deep = \"#focus and duration>1h\"",
    ]
    return lines.joined(separator: "\n") + "\n"
  }
}

import Retrace
import RetraceCommandLine
import RetraceSystem
import RetraceToolSupport
import TimeTracking
import TrackerFormats

/// Runs a report extension of timewarrior, or lists those that are installed.
struct ExtensionVerb: Verb {
  static let name = "extension"
  static let syntax = CommandSyntax(
    "track extension", summary: "Run a report extension of timewarrior, or list them.",
    discussion: """
      An extension is a program in retrace/extensions below XDG_CONFIG_HOME or ~/.config, or in \
      the extensions of timewarrior, below TIMEWARRIORDB or ~/.timewarrior. It reads from its \
      standard input what timewarrior 1.4.3 would give it: the settings, including \
      timewarrior.cfg, a blank line, and the entries of the range that have all of the tags, as \
      JSON. The project and the task of an entry are tags, and its description is the annotation. \
      The exit code is the extension's.

      The words are read as in timewarrior: in 2026-03-01 - 2026-03-08 the last day is the 7th, \
      tags need no sign, and rc.NAME=VALUE is a setting. Without a range all entries count.

      `track NAME` does the same if NAME is no command of track and the name of an extension.

      EXAMPLES
        track extension
        track extension totals :week
        track extension totals.py 2026-03-01 - 2026-03-08 focus
        track totals :lastmonth
      """,
    operands: [
      CommandOperand("name", isOptional: true, "The name of the extension, or its beginning."),
      CommandOperand("word", isOptional: true, repeats: true, "A range, tags and settings."),
    ],
    options: TrackerOptions.ofUser)

  let options: TrackerOptions
  let operands: [String]

  init(_ arguments: CommandArguments, in context: VerbContext) {
    options = TrackerOptions(arguments, in: context)
    operands = arguments.operands
  }

  /// Returns whether a word that is no command names an extension.
  ///
  /// - Complexity: One reading of the folders of extensions.
  static func isNamed(by word: String, in context: VerbContext) -> Bool {
    ReportExtension.named(word, in: ReportExtension.all(in: context.environment)) != nil
  }

  func perform() throws(ToolFailure) {
    guard let name = operands.first else { return list() }
    let found = try ReportExtension.find(name, in: options.context.environment)
    options.context.exitCode = try found.run(try input(), options.output)
  }

  private func list() {
    let all = ReportExtension.all(in: options.context.environment)
    if options.json {
      return options.output.print(
        .array(
          all.map {
            [
              "name": .string($0.name), "path": .string($0.path),
              "executable": .bool($0.isExecutable),
            ]
          }))
    }
    for found in all {
      options.output.print("\(found.path)\(found.isExecutable ? "" : "  (not executable)")")
    }
    guard all.isEmpty else { return }
    let folders = ReportExtension.folders(in: options.context.environment)
    options.output.print(
      folders.isEmpty
        ? "There are no extensions, because HOME is not set."
        : "There are no extensions in \(folders.joined(separator: " or ")).")
  }

  private func input() throws(ToolFailure) -> [UInt8] {
    let (user, moment) = (try options.userName(), try options.currentMoment())
    let file = try SettingsFile(in: options.context)
    return try options.read { (domain) throws(ToolFailure) in
      let calendar = try options.calendar(of: user, in: domain)
      let words = try ExtensionWords(operands.dropFirst(), in: calendar, at: moment)
      var settings = file.settings(after: words.hints)
      for (name, value) in words.settings { settings[name] = value }
      let tags = words.tags.map { Self.tag($0, in: domain) }
      let report = TimewarriorReport(settings, from: words.start, to: words.end, tags: tags)
      var intervals: [TimewarriorInterval] = []
      if let id = domain.user(named: user) {
        // One second more at each end, because the report drops fractions of seconds.
        let second = ElapsedTime.seconds(1)
        let end = report.end?.adding(second)
        let start = report.start?.adding(ElapsedTime(microseconds: -second.microseconds))
        let first = start ?? TimeEntry.moments.lowerBound
        domain.forEachEntry(from: first, to: end, of: id) { id, entry in
          intervals.append(TimewarriorInterval(id, entry, domain.labels(of: entry)))
        }
      }
      return report.text(intervals)
    }
  }

  /// Returns the name that a word means: the word, or the word without its sign if only the rest is
  /// a name.
  private static func tag(_ word: String, in domain: DomainState) -> String {
    guard let sign = word.utf8.first, "+#@".utf8.contains(sign) else { return word }
    let name = String(word.dropFirst())
    func isKnown(_ text: String) -> Bool {
      domain.tags.contains(named: text) || domain.projects.contains(named: text)
        || domain.tasks.contains(named: text)
    }
    return isKnown(word) || !isKnown(name) ? word : name
  }
}

/// The configuration file of timewarrior, and the files that it imports.
private struct SettingsFile {
  private let text: String
  private let database: String?
  private let hasColor: Bool

  /// Reads the file; a missing one is empty.
  init(in context: VerbContext) throws(ToolFailure) {
    hasColor = context.output.streams.isTerminal(.output)
    let folders = UserFolders(context.environment).timewarrior
    database = folders?.database
    guard let path = folders.map({ "\($0.configuration)/timewarrior.cfg" }) else {
      text = ""
      return
    }
    do throws(SystemError) {
      text = try Self.text(of: path)
    } catch {
      guard error.code == .noSuchFile || error.code == .notADirectory else {
        throw ToolFailure(
          what: "The settings of timewarrior were not read.", why: "\(error).",
          advice: "Make \(path) a file that you can read.", exitCode: ToolExit.storage)
      }
      text = ""
    }
  }

  /// Returns the settings of timewarrior: from its defaults, from hints and from the file.
  func settings(after hints: [(name: String, value: String)]) -> TimewarriorConfiguration {
    var settings = TimewarriorConfiguration()
    settings["color"] = hasColor ? "on" : "off"
    for (name, value) in hints { settings[name] = value }
    settings.read(text) { try? Self.text(of: $0) }
    if let database { settings["temp.db"] = database }
    return settings
  }

  private static func text(of path: String) throws(SystemError) -> String {
    String(decoding: try FileSystem.readWhole(path, limitBytes: 1 << 24), as: UTF8.self)
  }
}

extension EntityTable where Entity: NamedEntity {
  /// Returns whether an entity that is not deleted has a name, byte for byte.
  fileprivate func contains(named text: String) -> Bool {
    var isFound = false
    forEach { _, entity in
      if entity.deleted == nil, entity.name.text.utf8.elementsEqual(text.utf8) { isFound = true }
    }
    return isFound
  }
}

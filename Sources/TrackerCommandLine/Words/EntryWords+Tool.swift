import RetraceCommandLine
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

extension EntryWords {
  /// Reads the words of a command, as `init(_:signed:isAfterTime:in:)`.
  static func read(
    _ words: ArraySlice<String>, signed: Int, isAfterTime: Bool = false, in domain: DomainState
  ) throws(ToolFailure) -> EntryWords {
    try refuseHints(in: words.prefix(signed))
    do throws(TwoProjects) {
      return try EntryWords(words, signed: signed, isAfterTime: isAfterTime, in: domain)
    } catch {
      throw .usage(
        error.reason,
        advice: "Put a backslash before the one that is text, as in \\@\(error.second).")
    }
  }

  /// Refuses a project or a task that both an option and the words give.
  func refuseSecond(project: String?, task: String?) throws(ToolFailure) {
    if let task, let other = self.task, Name(task) != Name(other) {
      throw .usage("There are two tasks: \(task) and \(other).", advice: "Give one of them.")
    }
    if let project, let other = self.project, Name(project) != Name(other) {
      throw .usage(
        TwoProjects(first: project, second: other).reason, advice: "Give one of them.")
    }
  }

  /// Refuses a hint of timewarrior, such as `:fill`, so that it does not become text.
  static func refuseHints(in words: ArraySlice<String>) throws(ToolFailure) {
    func advice(_ word: String) -> String? {
      switch word {
      case ":fill": "Leave it out, and fill the gaps with `track fill ID` afterwards."
      case ":adjust", ":yes", ":debug", ":lock", ":blank", ":color", ":nocolor": "Leave it out."
      case ":ids", ":noids": "Leave it out; `track log` lists the ids."
      case ":quiet": "Leave it out, and redirect the output."
      case let range where range.hasPrefix(":") && ValueKind.ranges.contains(range):
        "Leave it out; `track log \(range)` and `track report \(range)` take it."
      default: nil
      }
    }
    for word in words {
      guard let advice = advice(word) else { continue }
      throw .usage(
        "\(word) is no text, and this command does not take it.",
        advice: "\(advice) Text may follow `--`.")
    }
  }

  /// A line for each word that looks like a project or a tag, and is text.
  var remarks: [String] {
    unknown.map { word in
      let name = String(word.dropFirst())
      let advice =
        word.hasPrefix("@")
        ? "a new project is --project \(quotedWord(name))"
        : "a new tag is --tag \(quotedWord(name))"
      return "\"\(word)\" was read as text; \(advice)"
    }
  }
}

extension ToolFailure {
  /// Returns the project that `body` finds for a text.
  ///
  /// - Parameters:
  ///   - what: The title of the failure if the text names none.
  ///   - domain: The entities, for the names of projects.
  ///   - body: Finds the project.
  static func naming(
    _ what: String, in domain: DomainState,
    _ body: () throws(ProjectNameError) -> Reference<ProjectID>
  ) throws(ToolFailure) -> Reference<ProjectID> {
    do throws(ProjectNameError) { return try body() } catch {
      throw .project(error, what, in: domain)
    }
  }

  /// Returns the refusal of a text that names no project and cannot name a new one.
  static func project(
    _ error: ProjectNameError, _ what: String, in domain: DomainState
  ) -> ToolFailure {
    func creation(_ project: String, client: String? = nil) -> String {
      "`track projects create \(commandWord(project))"
        + (client.map { " --client \(commandWord($0))" } ?? "") + "`"
    }
    let advice: String
    switch error {
    case .ambiguous(_, let projects):
      let (names, areDistinct) = domain.qualifiedNames(of: projects)
      advice =
        areDistinct
        ? "Name one with its client: \(names.map(commandWord).joined(separator: ", "))."
        : "Say which one with --workspace NAME, and with its client, as in CLIENT/PROJECT."
    case .unknown(let project, let client):
      advice = "Create it first: \(creation(project.text, client: client.text))."
    case .ofClientsOnly(let name): advice = "Create it first: \(creation(name))."
    case .unknownClient(let client, let project, of: let name):
      advice =
        "Create it first: \(creation(project.text, client: client.text)), or "
        + "\(creation(name.text)) for one of that whole name."
    }
    return .refused(error.text(in: domain).reason, advice: advice, what: what)
  }
}

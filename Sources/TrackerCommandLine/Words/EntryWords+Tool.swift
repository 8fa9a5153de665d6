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

  /// Refuses a project or a task of an option beside one of the words.
  func refuseSecond(project: String?, task: String?) throws(ToolFailure) {
    if let task, let other = self.task {
      throw .usage("There are two tasks: \(task) and \(other).", advice: "Give one of them.")
    }
    if let project, let other = self.project {
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

  /// A line for each word that looks like a time, and is text.
  var timeRemarks: [String] {
    times.map { "\($0) was read as text; write a time before the description" }
  }
}

extension DomainState {
  /// Returns the project of a text for an entry, as `project(for:in:orElsewhere:)`.
  ///
  /// - Parameter what: The title of the failure if the text names several projects.
  func project(
    for text: String, in workspace: WorkspaceID?, orElsewhere elsewhere: Bool,
    _ what: String
  ) throws(ToolFailure) -> Reference<ProjectID> {
    let found: Reference<ProjectID>
    do throws(ProjectNameError) {
      found = try project(for: text, in: workspace, orElsewhere: elsewhere)
    } catch {
      throw .project(error, what)
    }
    // The slash means the project without a client, so it begins no name of a new one.
    let name = String(text.dropFirst())
    guard case .name = found, text.hasPrefix("/"), !projects(named: name).isEmpty else {
      return found
    }
    throw .refused(
      "No project \(name) is without a client.",
      advice: "Create it first: `track projects create \(commandWord(name))`.", what: what)
  }
}

extension ToolFailure {
  /// Refuses to create a project whose name looks like `client/project`, because its time would
  /// count for no client.
  ///
  /// - Parameters:
  ///   - name: The name of a new project.
  ///   - what: The title of the failure if it has a slash between two names.
  static func refuseClient(in name: Name, _ what: String) throws(ToolFailure) {
    let parts = name.text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      .map { Name(String($0)) }
    guard parts.count == 2, !parts.contains(where: \.isEmpty) else { return }
    let (client, project) = (parts[0].text, parts[1].text)
    throw .refused(
      "There is no project \(name.text), and no client \(client).",
      advice: "Create it first: `track projects create \(commandWord(project)) --client "
        + "\(commandWord(client))`, or `track projects create \(commandWord(name.text))` for one "
        + "of that whole name.", what: what)
  }

  /// Returns the refusal of a name that several projects have, or that a client has no project of.
  static func project(_ error: ProjectNameError, _ what: String) -> ToolFailure {
    let advice =
      switch error {
      case .ambiguous(_, let names, areDistinct: true):
        "Name one with its client: \(names.map(commandWord).joined(separator: ", "))."
      case .ambiguous:
        "Say which one with --workspace NAME, and with its client, as in CLIENT/PROJECT."
      case .unknown(let project, let client):
        "Create it first: `track projects create \(commandWord(project.text)) --client "
          + "\(commandWord(client.text))`."
      }
    return .refused(error.reason, advice: advice, what: what)
  }
}

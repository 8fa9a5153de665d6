import RetraceCommandLine
import RetraceState
import RetraceToolSupport
import TimeTracking

/// Finds the entries that words name.
struct EntrySelection {
  /// How many of the newest entries are searched by text.
  private static var searchedMax: Int { 10_000 }

  let domain: DomainState
  let user: UserID?
  private let userName: String

  init(in context: EntryContext) {
    domain = context.domain
    user = context.user
    userName = context.userName
  }

  /// Takes the ids from the beginning of words: numbers, also as `#12`, and `-1` for the newest
  /// entry, `-2` for the one before it.
  ///
  /// - Parameters:
  ///   - words: The words.
  ///   - hasProjects: Whether `@NAME` is a project among the words; else `@1` is the newest entry.
  /// - Returns: The entries; empty if the words begin with no id.
  func takeIDs(
    from words: inout ArraySlice<String>, hasProjects: Bool = true
  ) throws(ToolFailure) -> [IdentifiedEntry] {
    var entries: [IdentifiedEntry] = []
    while let word = words.first, let number = Self.number(word, hasProjects: hasProjects) {
      entries.append(try entry(number))
      words = words.dropFirst()
    }
    if let word = words.first, Self.looksLikeIDs(word) {
      throw .usage(
        "\(word) is no id.",
        advice: "Write ids with blanks between them, such as 9 10 11, and text after --.")
    }
    return entries
  }

  /// Returns whether a word looks like a list or a range of ids, such as `9-11` or `9,10`.
  private static func looksLikeIDs(_ word: String) -> Bool {
    guard let first = word.utf8.first, let last = word.utf8.last, (0x30...0x39) ~= first,
      (0x30...0x39) ~= last
    else { return false }
    let parts = word.split(separator: "-", omittingEmptySubsequences: false).flatMap {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let isList = parts.count == 2 && parts.allSatisfy { Int64($0) != nil }
    return isList || word.contains("..") || word.split(separator: ",").count > 1
  }

  private static func number(_ word: String, hasProjects: Bool) -> Int64? {
    if !hasProjects, word.hasPrefix("@"), let count = UInt32(word.dropFirst()), count > 0,
      !word.hasPrefix("@+")
    {
      return -Int64(count)
    }
    // As lists show it; `+12` is the tag.
    if word.hasPrefix("#") { return UInt32(word.dropFirst()).map { Int64($0) } }
    return word.hasPrefix("+") ? nil : Int64(word)
  }

  /// Takes the ids from the beginning of the operands of a command; words after `--` are none.
  ///
  /// - Parameters:
  ///   - arguments: The operands.
  ///   - hasProjects: Whether `@NAME` is a project among them.
  /// - Returns: The entries; the other operands, and how many of them precede `--`.
  func take(
    from arguments: CommandArguments, hasProjects: Bool = true
  ) throws(ToolFailure) -> (
    entries: [IdentifiedEntry], rest: ArraySlice<String>, signed: Int
  ) {
    var words = arguments.operands.prefix(arguments.operandsBeforeEnd)
    let entries = try takeIDs(from: &words, hasProjects: hasProjects)
    let taken = arguments.operandsBeforeEnd - words.count
    return (entries, arguments.operands.dropFirst(taken), words.count)
  }

  /// Returns the running entry of the user, or else the one that ended last.
  func current(by now: Moment) throws(ToolFailure) -> IdentifiedEntry {
    if let user {
      if let (id, entry) = domain.runningEntry(of: user) {
        return IdentifiedEntry(id: id, entry: entry)
      }
      if let last = domain.lastEntry(of: user, endedBy: now) { return last }
    }
    throw noEntry("There are no entries yet.")
  }

  /// Returns the failure for an entry of the user that is not there.
  func noEntry(_ why: String) -> ToolFailure {
    MissingUser(userName, in: domain)?.failure("Nothing was changed.") ?? .noEntry(why)
  }

  /// Returns the running entry of the user.
  func running() throws(ToolFailure) -> IdentifiedEntry {
    guard let user, let (id, entry) = domain.runningEntry(of: user) else {
      throw noEntry("Nothing is running.")
    }
    return IdentifiedEntry(id: id, entry: entry)
  }

  /// Returns the newest entry of the user that has all of some words: in its description, as its
  /// project, as its task and as its tags.
  func newest(_ words: EntryWords) throws(ToolFailure) -> IdentifiedEntry {
    let query = WordQuery(words.description)
    let project = words.project.map(Name.init)
    let tags = words.tags.map(Name.init)
    guard let user else { throw noEntry("There are no entries yet.") }
    for found in domain.latestEntries(of: user, limit: Self.searchedMax) {
      let labels = domain.labels(of: found.entry)
      if let project, labels.project.map(Name.init) != project { continue }
      if let task = words.task, labels.task.map(Name.init) != Name(task) { continue }
      let names = labels.tags.map(Name.init)
      guard tags.allSatisfy(names.contains) else { continue }
      guard query.isEmpty || query.matches([found.entry.description]) else { continue }
      return found
    }
    let unknown = words.unknown.first.map { " There is no \($0)." } ?? ""
    throw .noEntry("None of the last entries has all of these words.\(unknown)")
  }

  private func entry(_ number: Int64) throws(ToolFailure) -> IdentifiedEntry {
    if number < 0 {
      // Without this user, the newest entry is one of another user.
      guard user != nil else { throw noEntry("There are no entries yet.") }
      let latest = domain.latestEntries(of: user, limit: Int(clamping: -number))
      guard latest.count == -number, let found = latest.last else {
        throw .noEntry("There are not \(-number) entries.")
      }
      return found
    }
    let id = TimeEntryID(value: number)
    guard let entry = domain.timeEntries[id], domain.isVisible(entry) else {
      throw .noEntry("There is no entry \(number), or it was deleted.")
    }
    return IdentifiedEntry(id: id, entry: entry)
  }
}

extension ToolFailure {
  /// Returns the failure for an entry that is not there.
  static func noEntry(_ why: String) -> ToolFailure {
    ToolFailure(
      what: "Nothing was changed.", why: why,
      advice: "`track log` lists entries with their ids.", exitCode: ToolExit.refused)
  }
}

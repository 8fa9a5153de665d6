import Retrace
import RetraceCommandLine
import RetraceFilter
import RetraceToolSupport
import TimeTracking

/// Finds the entries that words or a filter name.
struct EntrySelection {
  static let filterOption = CommandOption(
    "filter", value: "filter",
    "The entries of the user that match instead of ids, such as \"@app and date:2026-11\"; see "
      + "`track help filters`. A terminal asks first; elsewhere add --yes.")
  static let yesOption = CommandOption(
    "yes", colonWords: ["yes"],
    "Change the entries of --filter, or several, without a question; what else is asked needs "
      + "--policy.")
  /// The options of commands that change any number of entries.
  static let options = [
    EditVerb.reasonOption, EntryTimeOptions.dryRunOption, filterOption, yesOption,
  ]

  /// The number of the newest entries that are searched by text.
  private static var searchedMax: Int { 10_000 }

  private let context: EntryContext
  private var domain: DomainState { context.domain }
  private var user: UserID? { context.user }

  init(in context: EntryContext) { self.context = context }

  /// Removes ids from the beginning of words, and returns them: numbers, also as `#12`, ranges such
  /// as `9-11`, and `-1` or `@1` for the newest entry, `-2` or `@2` for the one before it.
  ///
  /// - Parameters:
  ///   - words: The words.
  ///   - ofAnyUser: Whether the entries may belong to another user than an option names, because
  ///     they are not changed.
  ///   - isBeforeWords: Whether other words follow the ids. Then `#12` after an id is refused,
  ///     because it may be a tag.
  /// - Returns: The entries, each once; empty if the words begin with no id.
  func takeIDs(
    from words: inout ArraySlice<String>, ofAnyUser: Bool = false, isBeforeWords: Bool = false
  ) throws(ToolFailure) -> [IdentifiedEntry] {
    var entries: [IdentifiedEntry] = []
    var seen: Set<TimeEntryID> = []
    while let word = words.first {
      let found: [IdentifiedEntry]
      if let number = Self.number(word) {
        if isBeforeWords, !entries.isEmpty, word.hasPrefix("#") {
          throw .usage(
            "\(word) may be an entry or a tag.",
            advice: "Write \(number) for the entry, +\(number) for the tag, or -- before text.")
        }
        do throws(ToolFailure) {
          found = [try entry(number, ofAnyUser: ofAnyUser)]
        } catch {
          var failure = error
          if isBeforeWords, number >= 0 {
            failure.advice += " A tag of digits is +\(number), and text follows --."
          }
          throw failure
        }
      } else if let ids = Self.range(word) {
        found = try self.entries(ids)
      } else {
        break
      }
      entries += found.filter { seen.insert($0.id).inserted }
      words = words.dropFirst()
    }
    if let word = words.first, Self.looksLikeIDs(word) {
      throw .usage(
        "\(word) is no id.",
        advice: "Write ids such as 9 10 11, or a range such as 9-11, and text after --.")
    }
    return entries
  }

  /// Returns the ids of a word such as `9-11`; `nil` for another word.
  private static func range(_ word: String) -> ClosedRange<Int64>? {
    let parts = word.split(separator: "-", omittingEmptySubsequences: false)
    let isPlain = word.utf8.allSatisfy { (0x30...0x39) ~= $0 || $0 == UInt8(ascii: "-") }
    guard isPlain, parts.count == 2, let first = UInt32(parts[0]), let last = UInt32(parts[1]),
      first <= last
    else { return nil }
    return Int64(first)...Int64(last)
  }

  /// Returns whether a word looks like a list or a range of ids, such as `11-9` or `9,10`.
  private static func looksLikeIDs(_ word: String) -> Bool {
    guard let first = word.utf8.first, let last = word.utf8.last, (0x30...0x39) ~= first,
      (0x30...0x39) ~= last
    else { return false }
    let parts = word.split(separator: "-", omittingEmptySubsequences: false).flatMap {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    // Digits that are no number are an id that is too large.
    let isTooLarge = word.utf8.allSatisfy { (0x30...0x39) ~= $0 } && Int64(word) == nil
    let isList = parts.count == 2 && parts.allSatisfy { Int64($0) != nil }
    return isTooLarge || isList || word.contains("..") || word.split(separator: ",").count > 1
  }

  /// Returns whether a word is an id, or counts entries from the newest one.
  static func isID(_ word: String) -> Bool { number(word) != nil }

  private static func number(_ word: String) -> Int64? {
    if word.hasPrefix("@"), let count = UInt32(word.dropFirst()), count > 0,
      !word.hasPrefix("@+")
    {
      return -Int64(count)
    }
    // Lists show ids as #12. `+12` is a tag.
    if word.hasPrefix("#") { return UInt32(word.dropFirst()).map { Int64($0) } }
    // `Int64.min` cannot be negated, and is the id of no entry.
    return word.hasPrefix("+") ? nil : Int64(word).map { max($0, -.max) }
  }

  /// Takes the entries that the options or the first operands of a command name.
  ///
  /// - Parameters:
  ///   - arguments: The options and operands.
  ///   - afterEnd: Whether words after `--` may be ids.
  /// - Returns: The entries; the other operands, and how many of them precede `--`.
  func take(
    from arguments: CommandArguments, afterEnd: Bool = false
  ) throws(ToolFailure) -> (
    entries: [IdentifiedEntry], rest: ArraySlice<String>, signed: Int
  ) {
    let count = afterEnd ? arguments.operands.count : arguments.operandsBeforeEnd
    var words = arguments.operands.prefix(count)
    var entries = try takeIDs(from: &words, isBeforeWords: !afterEnd)
    let taken = count - words.count
    if let filter = try FilterOptions.expression(
      arguments, and: [], saved: context.savedFilters)
    {
      guard entries.isEmpty else {
        throw .usage(
          "The entries are given by ids and by a filter.", advice: "Leave out one of them.")
      }
      entries = try self.entries(filter)
    }
    return (entries, arguments.operands.dropFirst(taken), words.count)
  }

  /// Returns the entries of the user that match a filter, in order of their ends.
  ///
  /// - Complexity: O(entries).
  private func entries(
    _ expression: FilterExpression
  ) throws(ToolFailure) -> [IdentifiedEntry] {
    guard let user else { throw noEntry("There are no entries yet.") }
    var filter = EntryFilter()
    filter.users = [user]
    filter.condition = try FilterOptions.condition(
      expression, "Nothing was changed.", in: domain, context.calendar, at: context.now)
    let entries = EntryText.latestEntries(filter, .max, in: domain)
    guard !entries.isEmpty else {
      filter.users = nil
      if let failure = ofOthers(EntryText.latestEntries(filter, .max, in: domain)) { throw failure }
      throw .noEntry("No entry matches the filter.\(FilterOptions.remark(on: expression))")
    }
    return entries
  }

  /// Returns the failure for a filter that only entries of other users match; `nil` without any.
  private func ofOthers(_ entries: [IdentifiedEntry]) -> ToolFailure? {
    guard let first = entries.first else { return nil }
    let owner = domain.labels(of: first.entry).user
    let count = entries.filter { $0.entry.user == first.entry.user }.count
    let others = entries.count - count
    return .refused(
      "No entry of \(context.userName) matches the filter, and "
        + "\(count == 1 ? "1 entry" : "\(count) entries") of \(owner)"
        + (others > 0 ? " and \(others) of others" : "")
        + " \(entries.count == 1 ? "does" : "do").",
      advice: "Name the user, as in --user \(commandWord(owner)), or once for all with "
        + "`track config set user \(commandWord(owner))`.")
  }

  /// Returns the entries of the user in a range of ids.
  ///
  /// - Complexity: O(ids of the range that were given to entries).
  private func entries(_ ids: ClosedRange<Int64>) throws(ToolFailure) -> [IdentifiedEntry] {
    let end = min(ids.upperBound + 1, domain.timeEntries.nextID.value)
    var entries: [IdentifiedEntry] = []
    for number in ids.lowerBound..<max(ids.lowerBound, end) {
      let id = TimeEntryID(value: number)
      guard let entry = domain.timeEntries[id], entry.user == user, domain.isVisible(entry) else {
        continue
      }
      entries.append(IdentifiedEntry(id: id, entry: entry))
    }
    guard !entries.isEmpty else {
      throw noEntry("There is no entry from \(ids.lowerBound) to \(ids.upperBound).")
    }
    return entries
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
    MissingUser(context.userName, in: domain)?.failure("Nothing was changed.") ?? .noEntry(why)
  }

  /// Returns the newest entry of the user that has all of some words: in its description, as its
  /// project, as its task and as its tags.
  func newest(_ words: EntryWords) throws(ToolFailure) -> IdentifiedEntry {
    let query = WordQuery(words.description)
    let projects = words.project.map(domain.projects)
    let tags = words.tags.map { Name($0, in: domain.tags) }
    let task = words.task.map { Name($0, in: domain.tasks) }
    guard let user else { throw noEntry("There are no entries yet.") }
    for found in domain.latestEntries(of: user, limit: Self.searchedMax) {
      let labels = domain.labels(of: found.entry)
      if let projects {
        guard let id = found.entry.project.flatMap(domain.projects.resolve), projects.contains(id)
        else { continue }
      }
      if let task, labels.task.map(Name.init) != task { continue }
      let names = labels.tags.map(Name.init)
      guard tags.allSatisfy(names.contains) else { continue }
      guard query.isEmpty || query.matches([found.entry.description]) else { continue }
      return found
    }
    let unknown = words.unknown.first.map { " There is no \($0)." } ?? ""
    throw .noEntry("None of the last entries has all of these words.\(unknown)")
  }

  private func entry(
    _ number: Int64, ofAnyUser: Bool
  ) throws(ToolFailure) -> IdentifiedEntry {
    if number < 0 {
      // For `nil`, the newest entries of all users would be taken.
      guard user != nil else { throw noEntry("There are no entries yet.") }
      let latest = domain.latestEntries(of: user, limit: Int(clamping: -number))
      guard latest.count == -number, let found = latest.last else {
        guard latest.count > 0 else { throw .noEntry("There are no entries yet.") }
        let isOne = latest.count == 1
        throw .noEntry(
          "There \(isOne ? "is" : "are") only \(latest.count) entr\(isOne ? "y" : "ies").")
      }
      return found
    }
    let id = TimeEntryID(value: number)
    guard let entry = domain.timeEntries[id], domain.isVisible(entry) else {
      throw .noEntry("There is no entry \(number), or it was deleted.")
    }
    let owner = domain.labels(of: entry).user
    // Compares names, because a user who was deleted and created again has another id.
    if context.namesUser, !ofAnyUser, Name(owner) != Name(context.userName, in: domain.users) {
      throw .refused(
        "The entry \(number) is one of \(owner).",
        advice: "Write --user \(commandWord(owner)) for that entry, or give the id of another one.")
    }
    return IdentifiedEntry(id: id, entry: entry)
  }
}

extension ToolFailure {
  /// Returns the failure for an entry that is not there.
  static func noEntry(_ why: String) -> ToolFailure {
    ToolFailure.refused(why, advice: "`track log` lists entries with their ids.")
  }
}

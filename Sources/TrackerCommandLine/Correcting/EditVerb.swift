import CivilTime
import RetraceCommandLine
import RetraceFilter
import RetraceState
import RetraceToolSupport
import TimeTracking
import TrackerApp

/// Changes fields of entries.
struct EditVerb: Verb {
  static let name = "edit"
  static let descriptionOption = CommandOption("description", value: "text", "The description.")
  static let projectOption = CommandOption(
    "project", value: "name", kind: .tracker(.project), "The project; an empty name removes it.")
  static let taskOption = CommandOption(
    "task", value: "name", kind: .tracker(.task),
    "The task of the project; an empty name removes it.")
  static let untagOption = CommandOption(
    "untag", value: "name", repeats: true, kind: .tracker(.tag),
    "A tag to remove; repeat the option for several.")
  static let startOption = CommandOption(
    "start", value: "time", "When it began; a time of day is on the day of the entry.")
  static let endOption = CommandOption(
    "end", value: "time",
    "When it ended; a time of day is on the day of the entry, or on the next day if the entry runs "
      + "past midnight and the time is not after its start. An empty one lets it run again; if "
      + "later entries overlap it then, --policy says what happens.")
  static let notBillableOption = CommandOption("not-billable", "Mark it as not billable.")
  static let rateOption = CommandOption(
    "rate", value: "amount", kind: .words([presentRate]),
    "The price of an hour, such as 85.50; project takes the present rate of the project, the user "
      + "or the workspace, and an empty one removes it.")
  /// The value of `--rate` for the rate that a new entry would have.
  private static let presentRate = "project"
  static let workspaceOption = CommandOption(
    "workspace", value: "name", kind: .tracker(.workspace),
    "The workspace; an empty name removes it. A project is one of the same workspace.")
  static let reasonOption = CommandOption(
    "reason", value: "text", "Why; it is recorded, and `track history` shows it.")
  private static let yesOption = CommandOption(
    "yes", colonWords: ["yes"],
    "Answer yes to what is asked on a terminal. For --filter and for several entries, it answers "
      + "only whether to change them; the rest needs --policy.")
  static let editorOption = CommandOption(
    "editor", "Change the fields in the editor that VISUAL or EDITOR names.")
  static let syntax = CommandSyntax(
    "track edit", summary: "Change fields of entries.",
    discussion: """
      The entries are given by ids, by ranges of ids such as 52-54, by -1 or @1 for the newest, or \
      by --filter; without these, it is the running one or else the one that ended last. Other \
      words are as in `track start`: a description replaces the old one, @NAME the project, and \
      #NAME or +NAME adds a tag. A range of two times before them replaces start and end; times of \
      day are on the day of the entry. Fields that are not given stay as they are. \
      At most 1000 entries are changed at once; of more, nothing is changed. \
      Words describe several entries only after a question, or with --yes. A text that is only a \
      time, a day or a range, such as today, needs -- before it.

      An entry keeps the rate that held when it was recorded, until its project, its workspace or \
      whether it is billable changes; --rate corrects it.

      EXAMPLES
        track edit 12 write the paper @thesis
        track edit --start 8:45
        track edit -1 17:30 - 17:50
        track edit 12 13 14 --project "big project" --untag draft
        track edit -1 --end "yesterday 17:30" --reason "forgot to stop"
        track edit -1 --end ""
        track edit 12 --task writing --note "chapter 2"
        track edit 12 13 --billable --rate 85.50
        track edit 12 13 --editor
        track edit --filter "@thesis month:2026-03" --billable --rate 85 --dry-run
      """,
    operands: [
      CommandOperand(
        "words", isOptional: true, repeats: true, kind: .tracker(.entryThenWords),
        "Ids, then words.")
    ],
    options: TrackerOptions.ofUser + [
      descriptionOption, projectOption, taskOption, DraftOptions.tagOption, untagOption,
      startOption, endOption, DraftOptions.noteOption, DraftOptions.billableOption,
      notBillableOption, rateOption, workspaceOption, reasonOption, editorOption,
      EntrySelection.filterOption,
      EntryTimeOptions.policyOption, yesOption, EntryTimeOptions.dryRunOption,
    ])

  /// The options that change a field other than the project.
  private static let fieldOptions = [
    descriptionOption, taskOption, DraftOptions.tagOption, untagOption, startOption, endOption,
    DraftOptions.noteOption, DraftOptions.billableOption, notBillableOption, rateOption,
    workspaceOption,
  ]

  let arguments: CommandArguments
  let runner: EntryCommandRunner

  init(_ arguments: CommandArguments, in context: VerbContext) {
    self.arguments = arguments
    runner = EntryCommandRunner(
      options: TrackerOptions(arguments, in: context), placing: EntryTimeOptions(arguments),
      what: "Nothing was changed.", confirms: arguments.has(EntrySelection.filterOption),
      confirmsTexts: !arguments.has(Self.descriptionOption))
  }

  func perform() throws(ToolFailure) {
    if arguments.has(Self.editorOption) { return try performInEditor() }
    var remarks: [String] = []
    try runner.run(remarks: remarks) { (context) throws(ToolFailure) in
      try commands(in: context, remarks: &remarks)
    }
  }

  /// Returns the corrections that the words and the options ask for.
  ///
  /// - Parameters:
  ///   - context: The context of the words.
  ///   - remarks: Receives what is worth saying about the words.
  func commands(
    in context: EntryContext, remarks: inout [String]
  ) throws(ToolFailure) -> [TimeEntryCommand] {
    let selection = EntrySelection(in: context)
    var (entries, rest, signed) = try selection.take(from: arguments)
    if signed == rest.count { try refuseTimes(in: rest, context) }
    let isCurrent = entries.isEmpty
    if isCurrent { entries = [try selection.current(by: context.now)] }
    var signedWords = rest.prefix(signed)
    let ranges = try ranges(from: &signedWords, of: entries, in: context)
    rest = rest.dropFirst(signed - signedWords.count)
    let words = try EntryWords.read(rest, signed: signedWords.count, in: context.domain)
    remarks = words.remarks
    try words.refuseSecond(
      project: arguments[Self.projectOption], task: arguments[Self.taskOption])
    guard words.description.isEmpty || !arguments.has(Self.descriptionOption) else {
      throw .usage(
        "There are two descriptions: the words and --description.",
        advice: "Give one of them.")
    }
    if isCurrent, let project = words.project, words.isProject,
      Self.fieldOptions.contains(where: arguments.has)
    {
      let filter = commandWord("\(FilterTerm.project(project))")
      remarks.append(
        "\(commandWord("@\(project)")) is the project of this entry only; --filter \(filter) "
          + "changes all of its entries")
    }
    var commands: [TimeEntryCommand] = []
    for (index, entry) in entries.enumerated() {
      var correction = try correction(of: entry.entry, by: words, in: context)
      if let range = ranges?[index] { correction.setTimes(of: entry.entry, to: range) }
      guard correction != TimeEntryCorrection() else { continue }
      commands.append(
        .correct(entry.id, correction, policy: .refuse, reason: arguments[Self.reasonOption]))
    }
    guard !commands.isEmpty else {
      throw ToolFailure(
        what: runner.what, why: "The fields have these values already, or no field is given.",
        advice: "Give new values, as in `track edit --start 8:45`.",
        exitCode: ToolExit.refused)
    }
    return commands
  }

  /// Refuses words that are only a time and no description: `start @2 8:45`, which timewarrior
  /// takes, days, ranges of days, and durations.
  ///
  /// A time of day and a range of two are read later.
  private func refuseTimes(
    in words: ArraySlice<String>, _ context: EntryContext
  ) throws(ToolFailure) {
    func refuse(_ text: String, _ advice: String) -> ToolFailure {
      .usage(
        "`\(text)` is a time and no description.", advice: "\(advice), or -- before a description.")
    }
    let ids = arguments.operands.dropLast(words.count)
    if let side = words.first, ["start", "end", "range"].contains(side) {
      let named = words.dropFirst().dropLast().prefix(while: EntrySelection.isID)
      let text = words.dropFirst(1 + named.count).joinedByBlanks
      let isTime =
        side == "range"
        ? (try? RangeExpression(text, in: context.expressions)) != nil
        : (try? TimeExpression(text, in: context.expressions)) != nil
      if isTime {
        let option = side == "range" ? text : "--\(side) \(commandWord(text))"
        let all = (["edit"] + ids + named).joinedByBlanks
        throw refuse(words.joinedByBlanks, "Write `track \(all) \(option)`")
      }
    }
    let texts = words.filter { word in !["@", "#", "+"].contains { word.hasPrefix($0) } }
    let text = texts.joinedByBlanks
    // 5 - 10 is text.
    guard let first = texts.first, Int(first.prefix { $0 != " " }) == nil else { return }
    let length = text.hasPrefix("for ") ? String(text.dropFirst(4)) : text
    if length != text || !text.contains(":"), (try? DurationExpression(length)) != nil {
      throw refuse(
        text, "Write --end TIME, or use `track lengthen` or `track shorten`")
    }
    guard !LeadingTime.hasClock(texts[...]),
      (try? RangeExpression(text, in: context.expressions)) != nil
    else { return }
    let filter = "date:\(text.replacing(" - ", with: ".."))"
    let option = commandWord(filter.contains(" ") ? "date:\"\(text)\"" : filter)
    throw refuse(
      text,
      ids.isEmpty
        ? "Write --filter \(option) to select entries" : "Write --start TIME or --end TIME")
  }

  /// Removes a range of two times from the beginning of words, and returns its meaning on the day
  /// of each entry; `nil` if the words do not begin with a time.
  ///
  /// - Throws: A usage failure for a single time, which would be text otherwise.
  private func ranges(
    from words: inout ArraySlice<String>, of entries: [IdentifiedEntry], in context: EntryContext
  ) throws(ToolFailure) -> [RangeExpression]? {
    // 5 - 10 is text.
    guard let first = words.first, Int(first.prefix { $0 != " " }) == nil else { return nil }
    var ranges: [RangeExpression] = []
    var rest = words
    for found in entries {
      var range: RangeExpression?
      var failure: ToolFailure?
      do throws(ToolFailure) {
        range = try Self.range(from: &rest, of: words, on: found.entry, in: context)
      } catch {
        failure = error
      }
      guard let range else {
        rest = words.first == "from" ? words.dropFirst() : words
        let times = rest
        let time = try LeadingTime.takeTime(from: &rest, in: context.expressions, context.readings)
        let isRange =
          rest.first.map { ["for", "to", "until"].contains($0) || $0.hasPrefix("-") } ?? false
        if let failure, isRange || time == nil { throw failure }
        guard time != nil else { return nil }
        let text = times.prefix(times.count - rest.count).joinedByBlanks
        throw .usage(
          "`\(text)` is one time, and an entry has two.",
          advice: "Write --start \(commandWord(text)) or --end \(commandWord(text)), or -- before "
            + "text.")
      }
      let limit = max(TimeEntry.usualDurationMax, found.entry.duration ?? .zero)
      try runner.placing.refuseEarlyEnd(
        of: range, notAfter: min(context.now, range.start.moment.adding(limit)), in: context,
        runner.what)
      ranges.append(range)
    }
    guard !arguments.has(Self.startOption), !arguments.has(Self.endOption) else {
      throw EntryTimeOptions.twice
    }
    words = rest
    return ranges
  }

  /// Removes a range from the beginning of words; times without a day are on the day of an entry.
  ///
  /// - Parameter rest: Gets the words after the range.
  /// - Returns: The range; `nil` if the words begin with no range.
  private static func range(
    from rest: inout ArraySlice<String>, of words: ArraySlice<String>, on entry: TimeEntry,
    in context: EntryContext
  ) throws(ToolFailure) -> RangeExpression? {
    let times = words.first == "from" ? words.dropFirst() : words
    if let first = times.first, EntryWords.looksLikeTime(first) {
      rest = [context.rules.local(at: entry.start).date.description] + times
      if let range = try LeadingTime.takeRange(
        from: &rest, in: context.expressions, context.readings)
      {
        return range
      }
    }
    // Words that are no range on a day have a day of their own.
    rest = words
    return try LeadingTime.takeRange(from: &rest, in: context.expressions, context.readings)
  }

  /// Returns the entries to edit, and their text.
  ///
  /// The state is not kept while the editor runs, because it reads pages of the store.
  private func selected() throws(ToolFailure) -> ([IdentifiedEntry], EntryDocument) {
    try runner.read { (context) throws(ToolFailure) in
      let selection = EntrySelection(in: context)
      var (entries, rest, _) = try selection.take(from: arguments)
      if entries.isEmpty { entries = [try selection.current(by: context.now)] }
      if let word = rest.first {
        throw .usage(
          "\(word) is no id, and the editor takes the other fields.",
          advice: "Give ids only with --editor.")
      }
      return (entries, EntryDocument(entries, in: context.domain, context.rules))
    }
  }

  /// Changes the entries in the user's editor.
  private func performInEditor() throws(ToolFailure) {
    let (entries, document) = try selected()
    let isChanged = try TextEditor(context: runner.options.context).edit(
      document.text, runner.what
    ) { text throws(ToolFailure) in
      let blocks = try EntryDocument(text).blocks
      // The blocks that changed, each with the entry as the user saw it.
      var changed: [(entry: IdentifiedEntry, old: EntryDocument.Block, new: EntryDocument.Block)] =
        []
      for block in blocks {
        guard let index = document.blocks.firstIndex(where: { $0.id == block.id }) else {
          throw .usage(
            "The entry \(block.id) is not one of those that are edited.",
            advice: "Keep the ids as they are.")
        }
        guard block.differs(from: document.blocks[index]) else { continue }
        changed.append((entries[index], document.blocks[index], block))
      }
      guard !blocks.isEmpty || text.allSatisfy(\.isWhitespace) else {
        throw .usage(
          "The edited text has no line with the id of an entry.",
          advice: "Keep the lines that begin with `entry:`.")
      }
      guard !changed.isEmpty else { return false }
      var runner = runner
      (runner.confirms, runner.confirmsTexts) = (false, false)
      try runner.run { (context) throws(ToolFailure) in
        var commands: [TimeEntryCommand] = []
        for (entry, old, new) in changed {
          let correction = try EntryDocument.correction(
            from: old, to: new, of: entry.entry, in: context)
          commands.append(
            .correct(entry.id, correction, policy: .refuse, reason: arguments[Self.reasonOption]))
        }
        return commands
      }
      return true
    }
    guard !isChanged else { return }
    throw ToolFailure(
      what: runner.what, why: "The text was left as it was.",
      advice: "Change a field and save the file.", exitCode: ToolExit.refused)
  }

  private func correction(
    of entry: TimeEntry, by words: EntryWords, in context: EntryContext
  ) throws(ToolFailure) -> TimeEntryCorrection {
    var correction = TimeEntryCorrection()
    let domain = context.domain
    if let workspace = try EntityVerbOptions(arguments, in: runner.options.context).workspace(
      in: domain),
      workspace != entry.workspace
    {
      correction.changes.workspace = Change(from: entry.workspace, to: workspace)
    }
    let text = words.description.isEmpty ? arguments[Self.descriptionOption] : words.description
    if let text, text != entry.description {
      correction.changes.description = Change(from: entry.description, to: text)
    }
    if let project = words.project ?? arguments[Self.projectOption] {
      try changeProject(of: entry, to: project, by: &correction, in: domain)
    }
    if let name = words.task ?? arguments[Self.taskOption] {
      let project = correction.project(of: entry)
      let task = try name.isEmpty ? nil : context.domain.task(named: name, of: project)
      if task != entry.task { correction.changes.task = Change(from: entry.task, to: task) }
    }
    let notes = arguments.all(DraftOptions.noteOption)
    guard !notes.contains("") else {
      throw .usage(
        "The annotation of --note is empty.",
        advice: "Give a text, or remove annotations with `track annotate --replace`.")
    }
    if !notes.isEmpty {
      correction.changes.annotations = Change(
        from: entry.annotations, to: entry.annotations + notes)
    }
    correction.addTags(
      (words.tags + arguments.all(DraftOptions.tagOption)).map { Name($0, in: domain.tags) },
      to: entry,
      in: domain)
    let removed = try tags(arguments.all(Self.untagOption), of: entry, in: context)
    if !removed.isEmpty {
      let rest = correction.changes.tags?.after ?? entry.tags
      correction.changes.tags = Change(
        from: entry.tags, to: rest.filter { !removed.contains($0) })
    }
    if let start = arguments[Self.startOption] {
      let start = try Self.time(start, on: entry, in: context, option: "--start")
      if start != entry.start { correction.changes.start = Change(from: entry.start, to: start) }
    }
    if let end = arguments[Self.endOption] {
      // As in the app and in the editor, an entry without an end runs.
      let end: Moment? =
        end.isEmpty
        ? nil
        : try Self.end(
          end, of: entry, from: correction.changes.start?.after ?? entry.start, in: context)
      if end != entry.end { correction.changes.end = Change(from: entry.end, to: end) }
    }
    let (yes, no) = (
      arguments.has(DraftOptions.billableOption), arguments.has(Self.notBillableOption)
    )
    if yes, no {
      throw .usage("The entry cannot be both billable and not.", advice: "Leave one out.")
    }
    if yes || no, entry.isBillable != yes {
      correction.changes.isBillable = Change(from: entry.isBillable, to: yes)
    } else if !yes, !no {
      correction.followProject(of: entry, in: context.domain)
    }
    try setRate(of: entry, by: &correction, in: context.domain)
    try checkMove(of: entry, by: correction, in: context.domain)
    return correction
  }

  /// Changes the project to the one with a name, or removes it if the name is empty.
  private func changeProject(
    of entry: TimeEntry, to project: String, by correction: inout TimeEntryCorrection,
    in domain: DomainState
  ) throws(ToolFailure) {
    let present = entry.project.flatMap { domain.projects.resolve($0) }
      .flatMap { domain.projects.read($0) { $0.name } }
    if Name(project).isEmpty {
      guard entry.project != nil else { return }
      correction.changes.project = Change(from: entry.project, to: nil)
    } else if correction.changes.workspace != nil || present != Name(project, in: domain.projects) {
      try correction.setProject(project, of: entry, in: domain)
      if let name = correction.project { try ToolFailure.refuseClient(in: name, runner.what) }
    }
  }

  /// Refuses to move an entry to a workspace without its project or a tag.
  private func checkMove(
    of entry: TimeEntry, by correction: TimeEntryCorrection, in domain: DomainState
  ) throws(ToolFailure) {
    let workspace = correction.workspace(of: entry, in: domain)
    guard workspace != entry.workspace else { return }
    func failure(_ kind: String, _ name: String, _ option: String) -> ToolFailure {
      ToolFailure(
        what: runner.what, why: "The \(kind) \(name) is not one of that workspace.",
        advice: "Give one of the workspace, or remove it: \(option).", exitCode: ToolExit.refused)
    }
    if case .id(let id)? = correction.project(of: entry),
      let project = domain.projects.resolve(id).flatMap({ domain.projects.live($0) }),
      project.workspace != workspace
    {
      throw failure("project", project.name.text, "--project \"\"")
    }
    for id in correction.changes.tags?.after ?? entry.tags {
      guard let tag = domain.tags.resolve(id).flatMap({ domain.tags.live($0) }),
        tag.workspace != workspace
      else { continue }
      throw failure("tag", tag.name.text, "--untag \(commandWord(tag.name.text))")
    }
  }

  /// Sets the rate that the option gives.
  private func setRate(
    of entry: TimeEntry, by correction: inout TimeEntryCorrection, in domain: DomainState
  ) throws(ToolFailure) {
    guard let text = arguments[Self.rateOption] else { return }
    let changes = correction.changes
    let amount: Int64? =
      text.isEmpty || text == Self.presentRate
      ? nil : try EntityVerbOptions.rate(text, or: ", or the word project")
    guard text.isEmpty || changes.isBillable?.after ?? entry.isBillable else {
      throw ToolFailure(
        what: runner.what, why: "An entry that is not billable has no rate.",
        advice: "Add --billable, or leave out --rate.", exitCode: ToolExit.refused)
    }
    // The domain gives the present rate to an entry that changes so.
    let isOther =
      correction.project != nil || changes.project != nil || changes.isBillable != nil
      || changes.workspace != nil
    var rate = amount
    if text == Self.presentRate {
      if isOther { return }
      rate = domain.presentRate(of: entry)
      guard rate != nil else {
        throw ToolFailure(
          what: runner.what, why: "Neither the project, the user nor the workspace has a rate.",
          advice: "Give an amount, as in --rate 85, or set one: "
            + "`track projects set NAME --rate 85`.", exitCode: ToolExit.refused)
      }
    }
    if rate != entry.rate || isOther {
      correction.changes.rate = Change(from: entry.rate, to: rate)
    }
  }

  private func tags(
    _ names: [String], of entry: TimeEntry, in context: EntryContext
  ) throws(ToolFailure) -> [TagID] {
    try entry.tagIDs(named: names, in: context.domain)
  }

  /// Reads the end of an entry.
  ///
  /// - Throws: A refusal with the time that was read if it precedes the start.
  private static func end(
    _ text: String, of entry: TimeEntry, from start: Moment, in context: EntryContext
  ) throws(ToolFailure) -> Moment {
    let end = try time(text, on: entry, in: context, option: "--end") { $0 > start }
    guard end < start else { return end }
    let local = context.rules.local(at: end)
    throw ToolFailure(
      what: "Nothing was changed.",
      why: "It would end before it begins: the end was read as \(local.date) \(local.clock).",
      advice: "Give a time after the start, with its day if it is on another one.",
      exitCode: ToolExit.refused)
  }

  /// Reads a time; one without a day is on the day of an entry.
  ///
  /// - Parameters:
  ///   - text: The time.
  ///   - entry: The entry.
  ///   - context: The context of times.
  ///   - option: The option that gives the time.
  ///   - fits: Returns whether a moment is possible. If the moment on the day of the start is not,
  ///     and the entry continues after midnight, the moment on the next day is taken.
  static func time(
    _ text: String, on entry: TimeEntry, in context: EntryContext, option: String? = nil,
    where fits: (Moment) -> Bool = { _ in true }
  ) throws(ToolFailure) -> Moment {
    let day = context.rules.local(at: entry.start).date
    let first = try time(text, on: day, in: context, option: option)
    guard !fits(first), context.rules.local(at: entry.end ?? context.now).date > day else {
      return first
    }
    let next = try time(text, on: day.adding(days: 1), in: context, option: option)
    return fits(next) ? next : first
  }

  /// Reads a time; one without a day is on a given day.
  private static func time(
    _ text: String, on day: CivilDate, in context: EntryContext, option: String?
  ) throws(ToolFailure) -> Moment {
    guard text.contains(where: { $0 != " " }) else { throw .time(.empty, option: option) }
    do throws(ExpressionError) {
      return try context.readings.time("\(day) \(text)", in: context.expressions).moment
    } catch {
      // A text that is no time of a day has a day of its own.
      guard case .unreadable = error else { throw .ambiguousTime(error, option: option) }
    }
    return try EntryTimeOptions.time(text, in: context, option: option).moment
  }
}

extension TimeEntryCorrection {
  /// Sets the project that a text names.
  mutating func setProject(
    _ text: String, of entry: TimeEntry, in domain: DomainState
  ) throws(ToolFailure) {
    let workspace = changes.workspace.map(\.after) ?? entry.workspace
    let found = try domain.project(
      for: text, in: workspace, orElsewhere: changes.workspace == nil, "Nothing was changed.")
    switch found {
    case .id(entry.project): break
    case .id(let id): changes.project = Change(from: entry.project, to: id)
    case .name(let name): project = name
    }
  }

  /// Returns the workspace of an entry after the correction: an entry that gets another project is
  /// in the workspace of that one.
  func workspace(of entry: TimeEntry, in domain: DomainState) -> WorkspaceID? {
    if let workspace = changes.workspace { return workspace.after }
    guard let project = changes.project?.after.flatMap({ domain.projects.resolve($0) }) else {
      return entry.workspace
    }
    return domain.projects[project]?.workspace
  }

  /// Adds tags to an entry that it does not have; a tag of that name that was deleted gives way.
  mutating func addTags(_ names: [Name], to entry: TimeEntry, in domain: DomainState) {
    let isMoved = workspace(of: entry, in: domain) != entry.workspace
    var known: Set<Name> = []
    var deleted: Set<TagID> = []
    for id in entry.tags {
      if let name = domain.tags.resolve(id).flatMap({ domain.tags.read($0) { $0.name } }) {
        // Another workspace has other tags with the same names.
        if !isMoved { known.insert(name) }
      } else if let name = domain.tags.read(id, { $0.name }), names.contains(name) {
        deleted.insert(id)
      }
    }
    addedTags = names.filter { !known.contains($0) }
    guard !deleted.isEmpty else { return }
    changes.tags = Change(from: entry.tags, to: entry.tags.filter { !deleted.contains($0) })
  }

  /// Returns the project of an entry after the correction.
  func project(of entry: TimeEntry) -> Reference<ProjectID>? {
    if let project { return .name(project) }
    return (changes.project.map(\.after) ?? entry.project).map { .id($0) }
  }

  /// Changes both times of an entry.
  fileprivate mutating func setTimes(of entry: TimeEntry, to range: RangeExpression) {
    let (start, end) = (range.start.moment, range.end?.moment)
    if start != entry.start { changes.start = Change(from: entry.start, to: start) }
    if end != entry.end { changes.end = Change(from: entry.end, to: end) }
  }

  /// Makes an entry that changes to another project billable as that one, unless the entry
  /// differed from its old project.
  mutating func followProject(of entry: TimeEntry, in domain: DomainState) {
    func isBillable(_ id: ProjectID?) -> Bool {
      id.flatMap { domain.projects.resolve($0) }.flatMap { domain.projects[$0]?.isBillable }
        ?? false
    }
    // A project that is named is a new one.
    guard project != nil || changes.project != nil else { return }
    let new = isBillable(project == nil ? changes.project?.after ?? nil : nil)
    guard entry.isBillable == isBillable(entry.project), new != entry.isBillable else { return }
    changes.isBillable = Change(from: entry.isBillable, to: new)
  }
}

extension TimeEntry {
  /// Returns the tags of an entry by their names.
  ///
  /// - Throws: A refusal that names a tag that the entry does not have.
  func tagIDs(named names: [String], in domain: DomainState) throws(ToolFailure) -> [TagID] {
    var found: [TagID] = []
    for text in names {
      let name = Name(text, in: domain.tags)
      let ids = tags.filter { id in
        let own = domain.tags.read(id) { $0.name }
        let resolved = domain.tags.resolve(id).flatMap { domain.tags.read($0) { $0.name } }
        return own == name || resolved == name
      }
      guard !ids.isEmpty else {
        throw .noEntry("The entry does not have the tag \(text).")
      }
      found += ids
    }
    return found
  }
}

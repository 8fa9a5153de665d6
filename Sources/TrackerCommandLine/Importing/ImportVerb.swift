import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceCommandLine
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceToolSupport
import TerminalUI
import TimeTracking
import TrackerApp
import TrackerFeatures
import TrackerFormats

/// Imports entries from a file.
struct ImportVerb: Verb {
  static let name = "import"
  static let formatOption = CommandOption(
    "format", value: "format", choices: ["csv"] + Program.allCases.map(\.rawValue),
    "The format of the file: csv, which is the default, timewarrior for what `timew export` "
      + "writes, klog for a file of klog, watson for the file frames of Watson, or track for what "
      + "`track log --json` prints.")
  static let sourceOption = CommandOption(
    "source", value: "name",
    "The system that the file comes from; ids are compared with those of the same one, so it is "
      + "needed with a column of ids and with --format track. The default is the name of the "
      + "file, or, with --format timewarrior or watson, that word.")
  static let columnOption = CommandOption(
    "column", value: "field=header", repeats: true,
    "A field and its column; repeat for each field.")
  static let delimiterOption = CommandOption(
    "delimiter", value: "character",
    "The character between the columns, such as \";\", or the word tab; the default is a comma.")
  static let dateFormatOption = CommandOption(
    "date-format", value: "pattern",
    "How dates are written, such as \"M/d/yyyy H:mm\", or the word rfc3339 for dates with an "
      + "offset such as 2026-03-01T09:00:00+01:00.")
  static let durationUnitOption = CommandOption(
    "duration-unit", value: "unit", kind: .words(["minutes", "hours", "seconds", "clock"]),
    "How durations are written: minutes, hours, seconds or clock; the default is clock.")
  static let zoneOption = CommandOption(
    "zone", value: "zone",
    "The zone of the dates, such as Europe/Berlin; the default is that of the machine.")
  static let strictOption = CommandOption("strict", "Refuse the file if any row is invalid.")
  static let updateOption = CommandOption(
    "update",
    "Give entries the values of rows that were corrected since, unless they were edited in track.")
  static let cancelOption = CommandOption("cancel", "Cancel the unfinished import of a source.")
  static let acknowledgeOption = CommandOption(
    "acknowledge",
    "Print `ok SEQUENCE` for each batch once it is durable; with --json {\"ok\":SEQUENCE}.")
  static let syntax = CommandSyntax(
    "track import",
    summary: "Import ended entries from CSV or another time tracker, as one change.",
    discussion: """
      --column FIELD=HEADER maps a column to a field. The fields are start, end, duration, user, \
      client, project, task, tags, description, billable and id. A field given twice joins its \
      columns with a space.

      A duration is a number of minutes, hours or seconds, or hours and minutes such as 1:30 or \
      1:30:00 (unit clock); without one the entry lasts from start to end. A row whose duration is \
      not that from start to end is invalid, unless they differ by less than a minute, or by what \
      a number of hours was rounded. An end before the start \
      is on the next day if both have the date in the same column and the entry takes at most 12 \
      hours. Numbers may have a decimal comma. Several tags are separated by commas. Without a \
      user column the entries are those of --user. Times without an offset are meant in the \
      zone of the machine, or in that of --zone, which is also the zone of the entries.

      A row without a client is of the project that has its name, if only one has it, and else of \
      the one without a client. Without a billable column an entry is billable if its project is. \
      If the file has no rates, a billable entry has that of its project, or else of its user.

      A file is imported once. With an id column, a row is imported once too, in whatever file it \
      comes: name the system that gave the ids with --source. Nothing is visible before the end of \
      the import; one that was interrupted is completed by the same command, or canceled \
      with --cancel.

      A row that is known is skipped. If it was corrected since, or its entry was changed, the \
      entry keeps its values, and the `track edit` that gives it those of the row is printed; with \
      --json its words are in `differing`, of which `track batch` reads each list as a line. Only \
      fields that the file has are compared, and the user never. A client, a project, a task or a \
      tag that was renamed or merged in track still has its old names for rows, and a project that \
      got another client keeps it. Of two rows with one id and other values, the first one counts. \
      A deleted entry stays deleted.

      With --update, an entry gets the values of its row, unless it was edited in track after the \
      last import that changed it, and the annotations with them. The edits are printed, and why \
      one is refused. `track undo` takes up to 1000 of them back at once, then each new client, \
      project or task that they needed, and then the import; `track undo --to TIME` takes back \
      everything since. Entries of the source that are not in the file any more stay: those of \
      the users of its rows, from its first day to its last one, are counted, without those near \
      a day of rejected rows, and the `track delete` for them is printed.

      With --format timewarrior, tags are tags, the annotation is the description, and a running \
      interval is left out. An interval is imported once for each --user, whatever file it comes in.

      With --format klog, times are meant in the zone. Tags are tags, those of a record are tags \
      of all its entries, and those at the ends of a summary are left out of the description. The \
      summary of a record is the description of its entries without one, and a note of the \
      others. Durations without times begin one after the other where the last range of their day \
      ends, or in a gap if the day has too little time left, or at 0:00; a note says so. \
      A duration below zero, such as a break, is taken off the end of the nearest longer entry of \
      its record, first of those before it, or off several; a note has its line. A range without \
      an end is left out; `track start 9:00` goes on with it. A range is known again by its start \
      and the user, and a duration by its date, its place among the durations of the day and the \
      user. Give a file that was renamed its old name with --source.

      With --format watson, projects are projects, tags are tags, and frames are known by their \
      ids. The running frame is in another file.

      With --format track, the entries come with their users, zones, rates and annotations, and a \
      running one is left out. Rates of projects, users and workspaces, and deleted entries, are \
      not in the file; ids in other systems are not taken over. The entries are in no workspace: \
      their amounts are in the currency of that of their user, and a note counts those that were \
      in another one. Rates, annotations and zones are not compared with those of entries that are \
      known; --update gives entries the rates of their rows, too. The CSV of `track log` is for \
      spreadsheets: it has neither annotations nor zones, and line ends and formulas are escaped \
      in it.

      Invalid rows are reported and left out; with --strict the file is refused if there are any. \
      Without an id column, put the corrected rows into a file of their own: a changed file is \
      another file, and all its rows are imported. \
      Overlaps and zero durations are accepted and counted. So are times that clocks show twice \
      when they are put back: the earlier moment is taken, or the later one for an end that would \
      come before its start.

      With --dry-run the counts are printed, without those of overlaps, and nothing is written.

      EXAMPLES
        timew export | track import - --format timewarrior --dry-run
        track import times.klg --format klog --zone Europe/Berlin
        track import ~/.config/watson/frames --format watson --dry-run
        track import times.csv --zone UTC \\
          --column start=Begin --column duration=Minutes \\
          --column description=What \\
          --date-format "M/d/yyyy H:mm" --duration-unit minutes
        track import toggl.csv --column user=User \\
          --column description=Description --column client=Client \\
          --column project=Project --column task=Task \\
          --column start="Start date" --column start="Start time" \\
          --column duration=Duration --column tags=Tags \\
          --column billable=Billable --date-format "yyyy-MM-dd HH:mm:ss"
        track import - --source jira --column id=Key --column start=Started \\
          --column duration=Seconds --duration-unit seconds \\
          --date-format "yyyy-MM-dd HH:mm" < worklog.csv
        track import log.csv --source laptop --date-format rfc3339 \\
          --column id=id --column user=user --column start=start \\
          --column end=end --column client=client --column project=project \\
          --column task=task --column tags=tags \\
          --column description=description --column billable=billable
        track log :all --json | track import - --format track \\
          --source laptop --store new
        track import --cancel --source jira
      """,
    operands: [
      CommandOperand(
        "file", isOptional: true, kind: .file, "The file; - is standard input.")
    ],
    options: TrackerOptions.ofUser + [
      formatOption, sourceOption, columnOption, delimiterOption, dateFormatOption,
      durationUnitOption, zoneOption, strictOption, updateOption, cancelOption, acknowledgeOption,
      EntryTimeOptions.dryRunOption,
    ])

  let options: TrackerOptions
  let file: String?
  let source: String?
  let column: [String]
  private let separator: UInt8
  let dateFormat: String?
  let durationUnit: String
  let zone: String?
  let strict: Bool
  private let updates: Bool
  let cancel: Bool
  let acknowledge: Bool
  private let isDryRun: Bool
  /// The program whose file it is; `nil` for CSV.
  private let program: Program?

  private typealias Program = FileImport.Program

  init(_ arguments: CommandArguments, in context: VerbContext) throws(ToolFailure) {
    options = TrackerOptions(arguments, in: context)
    file = arguments.operands.first
    source = arguments[Self.sourceOption]
    column = arguments.all(Self.columnOption)
    separator = try Self.separator(arguments[Self.delimiterOption])
    dateFormat = arguments[Self.dateFormatOption]
    durationUnit = arguments[Self.durationUnitOption] ?? "clock"
    zone = arguments[Self.zoneOption]
    strict = arguments.has(Self.strictOption)
    updates = arguments.has(Self.updateOption)
    cancel = arguments.has(Self.cancelOption)
    acknowledge = arguments.has(Self.acknowledgeOption)
    isDryRun = arguments.has(EntryTimeOptions.dryRunOption)
    program = arguments[Self.formatOption].flatMap(Program.init)
    let ofCSV = [
      Self.columnOption, Self.delimiterOption, Self.dateFormatOption, Self.durationUnitOption,
    ]
    if let program, let option = ofCSV.first(where: arguments.has) {
      throw .usage(
        "--\(option.name) is for CSV, and --format \(program.rawValue) needs none.",
        advice: "Leave out one of them.")
    }
    try checkUpdate()
    if program == .track, arguments.has(Self.zoneOption) {
      throw .usage(
        "The entries of a log of track have their zones.", advice: "Leave out --zone.")
    }
  }

  /// Refuses `--update` where no row is known again, and with `--cancel`.
  private func checkUpdate() throws(ToolFailure) {
    guard updates else { return }
    if cancel {
      throw .usage(
        "--cancel imports no rows, so it updates none.", advice: "Leave out one of them.")
    }
    guard program != nil || hasIDs else {
      throw .usage(
        "--update finds the entries of rows by ids, and the file has none.",
        advice: "Name the column of the ids, as in --column id=Key.")
    }
  }

  /// The most rows that differ from their entries and are kept; an update needs all of them.
  private var differingMax: Int { updates ? .max : FileImport.rejectionsMax }

  /// Whether the rows of CSV have ids.
  private var hasIDs: Bool { column.contains { $0.hasPrefix("id=") } }

  private static func separator(_ text: String?) throws(ToolFailure) -> UInt8 {
    guard let text else { return UInt8(ascii: ",") }
    if text == "tab" { return UInt8(ascii: "\t") }
    let bytes = Array(text.utf8)
    guard bytes.count == 1, bytes[0] < 0x80, !"\"\r\n".utf8.contains(bytes[0]) else {
      throw .usage(
        "--delimiter is no character that separates columns: \(text).",
        advice: "Give one such as \";\", or the word tab.")
    }
    return bytes[0]
  }

  func perform() throws(ToolFailure) {
    if cancel { return try cancelImport() }
    guard let file else {
      throw .usage("The file is missing.", advice: "Give the file, or - for standard input.")
    }
    let name = file == "-" ? "standard input" : file.split(separator: "/").last.map(String.init)
    let source = Name(self.source ?? program?.source ?? name ?? file)
    guard !source.isEmpty, source.text.utf8.count <= Name.bytesMax else {
      throw .usage(
        "The name of the source is empty or too long.",
        advice: "Give a name of at most \(Name.bytesMax) bytes with --source.")
    }
    if self.source == nil, program == .track || hasIDs {
      throw .usage(
        "The ids of the file are those of an unknown system.",
        advice: "Name the system with --source, such as --source jira.")
    }
    let defaultUser = Name(try options.userName())
    // The file is read before the store is opened, so that a wrong file creates no store.
    let rows = try read(file, defaultUser)
    if isDryRun {
      return try preview(rows, source: source, name: name ?? file, defaultUser: defaultUser)
    }
    let tracker = try options.open(creating: true)
    let bar = ProgressPrinter(label: "importing", options.output)
    let summary: FileImport.Summary
    do throws(FileImport.Failure) {
      summary = try rows.run(
        into: tracker, source: source, name: name ?? file, defaultUser: defaultUser,
        differingMax: differingMax, findsMissing: updates,
        acknowledged: { sequence in if acknowledge { acknowledgeBatch(through: sequence) } },
        progress: { done, total in bar.show(done, of: total) })
      bar.finish()
    } catch {
      bar.finish()
      let failure = failure(error, in: tracker.domain)
      try? options.context.close(tracker)
      throw failure
    }
    do throws(StoreError) { try options.context.close(tracker) } catch { throw ToolFailure(error) }
    try finish(summary)
  }

  /// Updates entries if that is wanted, and prints what was done.
  private func finish(_ summary: FileImport.Summary) throws(ToolFailure) {
    var summary = summary
    let path = try options.path()
    do throws(StoreError) {
      try summary.passRenames(at: path)
    } catch {
      // The import is in the log already.
      print(summary, ImportUpdate(keeping: summary.differing))
      throw ToolFailure(error)
    }
    if summary.differing.contains(where: \.movesProject) {
      let rows = summary.differing
      summary.differing = try options.read { domain in
        .success(rows.map { $0.namingProject(in: domain) })
      }
    }
    let rows = summary.differing
    let update =
      updates
      ? ImportUpdate(of: rows, options, isDryRun: isDryRun) : ImportUpdate(keeping: rows)
    if !isDryRun, !update.updated.isEmpty {
      let ids = Set(update.updated.map(\.id))
      let run = summary.run
      // The updates moved entries after the import had counted.
      let overlaps = try? options.read { .success($0.overlappingEntries(of: run, and: ids)) }
      summary.rows.overlaps = overlaps ?? summary.rows.overlaps
    }
    print(summary, update)
    if let failure = update.failure { throw failure }
  }

  private func read(_ file: String, _ user: Name) throws(ToolFailure) -> FileImport {
    let zone = if let zone = self.zone { try rules(of: zone) } else { try options.zone() }
    if let program {
      return try checked { () throws(FileImport.Failure) in
        try FileImport.open(file, of: program, user: user, zone: zone)
      }
    }
    if dateFormat == nil { try checkFormat(of: file, zone) }
    let makeMapping = try mappingMaker(zone)
    return try checked { () throws(FileImport.Failure) in
      try FileImport.open(file, separator: separator, mapping: makeMapping)
    }
  }

  /// Refuses a file that another program has written, or that cannot be read.
  private func checkFormat(of file: String, _ zone: ZoneRules) throws(ToolFailure) {
    let program: Program?
    do throws(FileImport.Failure) {
      program = try FileImport.program(of: file, zone: zone)
    } catch {
      throw failure(error, in: DomainState())
    }
    guard let program else { return }
    throw .usage(
      "The file \(file) is no CSV.", advice: "Try --format \(program.rawValue).")
  }

  private func checked(
    _ open: () throws(FileImport.Failure) -> FileImport
  ) throws(ToolFailure) -> FileImport {
    do throws(FileImport.Failure) {
      let rows = try open()
      try rows.check(isStrict: strict)
      return rows
    } catch {
      throw failure(error, in: DomainState())
    }
  }

  /// Prints what an import would do.
  private func preview(
    _ rows: borrowing FileImport, source: Name, name: String, defaultUser: Name
  ) throws(ToolFailure) {
    let summary: FileImport.Summary = try options.read(creating: true) { domain in
      do throws(FileImport.Failure) {
        return .success(
          try rows.preview(
            in: domain, source: source, name: name, defaultUser: defaultUser,
            differingMax: differingMax, findsMissing: updates))
      } catch {
        return .failure(failure(error, in: domain))
      }
    }
    try finish(summary)
  }

  private func cancelImport() throws(ToolFailure) {
    let what = "No import was canceled."
    guard let source, file == nil else {
      throw .usage(
        "--cancel takes a source and no file.",
        advice: "Name the source, as in `track import --cancel --source jira`.")
    }
    func unfinished(
      in domain: DomainState
    ) throws(ToolFailure) -> (id: ImportRunID, run: ImportRun) {
      let found = domain.externalSources.rival(of: ExternalSource(name: Name(source)))
        .flatMap { domain.openImport(of: $0) }
      if let found { return found }
      throw ToolFailure(
        what: what, why: "The source \(source) has no unfinished import.",
        advice: "Nothing needs to be done.", exitCode: ToolExit.refused)
    }
    if isDryRun {
      return printCanceled(
        try options.read { domain in
          Result { () throws(ToolFailure) in try unfinished(in: domain).run }
        })
    }
    let tracker = try options.open(creating: false)
    let found: (id: ImportRunID, run: ImportRun)
    do throws(ToolFailure) {
      found = try tracker.verified { (domain) throws(ToolFailure) in try unfinished(in: domain) }
    } catch {
      try? options.context.close(tracker)
      throw error
    }
    do throws(CommandError<TimeTracker>) {
      _ = try tracker.perform(.importRun(.cancel(found.id)), closing: options.context.closesStore)
    } catch {
      throw ToolFailure(what, error, in: tracker.domain, options.context)
    }
    printCanceled(found.run)
  }

  private func printCanceled(_ run: ImportRun) {
    if options.json {
      var members: [JSONValue.Member] = [
        .init("canceled", .string(run.file)), .init("rows", .integer(run.rows)),
      ]
      if isDryRun { members.append(.init("dryRun", .bool(true))) }
      options.output.print(.object(members))
    } else {
      options.output.print("\(isDryRun ? "would be " : "")canceled  \(run.file), \(run.rows) rows")
    }
  }

  private func acknowledgeBatch(through sequence: UInt64) {
    if options.json {
      options.output.print(["ok": .integer(Int64(sequence))])
    } else {
      options.output.print("ok \(sequence)")
    }
  }

  private func mappingMaker(_ rules: ZoneRules) throws(ToolFailure) -> (
    (CSVRecord) throws(ImportMapping.Failure) -> ImportMapping
  ) {
    var columns: [(field: ImportMapping.Field, column: String)] = []
    for text in column {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let field = ImportMapping.Field(rawValue: String(parts[0])) else {
        let fields = ImportMapping.Field.allCases.map(\.rawValue).joined(separator: ", ")
        throw .usage(
          "--column takes FIELD=HEADER, not \(text).", advice: "The fields are \(fields).")
      }
      columns.append((field, String(parts[1])))
    }
    guard let dateFormat else {
      throw .usage(
        "The option --date-format is missing.",
        advice: "Say how dates are written, such as --date-format \"yyyy-MM-dd HH:mm\".")
    }
    let format: DateFormat?
    do throws(DateFormat.PatternError) {
      format = dateFormat == "rfc3339" ? nil : try DateFormat(dateFormat)
    } catch {
      throw .usage(
        "--date-format \(dateFormat) is not understood: \(error).",
        advice: "Use y M d H h m s a, such as M/d/yyyy H:mm, or the word rfc3339.")
    }
    guard let unit = DurationFormat(rawValue: durationUnit) else {
      throw .usage(
        "--duration-unit \(durationUnit) is not known.",
        advice: "Use minutes, hours, seconds or clock.")
    }
    return { (header) throws(ImportMapping.Failure) in
      try ImportMapping(
        columns: columns, header: header, dateFormat: format, durationFormat: unit, zone: rules)
    }
  }

  private func rules(of zone: String) throws(ToolFailure) -> ZoneRules {
    guard let rules = LocalZone.rules(id: zone) else {
      throw .usage(
        "--zone \(zone) is not known to this system.",
        advice: "Give a zone such as UTC or Europe/Berlin; the package tzdata installs them.")
    }
    return rules
  }

  private func print(_ summary: FileImport.Summary, _ update: ImportUpdate) {
    let rows = summary.rows
    let differing = rows.differing - update.updated.count
    if options.json {
      var members: [JSONValue.Member] = [
        .init("created", .integer(Int64(rows.created))),
        .init("resumed", .integer(Int64(rows.resumed))),
        .init("skipped", .integer(Int64(rows.known))),
        .init("deleted", .integer(Int64(rows.deleted))),
        .init("clashing", .integer(Int64(rows.clashing))),
        .init("differingCount", .integer(Int64(differing))),
        .init("differing", .array(update.kept.map { json($0, in: update) })),
        .init("overlaps", isDryRun ? .null : .integer(Int64(rows.overlaps))),
        .init("zeroDurations", .integer(Int64(rows.zeroDurations))),
        .init(
          "repeatedTimes",
          [
            "earlier": .integer(Int64(summary.repeated.earlier)),
            "later": .integer(Int64(summary.repeated.later)),
          ]),
        .init("rejectedCount", .integer(Int64(summary.rejectedCount))),
        .init("rejected", .array(summary.rejected.map(json))),
      ]
      if updates {
        members.append(.init("updated", .array(update.updated.map { json($0, in: update) })))
        if let missing = summary.missing {
          members.append(.init("missing", .array(missing.map { .integer($0.value) })))
        }
      }
      if program != nil { members.append(.init("running", .integer(Int64(summary.running)))) }
      let notes = notes(on: summary)
      if !notes.isEmpty { members.append(.init("notes", .array(notes.map { .string($0) }))) }
      if isDryRun { members.append(.init("dryRun", .bool(true))) }
      options.output.print(.object(members))
      return
    }
    if isDryRun { options.output.print("Nothing was written. An import would have these counts:") }
    let resumed = rows.resumed > 0 ? ", \(rows.resumed) of them by an interrupted run" : ""
    options.output.print("created         \(rows.entries)\(resumed)")
    options.output.print("skipped         \(rows.known)")
    if rows.deleted > 0 {
      options.output.print("deleted         \(rows.deleted), which stay deleted")
    }
    if rows.clashing > 0 {
      options.output.print(
        "clashing        \(rows.clashing), left out: an earlier row has the id and other values")
    }
    print(update)
    if differing > 0 {
      let entries = differing == 1 ? "entry keeps its" : "entries keep their"
      options.output.print("differing       \(differing), the \(entries) values; the file has:")
      print(update.kept, of: differing, in: update)
    }
    if updates { print(missing: summary.missing) }
    if summary.running > 0 {
      options.output.print("running         \(summary.running), left out until they have ended")
    }
    if !isDryRun { options.output.print("overlaps        \(rows.overlaps)") }
    options.output.print("zero durations  \(rows.zeroDurations)")
    if let repeated = text(summary.repeated) { options.output.print("repeated times  \(repeated)") }
    options.output.print("rejected        \(summary.rejectedCount)")
    for rejection in summary.rejected { options.output.print("  \(text(rejection))") }
    if summary.moreRejected > 0 { options.output.print("  and \(summary.moreRejected) more") }
    for note in notes(on: summary) { options.output.print("note            \(note)") }
  }

  /// Returns remarks on names whose rows are of another project or client than may be meant, and on
  /// rates that are in another currency.
  private func notes(on summary: FileImport.Summary) -> [String] {
    let rows = summary.rows
    func notes(on names: Set<Name>, _ text: (String) -> String) -> [String] {
      names.sorted { $0.key < $1.key }.map { text($0.text) }
    }
    return notes(on: rows.ambiguousProjects) { name in
      "several projects are named \(name): rows without a client are of the one without one"
    }
      + notes(on: rows.projectsElsewhere) { name in
        "the project \(name) of a workspace is another one: rows are of one without a workspace"
      }
      + notes(on: rows.deletedClients) { name in
        "the client \(name) was deleted: rows are of a new client of that name"
      } + summary.relabeled.map { text($0) }
  }

  /// Returns what becomes of rates in another currency than the file says.
  private func text(_ rates: RelabeledRates) -> String {
    let entries = rates.count == 1 ? "1 entry" : "\(rates.count) entries"
    let before = "\(entries) of \(rates.user.text) with a rate in \(rates.currency)"
    if let present = rates.present {
      return "\(before): here the amounts are in \(present), the currency of the user's workspace"
    }
    return "\(before): here the amounts have no currency; "
      + "`track users set \(commandWord(rates.user.text)) --workspace NAME` gives them one"
  }

  /// The most rows that are listed as text because they differ from their entries.
  private static var differingShownMax: Int { 20 }

  /// Prints what was updated, and how to take it back.
  private func print(_ update: ImportUpdate) {
    let count = update.updated.count
    let undo = update.changes > 1 ? "`track undo \(update.changes)`" : "`track undo`"
    if count == 0, update.changes > 0 {
      options.output.print("updated         0, but names of rows are new, which \(undo) takes back")
    }
    guard count > 0 else { return }
    options.output.print(
      "updated         \(count), " + (isDryRun ? "by:" : "which \(undo) takes back, by:"))
    print(update.updated, of: count, in: update)
  }

  /// Prints which entries are not in the file any more, and how to delete them.
  private func print(missing: [TimeEntryID]?) {
    guard let missing else {
      return options.output.print("missing         not looked for, because rows were rejected")
    }
    guard !missing.isEmpty else { return }
    options.output.print(
      "missing         \(missing.count), not in the file any more; to delete "
        + (missing.count == 1 ? "it:" : "them:"))
    let words = missing.prefix(Self.differingShownMax).map { "\($0.value)" }
    options.output.print("  track delete \(words.joined(separator: " "))")
    let more = missing.count - words.count
    if more > 0 { options.output.print("  and \(more) more, which --json lists") }
  }

  /// Prints the commands that give entries the values of their rows.
  private func print(_ rows: [DifferingRow], of count: Int, in update: ImportUpdate) {
    for row in rows.prefix(Self.differingShownMax) {
      let words = row.correction.map(commandWord).joined(separator: " ")
      let note = update.refusals[row.id] ?? (row.isEdited ? "changed since its import" : nil)
      options.output.print("  track \(words)" + (note.map { "  # \($0)" } ?? ""))
    }
    let shown = min(rows.count, Self.differingShownMax)
    guard count > shown else { return }
    let listed = count == rows.count ? "which" : "of which"
    let some = count == rows.count ? "" : " \(rows.count - shown)"
    options.output.print("  and \(count - shown) more, \(listed) --json lists\(some)")
  }

  private func json(_ row: DifferingRow, in update: ImportUpdate) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("entry", .integer(row.id.value)), .init("edited", .bool(row.isEdited)),
      .init("command", .array(row.correction.map { .string($0) })),
    ]
    if let why = update.refusals[row.id] { members.append(.init("refusal", .string(why))) }
    return .object(members)
  }

  /// Returns how many times clocks show twice, and which moments were taken; `nil` for none.
  private func text(_ times: RepeatedTimes) -> String? {
    switch (times.earlier, times.later) {
    case (0, 0): nil
    case (let count, 0): "\(count), the earlier moment was taken"
    case (0, let count): "\(count), the later moment was taken"
    case (let earlier, let later):
      "\(earlier + later), the earlier moment of \(earlier) and the later of \(later) was taken"
    }
  }

  private func json(_ rejection: ImportRejection) -> JSONValue {
    [
      "line": .integer(Int64(rejection.line)),
      "column": rejection.column.map { .string($0) } ?? .null,
      "value": .string(rejection.value), "reason": .string("\(rejection.reason)"),
    ]
  }

  private func text(_ rejection: ImportRejection) -> String {
    let column = rejection.column.map { ", column \($0)" } ?? ""
    return "line \(rejection.line)\(column): \(rejection.reason): \(rejection.value)"
  }

  private func failure(_ failure: FileImport.Failure, in domain: DomainState) -> ToolFailure {
    let what = "The file \(file ?? "") was not imported."
    switch failure {
    case .file(let error):
      return ToolFailure(
        what: what, why: reason(error), advice: "Check the name and the permissions of the file.",
        exitCode: isWrongFile(error) ? ToolExit.usage : ToolExit.storage)
    case .empty:
      return ToolFailure(
        what: what, why: "It has no header.", advice: "The first line has to name the columns.",
        exitCode: ToolExit.refused)
    case .notFile(let program, let why):
      let (kind, advice) =
        switch program {
        case .timewarrior: ("export of timewarrior", "Make one with `timew export`.")
        case .klog: ("file of klog", "Give a file such as times.klg.")
        case .watson: ("list of frames", "Give the file ~/.config/watson/frames.")
        case .track: ("log of track", "Make one with `track log :all --json`.")
        }
      return ToolFailure(
        what: what, why: "It is no \(kind): \(why).", advice: advice, exitCode: ToolExit.refused)
    case .mapping(.projectMissing(let field), _):
      let why = "\(ImportMapping.Failure.projectMissing(for: field))".capitalizedFirst
      return ToolFailure(
        what: what, why: "\(why).",
        advice: "Add --column project=HEADER, or leave out the column of the \(field.rawValue).",
        exitCode: ToolExit.usage)
    case .mapping(let error, let separator):
      let delimiter =
        switch separator {
        case UInt8(ascii: "\t"): "tab"
        case .some(let byte): "\"\(Unicode.Scalar(byte))\""
        case nil: ""
        }
      return ToolFailure(
        what: what, why: "\(error)".capitalizedFirst + ".",
        advice: separator == nil
          ? "Name the columns as the header does: --column FIELD=HEADER."
          : "The header has these columns with another delimiter: add --delimiter \(delimiter).",
        exitCode: ToolExit.usage)
    case .rejected(let rows, let more):
      let count = rows.count + more
      return ToolFailure(
        what: what,
        why: "\(count) row\(count == 1 ? " is" : "s are") invalid; the first is "
          + "\(rows.first.map(text) ?? "unknown").",
        advice: strict
          ? "Correct them, or leave out --strict to import the others. Nothing was written."
          : "Correct them, or the options that say how the file is written. Nothing was written.",
        exitCode: ToolExit.refused)
    case .rows(.differs(let file)):
      return ToolFailure(
        what: what,
        why: "An import of \(file) was interrupted, and this command makes other entries of it.",
        advice: "Repeat the command as it was, or cancel that import with "
          + "`track import --cancel --source NAME` and begin again.",
        exitCode: ToolExit.refused)
    case .rows(.command(let error)): return ToolFailure(what, error, in: domain, options.context)
    }
  }

  /// Returns whether the error means that the command line names the wrong file.
  private func isWrongFile(_ error: SystemError) -> Bool {
    [.noSuchFile, .notADirectory, .isADirectory, .accessDenied, .nameTooLong, .tooManyLinks]
      .contains(error.code)
  }

  private func reason(_ error: SystemError) -> String {
    switch error.code {
    case .noSuchFile: "There is no such file."
    case .isADirectory: "It is a directory."
    case .accessDenied: "You do not have permission to read it."
    default: "\(error)."
    }
  }
}

extension FileImport.Program {
  /// The source of a file without another one; `nil` for the name of the file.
  fileprivate var source: String? {
    switch self {
    case .timewarrior, .watson: rawValue
    case .klog, .track: nil
    }
  }
}

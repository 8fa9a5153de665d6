import Retrace
import RetraceCommandLine
import RetraceRecording
import RetraceStorage
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures
import TrackerFormats

/// Imports entries from a file.
struct ImportVerb: Verb {
  static let name = "import"

  let options: TrackerOptions
  let file: String?
  let source: String?
  let columns: [String]
  private let separator: UInt8
  let dateFormat: String?
  let durationUnit: String
  let zone: String?
  let isStrict: Bool
  let updates: Bool
  let cancels: Bool
  let acknowledges: Bool
  let isDryRun: Bool
  /// The reader of the format; `nil` until the content of the file says which.
  private(set) var namedReader: (any ImportSource.Type)?
  /// The rules of the zone in which times without an offset are read; `nil` until they are needed.
  private(set) var zoneRules: ZoneRules?
  /// An option that is for CSV only, if one was given.
  private let optionOfCSV: CommandOption?
  private let projectTags: ProjectTags

  init(_ arguments: CommandArguments, in context: VerbContext) throws(ToolFailure) {
    options = TrackerOptions(arguments, in: context)
    file = arguments.operands.first
    source = arguments[Self.sourceOption]
    columns = arguments.all(Self.columnOption)
    separator = try Self.separator(arguments[Self.delimiterOption])
    dateFormat = arguments[Self.dateFormatOption]
    durationUnit = arguments[Self.durationUnitOption] ?? "clock"
    zone = arguments[Self.zoneOption]
    isStrict = arguments.has(Self.strictOption)
    updates = arguments.has(Self.updateOption)
    cancels = arguments.has(Self.cancelOption)
    acknowledges = arguments.has(Self.acknowledgeOption)
    isDryRun = arguments.has(EntryTimeOptions.dryRunOption)
    projectTags = try Self.projectTags(arguments.all(Self.tagAsProjectOption))
    let ofCSV = [
      Self.columnOption, Self.delimiterOption, Self.dateFormatOption, Self.durationUnitOption,
    ]
    optionOfCSV = ofCSV.first(where: arguments.has)
    let named = arguments[Self.formatOption].flatMap(ImportSources.named)
    namedReader = named ?? (columns.isEmpty ? nil : ImportSources.standard)
    if updates, cancels {
      throw .usage(
        "--cancel imports no rows, so it updates none.", advice: "Leave out one of them.")
    }
    if namedReader != nil { try checkOptions() }
  }

  /// Refuses options that the format does not have.
  private func checkOptions() throws(ToolFailure) {
    if !format.hasColumns, let option = optionOfCSV {
      throw .usage(
        "--\(option.name) is for CSV, and --format \(format.name) needs none.",
        advice: "Leave out one of them.")
    }
    if format.hasColumns, !projectTags.isEmpty {
      throw .usage(
        "--tag-as-project is for files without columns.",
        advice: "Name the column of the projects, as in --column project=Project.")
    }
    try checkUpdate()
    if format.hasZones, zone != nil {
      throw .usage(
        "The entries of a \(format.fileKind) have their zones.", advice: "Leave out --zone.")
    }
  }

  /// Refuses `--update` for rows without ids, whose entries cannot be found.
  private func checkUpdate() throws(ToolFailure) {
    guard updates else { return }
    guard !format.hasColumns || hasIDs || columns.isEmpty else { throw Self.idsMissing }
  }

  private static let idsMissing = ToolFailure.usage(
    "--update finds the entries of rows by ids, and the file has none.",
    advice: "Name the column of the ids, as in --column id=Key.")
  private static let systemMissing = ToolFailure.usage(
    "The ids of the file belong to an unknown system.",
    advice: "Name the system with --source, such as --source jira; or the other store of track "
      + "from which the file comes, such as --source laptop.")

  /// Checks the ids of a file whose header was recognized.
  private func checkIDs(_ hasIDs: Bool) throws(ToolFailure) {
    guard format.hasColumns else { return }
    if updates, !hasIDs { throw Self.idsMissing }
    if hasIDs, source == nil { throw Self.systemMissing }
  }

  /// The format of the file.
  var format: ImportFormat { (namedReader ?? ImportSources.standard).format }

  /// The most rows that differ from their entries and are kept; an update needs all of them.
  private var differingMax: Int { updates ? .max : RejectedRows.keptMax }

  /// Whether the rows of CSV have ids.
  private var hasIDs: Bool { columns.contains { $0.hasPrefix("id=") } }

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

  /// Reads the tags that name projects.
  private static func projectTags(_ texts: [String]) throws(ToolFailure) -> ProjectTags {
    var tags = ProjectTags()
    for text in texts {
      if text == ":first" {
        tags.takesFirst = true
      } else if text.hasPrefix(":") || Name(text).isEmpty {
        throw .usage(
          "--tag-as-project takes a tag or the word :first, not \(text).",
          advice: "Give one, such as --tag-as-project acme.")
      } else {
        tags.names.append(Name(text))
      }
    }
    return tags
  }

  func perform() throws(ToolFailure) {
    if cancels { return try cancelImport() }
    guard let file else {
      throw .usage("The file is missing.", advice: "Give the file, or - for standard input.")
    }
    let opened = try open(file)
    var verb = self
    if !(namedReader?.format.hasZones ?? false) { verb.zoneRules = try importZone() }
    try verb.performOpened(opened, file)
  }

  private func performOpened(
    _ opened: consuming ImportFile, _ file: String
  ) throws(ToolFailure) {
    var verb = self
    verb.namedReader = try reader(of: opened)
    if namedReader == nil { try verb.checkOptions() }
    try verb.perform(opened, file)
  }

  private func open(_ file: String) throws(ToolFailure) -> ImportFile {
    do throws(Importer.Failure) {
      return try ImportFile.open(file)
    } catch {
      throw failure(error, in: DomainState())
    }
  }

  /// Imports a file of a known format.
  private func perform(_ opened: consuming ImportFile, _ file: String) throws(ToolFailure) {
    let name = file == "-" ? "standard input" : file.split(separator: "/").last.map(String.init)
    let source = Name(self.source ?? format.system ?? name ?? file)
    guard !source.isEmpty, source.text.utf8.count <= Name.bytesMax else {
      throw .usage(
        "The name of the source is empty or too long.",
        advice: "Give a name of at most \(Name.bytesMax) bytes with --source.")
    }
    if self.source == nil, format.needsSystem || hasIDs {
      throw Self.systemMissing
    }
    // The file is read before the store is opened, so that a wrong file creates no store.
    let importer = try open(opened)
    try checkIDs(importer.hasIDs)
    let notes =
      options.namesUser && importer.hasUsers
      ? ["the file names the users of its rows, and --user makes all of them entries of one user"]
      : []
    if isDryRun { return try preview(importer, source: source, name: name ?? file, notes) }
    let tracker = try options.open(creating: true, isBulk: true)
    let bar = ProgressPrinter(label: "importing", options.output)
    let report: ImportReport
    do throws(Importer.Failure) {
      report = try importer.run(
        into: tracker, system: source, name: name ?? file, differingMax: differingMax,
        findsMissing: updates,
        acknowledged: { sequence in if acknowledges { acknowledgeBatch(through: sequence) } },
        progress: { done, total in bar.show(done, of: total) })
      bar.finish()
    } catch {
      bar.finish()
      let failure = failure(error, in: tracker.domain)
      try? options.context.close(tracker)
      throw failure
    }
    try orFail(try options.context.close(tracker))
    try finish(report, notes)
  }

  /// Updates entries with `--update`, and prints the report.
  private func finish(_ report: ImportReport, _ notes: [String]) throws(ToolFailure) {
    var report = report
    let notesOnUsers = try noteOnUsers(report).map { [$0] } ?? []
    report.notes = notes + notesOnUsers + report.notes
    let path = try options.path()
    do throws(StoreError) {
      try report.passRenames(at: path)
    } catch {
      // The import is in the log already.
      print(report, ImportUpdate(keeping: report.differing), ImportOverlaps())
      throw ToolFailure(error)
    }
    if report.differing.contains(where: \.movesProject) {
      let rows = report.differing
      report.differing = try options.read { domain in
        rows.map { $0.namingProject(in: domain) }
      }
    }
    let rows = report.differing
    let update =
      updates
      ? ImportUpdate(of: rows, options, isDryRun: isDryRun) : ImportUpdate(keeping: rows)
    if !update.updated.isEmpty {
      let moved = update.updatedTimes
      let (run, planned) = (report.run, report.planned)
      // The updates moved entries after the import had counted, or would move them.
      let overlaps = try? options.read { domain in
        isDryRun
          ? domain.overlappingEntries(planned: planned, and: moved)
          : domain.overlappingEntries(of: run, and: Set(moved.keys))
      }
      report.rows.overlaps = overlaps ?? report.rows.overlaps
    }
    print(report, update, overlaps(of: report))
    if let failure = update.failure { throw failure }
  }

  /// Returns the overlapping entries of an import to list.
  private func overlaps(of report: ImportReport) -> ImportOverlaps {
    guard !isDryRun, report.rows.overlaps > 0, let run = report.run else { return ImportOverlaps() }
    let found = try? options.read { (domain) throws(ToolFailure) in
      let rules = try options.calendar(of: try options.userName(), in: domain).rules
      return ImportOverlaps(domain.overlaps(of: run), in: domain, rules)
    }
    return found ?? ImportOverlaps()
  }

  private func open(_ opened: consuming ImportFile) throws(ToolFailure) -> Importer {
    var importing = try importOptions()
    if format.hasColumns { try readColumns(into: &importing) }
    let ownName = Name(try options.context.defaultUserName())
    let owner = importing.user == ownName ? nil : importing.user
    do throws(Importer.Failure) {
      return try Importer.open(
        opened, as: namedReader ?? ImportSources.standard, importing, owner: owner,
        isStrict: isStrict)
    } catch {
      throw otherFormat(error, importing) ?? failure(error, in: DomainState())
    }
  }

  /// Returns the options without columns.
  func importOptions() throws(ToolFailure) -> ImportOptions {
    let zone = if let zoneRules { zoneRules } else { try importZone() }
    var importing = ImportOptions(user: Name(try options.userName()), zone: zone)
    importing.takesAllRows = options.namesUser
    importing.projectTags = projectTags
    return importing
  }

  /// Returns the rules of the zone of --zone, or else of that in which the user's times are shown.
  private func importZone() throws(ToolFailure) -> ZoneRules {
    if let zone { return try rules(of: zone) }
    return try options.presentCalendar(creating: true).rules
  }

  /// Prints the report of an import, and writes nothing.
  private func preview(
    _ importer: borrowing Importer, source: Name, name: String, _ notes: [String]
  ) throws(ToolFailure) {
    let report = try options.read(creating: true) { (domain) throws(ToolFailure) in
      do throws(Importer.Failure) {
        return try importer.preview(
          in: domain, system: source, name: name, differingMax: differingMax, findsMissing: updates)
      } catch {
        throw failure(error, in: domain)
      }
    }
    try finish(report, notes)
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
      throw .refused(
        "The source \(source) has no unfinished import.",
        advice: "Nothing needs to be done.", what: what)
    }
    if isDryRun {
      return printCanceled(
        try options.read { (domain) throws(ToolFailure) in try unfinished(in: domain).run })
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
      throw ToolFailure(what, error, in: tracker.domain, options)
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

  /// Reads the options of the columns and of the formats of values.
  private func readColumns(into importing: inout ImportOptions) throws(ToolFailure) {
    for text in columns {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let field = ImportField(rawValue: String(parts[0])) else {
        let fields = ImportField.allCases.map(\.rawValue).joined(separator: ", ")
        throw .usage(
          "--column takes FIELD=HEADER, not \(text).", advice: "The fields are \(fields).")
      }
      importing.columns.append((field, String(parts[1])))
    }
    if let dateFormat {
      do throws(DateFormat.PatternError) {
        importing.dateFormat = try DateFormat(dateFormat)
      } catch {
        throw .usage(
          "--date-format \(dateFormat) is not understood: \(error).",
          advice: "Use y M d H h m s a, such as M/d/yyyy H:mm, or a word: dmy, mdy, rfc3339, epoch."
        )
      }
    }
    guard let unit = DurationFormat(rawValue: durationUnit) else {
      throw .usage(
        "--duration-unit \(durationUnit) is not known.",
        advice: "Use minutes, hours, seconds or clock.")
    }
    importing.durationFormat = unit
    importing.separator = separator
  }

  private func rules(of zone: String) throws(ToolFailure) -> ZoneRules {
    guard let rules = LocalZone.rules(id: zone) else {
      throw .usage(
        "--zone \(zone) is not known to this system.",
        advice: "Give a zone such as UTC or Europe/Berlin; the package tzdata installs them.")
    }
    return rules
  }
}

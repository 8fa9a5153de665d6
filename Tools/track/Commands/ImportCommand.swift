import ArgumentParser
import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceRecording
import RetraceStorage
import RetraceSystem
import RetraceToolSupport
import TerminalUI
import TimeTracking
import TrackerApp

/// Imports entries from a file.
struct ImportCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import closed entries from a CSV file.",
    discussion: """
      --column FIELD=HEADER maps a column to a field. The fields are start, end, duration, user, \
      project, tags, description, billable and id. A field given twice joins its columns with a \
      space. With an id column a row is imported once, however often the import is run.

      A duration is a number of minutes, hours or seconds, or hours and minutes such as 1:30 or \
      1:30:00 (unit clock); without one the entry lasts from start to end. Several tags are \
      separated by commas. Without a user column the entries are those of --user.

      Invalid rows are reported and left out; with --strict the file is refused before anything is \
      written. Overlaps and zero durations are accepted and counted.

      EXAMPLES
        track import times.csv --format csv --zone UTC \\
          --column start=Begin --column duration=Minutes --column description=What \\
          --date-format "M/d/yyyy H:mm" --duration-unit minutes
        track import toggl.csv --zone Europe/Berlin --duration-unit clock \\
          --column start="Start date" --column start="Start time" \\
          --column duration=Duration --column project=Project --column tags=Tags \\
          --date-format "yyyy-MM-dd HH:mm:ss"
      """)

  /// The formats of imported files.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case csv
  }

  @OptionGroup var options: TrackerOptions
  @OptionGroup var user: UserOption

  @Argument(help: ArgumentHelp("The file.", valueName: "file"))
  var file: String

  @Option(name: .long, help: "The format of the file.")
  var format = Format.csv

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A field and its column; repeat for each field.", valueName: "field=header"))
  var column: [String]

  @Option(
    name: .long,
    help: ArgumentHelp("How dates are written, such as \"M/d/yyyy H:mm\".", valueName: "pattern")
  )
  var dateFormat: String

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How durations are written: minutes, hours, seconds or clock.", valueName: "unit"))
  var durationUnit = "clock"

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The zone of the dates, such as Europe/Berlin.", valueName: "zone"))
  var zone = "UTC"

  @Flag(name: .long, help: "Refuse the file if any row is invalid.")
  var strict = false

  @Flag(
    name: .long,
    help: ArgumentHelp(
      "Print `ok SEQUENCE` for each batch once it is durable; with --json {\"ok\":SEQUENCE}."))
  var acknowledge = false

  func perform() throws(ToolFailure) {
    let makeMapping = try mappingMaker()
    let defaultUser = try user.name()
    // The file is opened before the store, so that a wrong file name creates no store.
    let importer = try importer(makeMapping)
    let tracker = try options.open(creating: true)
    let summary: Importer.Summary
    let bar = ProgressPrinter(label: "importing")
    do throws(Importer.Failure) {
      summary = try importer.run(
        on: tracker, defaultUser: defaultUser,
        acknowledged: { sequence in if acknowledge { acknowledgeBatch(through: sequence) } },
        progress: { done, total in bar.show(done, of: total) })
      bar.finish()
      do throws(StoreError) { try tracker.store.closeBlocking() } catch { throw .store(error) }
    } catch {
      bar.finish()
      try? tracker.store.closeBlocking()
      throw failure(error)
    }
    print(summary)
  }

  private func acknowledgeBatch(through sequence: UInt64) {
    if options.json {
      Output.print(["ok": .integer(Int64(sequence))])
    } else {
      Output.print("ok \(sequence)")
    }
  }

  /// Opens the file, and reads the parts that are needed before anything is written.
  ///
  /// The file is opened once only, because a pipe can be read only once.
  private func importer(
    _ mapping: @escaping (CSVRecord) throws(ImportMapping.Failure) -> ImportMapping
  ) throws(ToolFailure) -> Importer {
    do throws(Importer.Failure) {
      var importer = try Importer(path: file, mapping: mapping)
      if strict { try importer.check() } else { try importer.readHeader() }
      return importer
    } catch {
      throw failure(error)
    }
  }

  private func mappingMaker() throws(ToolFailure) -> (
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
    let format: DateFormat
    do throws(DateFormat.PatternError) {
      format = try DateFormat(dateFormat)
    } catch {
      throw .usage(
        "--date-format \(dateFormat) is not understood: \(error).",
        advice: "Use y M d H h m s a, such as M/d/yyyy H:mm.")
    }
    guard let unit = DurationFormat(rawValue: durationUnit) else {
      throw .usage(
        "--duration-unit \(durationUnit) is not known.",
        advice: "Use minutes, hours, seconds or clock.")
    }
    guard let rules = LocalZone.rules(id: zone) else {
      throw .usage(
        "--zone \(zone) is not known to this system.",
        advice: "Give a zone such as UTC or Europe/Berlin; the package tzdata installs them.")
    }
    return { (header) throws(ImportMapping.Failure) in
      try ImportMapping(
        columns: columns, header: header, dateFormat: format, durationFormat: unit, zone: rules)
    }
  }

  private func print(_ summary: Importer.Summary) {
    if options.json {
      // The JSON has no member for the number of unlisted rows, so it goes to standard error.
      if summary.moreRejected > 0 {
        Output.printError("track: \(summary.moreRejected) more rejected rows are not listed.")
      }
      Output.print([
        "created": .integer(Int64(summary.created)), "skipped": .integer(Int64(summary.skipped)),
        "overlaps": .integer(Int64(summary.overlaps)),
        "rejected": .array(summary.rejected.map(json)),
      ])
      return
    }
    Output.print("created         \(summary.created)")
    Output.print("skipped         \(summary.skipped)")
    Output.print("overlaps        \(summary.overlaps)")
    Output.print("zero durations  \(summary.zeroDurations)")
    Output.print("rejected        \(summary.rejected.count + summary.moreRejected)")
    for rejection in summary.rejected { Output.print("  \(text(rejection))") }
    if summary.moreRejected > 0 { Output.print("  and \(summary.moreRejected) more") }
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

  private func failure(_ failure: Importer.Failure) -> ToolFailure {
    let what = "The file \(file) was not imported."
    switch failure {
    case .file(let error):
      return ToolFailure(
        what: what, why: reason(error), advice: "Check the name and the permissions of the file.",
        exitCode: isWrongFile(error) ? ToolExit.usage : ToolExit.storage)
    case .empty:
      return ToolFailure(
        what: what, why: "It has no header.", advice: "The first line has to name the columns.",
        exitCode: ToolExit.refused)
    case .mapping(let error):
      return ToolFailure(
        what: what, why: "\(error)".capitalizedFirst + ".",
        advice: "Name the columns as the header does: --column FIELD=HEADER.",
        exitCode: ToolExit.usage)
    case .rejected(let rows, let more):
      let count = rows.count + more
      return ToolFailure(
        what: what,
        why: "\(count) row\(count == 1 ? " is" : "s are") invalid; the first is "
          + "\(rows.first.map(text) ?? "unknown").",
        advice: "Correct them, or leave out --strict to import the others. Nothing was written.",
        exitCode: ToolExit.refused)
    case .store(let error): return ToolFailure(error)
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

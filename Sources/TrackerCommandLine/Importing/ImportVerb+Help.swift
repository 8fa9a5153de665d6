import RetraceCommandLine
import TrackerFormats

/// The options of the verb, and its help; the formats describe themselves.
extension ImportVerb {
  static let formatOption = CommandOption(
    "format", value: "format", choices: ImportSources.all.map { $0.format.name },
    "The format of the file: "
      + ImportSources.all.dropLast().map { $0.format.summary }.joined(separator: ", ")
      + ", or \(ImportSources.all.last?.format.summary ?? "").")
  static let sourceOption = CommandOption(
    "source", value: "name",
    "The system that the file comes from; ids are compared within one system, so it is "
      + "needed with a column of ids and with --format track. The default is the name of the "
      + "file, or, with --format timewarrior or watson, that word.")
  static let columnOption = CommandOption(
    "column", value: "field=header", repeats: true,
    "A field and its column; repeat for each field. Reports of Toggl, Clockify and solidtime and "
      + "the output of `track log --csv` need none.")
  static let delimiterOption = CommandOption(
    "delimiter", value: "character",
    "The character between the columns, such as \";\", or the word tab; the default is a comma, or "
      + "what a line such as `sep=;` says.")
  static let dateFormatOption = CommandOption(
    "date-format", value: "pattern",
    "How dates are written, such as \"M/d/yyyy H:mm\", or a word: dmy or mdy for dates in numbers, "
      + "rfc3339 for 2026-03-01T09:00:00+01:00, epoch for seconds since 1970; not needed for ISO "
      + "dates, or where one of the dates shows which number is the day.")
  static let durationUnitOption = CommandOption(
    "duration-unit", value: "unit", kind: .words(["minutes", "hours", "seconds", "clock"]),
    "How durations are written: minutes, hours, seconds or clock; the default is clock.")
  static let zoneOption = CommandOption(
    "zone", value: "zone",
    "The zone of the dates, such as Europe/Berlin; the default is the zone of the machine.")
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
      1:30:00 (unit clock), or names its units, as in 18:25 min, 12 sec or 1h 30m; without one the \
      entry lasts from start to end. Durations with a day and no time of day follow one another \
      from the beginning of the day. A row is invalid if its \
      duration differs from the time between its start and its end by a minute or more, except \
      where a number of hours was rounded. An end before the start is on the next day if both have \
      the date in the same column and the entry takes at most 12 hours. Numbers may have a decimal \
      comma. Several tags are separated by commas; one with a comma is in quotes. Without a user \
      column the entries belong to --user. Times without an offset are in the zone of the machine \
      or of --zone, which is also the zone of the entries. A row with a start, but neither an end \
      nor a duration, is of a running entry, which is left out.

      A row without a client is of the project that has its name, if only one has it, and else of \
      the one without a client. Without a billable column an entry is billable if its project is. \
      If the file has no rates, a billable entry has the rate of its project, or else of its user.

      A file is imported once. With an id column, a row is imported once too, in whatever file it \
      comes: name the system that gave the ids with --source. Nothing is visible before the end of \
      the import; one that was interrupted is completed by the same command, or canceled \
      with --cancel.

      A row that is known is skipped. If it was corrected since, or its entry was changed, the \
      entry keeps its values, and the `track edit` that gives it the row's values is printed; with \
      --json its words are in `differing`, of which `track batch` reads each list as a line. Only \
      fields that the file has are compared, and the user never. A client, a project, a task or a \
      tag that was renamed or merged in track still has its old names for rows, and a project that \
      got another client keeps it. Of two rows with one id and other values, the first one counts. \
      A deleted entry stays deleted.

      With --update, an entry gets the values of its row, unless it was edited in track after the \
      last import that changed it, and the annotations with them. The edits are printed, and why \
      one is refused. `track undo` takes up to 1000 of them back at once, then each new client, \
      project or task that they needed, and then the import; `track undo --to TIME` takes back \
      everything since. Entries of the source that are not in the file any more stay. If \
      they are of the users of its rows and between its first and its last day, they are counted, \
      except near a day of rejected rows, and the `track delete` for them is printed.

      \(ImportSources.all.map { $0.format.help }.filter { !$0.isEmpty }.joined(separator: "\n\n"))

      Invalid rows are reported and left out; with --strict the file is refused if there are any. \
      Without an id column, put the corrected rows into a file of their own: a changed file is \
      another file, and all its rows are imported. \
      Overlaps and zero durations are accepted and counted. So are times that clocks show twice \
      when they are put back: the earlier moment is taken, unless only the later one agrees with \
      the end or the duration.

      With --dry-run the counts are printed, except of overlaps, and nothing is written.

      EXAMPLES
        timew export | track import - --format timewarrior --dry-run
        track import times.klg --format klog --zone Europe/Berlin
        track import ~/.config/watson/frames --format watson --dry-run
        track import times.csv --zone UTC \\
          --column start=Begin --column duration=Minutes \\
          --column description=What \\
          --date-format "M/d/yyyy H:mm" --duration-unit minutes
        track import toggl.csv --format toggl --zone Europe/Berlin
        track import - --source jira --column id=Key --column start=Started \\
          --column duration=Seconds --duration-unit seconds < worklog.csv
        track import log.csv --source laptop
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
}

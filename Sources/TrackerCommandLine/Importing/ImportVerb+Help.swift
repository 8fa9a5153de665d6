import RetraceCommandLine
import TrackerFormats

/// The options of the verb, and its help; the formats describe themselves.
extension ImportVerb {
  static let formatOption = CommandOption(
    "format", value: "format", choices: ImportSources.all.map { $0.format.name },
    "The format of the file, if its content does not say it: "
      + ImportSources.all.dropLast().map { $0.format.summary }.joined(separator: ", ")
      + ", or \(ImportSources.all.last?.format.summary ?? "").")
  static let tagAsProjectOption = CommandOption(
    "tag-as-project", value: "tag", repeats: true,
    "A tag that names the project of its rows; repeat for each, or :first for the first tag.")
  static let sourceOption = CommandOption(
    "source", value: "name",
    "The system that the file comes from; ids are compared within one system, so it is "
      + "needed with a column of ids and with --format track. The default is the name of the "
      + "file, or the word toggl, clockify, timewarrior or watson for their files.")
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
    "The zone of the dates, such as Europe/Berlin; the default is that of --tz, of the preferences "
      + "of the user or of the machine.")
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
      The format is recognized by the content of the file. --dry-run prints the counts, and \
      writes nothing.

      An import is a set: rows that are known create nothing, whatever file they come in. A row \
      with an id is known by it, within the system that --source names. A row without an id is \
      known by its user, times, client, project, task, tags, text and billable: as often as it was \
      imported before, even if its entry was edited or deleted since. Nothing is visible before \
      the end; an import that was interrupted is completed by the same command, or canceled with \
      --cancel.

      An entry has at most 999 hours. Invalid rows are reported and left out; with --strict the \
      file is refused if there are any. It is also refused if a new row is in a period that `track \
      close` has closed; then nothing is written. Where the total is not that of the file, the \
      difference is printed. Overlaps and entries of no length are accepted and counted. If clocks \
      showed a time twice, the earlier moment is taken, or the later one if only that agrees with \
      the end or the duration, or for an end that would come before its start.

      EXAMPLES
        timew export | track import - --dry-run
        timew export | track import - --tag-as-project acme --tag-as-project thesis
        track import times.klg --zone Europe/Berlin
        track import ~/.config/watson/frames
        track log :all --json | track import - --source laptop --store new
        track import times.csv --zone UTC \\
          --column start=Begin --column duration=Minutes \\
          --column description=What \\
          --date-format "M/d/yyyy H:mm" --duration-unit minutes
        track import toggl.csv --zone Europe/Berlin
        track import - --source jira --column id=Key --column start=Started \\
          --column duration=Seconds --duration-unit seconds < worklog.csv
        track import log.csv --source laptop
        track import --cancel --source jira

      CSV. --column FIELD=HEADER maps a column to a field: start, end, duration, user, client, \
      project, task, tags, description, billable or id. A field given twice joins its columns \
      with a space. A duration is a number of minutes, hours or seconds, or a clock such as 1:30 \
      or 1:30:00, or it names its units, as in 18:25 min, 12 sec or 1h 30m. Without a duration, \
      or if it is rounded and both times have seconds, an entry lasts from start to end. A row is \
      invalid if both are there and differ by a minute or more, except by what was rounded: a \
      number of hours, or times without seconds. Durations with a day and no time of day follow \
      one another from the beginning of the day. An end before the start is on the next day if \
      both have the date in the same column and the entry takes at most 12 hours. A row with a \
      start, but neither an end nor a duration, is of a running entry, which is left out. Numbers \
      may have a decimal comma. Tags are separated by commas; one with a comma is in quotes. Times \
      without an offset are in the zone of --zone, or else in the zone of reports. The output says \
      which.

      What the file lacks. With --user, or without users in the file, all entries belong to that \
      user. A row without a client is \
      of the project that has its name, if only one has it, and else of the one without a client. \
      An entry is billable if its project is. A billable entry has the rate of its project, or \
      else of its user.

      \(ImportSources.all.map { $0.format.help }.filter { !$0.isEmpty }.joined(separator: "\n\n"))

      Tags as projects. With --tag-as-project TAG, a row with the tag is of the project of that \
      name, and has the tag no more. Of several, the first one given counts. The word :first takes \
      the first tag of the other rows: of timewarrior, the first by the alphabet. A row that has a \
      project keeps it.

      Corrected rows. If a row with an id was corrected since, or its entry was changed, the entry \
      keeps its values, and the `track edit` that gives it the row's values is printed; with \
      --json its words are in `differing`. Only fields that the file has are compared, and the \
      user never. A client, a project, a task or a tag that was renamed or merged in track still \
      has its old names for rows. Of two rows with one id and other values, the first one counts.

      With --update, an entry gets the values of its row, unless it was edited in track after the \
      last import that changed it. The edits are printed. `track undo` takes up to 1000 of them \
      back at once, then each new client, project or task that they needed, and then the import. \
      Entries of the source that are not in the file any more stay. If they are of the users of \
      its rows and between its first and its last day, they are counted, except near a day of \
      rejected rows, and the `track delete` for them is printed.
      """,
    operands: [
      CommandOperand(
        "file", isOptional: true, kind: .file, "The file; - is standard input.")
    ],
    options: TrackerOptions.ofUser + [
      formatOption, sourceOption, columnOption, delimiterOption, dateFormatOption,
      durationUnitOption, zoneOption, tagAsProjectOption, strictOption, updateOption,
      cancelOption, acknowledgeOption,
      EntryTimeOptions.dryRunOption,
    ])
}

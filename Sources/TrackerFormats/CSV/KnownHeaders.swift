/// A program whose CSV is known by its header.
public enum CSVProgram: Hashable, Sendable {
  /// Toggl Track: the detailed report with `End date` and `User`, and the newer one with
  /// `Stop date` and `Member`.
  case toggl
  /// Clockify: the detailed report.
  case clockify
  /// solidtime: the detailed report, and the time entries of its export.
  case solidtime
  /// `track log --csv`, which puts an apostrophe before some texts.
  case track
  /// `track log --csv --exact`, which puts none.
  case exactTrack
}

/// The header of a text of CSV, and what it says about the text.
public struct CSVHeader: Sendable {
  /// The program that wrote it; `nil` for an unknown one.
  public let program: CSVProgram?
  /// The byte between two columns.
  public let separator: UInt8
  /// The fields and their columns, as in ``ImportOptions/columns``; empty for an unknown program.
  public let columns: [(field: ImportField, column: String)]

  /// The name of the format to import the text with; see ``ImportSources/named(_:)``.
  ///
  /// It is `csv` unless the program has a format of its own.
  public var formatName: String {
    switch program {
    case .toggl: "toggl"
    case .clockify: "clockify"
    case .solidtime, .track, .exactTrack, nil: CSVSource.format.name
    }
  }

  /// The last column of `track log --csv --exact`, which says how texts are written.
  package static let exactColumn = (name: "texts", value: "exact")

  /// The separators that a header is tried with, the most frequent first.
  static let separators = Array(",;\t|".utf8)

  /// Recognizes CSV by the first bytes of a text, and the program that wrote it by the header.
  ///
  /// The result is `nil` unless the bytes have a whole first record of at least two columns, after
  /// an optional byte-order mark and line `sep=;`. It is `nil` for JSON, for UTF-16 and for binary
  /// files. The first record of another format can look like an unknown header, so ask the other
  /// formats first.
  ///
  /// If the program is known, each of the columns occurs once in the header, and an import with
  /// ``columns`` and ``separator`` finds all columns that it needs. A reader of CSV recognizes the
  /// header on its own if ``ImportOptions/columns`` is empty, so that nothing has to be passed on.
  ///
  /// - Parameter beginning: The first bytes of the text; 64 KiB are enough. What comes after the
  ///   first record is not looked at.
  /// - Complexity: O(bytes of the first record).
  public init?(recognizing beginning: [UInt8]) {
    guard TextEncoding(of: beginning) == nil else { return nil }
    let opening = CSVOpening(beginning)
    let headers = opening.separators.compactMap { separator in
      opening.header(separatedBy: separator, isWhole: false).flatMap {
        CSVHeader($0, separator: separator)
      }
    }
    let known = headers.first { $0.program != nil }
    guard let header = known ?? headers.max(by: { $0.columnCount < $1.columnCount }) else {
      return nil
    }
    self = header
  }

  /// The number of columns.
  private let columnCount: Int

  /// Reads a header; `nil` if the record cannot be one.
  init?(_ record: CSVRecord, separator: UInt8) {
    guard record.problem == nil, record.count > 1, record.isUTF8 else { return nil }
    let names = (0..<record.count).map { record.trimmedText($0) ?? "" }
    let isText = names.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 } }
    guard isText, !"[{".utf8.contains(names[0].utf8.first ?? 0x20) else { return nil }
    let layout = HeaderLayout.all.first { $0.matches(names) }
    program = layout?.program
    self.separator = separator
    columns = layout?.columns(in: names) ?? []
    columnCount = names.count
  }
}

/// The columns of one export of a program.
private struct HeaderLayout {
  let program: CSVProgram
  /// Names of which the header has at least one each; in small letters.
  let required: [[String]]
  /// The names that the columns of a field can have, in small letters.
  let fields: [(ImportField, [String])]

  func matches(_ names: [String]) -> Bool {
    let keys = names.map { $0.lowercased() }
    guard required.allSatisfy({ $0.contains { keys.contains($0) } }) else { return false }
    return fields.allSatisfy { _, names in keys.count { names.contains($0) } <= 1 }
  }

  /// Returns the columns that a header has, without those that need a project if it has none.
  func columns(in names: [String]) -> [(field: ImportField, column: String)] {
    let found = fields.compactMap { field, wanted in
      names.first { wanted.contains($0.lowercased()) }.map { (field: field, column: $0) }
    }
    guard !found.contains(where: { $0.field == .project }) else { return found }
    return found.filter { $0.field != .client && $0.field != .task }
  }

  private static let names: [(ImportField, [String])] = [
    (.client, ["client"]), (.project, ["project"]), (.tags, ["tags"]),
    (.description, ["description"]), (.billable, ["billable"]),
  ]

  private static let track = HeaderLayout(
    program: .track,
    required: [["id"], ["user"], ["start"], ["end"], ["hours"], ["seconds"], ["tags"]],
    fields: names + [
      (.id, ["id"]), (.user, ["user"]), (.start, ["start"]), (.end, ["end"]), (.task, ["task"]),
    ])

  static let all: [HeaderLayout] = [
    HeaderLayout(
      program: .exactTrack, required: track.required + [[CSVHeader.exactColumn.name]],
      fields: track.fields),
    track,
    // An export has ids where a report has names.
    HeaderLayout(
      program: .solidtime,
      required: [["id"], ["start"], ["end"], ["member_id"], ["organization_id"], ["tags"]],
      fields: [
        (.id, ["id"]), (.start, ["start"]), (.end, ["end"]), (.client, ["client_id"]),
        (.project, ["project_id"]), (.task, ["task_id"]), (.tags, ["tags"]),
        (.description, ["description"]), (.billable, ["billable"]),
      ]),
    HeaderLayout(
      program: .solidtime,
      required: [["start"], ["end"], ["duration"], ["duration (decimal)"], ["user"], ["tags"]],
      fields: names + [
        (.start, ["start"]), (.end, ["end"]), (.duration, ["duration"]), (.user, ["user"]),
        (.task, ["task"]),
      ]),
    HeaderLayout(
      program: .clockify,
      required: [
        ["start date"], ["start time"],
        ["group", "duration (h)", "duration (decimal)", "date of creation"],
        ["end time", "duration (h)"],
      ],
      fields: names + [
        (.start, ["start date"]), (.start, ["start time"]), (.end, ["end date"]),
        (.end, ["end time"]), (.duration, ["duration (h)"]), (.user, ["user"]),
        (.task, ["task", "activity"]),
      ]),
    HeaderLayout(
      program: .toggl,
      required: [["start date"], ["start time"], ["duration", "end time", "stop time"]],
      fields: names + [
        (.start, ["start date"]), (.start, ["start time"]), (.end, ["end date", "stop date"]),
        (.end, ["end time", "stop time"]), (.duration, ["duration"]), (.user, ["user", "member"]),
        (.task, ["task"]),
      ]),
  ]
}

import ArgumentParser
import Retrace
package import RetraceStorage
package import RetraceToolSupport

/// The options by which commands select records; the same in every tool.
package struct RecordOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Start with this record, or with the first one appended at this time or later.",
      valueName: "n|time"))
  var from: String?

  @Option(
    help: ArgumentHelp(
      "End with this record, or with the last one appended up to this time.", valueName: "n|time"))
  var to: String?

  @Option(help: ArgumentHelp("One session only.", valueName: "number"))
  var session: UInt64?

  @Option(help: ArgumentHelp("One kind only: \(RecordKind.names).", valueName: "kind"))
  var kind: String?

  @Option(
    help: ArgumentHelp(
      "One action, as in FEATURE.ACTION, or all actions of a feature.",
      valueName: "name"))
  var action: String?

  @Option(
    help: ArgumentHelp(
      "Records that mention this id, with the name of its type in the schema.",
      valueName: "type=id"))
  var mentions: String?

  @Option(help: ArgumentHelp("Records with a moment from this time on.", valueName: "time"))
  var since: String?

  @Option(
    help: ArgumentHelp(
      "Records with a moment before this time, or up to the end of this day or period.",
      valueName: "time"))
  var until: String?

  @Option(
    help: ArgumentHelp(
      """
      Records that a filter selects: terms with and, or, not and parentheses. A term is a word in \
      the record, or one of kind:KIND, action:NAME, mentions:TYPE=ID, key:KEY, session:N, \
      sequence>N and time:2026-03-02..2026-03-05 with a time, a day or a period on each side.
      """,
      valueName: "filter"))
  var filter: String?

  @Option(help: ArgumentHelp("Stop after this many records.", valueName: "count"))
  var limit: Int?

  package init() {}

  package var hasRange: Bool { from != nil || to != nil }

  /// Returns the records that the options select.
  ///
  /// - Complexity: O(bytes of the schemas), for each action or id that is given.
  /// - Throws: A usage failure for invalid options, and for an action or a type of id that no
  ///   schema of the log has.
  package func selection(in storage: LogStorage) throws(ToolFailure) -> RecordSelection {
    if let action { try RecordedActions(in: storage).require(action) }
    var selection = try selection()
    if let from {
      selection.first = max(1, try HistoryEnd.start(from, option: "--from", in: storage))
    }
    selection.last = try HistoryEnd(to, option: "--to", first: 0).lastRecord(in: storage)
    if let mentions { selection.mention = try MentionedID(mentions, in: storage) }
    if let filter { selection.filter = try RecordFilter(filter, in: storage) }
    return selection
  }

  /// Returns the records that the options select in a log that cannot be searched by time.
  ///
  /// - Throws: A usage failure for invalid options.
  func selectionBySequence() throws(ToolFailure) -> RecordSelection {
    var selection = try selection()
    if let from { selection.first = max(1, try sequence(from, option: "--from")) }
    selection.last = .max
    if let to { selection.last = try sequence(to, option: "--to") }
    return selection
  }

  private func sequence(_ text: String, option: String) throws(ToolFailure) -> UInt64 {
    guard let sequence = UInt64(text) else {
      throw .usage(
        "With --salvage, \(option) takes the number of a record.",
        advice: "Select records by their moments with --since and --until.")
    }
    return sequence
  }

  /// Returns the options about envelopes and actions, without the range.
  private func selection() throws(ToolFailure) -> RecordSelection {
    if let limit, limit < 0 {
      throw .usage("--limit is negative.", advice: "Give a number of at least 0.")
    }
    var selection = RecordSelection()
    selection.session = session
    selection.action = action
    selection.limit = limit ?? .max
    selection.since = try time(since, option: "--since")?.first
    selection.until = try time(until, option: "--until")?.end
    if let kind {
      guard let known = RecordKind(name: kind) else {
        throw .usage(
          "--kind takes one of \(RecordKind.names).", advice: "Correct the kind and try again.")
      }
      selection.kind = known
    }
    return selection
  }

  private func time(_ text: String?, option: String) throws(ToolFailure) -> TypedTime? {
    try text.map { text throws(ToolFailure) in
      try TypedTime(text, option: option, in: .ofProcess)
    }
  }
}

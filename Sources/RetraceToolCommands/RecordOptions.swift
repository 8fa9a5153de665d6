import ArgumentParser
import Retrace
package import RetraceStorage
package import RetraceToolSupport

/// The options by which commands select records; the same in every tool.
package struct RecordOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Start with this record.", valueName: "n"))
  var from: UInt64?

  @Option(help: ArgumentHelp("End with this record.", valueName: "n"))
  var to: UInt64?

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

  @Option(help: ArgumentHelp("Records from this instant on.", valueName: "rfc3339"))
  var since: String?

  @Option(help: ArgumentHelp("Records before this instant.", valueName: "rfc3339"))
  var until: String?

  @Option(
    help: ArgumentHelp(
      """
      Records that a filter selects: terms with and, or, not and parentheses. A term is a word in \
      the record, or one of kind:KIND, action:NAME, mentions:TYPE=ID, key:KEY, session:N, \
      sequence>N and time:2026-03-02..2026-03-05; times are days in UTC or instants.
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
    let head = try orFail(try storage.head().sequence)
    if let action { try RecordedActions(in: storage).require(action) }
    var selection = try selection(through: head)
    if let mentions { selection.mention = try MentionedID(mentions, in: storage) }
    if let filter { selection.filter = try RecordFilter(filter, in: storage) }
    return selection
  }

  /// Returns the records that the options select by their envelopes and actions.
  ///
  /// - Parameter head: The last sequence.
  /// - Throws: A usage failure for invalid options.
  func selection(through head: UInt64) throws(ToolFailure) -> RecordSelection {
    if let limit, limit < 0 {
      throw .usage("--limit is negative.", advice: "Give a number of at least 0.")
    }
    var selection = RecordSelection()
    selection.first = max(1, from ?? 1)
    selection.last = min(head, to ?? head)
    selection.session = session
    selection.action = action
    selection.limit = limit ?? .max
    selection.since = try instant(since, option: "--since")
    selection.until = try instant(until, option: "--until")
    if let kind {
      guard let known = RecordKind(name: kind) else {
        throw .usage(
          "--kind takes one of \(RecordKind.names).", advice: "Correct the kind and try again.")
      }
      selection.kind = known
    }
    return selection
  }

  private func instant(_ text: String?, option: String) throws(ToolFailure) -> Moment? {
    guard let text else { return nil }
    guard let moment = Moment(timestamp: text) else {
      throw .usage(
        "\(option) takes an instant such as 2026-03-02T09:00:00Z.",
        advice: "Correct the instant and try again.")
    }
    return moment
  }
}

extension RecordKind {
  static var names: String { allCases.map { "\($0)" }.joined(separator: ", ") }

  init?(name: String) {
    guard let kind = RecordKind.allCases.first(where: { "\($0)" == name }) else { return nil }
    self = kind
  }
}

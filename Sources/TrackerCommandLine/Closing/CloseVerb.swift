import Retrace
import RetraceCommandLine
import RetraceRecording
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures

/// Closes a period, or lists what is closed.
struct CloseVerb: Verb {
  static let name = "close"
  static let syntax = CommandSyntax(
    "track close", summary: "Close a period that is over, or list what is closed.",
    discussion: """
      A period can be closed that is over and in which nothing runs: for all, for one user or for \
      the projects of a client. After that no command, screen, import, undo or restore changes \
      the time of an entry inside it, nor another field of an entry that touches it; the refusal \
      says who closed it, when and why. The part of an entry outside the period can still change. \
      Projects, clients and tags can be renamed and deleted, projects and tags can be merged, and \
      rates can be set: the entries keep their time and their rates. A change that would put \
      closed entries into another currency, or that would bill them to another client, is \
      refused. The period is read in the time zone of reports, with days that begin as the \
      preferences say, and both instants are recorded: other preferences do not move them. \
      Without a range, the closed periods are listed, with --user or --client those that hold for \
      these entries. `track reopen` and `track undo --yes` open a period again.

      EXAMPLES
        track close 2026-02 --reason "invoice 17"
        track close :lastmonth --client ACME --dry-run
        track close
      """,
    operands: [RangeWords.rangeOperand], options: ClosingWords.options)

  private static let what = "Nothing was closed."
  private let words: ClosingWords
  private var options: TrackerOptions { words.options }

  init(_ arguments: CommandArguments, in context: VerbContext) throws(ToolFailure) {
    words = try ClosingWords(arguments, in: context)
  }

  func perform() throws(ToolFailure) {
    guard !words.range.isEmpty else { return try list() }
    let now = try options.currentMoment()
    let user = try options.context.defaultUserName()
    let planned = try options.read { (domain) throws(ToolFailure) in
      let period = try words.period(in: domain, at: now)
      var closing = Closing(
        try words.scope(in: domain), from: period.lowerBound, to: period.upperBound,
        login: user, reason: words.reason)
      let rules = try words.calendar(in: domain).rules
      var after = domain
      try after.preview(.closing(.close(closing)), at: now, Self.what, rules)
      closing.closed = now
      return ShownClosing(domain.closings.nextID, closing, in: domain, rules)
    }
    if words.isDryRun {
      return words.print(planned, "closed", .init("dryRun", .bool(true)))
    }
    let tracker = try options.open(creating: true)
    do throws(CommandError<TimeTracker>) {
      let performed = try tracker.perform(
        .closing(.close(planned.closing)), closing: options.context.closesStore)
      words.print(
        planned.recorded(by: performed.facts), "closed",
        .init("sequence", .integer(Int64(performed.receipt.sequence))))
    } catch {
      throw ToolFailure(Self.what, error, in: tracker.domain, options)
    }
  }

  /// Lists the closed periods, earliest first.
  private func list() throws(ToolFailure) {
    let closings = try options.read { (domain) throws(ToolFailure) in
      let rules = try words.calendar(in: domain).rules
      let scope = try words.scope(in: domain)
      var found: [ShownClosing] = []
      domain.forEachClosing { id, closing in
        guard scope == .all || closing.scope == .all || closing.scope == scope else { return }
        found.append(ShownClosing(id, closing, in: domain, rules))
      }
      return found.sorted { ($0.closing.start, $0.id) < ($1.closing.start, $1.id) }
    }
    if options.json {
      return options.output.print(.array(closings.map { .object($0.members) }))
    }
    if closings.isEmpty { return options.output.print("No period is closed.") }
    var table = TextTable([.right, .left, .text, .left, .text, .text])
    for shown in closings {
      table.add([
        "\(shown.id.value)", shown.period, shown.scope, shown.closed,
        shown.closing.login.isEmpty ? "" : "by \(shown.closing.login)",
        shown.closing.reason ?? "",
      ])
    }
    table.print(options.context.style())
  }
}

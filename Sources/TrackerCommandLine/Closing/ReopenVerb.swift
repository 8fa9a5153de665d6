import Retrace
import RetraceCommandLine
import RetraceRecording
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures

/// Reopens a closed period.
struct ReopenVerb: Verb {
  static let name = "reopen"
  static let syntax = CommandSyntax(
    "track reopen", summary: "Reopen a closed period, so that its entries can change.",
    discussion: """
      The period is named as it was closed, with the same --user or --client, or by the number \
      that `track close` lists. The closing and the reopening stay in `track history`, with their \
      reasons. `track undo` closes the period again.

      EXAMPLES
        track reopen 2026-02 --reason "an entry was missing"
        track reopen :lastmonth --client ACME
        track reopen 0 --dry-run
      """,
    operands: [
      CommandOperand(
        "range", repeats: true, kind: .range,
        "The period, such as 2026-10 or :lastmonth, or its number.")
    ],
    options: ClosingWords.options)

  private static let what = "Nothing was reopened."
  private let words: ClosingWords
  private var options: TrackerOptions { words.options }

  init(_ arguments: CommandArguments, in context: VerbContext) throws(ToolFailure) {
    words = try ClosingWords(arguments, in: context)
  }

  func perform() throws(ToolFailure) {
    let now = try options.currentMoment()
    let shown = try options.read { (domain) throws(ToolFailure) in
      let id = try found(in: domain, at: now)
      let rules = try words.calendar(in: domain).rules
      guard let closing = domain.closings.live(id) else {
        throw .refused(Self.what, .closing(.unknown(id)), in: domain, rules)
      }
      return ShownClosing(id, closing, in: domain, rules)
    }
    if words.isDryRun {
      return words.print(shown, "reopened", .init("dryRun", .bool(true)))
    }
    let tracker = try options.open(creating: false)
    do throws(CommandError<TimeTracker>) {
      let performed = try tracker.perform(
        .closing(.reopen(shown.id, reason: words.reason)), closing: options.context.closesStore)
      words.print(
        shown, "reopened", .init("sequence", .integer(Int64(performed.receipt.sequence))))
    } catch {
      throw ToolFailure(Self.what, error, in: tracker.domain, options)
    }
  }

  /// Returns the closing that the words name: by its number, or by the period and its scope.
  private func found(in domain: DomainState, at now: Moment) throws(ToolFailure) -> ClosingID {
    if let number = Int64(words.range.text), number >= 0,
      domain.closings.live(ClosingID(value: number)) != nil
    {
      return ClosingID(value: number)
    }
    // A number of four digits may be a year.
    let text = words.range.text
    if let number = Int64(text), number >= 0, text.utf8.count != 4 {
      throw .refused(
        "There is no closed period \(number).", advice: "`track close` lists what is closed.",
        what: Self.what)
    }
    let period = try words.period(in: domain, at: now)
    let scope = try words.scope(in: domain)
    let rules = try words.calendar(in: domain).rules
    var (same, others): ([ClosingID], [String]) = ([], [])
    domain.forEachClosing(after: period.lowerBound) { id, closing in
      guard closing.start < period.upperBound else { return }
      if closing.scope == scope, closing.start == period.lowerBound,
        closing.end == period.upperBound
      {
        same.append(id)
      } else {
        others.append("\(id.value), \(ShownClosing(id, closing, in: domain, rules).text)")
      }
    }
    if let id = same.first { return id }
    guard let other = others.first else {
      throw .refused(
        "Nothing in this period is closed.", advice: "`track close` lists what is closed.",
        what: Self.what)
    }
    throw .refused(
      "This period is not closed \(scope.text(in: domain)). Closed are: "
        + "\(others.prefix(3).joined(separator: "; ")).",
      advice: "Name one by its number: `track reopen \(other.prefix { $0 != "," })`.",
      what: Self.what)
  }
}

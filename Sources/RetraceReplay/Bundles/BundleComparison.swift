import Retrace
package import RetraceStorage

/// Whether a replay of a bundle shows what a replay of the log shows, texts aside.
package struct BundleComparison: Sendable {
  /// A line of a screen that differs.
  package struct Line: Sendable {
    /// The shape of the line in a replay of the log; empty if it has no such line.
    package var inLog: String
    /// The shape of the line in a replay of the bundle.
    package var inBundle: String
  }

  /// The number of places in the log at which routes and screens were compared.
  package let places: Int
  /// The first record after which a scene has another back stack; `nil` if there is none.
  package private(set) var firstRoute: UInt64?
  /// The first record after which a screen has another shape: other columns or rows, or letters in
  /// place of digits.
  package private(set) var firstScreen: UInt64?
  /// The first line that differs on that screen.
  package private(set) var firstLine: Line?
  /// The failures that only one of the replays has, or that begin at different records, in words.
  package private(set) var failures: [String] = []

  /// The last record that is compared.
  private let last: UInt64

  /// Whether nothing differs.
  package var isSame: Bool { firstRoute == nil && firstScreen == nil && failures.isEmpty }

  /// The first record after which a route or a screen differs; the greatest number if there is
  /// none.
  package var firstShown: UInt64 { min(firstRoute ?? .max, firstScreen ?? .max) }

  /// Replays a log and its bundle, and compares what they show.
  ///
  /// - Parameters:
  ///   - app: The app.
  ///   - log: The log.
  ///   - bundle: The bundle.
  ///   - zone: Returns the rules of a time zone by its id.
  /// - Complexity: As `ShownLog.init`, for each.
  /// - Throws: The errors of `ShownLog.init`.
  package init<App: ReplayableApp>(
    of app: App.Type, _ log: LogStorage, and bundle: LogStorage, zone: (String) -> ZoneRules?
  ) throws(StoreError) {
    let last = try bundle.head().sequence
    self.init(
      try ShownLog(of: log, for: app, through: last, zone: zone),
      and: try ShownLog(of: bundle, for: app, through: last, zone: zone))
  }

  /// Compares what a log and its bundle show.
  ///
  /// - Parameters:
  ///   - log: The log, which may have later records than the bundle.
  ///   - bundle: The bundle.
  /// - Complexity: O(bytes of what they show).
  package init(_ log: ShownLog, and bundle: ShownLog) {
    last = bundle.places.last?.sequence ?? 0
    places = bundle.places.count
    let (left, right) = (log.verification, bundle.verification)
    compare("state hash", left.firstDivergence?.upTo, right.firstDivergence?.upTo)
    compare(
      "effect", left.effects.firstDivergence?.sequence, right.effects.firstDivergence?.sequence)
    // Logs of other lengths are checked after other records.
    if left.records == right.records {
      compare("invariant", left.firstViolations?.sequence, right.firstViolations?.sequence)
    }
    compare(
      "decision", left.decisions?.firstDivergence?.sequence,
      right.decisions?.firstDivergence?.sequence)
    for (before, after) in zip(log.places, bundle.places) { compare(before, after) }
  }

  /// Compares the records of the first failure; the log may have later records than the bundle.
  private mutating func compare(_ name: String, _ left: UInt64?, _ right: UInt64?) {
    let left = left.flatMap { $0 <= last ? $0 : nil }
    guard left != right else { return }
    func place(_ sequence: UInt64?) -> String { sequence.map { "at record \($0)" } ?? "nowhere" }
    failures.append("\(name): in the log \(place(left)), in the bundle \(place(right))")
  }

  private mutating func compare(_ left: ShownLog.Place, _ right: ShownLog.Place) {
    if firstRoute == nil, left.routes != right.routes { firstRoute = left.sequence }
    guard firstScreen == nil, left.lines != right.lines else { return }
    firstScreen = left.sequence
    func line(_ index: Int, of place: ShownLog.Place) -> String {
      place.lines.indices.contains(index) ? place.lines[index] : ""
    }
    let count = max(left.lines.count, right.lines.count)
    firstLine = (0..<count).lazy.map {
      Line(inLog: line($0, of: left), inBundle: line($0, of: right))
    }.first { $0.inLog != $0.inBundle }
  }
}

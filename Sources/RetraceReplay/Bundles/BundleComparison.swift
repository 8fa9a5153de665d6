import Retrace
package import RetraceStorage

/// Whether a replay of a bundle shows what a replay of the log shows, texts aside.
package struct BundleComparison: Sendable {
  /// The number of places in the log at which routes and screens were compared.
  package private(set) var places = 0
  /// The first record after which a scene has another back stack; `nil` if there is none.
  package private(set) var firstRoute: UInt64?
  /// The first record after which a screen has another shape: other columns or rows, or letters in
  /// place of digits.
  package private(set) var firstScreen: UInt64?
  /// The failures that only one of the replays has, or that begin at different records, in words.
  package private(set) var failures: [String] = []

  /// The last record of the bundle.
  private let last: UInt64

  /// Whether nothing differs.
  package var isSame: Bool { firstRoute == nil && firstScreen == nil && failures.isEmpty }

  /// The most places at which routes and screens are compared.
  private static var placesMax: UInt64 { 256 }

  /// Replays a log and its bundle, and compares what they show.
  ///
  /// - Parameters:
  ///   - app: The app.
  ///   - log: The log.
  ///   - bundle: The bundle.
  ///   - zone: Returns the rules of a time zone by its id.
  /// - Complexity: O(records) for each, and two screens of each scene at each place.
  /// - Throws: The errors of `Verifier.verify` and of `Replayer.seek`.
  package init<App: ReplayableApp>(
    of app: App.Type, _ log: LogStorage, and bundle: LogStorage, zone: (String) -> ZoneRules?
  ) throws(StoreError) {
    last = try bundle.head().sequence
    let left = try Verifier<App>.verify(log, decidingCommands: true)
    let right = try Verifier<App>.verify(bundle, decidingCommands: true)
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
    try compareScreens(of: app, log, bundle, zone)
  }

  /// Compares the records of the first failure; the log may have later records than the bundle.
  private mutating func compare(_ name: String, _ left: UInt64?, _ right: UInt64?) {
    let left = left.flatMap { $0 <= last ? $0 : nil }
    guard left != right else { return }
    func place(_ sequence: UInt64?) -> String { sequence.map { "at record \($0)" } ?? "nowhere" }
    failures.append("\(name): in the log \(place(left)), in the bundle \(place(right))")
  }

  private mutating func compareScreens<App: ReplayableApp>(
    of app: App.Type, _ log: LogStorage, _ bundle: LogStorage, _ zone: (String) -> ZoneRules?
  ) throws(StoreError) {
    var left = try Replayer<App>(log)
    var right = try Replayer<App>(bundle)
    let step = max(1, last / Self.placesMax)
    var place = min(step, last)
    while place > 0 {
      let end = min(last, try left.batchEnd(atOrAfter: place))
      try left.seek(to: end)
      try right.seek(to: end)
      let moment = try left.moment()
      let (first, second) = (
        Self.shown(app, left.state, moment, zone), Self.shown(app, right.state, moment, zone)
      )
      places += 1
      if firstRoute == nil, first.routes != second.routes { firstRoute = end }
      if firstScreen == nil, first.screens != second.screens { firstScreen = end }
      guard end < last else { return }
      place = min(max(end + 1, place + step), last)
    }
  }

  /// Returns the shapes of the back stacks and of the screens of all scenes.
  private static func shown<App: ReplayableApp>(
    _ app: App.Type, _ state: App.State, _ moment: Moment, _ zone: (String) -> ZoneRules?
  ) -> (routes: [[UInt8]], screens: [String]) {
    var (routes, screens): ([[UInt8]], [String]) = ([], [])
    let codec = try? SchemaCodec(App.Route.schema)
    for scene in App.scenes(in: state) {
      for route in App.backStack(of: scene, in: state)?.routes ?? [] {
        routes.append(shape(of: route.encoded(), codec))
      }
      let seen = App.seen(of: scene, in: state)
      let size = seen?.size ?? Screen.Size(columns: 80, rows: 24)
      let screen = App.screen(
        of: scene, in: state, at: moment, size: size, zone: seen.flatMap { zone($0.zone) })
      for line in PlainRenderer(size: size, showsCursor: true).lines(of: screen) {
        screens.append(TextRedactor.shape(of: line))
      }
    }
    return (routes, screens)
  }

  /// Returns the encoding of a value in which each text has its shape.
  private static func shape(of encoded: [UInt8], _ codec: SchemaCodec?) -> [UInt8] {
    guard let codec, let value = try? codec.decode(encoded.span) else { return encoded }
    var writer = AvroWriter(capacity: encoded.count)
    guard (try? codec.encode(shape(of: value), into: &writer)) != nil else { return encoded }
    return writer.bytes
  }

  private static func shape(of value: AvroValue) -> AvroValue {
    switch value {
    case .string(let text): .string(TextRedactor.shape(of: text))
    case .array(let items): .array(items.map { shape(of: $0) })
    case .map(let entries):
      .map(
        entries.map {
          AvroValue.Entry(TextRedactor.shape(of: $0.name), shape(of: $0.value))
        })
    case .record(let name, let fields):
      .record(
        name: name, fields: fields.map { AvroValue.Entry($0.name, shape(of: $0.value)) })
    case .union(let branch, let value): .union(branch: branch, shape(of: value))
    default: value
    }
  }
}

import Retrace
package import RetraceStorage

/// What a replay of a log or of a bundle shows, texts aside, and where it fails.
package struct ShownLog: Sendable {
  /// What all scenes show after a batch.
  struct Place: Sendable {
    /// The last record of the batch.
    var sequence: UInt64
    /// The shapes of the routes of the back stacks.
    var routes: [[UInt8]] = []
    /// The shapes of the lines of the screens.
    var lines: [String] = []
  }

  /// What is shown at some places of the log, in its order.
  private(set) var places: [Place] = []
  /// What a verification of the log finds.
  let verification: Verification

  /// The most places at which routes and screens are compared.
  private static var placesMax: UInt64 { 256 }

  /// Replays a log.
  ///
  /// - Parameters:
  ///   - log: The log, or a bundle.
  ///   - app: The app.
  ///   - last: The last record of which a place is kept; it ends a batch.
  ///   - zone: Returns the rules of a time zone by its id.
  /// - Complexity: O(records), and a screen of each scene at each place, of which there are 256 at
  ///   most.
  /// - Throws: The errors of `Verifier.verify` and of `Replayer.seek`.
  package init<App: ReplayableApp>(
    of log: LogStorage, for app: App.Type, through last: UInt64, zone: (String) -> ZoneRules?
  ) throws(StoreError) {
    verification = try Verifier<App>.verify(log, decidingCommands: true)
    var replayer = try Replayer<App>(log)
    let step = max(1, last / Self.placesMax)
    var next = min(step, last)
    while next > 0 {
      let end = min(last, try replayer.batchEnd(atOrAfter: next))
      try replayer.seek(to: end)
      places.append(Self.place(end, app, replayer.state, try replayer.moment(), zone))
      guard end < last else { return }
      next = min(max(end + 1, next + step), last)
    }
  }

  private static func place<App: ReplayableApp>(
    _ sequence: UInt64, _ app: App.Type, _ state: App.State, _ moment: Moment,
    _ zone: (String) -> ZoneRules?
  ) -> Place {
    var place = Place(sequence: sequence)
    let codec = try? SchemaCodec(App.Route.schema)
    for scene in App.scenes(in: state) {
      for route in App.backStack(of: scene, in: state)?.routes ?? [] {
        place.routes.append(shape(of: route.encoded(), codec))
      }
      let seen = App.seen(of: scene, in: state)
      let size = seen?.size ?? Screen.Size(columns: 80, rows: 24)
      let screen = App.screen(
        of: scene, in: state, at: moment, size: size, zone: seen.flatMap { zone($0.zone) })
      for line in PlainRenderer(size: size, showsCursor: true).lines(of: screen) {
        place.lines.append(TextRedactor.shape(of: line))
      }
    }
    return place
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

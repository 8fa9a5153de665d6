import Retrace

extension PageReplay {
  /// Returns what is shown of a record: its content, what it changed, effects and scenes.
  mutating func details(of first: UInt64, through last: UInt64) throws(PageFailure) -> JSONValue {
    let row = try timeline.row(of: first...last, in: log, naming: naming())
    let envelope = row.record.envelope
    try folds.seek(to: first - 1, in: log)
    let before = folds.fold.state
    var started: [JSONValue] = []
    try folds.seek(to: last, in: log) { _, effect in
      started += effect.leaves.map { .string($0.leaf.name) }
    }
    let after = folds.fold
    let zone = timeline.zone(of: envelope.session, in: log)
    let end = try log.batchEnd(atOrBefore: last)
    try folds.seek(to: end, in: log)
    return [
      "first": .integer(Int64(clamping: first)), "last": .integer(Int64(clamping: last)),
      "kind": .string(envelope.kind.symbol), "session": .integer(Int64(clamping: envelope.session)),
      "microseconds": .integer(envelope.moment.microseconds),
      "time": .string(row.time.description), "zone": .string(SafeText.line(zone.id)),
      "text": .string(row.text), "call": .string(row.record.text(MomentFormat.local(zone).json)),
      "content": row.record.content,
      "cause": envelope.cause.map { .integer(Int64(clamping: $0)) } ?? .null,
      "started": .array(started),
      "inFlight": .array(after.inFlight.leaves.map { Self.json(of: $0, in: zone) }),
      "changes": try changes(from: before, to: after.state, in: zone),
      "screenAt": .integer(Int64(clamping: end)),
      "scenes": .array(App.scenes(in: folds.fold.state).map { json(ofScene: $0) }),
    ]
  }

  private static func json(of leaf: EffectsInFlight.Leaf, in zone: ZoneRules) -> JSONValue {
    [
      "cause": .integer(Int64(clamping: leaf.id.cause)),
      "due": .string(zone.local(at: leaf.due).description),
      "feature": .string(leaf.scope.description),
    ]
  }

  private func json(ofScene scene: SceneID) -> JSONValue {
    let routes = App.backStack(of: scene, in: folds.fold.state)?.routes ?? []
    let seen = App.seen(of: scene, in: folds.fold.state)
    return [
      "id": .integer(scene.value),
      "paths": .array(routes.map { .string(SafeText.line($0.path)) }),
      "size": seen.map { .string("\($0.size.columns)x\($0.size.rows)") } ?? .null,
    ]
  }

  /// Returns what differs between two states, entity by entity.
  func changes(
    from old: App.State, to new: App.State, in zone: ZoneRules
  ) throws(PageFailure) -> JSONValue {
    var comparison = comparison
    comparison.moments = .local(zone)
    let difference: StateDifference
    do throws(AvroError) {
      difference = try comparison.difference(from: old, to: new)
    } catch {
      throw PageFailure("two states cannot be compared: \(error.description)")
    }
    let changes = difference.changes.map { change -> JSONValue in
      let fields = change.fields.map { field -> JSONValue in
        [
          "path": .string(field.path), "before": field.before ?? .null,
          "after": field.after ?? .null, "isNew": .bool(field.before == nil),
          "isGone": .bool(field.after == nil),
        ]
      }
      return [
        "path": change.entity.map { .string($0.path) } ?? .null,
        "kind": .string(change.kind.rawValue), "fields": .array(fields),
      ]
    }
    return ["list": .array(changes), "isTruncated": .bool(difference.isTruncated)]
  }

  /// Returns the paths of what a record changed.
  mutating func changedPaths(by sequence: UInt64) throws(PageFailure) -> [String] {
    let kind = try log.withRecord(at: sequence) { (record) throws(PageFailure) in record.kind }
    guard kind == .action else { return [] }
    try folds.seek(to: sequence - 1, in: log)
    let before = folds.fold.state
    try folds.seek(to: sequence, in: log)
    let difference: StateDifference
    do throws(AvroError) {
      difference = try comparison.difference(from: before, to: folds.fold.state)
    } catch {
      throw PageFailure("two states cannot be compared: \(error.description)")
    }
    return difference.changes.flatMap { change -> [String] in
      guard let entity = change.entity else { return change.fields.map { $0.path } }
      return [entity.path] + change.fields.map { "\(entity.path).\($0.path)" }
    }
  }

  /// Returns the state after a record.
  mutating func state(at sequence: UInt64) throws(PageFailure) -> JSONValue {
    try folds.seek(to: sequence, in: log)
    do throws(AvroError) {
      return try comparison.json(of: folds.fold.state)
    } catch {
      throw PageFailure("the state cannot be shown: \(error.description)")
    }
  }

  /// Returns what a scene showed at the end of a batch, in the size and the zone in which the user
  /// saw it.
  ///
  /// - Parameters:
  ///   - scene: The scene; `nil` for the one with the lowest id.
  ///   - sequence: A record; the screen is the one at the end of the last batch up to it.
  ///   - theme: The colors.
  mutating func screen(
    of scene: SceneID?, at sequence: UInt64, theme: Theme
  ) throws(PageFailure) -> JSONValue {
    let end = try log.batchEnd(atOrBefore: sequence)
    guard let shown = try shown(by: scene, atEndOfBatch: end) else { return .null }
    guard
      case .object(let cells) = ScreenCells.json(of: shown.screen, size: shown.size, theme: theme)
    else { return .null }
    return .object(cells + [.init("lacksZone", .bool(shown.lacksZone))])
  }

  /// Returns the lines that a scene showed at the end of a batch; none without a scene.
  mutating func lines(
    of scene: SceneID?, atEndOfBatch end: UInt64
  ) throws(PageFailure) -> [String] {
    guard let shown = try shown(by: scene, atEndOfBatch: end) else { return [] }
    return shown.screen.canvas(fitting: shown.size).lines
  }

  private mutating func shown(
    by scene: SceneID?, atEndOfBatch end: UInt64
  ) throws(PageFailure) -> (screen: Screen, size: Screen.Size, lacksZone: Bool)? {
    try folds.seek(to: end, in: log)
    let state = folds.fold.state
    let scenes = App.scenes(in: state)
    guard let wanted = scene ?? scenes.first, scenes.contains(wanted) else { return nil }
    let moment =
      try end == 0
      ? Moment(microseconds: 0)
      : log.withRecord(at: end) { (record) throws(PageFailure) in record.moment }
    let seen = App.seen(of: wanted, in: state)
    let zone = seen.flatMap { log.zone($0.zone) }
    let size = seen?.size ?? Screen.Size(columns: 80, rows: 24)
    let screen = App.screen(of: wanted, in: state, at: moment, size: size, zone: zone)
    return (screen: screen, size: size, lacksZone: seen != nil && zone == nil)
  }
}

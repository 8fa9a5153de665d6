import Retrace
import RetracePlayer
import RetraceReplay
import RetraceStorage
import RetraceSystem
import RetraceToolSupport
import TerminalUI

/// The answer to a request of `step`, as text and as JSON.
struct StepAnswer {
  var lines: [String]
  var json: JSONValue

  func print(asJSON: Bool) {
    guard !asJSON else { return Output.standard.print(json) }
    for line in lines { Output.standard.print(line) }
  }
}

/// A session of `step`: a position in a log, and the answers to requests there.
struct StepSession<App: ReplayableApp>: ~Copyable {
  private var replayer: Replayer<App>
  private var reader: RecordReader
  private let differ: StateDiffer<App.State>
  private var outcomes: OutcomeReader<App>
  /// The time that `goto` went to, at which screens are drawn; `nil` at a record.
  private var time: Moment?

  /// Creates a session positioned before the first record.
  init(_ storage: LogStorage, limit: Int) throws(StoreError) {
    let replayer = try Replayer<App>(storage)
    let differ = try StateDiffer(like: replayer.state, detail: .values, limit: limit)
    outcomes = try OutcomeReader()
    self.replayer = replayer
    self.differ = differ
    reader = RecordReader(storage)
  }

  var sequence: UInt64 { replayer.sequence }

  var last: UInt64 { replayer.last }

  /// Performs a request, and returns the answer.
  ///
  /// - Throws: The failure of the request. The position is then unchanged, if it can still be
  ///   reached.
  mutating func answer(_ request: StepRequest) throws(ToolFailure) -> StepAnswer {
    let start = sequence
    if case .move(.goto(.sequence(let target))) = request, target > last {
      throw .noRecord(target, last: last, option: "")
    }
    do throws(StoreError) {
      switch request {
      case .move(let move):
        try replayer.seek(to: try target(of: move))
        time = if case .goto(.moment(let moment)) = move { moment } else { nil }
        return try position()
      case .record: return try position()
      case .diff: return try difference()
      case .effects: return try effects()
      case .hash:
        let hash = replayer.stateHash()
        return StepAnswer(
          lines: ["state hash \(hash)"],
          json: ["sequence": number(sequence), "stateHash": .string(hash.hex)])
      case .hashes(let count): return try hashes(count)
      case .digests(let count): return try digests(count)
      case .decision: return try decision()
      case .omit(let names): return try omit(OmittedFields(names))
      case .schema: return schema()
      case .schemas: return schemas()
      case .state, .route, .screen, .help, .quit: break
      }
    } catch {
      if sequence != start { try? replayer.seek(to: start) }
      throw ToolFailure(error)
    }
    switch request {
    case .state(let path): return try state(at: path)
    case .route(let scene): return try route(of: scene)
    case .screen(let scene): return try screen(of: scene)
    default:
      return StepAnswer(
        lines: StepRequest.list,
        json: .array(StepRequest.table.map { .string($0.usage) }))
    }
  }

  private func target(of move: StepRequest.Move) throws(StoreError) -> UInt64 {
    switch move {
    case .next(let count): return sequence + min(count, replayer.last - sequence)
    case .back(let count): return sequence - min(count, sequence)
    case .nextBatch:
      guard sequence < replayer.last else { return sequence }
      return try replayer.batchEnd(atOrAfter: sequence + 1)
    case .backBatch:
      return sequence == 0 ? 0 : try replayer.batchEnd(atOrBefore: sequence - 1)
    case .goto(let target): return min(replayer.last, try reader.last(of: target))
    case .first: return min(1, replayer.last)
    case .last: return replayer.last
    }
  }

  private mutating func position() throws(StoreError) -> StepAnswer {
    let inside = try replayer.isInsideBatch()
    var head = "after record \(sequence) of \(replayer.last)"
    if inside { head += ", inside a batch" }
    var members: [JSONValue.Member] = [
      .init("sequence", number(sequence)), .init("last", number(replayer.last)),
      .init("insideBatch", .bool(inside)),
    ]
    guard let step = try replayer.currentStep() else {
      members.append(.init("record", .null))
      return StepAnswer(lines: [head], json: .object(members))
    }
    let record = try reader.description(step.envelope, step.payload)
    members.append(.init("record", record.json))
    return StepAnswer(lines: [head, "  " + record.line], json: .object(members))
  }

  private mutating func difference() throws(StoreError) -> StepAnswer {
    let step = try replayer.currentStep()
    let exact = outcomes.differ ?? differ
    var readable = exact
    readable.moments = .readable
    func changes(by differ: StateDiffer<App.State>) throws(StoreError) -> StateDifference {
      guard let step else { return StateDifference() }
      return try differ.difference(from: step.before, to: step.after)
    }
    let shown = try changes(by: readable)
    return StepAnswer(
      lines: ["record \(sequence)"] + ChangeText.lines(shown),
      json: .object(
        [.init("sequence", number(sequence))] + ChangeJSON.members(try changes(by: exact))
          + [.init("shown", .object(ChangeJSON.members(shown)))]))
  }

  private mutating func effects() throws(StoreError) -> StepAnswer {
    let place = sequence
    let step = try replayer.currentStep()
    let inFlight = try replayer.namedEffectsInFlight()
    let ended = try effectsEnded(by: step)
    if sequence != place { try replayer.seek(to: place) }
    let text = step.map { EffectDescription.line(of: $0.effect) } ?? "none"
    let work = step.map { EffectDescription.text(of: $0.effect) { $0.name } } ?? ""
    let leaves = replayer.effectsInFlight
    func started(_ moments: MomentFormat? = nil) -> JSONValue {
      step.map { step in
        EffectDescription.started(
          by: step.effect, of: place, inFlight: leaves, moments: moments)
      } ?? .array([])
    }
    return StepAnswer(
      lines: ["effect of record \(sequence): \(text)"]
        + ended.map { "  ended: effect \($0.leaf.id) \($0.name ?? "of unknown name"), \($0.how)" }
        + inFlight.map { "  in flight: \(EffectDescription.line(of: $0))" },
      json: [
        "sequence": number(sequence), "effect": .string(text),
        "leaves": .array(
          (step?.effect.leaves ?? []).map {
            .string(StateDescription.text(of: $0.leaf.base, named: $0.leaf.name))
          }),
        "work": .string(work), "started": started(),
        // For the people who read a comparison.
        "shown": ["effect": .string(text), "leaves": started(.readable)],
        "ended": .array(
          ended.map {
            [
              "cause": number($0.leaf.id.cause), "ordinal": .integer(Int64($0.leaf.id.ordinal)),
              "name": $0.name.map { .string($0) } ?? .null, "how": .string($0.how),
            ]
          }),
        "inFlight": .array(inFlight.map(EffectDescription.json)),
      ])
  }

  /// Returns the leaves that a record ended, with the way in which each ended.
  private mutating func effectsEnded(
    by step: RecordStep<App>?
  ) throws(StoreError) -> [(leaf: EffectsInFlight.Leaf, name: String?, how: String)] {
    guard let step else { return [] }
    let after = replayer.effectsInFlight
    try replayer.seek(to: sequence - 1)
    guard replayer.effectsInFlight.leaves.contains(where: { !after.contains($0.id) }) else {
      return []
    }
    let end =
      step.envelope.kind == .effectFinished ? try? EffectFinished(encoded: step.payload.span) : nil
    let gone = try replayer.namedEffectsInFlight().filter { !after.contains($0.leaf.id) }
    return gone.map { effect in
      let reason = effect.leaf.reasonOfCancellation(by: step.effect)
      var how = end.map { "\($0.outcome)" } ?? "\(reason)"
      if let error = end?.error, !error.isEmpty { how += ": \(error)" }
      return (effect.leaf, effect.name, how)
    }
  }

  /// Advances, and returns one digest of the state hashes after all records on the way.
  ///
  /// Two builds with equal digests have equal states after each of these records.
  private mutating func hashes(_ count: UInt64) throws(StoreError) -> StepAnswer {
    time = nil
    let end = sequence + min(count, replayer.last - sequence)
    var digest = SHA256Hasher()
    while sequence < end {
      try replayer.forEachStateHash(through: min(end, sequence + 4_096)) { hash in
        let bytes = hash.bytes
        digest.update(bytes.span)
      }
    }
    let hex = digest.digest().hex
    return StepAnswer(
      lines: ["up to record \(sequence): \(hex)"],
      json: ["sequence": number(sequence), "digest": .string(hex)])
  }

  /// Advances, and returns digests of what this build makes of all records on the way.
  private mutating func digests(_ count: UInt64) throws(StoreError) -> StepAnswer {
    time = nil
    let end = sequence + min(count, replayer.last - sequence)
    // Between builds with other types, values of leaves may have other encodings.
    var digests = OutcomeDigests(
      after: replayer.effectsInFlight, coveringLeafValues: outcomes.differ == nil)
    while sequence < end {
      try replayer.forEachOutcome(through: min(end, sequence + 4_096), by: &outcomes) { outcome in
        digests.add(outcome)
      }
    }
    let members = digests.json
    return StepAnswer(
      lines: ["up to record \(sequence):"]
        + members.map { "  \($0.name) \($0.value.stringValue ?? "")" },
      json: .object([.init("sequence", number(sequence))] + members))
  }

  private mutating func decision() throws(StoreError) -> StepAnswer {
    let place = sequence
    var found: JSONValue?
    if place > 0 {
      try replayer.seek(to: place - 1)
      try replayer.forEachOutcome(through: place, by: &outcomes) { found = $0.decision }
    }
    let values = found.map { JSONDifference.values(in: $0.withDurationTexts) } ?? []
    return StepAnswer(
      lines: ["decision on record \(place):\(found == nil ? " none" : "")"]
        + values.map {
          "  "
            + ChangeText.line(
              ValueDifference(path: $0.path, before: nil, after: $0.value), kind: .created)
        },
      json: ["sequence": number(place), "decision": found ?? .null])
  }

  /// Leaves fields out from now on, and returns the state before the first record without them.
  private mutating func omit(_ fields: OmittedFields) throws(StoreError) -> StepAnswer {
    outcomes = try OutcomeReader(hashingStates: false, omitting: fields)
    let initial = try outcomes.differ?.json(of: App.initialState) ?? .null
    return StepAnswer(
      lines: ["left out: \(fields.isEmpty ? "nothing" : fields.names.joined(separator: ", "))"],
      json: [
        "omitted": .array(fields.names.map { .string($0) }), "initial": initial,
      ])
  }

  private func schemas() -> StepAnswer {
    let schemas: [JSONValue] = [
      StateDescription.schema(of: App.State.self), App.Action.schema.json,
      App.Refusal.schema.json,
    ]
    return StepAnswer(
      lines: schemas.map { $0.text() },
      json: ["state": schemas[0], "action": schemas[1], "refusal": schemas[2]])
  }

  private func schema() -> StepAnswer {
    let build = SchemaFingerprints.of(App.self)
    return StepAnswer(
      lines: [
        "app           \(App.name) \(App.build)", "action schema \(build.actionSchema)",
        "state schema  \(build.stateSchema)",
      ],
      json: [
        "app": .string(App.name), "build": .string(App.build),
        "actionSchema": .string(build.actionSchema.hex),
        "stateSchema": .string(build.stateSchema.hex),
        "compares": .array(["states", "effects", "decisions"]),
      ])
  }

  private func number(_ value: UInt64) -> JSONValue { .integer(Int64(clamping: value)) }
}

extension StepSession {
  private mutating func state(at path: String?) throws(ToolFailure) -> StepAnswer {
    let whole = try orFail(
      try replayer.read { state throws(StoreError) in
        try StateDescription.json(of: state)
      })
    guard let found = DifferencePath.value(path ?? "", in: whole) else {
      throw ToolFailure(
        what: "The state has no such part.",
        why: "The state after record \(sequence) has no path \(path ?? "").",
        advice: "Give a path as `diff` prints it.", exitCode: ToolExit.notFound)
    }
    return StepAnswer(
      lines: found.text(indented: true).split(separator: "\n").map(String.init),
      json: [
        "sequence": .integer(Int64(clamping: sequence)), "path": .string(path ?? ""),
        "state": found,
      ])
  }

  private mutating func route(of scene: Int64?) throws(ToolFailure) -> StepAnswer {
    try atBatchEnd { (replayer) throws(ToolFailure) in
      try SceneView<App>(&replayer, scene: scene).route()
    }
  }

  private mutating func screen(of scene: Int64?) throws(ToolFailure) -> StepAnswer {
    let time = time
    let terminal = Terminal.size().map { Screen.Size(columns: $0.columns, rows: $0.rows - 1) }
    return try atBatchEnd { (replayer) throws(ToolFailure) in
      let found = try SceneView<App>(&replayer, scene: scene)
      do throws(StoreError) {
        let moment = if let time { time } else { try replayer.moment() }
        return try replayer.read { state throws(StoreError) in
          let size = found.seen(in: state)?.size ?? terminal ?? Screen.Size(columns: 80, rows: 24)
          return found.lines(of: found.screen(of: state, size: size, at: moment), size: size)
        }
      } catch {
        throw ToolFailure(error)
      }
    }
  }

  /// Calls `body` at the last end of a batch, and then returns to the current position.
  private mutating func atBatchEnd(
    _ body: (inout Replayer<App>) throws(ToolFailure) -> StepAnswer
  ) throws(ToolFailure) -> StepAnswer {
    let start = sequence
    try orFail(try replayer.seek(to: try replayer.batchEnd(atOrBefore: start)))
    let result: Result<StepAnswer, ToolFailure>
    do throws(ToolFailure) {
      result = .success(try body(&replayer))
    } catch {
      result = .failure(error)
    }
    try orFail(try replayer.seek(to: start))
    return try result.get()
  }
}

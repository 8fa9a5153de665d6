import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceSchema
import RetraceScreen
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceFixtures
import Testing

@testable import RetraceReplay

/// What a verification finds of effects, in logs that are written record by record.
@Suite struct EffectCheckTests {
  private typealias App = EggApp<SoundEggs>
  private typealias Kind = Verification.EffectDivergence.Kind

  private enum Item {
    case opened(isClockFixed: Bool?)
    /// An action of a case that a later build retired.
    case salted
    case action(EggAction, hasEffect: Bool = false, cause: UInt64? = nil)
    case end(cause: UInt64, EffectFinished.Outcome = .finished)
  }

  private let egg = EggID(value: 0)
  /// The session, an egg, and its boiling: the bell is due at 12 seconds.
  private let boiling: [(Item, Int64)] = [
    (.opened(isClockFixed: false), 0), (.action(.added(name: "soft")), 1),
    (.action(.boiled(EggID(value: 0)), hasEffect: true), 2),
  ]

  private func effects<Reader: ReplayableApp>(
    _ items: [(Item, Int64)], readBy reader: Reader.Type = App.self
  ) throws -> Verification.Effects {
    try CounterLog.withDirectory { path in
      let storage = try LogStorage.open(at: path, access: .create)
      let schema = Reader.self == App.self ? EggAction.schema : Self.salting
      try storage.append { appender throws(StoreError) in
        for (item, seconds) in items {
          try Self.append(item, at: seconds, under: schema, to: &appender)
        }
      }
      storage.close()
      return try CounterLog.reading(path) { try Verifier<Reader>.verify($0).effects }
    }
  }

  private static func append(
    _ item: Item, at seconds: Int64, under schema: Schema, to appender: inout LogAppender
  ) throws(StoreError) {
    var envelope = Envelope(
      session: 1, moment: Moment(microseconds: seconds * 1_000_000),
      schema: try appender.schemaNumber(json: schema.text))
    switch item {
    case .opened(let isClockFixed):
      var composer = SchemaComposer()
      let state = EggState.stateSchema(in: &composer)
      let opened = SessionOpened(
        app: App.name, build: App.build,
        actionSchema: schema.fingerprint(with: SHA256Hasher.self),
        stateSchema: state.fingerprint(with: SHA256Hasher.self), reducer: .zero, scene: nil,
        zone: "", zoneDatabase: "",
        origin: isClockFixed.map {
          SessionOrigin(login: "anna", host: "desk", process: 1, isClockFixed: $0)
        })
      try appender.append(opened, envelope)
    case .salted:
      envelope.hasEffect = true
      var writer = AvroWriter(capacity: 16)
      writer.branch(EggAction.caseCount)
      try appender.append(envelope, payload: writer.span)
    case .action(let action, let hasEffect, let cause):
      (envelope.hasEffect, envelope.cause) = (hasEffect, cause)
      let payload = action.encoded()
      try appender.append(envelope, payload: payload.span)
    case .end(let cause, let outcome):
      envelope.cause = cause
      let id = EffectLeafID(cause: cause, ordinal: 0)
      try appender.append(EffectFinished(id: id, outcome: outcome), envelope)
    }
  }

  /// The schema of the actions with a case more, which has no payload.
  private static var salting: Schema {
    guard case .record(let name, _, var fields) = EggAction.schema,
      case .union(let branches) = fields[0].type
    else { return .null }
    fields[0].type = .union(branches + [.record(name: "EggAction_salted", fields: [])])
    return .record(name: name, fields: fields)
  }

  /// Returns the only divergence after some records, by its sequence.
  ///
  /// - Parameters:
  ///   - more: The records after the start, each with its seconds.
  ///   - start: The first records; by default the boiling of an egg.
  private func divergences(
    _ more: (Item, Int64)..., after start: [(Item, Int64)]? = nil
  ) throws -> [UInt64: Kind] {
    let effects = try effects((start ?? boiling) + more)
    #expect(effects.divergences == (effects.firstDivergence == nil ? 0 : 1))
    return effects.firstDivergence.map { [$0.sequence: $0.kind] } ?? [:]
  }

  @Test func `effects, ends and answers that the log has as the fold are no divergence`() throws {
    let more: [(Item, Int64)] = [(.end(cause: 3), 12), (.action(.rang(egg), cause: 3), 12)]
    let effects = try effects(boiling + more)
    #expect(effects.actions == 1 && effects.ends == 1)
    #expect(effects.divergences == 0 && effects.firstDivergence == nil)
  }

  @Test func `an effect that only the log has, or only the fold, is a divergence`() throws {
    #expect(try divergences((.action(.scene(.cleared), hasEffect: true), 3)) == [4: .missing])
    var unmarked = boiling
    unmarked[2].0 = .action(.boiled(egg))
    #expect(try divergences(after: unmarked) == [3: .unrecorded(leaves: ["EggBell"])])
  }

  @Test func `an end or an answer of a leaf that is not in flight is a divergence`() throws {
    let id = EffectLeafID(cause: 2, ordinal: 0)
    // The answer after the end of an unknown leaf is not counted again.
    #expect(
      try divergences((.end(cause: 2), 12), (.action(.rang(egg), cause: 2), 12))
        == [4: .endOfUnknownLeaf(id)])
    #expect(
      try divergences((.action(.scene(.cleared), cause: 2), 12))
        == [4: .answerOfUnknownLeaf(cause: 2)])
    // An answer of a leaf that goes on.
    #expect(try divergences((.action(.scene(.cleared), cause: 3), 12)).isEmpty)
    // An answer after the end, but not right after it.
    #expect(
      try divergences(
        (.end(cause: 3), 12), (.action(.scene(.cleared)), 12),
        (.action(.rang(egg), cause: 3), 12)) == [6: .answerOfUnknownLeaf(cause: 3)])
  }

  @Test func `what a retired case caused is not compared`() throws {
    let more: [(Item, Int64)] = [
      (.salted, 3), (.end(cause: 4), 4), (.action(.scene(.cleared), cause: 4), 4),
      (.salted, 5), (.action(.scene(.cleared), cause: 7), 6),
    ]
    let found = try effects(boiling + more, readBy: Unsalted.self)
    #expect(found.actions == 1 && found.ends == 0 && found.divergences == 0)
  }

  @Test func `a leaf that ended before it is due is a divergence, by a running clock`() throws {
    let due = Moment(microseconds: 12_000_000)
    let early = Kind.endedEarly(EffectLeafID(cause: 3, ordinal: 0), due: due)
    let answers: [EffectFinished.Outcome] = [.finished, .failed, .replaced]
    for outcome in answers {
      #expect(try divergences((.end(cause: 3, outcome), 11)) == [4: early])
      #expect(try divergences((.end(cause: 3, outcome), 12)).isEmpty)
      #expect(try divergences((.end(cause: 3, outcome), 90)).isEmpty)
    }
    for outcome in [EffectFinished.Outcome.cancelled, .dropped] {
      #expect(try divergences((.end(cause: 3, outcome), 3)).isEmpty)
    }
    // A fixed clock, an unknown one, and one that was set back say nothing about delays.
    for isFixed in [true, nil] as [Bool?] {
      var start = boiling
      start[0].0 = .opened(isClockFixed: isFixed)
      #expect(try divergences((.end(cause: 3), 11), after: start).isEmpty)
    }
    #expect(try divergences((.end(cause: 3), 1)).isEmpty)
    let later = Item.action(.scene(.cleared))
    #expect(try divergences((later, 8), (later, 7), (.end(cause: 3), 11)).isEmpty)
    #expect(try divergences((later, 7), (later, 8), (.end(cause: 3), 11)) == [6: early])
  }
}

extension EggAction {
  /// The number of cases.
  fileprivate static var caseCount: Int {
    guard case .record(_, _, let fields) = schema, case .union(let branches) = fields[0].type
    else { return 0 }
    return branches.count
  }
}

/// The sound egg timer, with a retired case.
private enum Unsalted: ReplayableApp {
  typealias Sound = EggApp<SoundEggs>
  typealias SceneAction = EggSceneAction
  typealias Environment = EggDesk
  typealias Route = CounterRoute

  static var name: String { Sound.name }
  static var build: String { Sound.build }
  static var reducer: EggReducer<SoundEggs> { Sound.reducer }
  static var decider: EggDecider<SoundEggs> { Sound.decider }
  static var initialState: EggState { Sound.initialState }
  static var retired: [CaseName: RetiredCase] { [CaseName("EggAction", "salted"): .skip] }
  static func action(for sceneAction: EggSceneAction) -> EggAction { .scene(sceneAction) }
  static func role(of action: EggAction) -> ActionRole<EggCommand> { Sound.role(of: action) }
  static func scenes(in state: EggState) -> [SceneID] { [] }
  static func backStack(of scene: SceneID, in state: EggState) -> BackStack<CounterRoute>? { nil }
  static func screen(
    of scene: SceneID, in state: EggState, at moment: Moment, size: Screen.Size
  ) -> Screen { Screen(Canvas(size)) }
}

import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceFixtures
import RetraceTesting
import Testing

@testable import RetraceReplay

/// Deciding the commands of a log again.
@Suite struct DecisionCheckTests {
  private let tea = KioskItemID(value: 0)

  private func decisions<App: ReplayableApp>(
    of app: App.Type, in path: String
  ) throws -> Verification.Decisions {
    try CounterLog.reading(path) { storage in
      #expect(try Verifier<App>.verify(storage).decisions == nil)
      return try #require(try Verifier<App>.verify(storage, decidingCommands: true).decisions)
    }
  }

  private func record(
    at path: String, _ commands: [(KioskCommand, RecordedCommand.Origin)]
  ) throws {
    let store = try Store<KioskApp>.openBlocking(
      at: path, configuration: StoreConfiguration(clock: { Moment(microseconds: 7) }))
    for (command, origin) in commands {
      do throws(CommandError<KioskApp>) {
        try store.performBlocking(command, from: origin)
      } catch {
        guard case .refused = error else { throw error }
      }
    }
    try store.closeBlocking()
  }

  @Test func `random commands are decided the same again, refusals in scenes too`() throws {
    try withSeed("Decisions") { random in
      try CounterLog.withDirectory { path in
        var commands: [(KioskCommand, RecordedCommand.Origin)] = []
        for _ in 0..<300 {
          commands.append(
            (.random(using: &random), Bool.random(using: &random) ? .scene : .commandLine))
        }
        try record(at: path, commands)
        let found = try decisions(of: KioskApp.self, in: path)
        #expect(found.firstDivergence == nil && found.notComparable == 0 && found.decided > 100)
      }
    }
  }

  @Test func `a changed decider is found at the first command that it decides otherwise`() throws {
    try CounterLog.withDirectory { path in
      try record(
        at: path,
        [
          (.add(name: "tea"), .program), (.restock(tea, count: 10), .program),
          (.sell(tea, count: 13), .scene), (.sell(tea, count: 14), .scene),
        ])
      let found = try decisions(of: OversoldKiosk.self, in: path)
      let divergence = try #require(found.firstDivergence)
      #expect(found.decided == 4 && divergence.sequence == 6)
      #expect(divergence.command["sell"] != nil)
      #expect(divergence.recorded["refusal"]?["outOfStock"] != nil)
      #expect(divergence.decided["facts"] != nil)
    }
  }

  @Test func `a changed reducer is found where a decision depends on it`() throws {
    try CounterLog.withDirectory { path in
      try record(
        at: path,
        [
          (.add(name: "tea"), .program), (.rename(tea, to: "jam"), .program),
          (.add(name: "tea"), .program),
        ])
      let found = try decisions(of: ForgetfulKiosk.self, in: path)
      #expect(found.firstDivergence?.sequence == 6)
      #expect(found.firstDivergence?.decided["refusal"]?["nameTaken"] != nil)
    }
  }

  @Test func `invariants are checked at intervals, after every record, or not at all`() throws {
    try CounterLog.withDirectory { path in
      // What no decider returns: a sale of an item without stock, and its return.
      let store = try Store<UnguardedKiosk>.openBlocking(
        at: path, configuration: StoreConfiguration(hashInterval: 1))
      try store.performBlocking(.add(name: "tea"))
      try store.sendBlocking([.stockChanged(tea, from: 0, to: -5)])
      for stock in -5..<200 {
        try store.sendBlocking(
          [.stockChanged(tea, from: Int64(stock), to: Int64(stock) + 1)])
      }
      try store.closeBlocking()
      try CounterLog.reading(path) { storage in
        let every = try Verifier<KioskApp>.verify(storage, checkingInvariants: .everyRecord)
        let broken = Violation(of: "no stock is below zero", "item 0")
        #expect(
          every.firstViolations
            == Verification.Violations(sequence: 4, violations: [broken]))
        #expect(every.invariantChecks == 4)
        let none = try Verifier<KioskApp>.verify(storage, checkingInvariants: .omitted)
        #expect(none.firstViolations == nil && none.invariantChecks == 0)
        #expect(none.compared == every.compared && none.stateHash == every.stateHash)
        // 210 records: every fourth, and not at each recorded hash.
        let some = try Verifier<KioskApp>.verify(storage)
        #expect(some.records == 210 && some.compared > 200)
        #expect(some.firstViolations?.sequence == 4 && some.invariantChecks == 1)
        // The last record is checked, too.
        let whole = try Verifier<CappedKiosk>.verify(storage)
        #expect(whole.invariantChecks == 53 && whole.firstViolations?.sequence == 210)
        #expect(whole.firstDivergence == nil)
      }
    }
  }

  /// Writes a log of an accepted command, a refused one, and a fact.
  private func write(at path: String, inBatchOfRefused isWithin: Bool) throws {
    let storage = try LogStorage.open(at: path, access: .create)
    defer { storage.close() }
    try storage.append { appender throws(StoreError) in
      let envelope = Envelope(
        session: 1, moment: Moment(microseconds: 7),
        schema: try appender.schemaNumber(json: KioskAction.schema.text))
      let schemas = [KioskCommand.schema, KioskRefusal.schema]
      var numbers: [NamedSchema] = []
      for schema in schemas {
        numbers.append(
          NamedSchema(
            number: try appender.commandSchemaNumber(json: schema.text),
            fingerprint: schema.fingerprint(with: SHA256Hasher.self)))
      }
      try appender.append(
        SessionOpened(
          app: KioskApp.name, build: "test",
          actionSchema: KioskAction.schema.fingerprint(with: SHA256Hasher.self),
          stateSchema: .zero, reducer: .zero, scene: nil, zone: "", zoneDatabase: "",
          schemas: numbers), envelope)
      func append(
        _ command: KioskCommand, refusal: KioskRefusal?
      ) throws(StoreError) {
        try appender.append(
          RecordedCommand(
            origin: .scene,
            command: .init(schema: numbers[0].number, bytes: command.encoded()),
            refusal: refusal.map { .init(schema: numbers[1].number, bytes: $0.encoded()) }),
          envelope)
      }
      func append(_ fact: KioskAction, startsBatch: Bool) throws(StoreError) {
        var envelope = envelope
        envelope.startsBatch = startsBatch
        let payload = fact.encoded()
        try appender.append(envelope, payload: payload.span)
      }
      try append(.add(name: "tea"), refusal: nil)
      try append(.added(tea, name: "tea"), startsBatch: false)
      try append(.add(name: "tea"), refusal: .nameTaken("tea"))
      try append(.renamed(tea, from: "tea", to: "jam"), startsBatch: !isWithin)
    }
  }

  @Test(arguments: [false, true])
  func `a fact in the batch of a refused command is damage`(isDeciding: Bool) throws {
    try CounterLog.withDirectory { path in
      try write(at: path, inBatchOfRefused: false)
      try CounterLog.reading(path) { storage in
        let found = try Verifier<KioskApp>.verify(storage, decidingCommands: true)
        #expect(found.decisions?.decided == 2 && found.decisions?.divergences == 0)
      }
    }
    try CounterLog.withDirectory { path in
      try write(at: path, inBatchOfRefused: true)
      try CounterLog.reading(path) { storage in
        let error = #expect(throws: StoreError.self) {
          try Verifier<KioskApp>.verify(storage, decidingCommands: isDeciding)
        }
        #expect(error?.code == .damaged(sequence: 5))
        #expect(error?.why.contains("refused") == true)
        let report = try storage.withReadView { view throws(StoreError) in
          try view.verifyLog(with: SHA256Hasher.self)
        }
        #expect(report.damage != nil)
      }
    }
  }

  @Test(arguments: [1, 3, 63, 64, 65, 128, 129, 640] as [UInt64])
  func `the checks of invariants are at most 64, and cover short logs`(last: UInt64) {
    let interval = Verification.InvariantChecks.spread.interval(through: last)
    let checks = last / interval + (last % interval == 0 ? 0 : 1)
    #expect(checks <= 64 && (last > 64 || checks == last))
    #expect(last < 64 || checks > 32)
  }

  @Test func `an import is decided again, unless the app says that it needs its file`() throws {
    try CounterLog.withDirectory { path in
      try record(
        at: path,
        [
          (.add(name: "tea"), .importing), (.restock(tea, count: 1), .importing),
          (.add(name: "a"), .program),
        ])
      let all = try decisions(of: KioskApp.self, in: path)
      #expect(all.decided == 3 && all.notComparable == 0 && all.firstDivergence == nil)
      let some = try decisions(of: FiledKiosk.self, in: path)
      #expect(some.decided == 2 && some.notComparable == 1 && some.firstDivergence == nil)
      // A changed decision is found in an import, too.
      let changed = try decisions(of: ForgetfulImports.self, in: path)
      #expect(changed.firstDivergence?.command["add"] != nil && changed.divergences == 2)
    }
  }
}

/// A kiosk whose deliveries name a file.
private enum FiledKiosk: KioskVariant {
  static var reducer: KioskReducer { KioskReducer() }
  static var decider: KioskDecider { KioskDecider() }
  static func canDecideAgain(_ command: KioskCommand) -> Bool {
    if case .restock = command { false } else { true }
  }
}

/// A kiosk that adds items under other names.
private enum ForgetfulImports: KioskVariant {
  struct Renaming: Decider {
    func decide(
      _ command: KioskCommand, on state: borrowing KioskState, at moment: Moment
    ) throws(KioskRefusal) -> [KioskAction] {
      guard case .add(let name, let price) = command else {
        return try KioskDecider().decide(command, on: state, at: moment)
      }
      return try KioskDecider().decide(.add(name: name + "!", price: price), on: state, at: moment)
    }
  }

  static var reducer: KioskReducer { KioskReducer() }
  static var decider: Renaming { Renaming() }
}

/// A kiosk whose only invariant is broken by the last record.
private enum CappedKiosk: KioskVariant {
  static var reducer: KioskReducer { KioskReducer() }
  static var decider: KioskDecider { KioskDecider() }
  static func violations(of state: borrowing KioskState) -> [Violation] {
    state.total >= 200 ? [Violation(of: "less than 200", "\(state.total)")] : []
  }
}

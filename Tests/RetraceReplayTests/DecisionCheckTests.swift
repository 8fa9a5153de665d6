import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceTestSupport
import Testing

@testable import RetraceReplay

/// Deciding the commands of a log again.
@Suite struct DecisionCheckTests {
  private let cash = AccountID(value: 0)

  private func decisions<App: ReplayableApp>(
    of app: App.Type, in path: String
  ) throws -> Verification.Decisions {
    try CounterLog.reading(path) { storage in
      #expect(try Verifier<App>.verify(storage).decisions == nil)
      return try #require(try Verifier<App>.verify(storage, decidingCommands: true).decisions)
    }
  }

  private func record(
    at path: String, _ commands: [(LedgerCommand, RecordedCommand.Origin)]
  ) throws {
    let store = try Store<LedgerApp>.openBlocking(
      at: path, configuration: StoreConfiguration(clock: { Moment(microseconds: 7) }))
    for (command, origin) in commands {
      do throws(CommandError<LedgerApp>) {
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
        var commands: [(LedgerCommand, RecordedCommand.Origin)] = []
        for _ in 0..<300 {
          commands.append(
            (.random(using: &random), Bool.random(using: &random) ? .scene : .commandLine))
        }
        try record(at: path, commands)
        let found = try decisions(of: LedgerApp.self, in: path)
        #expect(found.firstDivergence == nil && found.notComparable == 0 && found.decided > 100)
      }
    }
  }

  @Test func `a changed decider is found at the first command that it decides otherwise`() throws {
    try CounterLog.withDirectory { path in
      try record(
        at: path,
        [
          (.open(name: "cash"), .program), (.deposit(cash, amount: 10), .program),
          (.withdraw(cash, amount: 13), .scene), (.withdraw(cash, amount: 14), .scene),
        ])
      let found = try decisions(of: OverdrawnLedger.self, in: path)
      let divergence = try #require(found.firstDivergence)
      #expect(found.decided == 4 && divergence.sequence == 6)
      #expect(divergence.command["withdraw"] != nil)
      #expect(divergence.recorded["refusal"]?["insufficientFunds"] != nil)
      #expect(divergence.decided["facts"] != nil)
    }
  }

  @Test func `a changed reducer is found where a decision depends on it`() throws {
    try CounterLog.withDirectory { path in
      try record(
        at: path,
        [
          (.open(name: "cash"), .program), (.rename(cash, to: "bank"), .program),
          (.open(name: "cash"), .program),
        ])
      let found = try decisions(of: ForgetfulLedger.self, in: path)
      #expect(found.firstDivergence?.sequence == 6)
      #expect(found.firstDivergence?.decided["refusal"]?["nameTaken"] != nil)
    }
  }

  @Test func `a broken invariant is found at a recorded hash, or at its record`() throws {
    try CounterLog.withDirectory { path in
      // What no decider returns: a withdrawal from an empty account, and its return.
      let store = try Store<UnguardedLedger>.openBlocking(
        at: path, configuration: StoreConfiguration(hashIntervalMax: 2))
      try store.performBlocking(.open(name: "cash"))
      try store.sendBlocking([.balanceChanged(cash, from: 0, to: -5)])
      try store.sendBlocking([.balanceChanged(cash, from: -5, to: -6)])
      try store.sendBlocking([.balanceChanged(cash, from: -6, to: 5)])
      try store.closeBlocking()
      try CounterLog.reading(path) { storage in
        let every = try Verifier<LedgerApp>.verify(
          storage, checkingInvariantsAfterEveryRecord: true)
        let rule = "no balance is below zero"
        #expect(
          every.firstViolations
            == Verification.Violations(
              sequence: 4, violations: [Violation(of: rule, "account 0")]))
        var hashed: [UInt64] = []
        try storage.withReadView { view throws(StoreError) in
          try view.forEachRecord(from: 1, through: view.head.sequence) { envelope, _ in
            if envelope.stateHash != nil { hashed.append(envelope.sequence) }
          }
        }
        let some = try Verifier<LedgerApp>.verify(storage)
        #expect(some.firstViolations?.sequence == hashed.first { $0 == 4 || $0 == 5 })
        #expect(hashed.contains(4) || hashed.contains(5))
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
        schema: try appender.schemaNumber(json: LedgerAction.schema.text))
      let schemas = [LedgerCommand.schema, LedgerRefusal.schema]
      var numbers: [NamedSchema] = []
      for schema in schemas {
        numbers.append(
          NamedSchema(
            number: try appender.commandSchemaNumber(json: schema.text),
            fingerprint: schema.fingerprint(with: SHA256Hasher.self)))
      }
      try appender.append(
        SessionOpened(
          app: LedgerApp.name, build: "test",
          actionSchema: LedgerAction.schema.fingerprint(with: SHA256Hasher.self),
          stateSchema: .zero, reducer: .zero, scene: nil, zone: "", zoneDatabase: "",
          schemas: numbers), envelope)
      func append(
        _ command: LedgerCommand, refusal: LedgerRefusal?
      ) throws(StoreError) {
        try appender.append(
          RecordedCommand(
            origin: .scene,
            command: .init(schema: numbers[0].number, bytes: command.encoded()),
            refusal: refusal.map { .init(schema: numbers[1].number, bytes: $0.encoded()) }),
          envelope)
      }
      func append(_ fact: LedgerAction, startsBatch: Bool) throws(StoreError) {
        var envelope = envelope
        envelope.startsBatch = startsBatch
        let payload = fact.encoded()
        try appender.append(envelope, payload: payload.span)
      }
      try append(.open(name: "cash"), refusal: nil)
      try append(.opened(cash, name: "cash"), startsBatch: false)
      try append(.open(name: "cash"), refusal: .nameTaken("cash"))
      try append(.renamed(cash, name: Change(from: "cash", to: "bank")), startsBatch: !isWithin)
    }
  }

  @Test(arguments: [false, true])
  func `a fact in the batch of a refused command is damage`(isDeciding: Bool) throws {
    try CounterLog.withDirectory { path in
      try write(at: path, inBatchOfRefused: false)
      try CounterLog.reading(path) { storage in
        let found = try Verifier<LedgerApp>.verify(storage, decidingCommands: true)
        #expect(found.decisions?.decided == 2 && found.decisions?.divergences == 0)
      }
    }
    try CounterLog.withDirectory { path in
      try write(at: path, inBatchOfRefused: true)
      try CounterLog.reading(path) { storage in
        let error = #expect(throws: StoreError.self) {
          try Verifier<LedgerApp>.verify(storage, decidingCommands: isDeciding)
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

  @Test func `imports are counted and not decided`() throws {
    try CounterLog.withDirectory { path in
      try record(at: path, [(.open(name: "cash"), .importing), (.open(name: "a"), .program)])
      let found = try decisions(of: LedgerApp.self, in: path)
      #expect(found.decided == 1 && found.notComparable == 1 && found.firstDivergence == nil)
    }
  }
}

import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceReplay
import RetraceSchema
import RetraceScreen
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceFixtures
import Testing

/// A build that reads the logs of the shelf without what a release prepared for them.
///
/// It is the fifth release but for its upcasters and retired cases.
private protocol Unprepared: ReplayableApp
where
  State == ShelfV5.State, Action == ShelfV5.Action, Environment == Never, Route == CounterRoute,
  Root == ShelfReducer<ShelfV5.State, ShelfV5.Action>
{}

extension Unprepared {
  static var name: String { "shelf" }
  static var build: String { "unprepared" }
  static var reducer: Root { ShelfV5.reducer }
  static var initialState: ShelfV5.State { ShelfV5.initialState }
  static func scenes(in state: State) -> [SceneID] { [] }
  static func backStack(of scene: SceneID, in state: State) -> BackStack<CounterRoute>? { nil }
  static func screen(
    of scene: SceneID, in state: State, at moment: Moment, size: Screen.Size
  ) -> Screen {
    Screen(Canvas(size))
  }
}

private enum Bare: Unprepared {}

private enum Retiring: Unprepared {
  static var retired: [CaseName: RetiredCase] {
    [CaseName("ShelfAction", "lent"): .skip, CaseName("ShelfAction", "described"): .skip]
  }
}

private enum Failing: Unprepared {
  static var retired: [CaseName: RetiredCase] { ShelfV5.retired }
  static var upcasters: [CaseName: Upcaster<Action>] {
    [
      CaseName("ShelfAction", "lent"): { _, _ throws(AvroError) in
        throw AvroError(.schema, at: 0, "refused")
      }
    ]
  }
}

private enum Multiplying: Unprepared {
  static var retired: [CaseName: RetiredCase] { ShelfV5.retired }
  static var upcasters: [CaseName: Upcaster<Action>] {
    [
      CaseName("ShelfAction", "lent"): { lent, context throws(AvroError) in
        // The context has the whole action, and the place of the record in the log.
        guard try context.action.text(at: "case", "to") == lent.text(at: "to"),
          context.sequence > 1, context.moment.microseconds > 0
        else { return [] }
        let count = try lent.text(at: "to").utf8.count
        return Array(repeating: .left(BookID(value: 0)), count: count)
      }
    ]
  }
}

/// What a build says of logs that it cannot read, or reads in its own way.
@Suite struct VerdictTests {
  @Test
  func `a case without an upcaster is named, and only an audit reads the log [L9] [H15]`() throws {
    try GoldenLog(name: "shelf-1").reading { storage in
      do throws(StoreError) {
        _ = try Replayer<Bare>(storage)
        Issue.record("the log was folded")
      } catch {
        #expect(error.code == .incompatible)
        #expect(
          error.why
            == "Schema 1: needs upcaster. ShelfAction.described: this version has no such case; "
            + "ShelfAction.lent: this version has no such case.")
        #expect(error.advice.contains("upcaster"))
      }
      #expect(throws: StoreError.self) { try Verifier<Bare>.verify(storage) }
      var read = 0
      try storage.withReadView { (view) throws(StoreError) in
        try view.verify()
        let schema = try view.parsedSchema(1, of: 1)
        try view.forEachRecord(from: 1, through: view.head.sequence) {
          (envelope, payload) throws(StoreError) in
          guard envelope.kind == .action else { return }
          if (try? SchemaCodec(schema).decode(payload)) != nil { read += 1 }
        }
      }
      #expect(read == 8)
    }
  }

  @Test func `a changed command leaves a log readable, for no record asks for one`() throws {
    func verdict(_ old: String, _ new: String) throws -> SchemaVerdict {
      let text = EggAction.schema.text
      try #require(text.contains(old))
      let recorded = try Schema(parsing: Array(text.replacing(old, with: new).utf8).span)
      return try EggApp<SoundEggs>.verdict(onActionsOf: recorded)
    }
    for (old, new) in [("EggCommand_ring", "EggCommand_call"), ("EggCommand", "EggOrder")] {
      let verdict = try verdict(old, new)
      #expect(verdict.isReadable)
      #expect(
        verdict.differences.contains {
          $0.member == "request" && $0.detail == "asks for a command, so no record has it"
        })
    }
    // A fact is in records.
    #expect(try !verdict("EggAction_rang", "EggAction_called").isReadable)
    // The case of the requests has another name.
    #expect(try verdict("EggAction_request", "EggAction_asked").isReadable)
  }

  @Test func `a newer log is told from a renamed case`() throws {
    try GoldenLog(name: "shelf-1").reading { storage in
      do throws(StoreError) {
        _ = try Replayer<Bare>(storage)
        Issue.record("the log was folded")
      } catch {
        #expect(error.advice.contains("`// recorded: was OLDNAME`"))
      }
    }
    let writer = SessionOpened(
      app: "shelf", build: "7", actionSchema: .zero, stateSchema: .zero, reducer: .zero, scene: nil,
      zone: "UTC", zoneDatabase: "")
    let lent = SchemaDifference(type: "ShelfAction", member: "lent", detail: "no such case")
    let newer = StoreError.unreadable(
      schema: 2, .needsUpcaster([lent]), app: "shelf", writer: writer, isNewer: true)
    #expect(
      newer.why
        == "This log is newer than the program: build 7 wrote to it. Schema 2: needs upcaster. "
        + "ShelfAction.lent: no such case.")
    #expect(!newer.advice.contains("recorded: was"))
    let other = StoreError.unreadable(
      schema: 1, .impossible([lent]), app: "depot", writer: writer, isNewer: false)
    #expect(other.why == "This is a store of shelf, not of depot.")
  }

  @Test func `a retired case leaves the state as it is, and is counted`() throws {
    try GoldenLog(name: "shelf-1").reading { storage in
      let verification = try Verifier<Retiring>.verify(storage)
      #expect(
        verification.skipped == [
          CaseName("ShelfAction", "lent"): 3, CaseName("ShelfAction", "described"): 1,
        ])
      var replayer = try Replayer<Retiring>(storage)
      try replayer.seek(to: replayer.last)
      #expect(ShelfV5.summary(of: replayer.state).books.allSatisfy { $0.holder == nil })
      #expect(replayer.state.departures == 0)
    }
  }

  @Test
  func `an upcaster gives any number of actions in the step of one record [L9] [H15]`() throws {
    try GoldenLog(name: "shelf-1").reading { storage in
      var replayer = try Replayer<Multiplying>(storage)
      var departures: [Int64] = []
      while try replayer.stepForward() { departures.append(replayer.state.departures) }
      #expect(departures.count == Int(replayer.last))
      #expect(departures.last == Int64(8))
      // Ada, Bob, Cy: each in one step.
      #expect(Set(departures) == [0, 3, 6, 8])
    }
  }

  @Test func `an upcaster that fails ends the fold, and the error names the record`() throws {
    try GoldenLog(name: "shelf-1").reading { storage in
      var replayer = try Replayer<Failing>(storage)
      do throws(StoreError) {
        try replayer.seek(to: replayer.last)
        Issue.record("the log was folded")
      } catch {
        #expect(error.code == .incompatible)
        #expect(error.why.contains("The upcaster of ShelfAction.lent failed at record 4"))
      }
      #expect(replayer.sequence == 0)
    }
  }

  @Test func `a log whose root has another name cannot be read, whatever is prepared`() throws {
    let verdict = try ShelfV5.verdict(onActionsOf: CounterAction.schema)
    #expect(
      verdict
        == .impossible([
          SchemaDifference(
            type: "CounterAction", detail: "`CounterAction` was recorded, `ShelfAction` is read")
        ]))
    #expect(!verdict.isReadable)
  }

  @Test func `a case with payloads that has another name is read by its alias`() throws {
    func schema(_ name: String, _ aliases: [String]) -> Schema {
      .record(
        name: name, aliases: aliases,
        fields: [
          .init(
            "case",
            .union([
              .record(
                name: "\(name)_a", aliases: aliases.map { "\($0)_b" },
                fields: [.init("x", .int)])
            ]))
        ])
    }
    let old = Schema.record(
      name: "Old",
      fields: [
        .init("case", .union([.record(name: "Old_b", fields: [.init("x", .int)])]))
      ])
    let resolver = try SchemaResolver(writer: old, reader: schema("New", ["Old"]))
    var writer = AvroWriter()
    let bytes: [UInt8] = [0, 8]
    #expect(try resolver.resolve(bytes.span, into: &writer) == .resolved)
    #expect(writer.bytes == bytes)
    #expect(
      resolver.verdict().differences.map(\.description).sorted() == [
        "Old: is `New` now", "Old_b: is `New_a` now",
      ])
  }

  @Test func `sets keep their old order while they are resolved, and their members`() throws {
    let writer = Schema.record(
      name: "R", fields: [.init("s", .array(.float))])
    let reader = Schema.record(
      name: "R", fields: [.init("s", .array(.double))])
    let resolver = try SchemaResolver(writer: writer, reader: reader)
    let members: Set<Float> = [1.5, -2, 1e10, 3, 0.1]
    let bytes = members.encoded()
    var output = AvroWriter()
    #expect(try resolver.resolve(bytes.span, into: &output) == .resolved)
    var input = AvroReader(resolved: output.span, inputByteCount: bytes.count)
    let read = try Set<Double>(decoding: &input)
    #expect(read == Set(members.map(Double.init)))
  }
}

extension VerdictTests {
  @Test func `a schema that is not the one its session names is damage, not another version`()
    throws
  {
    try withStore { path in
      let storage = try LogStorage.open(at: path, access: .create)
      try storage.append { appender throws(StoreError) in
        // The first release's schema; the session names another.
        let number = try appender.schemaNumber(json: ShelfV1.Action.schema.text)
        let sequence = appender.nextSequence
        let opened = SessionOpened(
          app: "shelf", build: "", actionSchema: .zero, stateSchema: .zero, reducer: .zero,
          scene: nil, zone: "UTC", zoneDatabase: "")
        try appender.append(
          opened,
          Envelope(session: sequence, moment: Moment(microseconds: 0), schema: number))
      }
      storage.close()
      let reading = try LogStorage.open(at: path, access: .read)
      defer { reading.close() }
      // This build can read the record, but its schema is not the one that the session names.
      var replayer = try Replayer<ShelfV5>(reading)
      #expect(code { () throws(StoreError) in try replayer.seek(to: 1) } == .damaged(sequence: 1))
      // This build cannot read the record either; damage takes precedence over the verdict.
      #expect(
        code { () throws(StoreError) in _ = try Replayer<Bare>(reading) } == .damaged(sequence: 1))
    }
  }

  private func withStore(_ body: (String) throws -> Void) throws {
    let directory = try FileSystem.makeTemporaryDirectory("retrace-verdict-")
    defer { try? FileSystem.removeTree(directory) }
    try body(directory + "/store")
  }

  private func code(_ body: () throws(StoreError) -> Void) -> StoreError.Code? {
    do throws(StoreError) {
      try body()
      return nil
    } catch {
      return error.code
    }
  }
}

import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceRecording
import RetraceReplay
import RetraceSchema
import RetraceState
import RetraceSystem
import Testing
import ToolTestSupport

@testable import RetraceStorage

/// A newer build goes on with an older build's log: it appends and leaves what is there.
@Suite struct AppendingTests {
  @Test func `records of a newer build are appended after the existing ones`() throws {
    try GoldenLog(name: "shelf-1").withMigratedCopy { path in
      let (before, records) = try content(at: path, through: nil)
      try send([ShelfV5.Action.borrowed(BookID(value: 0), by: "Di")], with: ShelfV5.self, at: path)
      let (after, all) = try content(at: path, through: before.sequence)
      #expect(after.sequence == before.sequence + 3)
      #expect(all == records)

      let storage = try LogStorage.open(at: path, access: .read)
      defer { storage.close() }
      let plan = try storage.withReadView { (view) throws(StoreError) in
        #expect(try view.chain(at: before.sequence) == before.chain)
        return try view.plan(for: ShelfV5.self)
      }
      #expect(plan.schemas.map(\.verdict.name) == ["fine", "same"])
      #expect(!plan.decodesDirectly(1) && plan.decodesDirectly(2) && !plan.decodesDirectly(3))
      let verification = try Verifier<ShelfV5>.verify(storage)
      #expect(verification.compared == 1 && verification.notComparable == 2)
      #expect(verification.firstDivergence == nil)
      var replayer = try Replayer<ShelfV5>(storage)
      try replayer.seek(to: replayer.last)
      #expect(ShelfV5.summary(of: replayer.state).books[0].holder == "Di")
      #expect(replayer.state.departures == 3)
    }
  }

  @Test func `an older build refuses a log that a newer one went on with`() throws {
    try GoldenLog(name: "shelf-1").withMigratedCopy { path in
      try send([ShelfV5.Action.left(BookID(value: 0))], with: ShelfV5.self, at: path)
      let content = try LogContent(at: path)
      do throws(StoreError) {
        _ = try Store<ShelfV1>.openBlocking(at: path, configuration: configuration)
        Issue.record("the older build opened the log")
      } catch {
        #expect(error.code == .incompatible)
        #expect(error.why.contains("Schema 2: needs upcaster"), "\(error.why)")
        #expect(error.why.contains("ShelfAction.borrowed: this version has no such case"))
      }
      #expect(try LogContent(at: path) == content)
    }
  }

  @Test func `a fold that begins after a session's opening checks the schema that it names`() throws
  {
    let written = ShelfV1.Action.schema
    for (named, expected) in [
      (written.fingerprint(with: SHA256Hasher.self), nil),
      (Digest.zero, StoreError.Code.damaged(sequence: 1)),
    ] {
      let directory = try FileSystem.makeTemporaryDirectory("retrace-appending-")
      defer { try? FileSystem.removeTree(directory) }
      let storage = try LogStorage.open(at: directory + "/store", access: .create)
      defer { storage.close() }
      try storage.append { appender throws(StoreError) in
        let number = try appender.schemaNumber(json: written.text)
        let envelope = Envelope(session: 1, moment: Moment(microseconds: 0), schema: number)
        try appender.append(
          SessionOpened(
            app: "shelf", build: "", actionSchema: named, stateSchema: .zero, reducer: .zero,
            scene: nil, zone: "UTC", zoneDatabase: ""), envelope)
        for title in ["one", "two", "three"] {
          let payload = ShelfV1.Action.placed(title: title, pages: 7).encoded()
          try appender.append(envelope, payload: payload.span)
        }
      }
      let found = try storage.withReadView { (view) throws(StoreError) -> StoreError.Code? in
        let plan = try view.plan(for: ShelfV5.self)
        let stored = Fold<ShelfV5>(state: ShelfV5.initialState, sequence: 2)
        var records = RecordFold(fold: stored, plan: plan)
        do throws(StoreError) {
          try view.fold(into: &records, through: 4)
          #expect(ShelfV5.summary(of: records.fold.state).books.map(\.name) == ["two", "three"])
          return nil
        } catch {
          #expect(records.fold.sequence == 2)
          return error.code
        }
      }
      #expect(found == expected)
    }
  }

  @Test func `a later process loads an older schema only for a record of it`() throws {
    try GoldenLog(name: "shelf-1").withMigratedCopy { path in
      for title in ["first", "second"] {
        let action = ShelfV5.Action.borrowed(BookID(value: 0), by: title)
        try send([action], with: ShelfV5.self, at: path)
      }
      let storage = try LogStorage.open(at: path, access: .read)
      defer { storage.close() }
      try storage.withReadView { (view) throws(StoreError) in
        var eager = RecordFold(plan: try view.plan(for: ShelfV5.self))
        try view.fold(into: &eager, through: view.head.sequence)
        let expected = ShelfV5.summary(of: eager.fold.state)

        // The directory keeps the verdict.
        let kept = storage.snapshots.schemaDigests(of: ShelfV5.self)?.others ?? [:]
        #expect(try view.schemaDigest(1).flatMap { kept[$0] } == eager.plan.schemas[0].reading)

        let plan = try view.plan(for: ShelfV5.self, loadingAll: false)
        #expect(plan.schemas.map(\.reading) == eager.plan.schemas.map(\.reading))
        _ = try view.withRecord(at: 2) { record throws(StoreError) in
          #expect(throws: FoldError.schemaNotLoaded(sequence: 2, schema: 1)) {
            try plan.actions(of: record)
          }
        }
        var lazy = RecordFold(plan: plan)
        try view.fold(into: &lazy, through: view.head.sequence)
        #expect(ShelfV5.summary(of: lazy.fold.state) == expected)

        // A schema that is not the one that was found readable is damage.
        var reading = plan.schemas[0].reading
        reading.fingerprint = .zero
        var other = DecodingPlan<ShelfV5>()
        other.append(notLoaded: reading)
        let schema = try view.parsedSchema(1, of: 1)
        #expect(throws: AvroError.self) {
          try other.load(schema, as: 1, hashing: SHA256Hasher.self)
        }
      }
    }
  }

  private var configuration: StoreConfiguration {
    StoreConfiguration(clock: { Moment(microseconds: 1_800_000_000_000_000) })
  }

  private func send<App: Shelf>(
    _ actions: [App.SceneAction], with app: App.Type, at path: String
  ) throws {
    let store = try Store<App>.openBlocking(at: path, creating: false, configuration: configuration)
    _ = try store.sendBlocking(actions)
    try store.closeBlocking()
  }

  /// The head of a log and the payloads and envelopes of its first records.
  private func content(
    at path: String, through last: UInt64?
  ) throws -> (Head, [[UInt8]]) {
    let storage = try LogStorage.open(at: path, access: .read)
    defer { storage.close() }
    return try storage.withReadView { (view) throws(StoreError) in
      var records: [[UInt8]] = []
      try view.forEachRecord(from: 1, through: last ?? view.head.sequence) {
        (envelope, payload) throws(StoreError) in
        records.append(
          Array("\(envelope)".utf8) + [UInt8](payload))
      }
      return (view.head, records)
    }
  }
}

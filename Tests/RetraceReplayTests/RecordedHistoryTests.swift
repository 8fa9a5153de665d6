import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceRecording
import RetraceSchema
import RetraceScreen
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceFixtures
import RetraceToolCommands
import RetraceToolSupport
import Testing

/// The history of an entity, read without the app's code.
@Suite struct RecordedHistoryTests {
  private typealias Kiosk = Store<KioskApp>
  private let tea = KioskItemID(value: 0)

  private func withLog(_ body: (LogStorage) throws -> Void) throws {
    try CounterLog.withDirectory { path in
      var configuration = StoreConfiguration()
      configuration.origin.login = "anna"
      configuration.origin.host = "desk"
      let clock = Lock(Int64(0))
      configuration.clock = {
        clock.withLock { seconds in
          seconds += 1
          return Moment(microseconds: seconds * 1_000_000)
        }
      }
      let store = try Kiosk.openBlocking(at: path, configuration: configuration)
      try store.performBlocking(.add(name: "tea"))
      try store.performBlocking(.add(name: "jam"))
      try store.performBlocking(
        .together([.restock(tea, count: 9), .rename(tea, to: "mate")]))
      try store.performBlocking(.move(from: tea, to: KioskItemID(value: 1), count: 9))
      try store.undoBlocking()
      try store.performBlocking(.sell(tea, count: 9))
      try store.performBlocking(.remove(tea))
      try store.closeBlocking()
      try CounterLog.reading(path, body)
    }
  }

  private func history(
    _ entity: String, asOf end: String? = nil, in storage: LogStorage
  ) throws -> RecordedHistory {
    try RecordedHistory(
      of: MentionedID(entity, in: storage), asOf: HistoryEnd(end), in: storage)
  }

  /// Returns lines without the moments in them.
  private func undated(_ lines: [String]) -> [String] {
    lines.map { line in
      line.split(separator: " ", omittingEmptySubsequences: false)
        .filter { !$0.hasPrefix("1970-") && !$0.hasPrefix("1969-") }.joined(separator: " ")
    }
  }

  @Test func `each record tells what changed, from what to what, and who asked for it`() throws {
    try withLog { storage in
      let lines = undated(try history("KioskItemID=0", in: storage).lines)
      #expect(
        lines == [
          #"#3 anna@desk add(name: "tea", price: 1)"#,
          #"    inserted name: "tea", stock: 0, price: 1, announcement: 0"#,
          #"#7 anna@desk together([{"restock":{"_0":0,"count":9}},"#
            + #"{"rename":{"_0":0,"to":"mate"}}])"#,
          "    stock: 0 -> 9",
          #"#8 anna@desk together([{"restock":{"_0":0,"count":9}},"#
            + #"{"rename":{"_0":0,"to":"mate"}}])"#,
          #"    name: "tea" -> "mate""#,
        ] + lines.dropFirst(6))
      let changes = lines.filter { $0.hasPrefix("    ") }
      #expect(
        changes == [
          #"    inserted name: "tea", stock: 0, price: 1, announcement: 0"#, "    stock: 0 -> 9",
          #"    name: "tea" -> "mate""#, "    stock: 9 -> 0", "    stock: 0 -> 9",
          "    stock: 9 -> 0", #"    removed name: "mate", stock: 0, price: 1, announcement: 0"#,
        ])
    }
  }

  @Test func `blame names the record that set each field, at any record and moment`() throws {
    try withLog { storage in
      let now = try history("KioskItem=0", in: storage)
      #expect(now.fields.removal != nil && now.blameLines.count == 5)
      #expect(now.blameLines.last?.hasPrefix("removed by #") == true)
      let early = try history("KioskItemID=0", asOf: "7", in: storage)
      #expect(early.fields.values.map(\.name) == ["name", "stock", "price", "announcement"])
      #expect(early.fields.values.map { $0.value.text() } == [#""tea""#, "9", "1", "0"])
      #expect(early.fields.values.map(\.entry) == [0, 1, 0, 0] && early.fields.removal == nil)
      #expect(
        undated(early.blameLines).first
          == #"name          "tea"  #3 anna@desk add(name: "tea", price: 1)"#)
      // The command is described once.
      #expect(
        undated(early.blameLines).suffix(2)
          == ["price         1      #3", "announcement  0      #3"])
      // The moment at which the other item was added.
      let jamHistory = try history("KioskItemID=1", in: storage)
      let opened = try #require(jamHistory.lines.first?.split(separator: " ").dropFirst().first)
      let moment = try history("KioskItemID=0", asOf: String(opened), in: storage)
      #expect(moment.fields.values.map { $0.value.text() } == [#""tea""#, "0", "1", "0"])
      #expect(jamHistory.fields.values.map { $0.value.text() } == [#""jam""#, "0", "1", "0"])
    }
  }

  @Test func `a refused command, and an undo that leaves the entity as it is, are in its history`()
    throws
  {
    try CounterLog.withDirectory { path in
      var configuration = StoreConfiguration()
      configuration.origin.login = "anna"
      let store = try Store<UnguardedKiosk>.openBlocking(at: path, configuration: configuration)
      try store.performBlocking(.add(name: "tea"))
      _ = try? store.performBlocking(.sell(tea, count: 3), from: .scene)
      try store.performBlocking(.restock(tea, count: 1))
      try store.sendBlocking([.stockChanged(tea, from: 1, to: 2)])
      try store.undoBlocking()
      try store.closeBlocking()
      try CounterLog.reading(path) { storage in
        let entries = try history("KioskItemID=0", in: storage).lines.filter { $0.hasPrefix("#") }
        #expect(entries.count == 5)
        #expect(entries[1].contains("outOfStock"))
        #expect(entries[4].contains("undo of #"))
      }
    }
  }

  /// Writes a log of facts, each with its schema, in one session; `cause` is the cause of all
  /// facts.
  private func withFacts(
    _ facts: [(schema: Schema, payload: [UInt8])], cause: UInt64? = nil,
    _ body: (LogStorage) throws -> Void
  ) throws {
    try CounterLog.withDirectory { path in
      let storage = try LogStorage.open(at: path, access: .create)
      try storage.append { appender throws(StoreError) in
        for (index, fact) in facts.enumerated() {
          var envelope = Envelope(
            session: 1, moment: Moment(microseconds: 0),
            schema: try appender.schemaNumber(json: fact.schema.text))
          if index == 0 {
            let opened = SessionOpened(
              app: "old", build: "1",
              actionSchema: fact.schema.fingerprint(with: SHA256Hasher.self), stateSchema: .zero,
              reducer: .zero, scene: nil, zone: "", zoneDatabase: "")
            try appender.append(opened, envelope)
          }
          envelope.cause = cause
          try appender.append(envelope, payload: fact.payload.span)
        }
      }
      storage.close()
      try CounterLog.reading(path, body)
    }
  }

  /// The names in a schema; each is what it is called now, and what it was called.
  private struct Names {
    var id = (now: "KioskItemID", before: [] as [String])
    var entity = (now: "KioskItem", before: [] as [String])
    var field = (now: "stock", before: [] as [String])
  }

  /// Returns the schema of facts about items: an opening, a change and a removal.
  private func schema(_ names: Names) -> Schema {
    let id = Schema.record(
      name: names.id.now, aliases: names.id.before, fields: [Schema.Field("value", .long)])
    let entity = Schema.record(
      name: names.entity.now, aliases: names.entity.before,
      fields: [
        Schema.Field("name", .string),
        Schema.Field(names.field.now, .long, aliases: names.field.before),
      ])
    let change = Schema.record(
      name: "Change__long", fields: [Schema.Field("before", .long), Schema.Field("after", .long)])
    func whole(_ kind: String, _ entity: Schema) -> Schema {
      .record(name: "\(kind)__\(names.entity.now)", fields: [Schema.Field("entity", entity)])
    }
    let cases: [Schema] = [
      .record(
        name: "Fact_opened",
        fields: [Schema.Field("_0", id), Schema.Field("_1", whole("Insertion", entity))]),
      .record(
        name: "Fact_changed",
        fields: [
          Schema.Field("_0", .reference(names.id.now)),
          Schema.Field(names.field.now, change, aliases: names.field.before),
        ]),
      .record(
        name: "Fact_closed",
        fields: [
          Schema.Field("_0", .reference(names.id.now)),
          Schema.Field("_1", whole("Removal", .reference(names.entity.now))),
        ]),
    ]
    return .record(name: "Fact", fields: [Schema.Field("case", .union(cases))])
  }

  private func opened(_ name: String, _ stock: Int64) -> [UInt8] {
    Int64(0).encoded() + Int64(0).encoded() + name.encoded() + stock.encoded()
  }

  private func changed(_ before: Int64, _ after: Int64) -> [UInt8] {
    Int64(1).encoded() + Int64(0).encoded() + before.encoded() + after.encoded()
  }

  private func closed(_ name: String, _ stock: Int64) -> [UInt8] {
    Int64(2).encoded() + Int64(0).encoded() + name.encoded() + stock.encoded()
  }

  @Test func `what happened under former names of types and fields is in the history`() throws {
    let old = schema(Names())
    let renamed = schema(
      Names(
        id: ("PurseID", ["KioskItemID"]), entity: ("Purse", ["KioskItem"]),
        field: ("amount", ["stock"])))
    let newest = schema(
      Names(
        id: ("WalletID", ["PurseID"]), entity: ("Wallet", ["Purse"]), field: ("sum", ["amount"])))
    let facts = [
      (old, opened("tea", 0)), (old, changed(0, 9)), (renamed, changed(9, 12)),
      (newest, changed(12, 13)),
    ]
    try withFacts(facts) { storage in
      for name in ["KioskItemID=0", "PurseID=0", "Wallet=0", "WalletID=0"] {
        let history = try history(name, in: storage)
        #expect(
          history.lines.filter { $0.hasPrefix("    ") } == [
            #"    inserted name: "tea", sum: 0"#, "    sum: 0 -> 9", "    sum: 9 -> 12",
            "    sum: 12 -> 13",
          ])
        let fields = history.fields.values
        #expect(fields.map(\.name) == ["name", "sum"] && fields.map(\.entry) == [0, 3])
      }
      let id = try MentionedID("WalletID=0", in: storage)
      var found: [UInt64] = []
      try RecordDescription.forEach(in: storage, from: 1, through: 5) { record in
        if record.mentions(id) { found.append(record.envelope.sequence) }
        return true
      }
      #expect(found == [2, 3, 4, 5])
    }
  }

  @Test func `a name that another declaration took over is not a former name`() {
    func record(_ name: String, _ aliases: [String], _ fields: [Schema.Field]) -> Schema {
      .record(name: name, aliases: aliases, fields: fields)
    }
    func schema(_ records: Schema...) -> Schema {
      record("All", [], records.enumerated().map { Schema.Field("f\($0)", $1) })
    }
    let (x, y) = (Schema.Field("x", .long), Schema.Field("y", .long))
    // A becomes B, and a new A comes; x becomes y, and then a new x comes.
    let names = FormerNames([
      schema(record("A", [], [x])),
      schema(record("B", ["A"], [Schema.Field("y", .long, aliases: ["x"])])),
      schema(
        record("A", [], [x]), record("B", ["A"], [Schema.Field("y", .long, aliases: ["x"]), x])),
    ])
    #expect(names.names(ofRecord: "A") == ["A"] && names.names(ofRecord: "B") == ["B"])
    #expect(names.field("x", of: "B") == "x" && names.field("y", of: "B") == "y")
    // Names that point at each other do not go round for ever.
    let circle = FormerNames([
      schema(record("A", ["B"], [Schema.Field("x", .long, aliases: ["y", "x"])])),
      schema(record("B", ["A"], [Schema.Field("y", .long, aliases: ["x"])])),
      schema(
        record("A", ["B", "A"], [Schema.Field("x", .long, aliases: ["y"])]),
        record("C", [], [y])),
    ])
    #expect(circle.names(ofRecord: "B") == ["A", "B"] && circle.field("y", of: "B") == "x")
    #expect(circle.field("y", of: "C") == "y" && circle.field("z", of: "D") == "z")
  }

  @Test func `a change in a dictionary is named with its key`() throws {
    let id = Schema.record(name: "KioskItemID", fields: [Schema.Field("value", .long)])
    let change = Schema.record(
      name: "Change__long", fields: [Schema.Field("before", .long), Schema.Field("after", .long)])
    func row(_ name: String, _ key: Schema) -> Schema {
      .record(
        name: name,
        fields: [Schema.Field("key", key), Schema.Field("value", .reference("Change__long"))])
    }
    let part = Schema.record(
      name: "Part", fields: [Schema.Field("size", .reference("Change__long"))])
    let fact = Schema.record(
      name: "Fact",
      fields: [
        Schema.Field("id", id), Schema.Field("prices", .map(change)),
        Schema.Field("limits", .array(row("Limit", .long))),
        Schema.Field("parts", .map(part)),
        Schema.Field("others", .array(row("Other", .reference("KioskItemID")))),
      ])
    func block(_ items: [UInt8]...) -> [UInt8] {
      Int64(items.count).encoded() + items.flatMap { $0 } + [0]
    }
    func values(_ before: Int64, _ after: Int64) -> [UInt8] { before.encoded() + after.encoded() }
    let payload =
      Int64(0).encoded() + block("tea".encoded() + values(1, 2), "a\"b".encoded() + values(3, 4))
      + block(Int64(-7).encoded() + values(5, 6)) + block("x".encoded() + values(7, 8))
      + block(Int64(1).encoded() + values(9, 10))
    try withFacts([(fact, payload), (fact, payload)]) { storage in
      let mine = try history("KioskItemID=0", in: storage)
      let names = [#"prices["tea"]"#, #"prices["a\"b"]"#, "limits[-7]", #"parts["x"].size"#]
      #expect(mine.fields.values.map(\.name) == names)
      #expect(mine.fields.values.map { $0.value.text() } == ["2", "4", "6", "8"])
      #expect(mine.fields.values.allSatisfy { $0.entry == 1 })
      #expect(mine.lines[1] == #"    prices["tea"]: 1 -> 2"#)
      let other = try history("KioskItemID=1", in: storage)
      #expect(other.fields.values.map(\.name) == ["others"])
    }
  }

  @Test func `a field whose later changes no fact tells is marked`() throws {
    let id = Schema.record(name: "KioskItemID", fields: [Schema.Field("value", .long)])
    let entity = Schema.record(
      name: "KioskItem",
      fields: [Schema.Field("stock", .long), Schema.Field("modified", .long)])
    let change = Schema.record(
      name: "Change__long", fields: [Schema.Field("before", .long), Schema.Field("after", .long)])
    let changes = Schema.record(
      name: "KioskItemChanges", fields: [Schema.Field("stock", .union([.null, change]))])
    let insertion = Schema.record(
      name: "Insertion__KioskItem", fields: [Schema.Field("entity", entity)])
    let cases: [Schema] = [
      .record(
        name: "Fact_inserted", fields: [Schema.Field("_0", id), Schema.Field("_1", insertion)]),
      .record(
        name: "Fact_changed",
        fields: [Schema.Field("_0", .reference("KioskItemID")), Schema.Field("_1", changes)]),
    ]
    let fact = Schema.record(name: "Fact", fields: [Schema.Field("case", .union(cases))])
    func encoded(_ numbers: Int64...) -> [UInt8] { numbers.flatMap { $0.encoded() } }
    let facts = [(fact, encoded(0, 0, 3, 77)), (fact, encoded(1, 0, 1, 3, 9))]
    try withFacts(facts) { storage in
      let before = try history("KioskItemID=0", asOf: "2", in: storage)
      #expect(before.fields.values.map(\.mayHaveChanged) == [false, false])
      #expect(!before.blameLines.joined().contains("no fact tells"))
      let after = try history("KioskItemID=0", in: storage)
      #expect(after.fields.values.map(\.name) == ["stock", "modified"])
      #expect(after.fields.values.map { $0.value.text() } == ["9", "77"])
      #expect(after.fields.values.map(\.mayHaveChanged) == [false, true])
      #expect(after.fields.values.map(\.entry) == [1, 0])
      let marks = after.blameLines.map { $0.hasSuffix("  (then; no fact tells its later changes)") }
      #expect(marks == [false, true], "\(after.blameLines)")
      #expect(after.blameJSON["fields"]?["modified"]?["mayHaveChanged"] == .bool(true))
      #expect(after.blameJSON["fields"]?["stock"]?["mayHaveChanged"] == .bool(false))
    }
  }

  @Test func `the fields of a removed entity are those at its removal`() throws {
    let schema = schema(Names())
    try withFacts([(schema, changed(3, 9)), (schema, closed("tea", 9))]) { storage in
      let history = try history("KioskItemID=0", in: storage)
      let fields = history.fields
      #expect(fields.removal == 1 && fields.values.map(\.name) == ["stock", "name"])
      #expect(fields.values.map(\.entry) == [0, nil])
      #expect(history.blameLines.count == 3 && history.blameLines[1].contains("no fact tells"))
      #expect(history.blameJSON["fields"]?["name"]?["setBy"] == .null)
      #expect(history.blameJSON["fields"]?["name"]?["value"] == "tea")
    }
    // A fact without edits changed the stock.
    try withFacts([(schema, opened("tea", 3)), (schema, closed("tea", 8))]) { storage in
      let fields = try history("KioskItemID=0", in: storage).fields.values
      #expect(fields.map { $0.value.text() } == [#""tea""#, "8"])
      #expect(fields.map(\.entry) == [0, nil])
    }
  }

  @Test func `long values leave room for what follows them on the line`() throws {
    let long = String(repeating: "a", count: 5_000)
    let longer = String(repeating: "b\n", count: 9_000)
    try CounterLog.withDirectory { path in
      var configuration = StoreConfiguration()
      configuration.origin.login = long
      let store = try Kiosk.openBlocking(at: path, configuration: configuration)
      try store.performBlocking(.add(name: long))
      try store.performBlocking(.rename(tea, to: longer))
      try store.closeBlocking()
      try CounterLog.reading(path) { storage in
        let history = try history("KioskItemID=0", in: storage)
        let lines = history.lines.map { SafeText.line($0) }
        #expect(lines.count == 4 && lines[0].contains("add(name:"))
        #expect(
          lines[1].hasPrefix("    inserted name: \"aaa") && lines[1].hasSuffix("announcement: 0"))
        #expect(lines[3].contains("aaa… -> \"b"))
        let blame = history.blameLines.map { SafeText.line($0) }
        #expect(blame[0].contains("  #5 ") && blame[0].contains("rename("))
        #expect(blame[1].contains("  #3 "))
        // JSON is whole.
        #expect(history.blameJSON["fields"]?["name"]?["value"] == .string(longer))
        #expect(history.json[0]["edits"]?.text().contains(long) == true)
      }
    }
  }

  @Test func `the line of a long action tells which effect sent it`() throws {
    let facts = [(schema(Names()), opened(String(repeating: "\u{1b}", count: 5_000), 0))]
    try withFacts(facts, cause: 1) { storage in
      try RecordDescription.forEach(in: storage, from: 2, through: 2) { record in
        #expect(SafeText.line(record.line).hasSuffix("…  (sent by the effect of 1)"))
        #expect(record.line.contains(#"opened(0, {"entity":{"name":"\u"#))
        return true
      }
    }
  }

  @Test func `an end that is neither a record nor an instant is refused`() {
    for text in ["", "0", "-1", "someday"] {
      #expect(throws: ToolFailure.self) { try HistoryEnd(text) }
    }
  }

  @Test func `a counter's facts tell nothing, so its records are only listed`() throws {
    try CounterLog.withDirectory { path in
      let store = try Store<CounterApp>.openBlocking(at: path, configuration: StoreConfiguration())
      try store.sendBlocking([.added(name: "a"), .counted(CounterID(value: 0), by: 2)])
      try store.closeBlocking()
      try CounterLog.reading(path) { storage in
        let history = try history("CounterID=0", in: storage)
        #expect(history.entries.count == 1 && history.fields.values.isEmpty)
        #expect(history.lines.count == 1 && history.lines[0].hasSuffix("counted(0, by: 2)"))
      }
    }
  }
}

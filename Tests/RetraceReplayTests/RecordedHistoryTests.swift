import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceTestSupport
import RetraceToolSupport
import Testing

/// The history of an entity, read without the app's code.
@Suite struct RecordedHistoryTests {
  private typealias Ledger = Store<LedgerApp>
  private let cash = AccountID(value: 0)

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
      let store = try Ledger.openBlocking(at: path, configuration: configuration)
      try store.performBlocking(.open(name: "cash"))
      try store.performBlocking(.open(name: "bank"))
      try store.performBlocking(
        .together([.deposit(cash, amount: 9), .rename(cash, to: "till")]))
      try store.performBlocking(.transfer(from: cash, to: AccountID(value: 1), amount: 9))
      try store.undoBlocking()
      try store.performBlocking(.withdraw(cash, amount: 9))
      try store.performBlocking(.close(cash))
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
        .filter { !$0.hasPrefix("1970-") }.joined(separator: " ")
    }
  }

  @Test func `each record tells what changed, from what to what, and who asked for it`() throws {
    try withLog { storage in
      let lines = undated(try history("AccountID=0", in: storage).lines)
      #expect(
        lines == [
          #"#3 anna@desk open(name: "cash")"#,
          #"    inserted name: "cash", balance: 0"#,
          #"#7 anna@desk together([{"deposit":{"_0":0,"amount":9}},"#
            + #"{"rename":{"_0":0,"to":"till"}}])"#,
          "    balance: 0 -> 9",
          #"#8 anna@desk together([{"deposit":{"_0":0,"amount":9}},"#
            + #"{"rename":{"_0":0,"to":"till"}}])"#,
          #"    name: "cash" -> "till""#,
        ] + lines.dropFirst(6))
      let changes = lines.filter { $0.hasPrefix("    ") }
      #expect(
        changes == [
          #"    inserted name: "cash", balance: 0"#, "    balance: 0 -> 9",
          #"    name: "cash" -> "till""#, "    balance: 9 -> 0", "    balance: 0 -> 9",
          "    balance: 9 -> 0", #"    removed name: "till", balance: 0"#,
        ])
    }
  }

  @Test func `blame names the record that set each field, at any record and moment`() throws {
    try withLog { storage in
      let now = try history("Account=0", in: storage)
      #expect(now.fields.removal != nil && now.blameLines.count == 3)
      #expect(now.blameLines.last?.hasPrefix("removed by #") == true)
      let early = try history("AccountID=0", asOf: "7", in: storage)
      #expect(early.fields.values.map(\.name) == ["name", "balance"])
      #expect(early.fields.values.map { $0.value.text() } == [#""cash""#, "9"])
      #expect(early.fields.values.map(\.entry) == [0, 1] && early.fields.removal == nil)
      #expect(
        undated(early.blameLines).first
          == #"name     "cash"  #3 anna@desk open(name: "cash")"#)
      // The moment at which the other account was opened.
      let bankHistory = try history("AccountID=1", in: storage)
      let opened = try #require(bankHistory.lines.first?.split(separator: " ").dropFirst().first)
      let moment = try history("AccountID=0", asOf: String(opened), in: storage)
      #expect(moment.fields.values.map { $0.value.text() } == [#""cash""#, "0"])
      #expect(bankHistory.fields.values.map { $0.value.text() } == [#""bank""#, "0"])
    }
  }

  @Test func `a refused command, and an undo that leaves the entity as it is, are in its history`()
    throws
  {
    try CounterLog.withDirectory { path in
      var configuration = StoreConfiguration()
      configuration.origin.login = "anna"
      let store = try Store<UnguardedLedger>.openBlocking(at: path, configuration: configuration)
      try store.performBlocking(.open(name: "cash"))
      _ = try? store.performBlocking(.withdraw(cash, amount: 3), from: .scene)
      try store.performBlocking(.deposit(cash, amount: 1))
      try store.sendBlocking([.balanceChanged(cash, from: 1, to: 2)])
      try store.undoBlocking()
      try store.closeBlocking()
      try CounterLog.reading(path) { storage in
        let entries = try history("AccountID=0", in: storage).lines.filter { $0.hasPrefix("#") }
        #expect(entries.count == 5)
        #expect(entries[1].contains("insufficientFunds"))
        #expect(entries[4].contains("restore"))
      }
    }
  }

  @Test func `an end that is neither a record nor an instant is refused`() {
    for text in ["", "0", "-1", "yesterday"] {
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

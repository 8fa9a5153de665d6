import Foundation
import RetraceLog
import RetraceRecording
import RetraceState
import RetraceFixtures
import Testing
import ToolTestSupport

/// The history of an entity, as `audit` prints it for a log of an app that it does not know.
@Suite struct AuditHistoryTests {
  private func store(_ folder: String) throws -> String {
    let path = "\(folder)/s"
    var configuration = StoreConfiguration()
    configuration.origin.login = "anna"
    let store = try Store<KioskApp>.openBlocking(at: path, configuration: configuration)
    try store.performBlocking(.add(name: "tea"), from: .commandLine)
    try store.performBlocking(.add(name: "\u{1b}[31mred"), from: .commandLine)
    try store.performBlocking(.restock(KioskItemID(value: 0), count: 9), from: .commandLine)
    try store.closeBlocking()
    return path
  }

  @Test func `history and blame read any log whose facts hold the values before and after`() throws
  {
    try withTemporaryDirectory { folder in
      let store = try store(folder)
      let text = try expectFine(["audit", "history", "KioskItemID=0", "--store", store])
      #expect(text.contains("    inserted name: \"tea\", stock: 0, price: 1"))
      #expect(text.contains("    stock: 0 -> 9") && text.contains("anna@"))
      let lines = try objects(
        expectFine(["audit", "history", "KioskItem=0", "--json", "--store", store]))
      try #require(lines.count == 2)
      #expect(try lines.element(1)["command"] as? String == "restock(0, count: 9)")
      let blame = try object(
        expectFine(["audit", "blame", "KioskItemID=0", "--json", "--store", store]))
      let fields = try #require(blame["fields"] as? [String: [String: Any]])
      #expect(fields["stock"]?["value"] as? Int == 9)
      let set = try #require(fields["name"]?["setBy"] as? [String: Any])
      #expect(try set["sequence"] as? Int == lines.element(0)["sequence"] as? Int)
      let early = try expectFine(
        ["audit", "blame", "KioskItemID=0", "--as-of", "3", "--store", store])
      #expect(early.contains("stock         0 "))
      // Text from the log does not reach the terminal as it is.
      let red = try expectFine(["audit", "history", "KioskItemID=1", "--store", store])
      #expect(red.contains("[31mred") && !red.contains("\u{1b}"))
    }
  }

  /// The commands, by the first words of the lines of a history that say what a screen did.
  private func commands(_ entity: String, _ store: String) throws -> [String] {
    try objects(expectFine(["audit", "history", entity, "--json", "--store", store]))
      .compactMap { $0["command"] as? String }
      .map { String($0.prefix { $0 != "(" }) }
  }

  @Test func `the history of an entity has each change on a screen that touched it`()
    throws
  {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      let app = try PipedApp(store)
      for line in [
        // A user, an entry with a new project and a new tag.
        "text:anna", "enter", "text:n", "text:plan", "tab", "text:thesis", "tab", "text:deep",
        "enter", "enter",
        // Another project and one more tag.
        "text:e", "text: B", "tab", "ctrl-u", "text:paper", "tab", "end", "text:, fast", "enter",
        "enter",
        "text:s", "down", "text:d", "text:z",
      ] { try app.press(line) }
      #expect(try app.screen().contains { $0.contains("plan B @paper #deep #fast") })
      app.end()
      #expect(try commands("UserID=0", store).first == "user.create")
      let entry = try commands("TimeEntryID=0", store)
      #expect(entry.dropLast() == ["entry.start", "entry.correct", "entry.stop", "entry.delete"])
      #expect(entry.last?.hasPrefix("undo of #") == true)
      #expect(try commands("ProjectID=0", store).contains("entry.start"))
      #expect(try commands("ProjectID=1", store).contains("entry.correct"))
      #expect(try commands("TagID=0", store).contains("entry.start"))
      #expect(try commands("TagID=1", store).contains("entry.correct"))
      let history = try expectFine(["audit", "history", "TimeEntryID=0", "--store", store])
      #expect(history.contains("    description: \"plan\" -> \"plan B\""))
      #expect(history.contains("project: 0 -> 1") && history.contains("tags: [0] -> [0,1]"))
      #expect(history.contains("end: null -> ") && history.contains("deleted: null -> "))
    }
  }

  @Test func `a log tells who changed a deleted entry when, and which routes were open [L12]`()
    throws
  {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      let app = try PipedApp(store)
      for line in [
        "text:anna", "enter", "text:n", "text:plan", "enter", "text:s", "down", "text:e",
        "escape", "text:d",
      ] { try app.press(line) }
      app.end()
      let user = ProcessInfo.processInfo.userName
      let history = try expectFine(["audit", "history", "TimeEntryID=0", "--store", store])
      // The scene names the entry, too.
      let heads = history.lines.filter { $0.hasPrefix("#") && !$0.contains(" scenes.scene(") }
      let commands = ["entry.start(", "entry.stop(", "entry.delete("]
      #expect(heads.count == commands.count, "\(heads)")
      for (head, command) in zip(heads, commands) {
        #expect(head.contains("2026-03-02T09:00:00Z") && head.contains(" \(user)@"), "\(head)")
        #expect(head.contains(" \(command)"), "\(head)")
      }
      func deleted(_ asOf: String...) throws -> String {
        let blame = try expectFine(["audit", "blame", "TimeEntryID=0", "--store", store] + asOf)
        return try #require(blame.lines.first { $0.hasPrefix("deleted ") })
      }
      let last = try #require(heads.last?.dropFirst().prefix { $0.isNumber })
      let before = try deleted("--as-of", "\((Int(last) ?? 0) - 2)")
      let after = try deleted()
      #expect(before.contains(" null ") && !before.contains("entry.delete("), "\(before)")
      #expect(after.contains(" entry.delete(") && after.contains(" \(user)@"), "\(after)")
      // The timeline of the routes, each with its parameters.
      let routes = ["userOpened", "pushed", "popped", "pushed", "popped"]
      let filter = Set(routes).map { "action:scenes.scene.\($0)" }.joined(separator: " or ")
      let list = try expectFine(["audit", "list", "--filter", filter, "--store", store]).lines
      #expect(list.count == routes.count, "\(list)")
      for (line, route) in zip(list, routes) {
        #expect(line.contains(" scenes.scene(0).\(route)"), "\(line)")
        #expect(line.contains("2026-03-02T09:00:00Z"), "\(line)")
      }
    }
  }

  @Test func `blame shows the fields of a removed entity, and who removed it`() throws {
    try withTemporaryDirectory { folder in
      let path = "\(folder)/s"
      let store = try Store<UnguardedKiosk>.openBlocking(
        at: path, configuration: StoreConfiguration())
      try store.sendBlocking([.removed(KioskItemID(value: 7), name: "old")])
      try store.closeBlocking()
      let text = try expectFine(["audit", "blame", "KioskItemID=7", "--store", path])
      #expect(text.contains("name          \"old\"") && text.contains("removed by #2"))
      let blame = try object(
        expectFine(["audit", "blame", "KioskItem=7", "--json", "--store", path]))
      #expect(blame["isRemoved"] as? Bool == true)
    }
  }

  @Test func `an undo and a redo are shown by what they take back`() throws {
    try withTemporaryDirectory { folder in
      let path = "\(folder)/s"
      var configuration = StoreConfiguration()
      configuration.origin.login = "anna"
      let store = try Store<KioskApp>.openBlocking(at: path, configuration: configuration)
      try store.performBlocking(.add(name: "tea"), from: .commandLine)
      try store.performBlocking(
        .rename(KioskItemID(value: 0), to: String(repeating: "long", count: 300)))
      try store.undoBlocking()
      try store.redoBlocking()
      try store.undoBlocking()
      try store.closeBlocking()
      let commands = try objects(
        expectFine(["audit", "list", "--kind", "command", "--json", "--store", path])
      ).compactMap { $0["sequence"] as? Int }
      let (rename, undo) = try (commands.element(1), commands.element(2))
      let list = try expectFine(["audit", "list", "--store", path])
      #expect(list.contains(" command undo of #\(rename)  (from undo)\n"))
      #expect(list.contains(" command redo of undo #\(undo)  (from undo)\n"))
      #expect(list.contains(" fact.restored(undo of #\(rename))\n"))
      #expect(list.contains(" command add(name: \"tea\", price: 1)  (from commandLine)\n"))
      #expect(!list.contains("expectedCount"))
      let history = try expectFine(["audit", "history", "KioskItemID=0", "--store", path])
      let heads = history.lines.filter { $0.hasPrefix("#") }
      #expect(heads.count == 5 && heads[2].hasSuffix(" undo of #\(rename)"))
      #expect(try heads.element(3).hasSuffix(" redo of undo #\(undo)"))
      // A long command is cut, so that the line can be read.
      #expect(heads[1].contains("rename(0, to: \"longlong") && heads[1].utf8.count < 320)
      let blame = try expectFine(["audit", "blame", "KioskItemID=0", "--store", path])
      #expect(blame.lines.first { $0.hasPrefix("name ") }?.contains(" undo of #") == true)
      // The JSON has the whole payload.
      let json = try expectFine(
        ["audit", "list", "--kind", "command", "--last", "1", "--json", "--store", path])
      #expect(json.contains("expectedCount"))
    }
  }

  @Test func `an entity that is unknown, or whose fields no fact tells, is a clear error`() throws {
    try withTemporaryDirectory { folder in
      let store = try store(folder)
      for (arguments, code, word) in [
        (["history", "KioskItemID=9"], 7, "No record mentions KioskItemID=9."),
        (["blame", "KioskItemID=9"], 7, "The entity was not found."),
        (["blame", "KioskItemID=1", "--as-of", "3"], 7, "mentions KioskItemID=1 up to 3."),
        (["history", "Tree=1"], 64, "has the id type Tree"),
        (["history", "KioskItemID"], 64, "takes TYPE=ID, such as KioskItemID=0."),
        (["list", "--mentions", "7"], 64, "takes TYPE=ID, such as KioskItemID=0."),
        (["blame", "KioskItemID=0", "--as-of", "someday"], 64, "--as-of: `someday` is not a time"),
        (["schemas", "--number", "9"], 7, "There is no schema 9"),
        (["export", "--output", "\(folder)/x", "--through", "99"], 7, "There is no record 99"),
      ] {
        try expectFailure(
          ["audit"] + arguments + ["--store", store], exit: Int32(code), mentions: [word])
      }
      let path = "\(folder)/c"
      let counters = try Store<CounterApp>.openBlocking(
        at: path, configuration: StoreConfiguration())
      try counters.sendBlocking([.added(name: "a"), .counted(CounterID(value: 0), by: 1)])
      try counters.closeBlocking()
      try expectFailure(
        ["audit", "blame", "CounterID=0", "--store", path], exit: 7,
        mentions: ["No fact tells", "audit history CounterID=0"])
      let mentioned = try expectFine(["audit", "history", "CounterID=0", "--store", path])
      #expect(mentioned.contains("counted"))
    }
  }
}

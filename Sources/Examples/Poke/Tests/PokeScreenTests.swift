import ExampleTestSupport
import PokeDomain
import PokeInjection
import PokeServices
import Retrace
import RetraceTerminal
import Testing

@testable import Poke
@testable import PokeModels

/// A window on a store in memory, whose keys are pressed as the app does it.
struct TestWindow {
  let program: TerminalProgram<PokeApp>
  let server: Replaceable<CreatureService>

  init(
    size: Screen.Size = Screen.Size(columns: 60, rows: 9), server: CreatureService = .failing("no")
  ) async throws {
    let server = Replaceable(server)
    self.server = server
    let current = CreatureService {
      try await server.current.page($0)
    } details: {
      try await server.current.details($0)
    }
    let store = try Store<PokeApp>.inMemory(
      environment: PokeEnvironment(bundle: .bundled(), server: current))
    var program = try TerminalProgram(store) { [.windowOpened($0), .list(.appeared)] }
    program.size = size
    self.program = program
    try await program.store.settled()
  }

  /// Presses keys by their names; each waits for its effects.
  func press(_ names: String...) async throws {
    for name in names {
      try program.press(try #require(Key(name: name)))
      try await program.store.settled()
    }
  }

  /// The lines that are shown.
  var allLines: [String] {
    get throws {
      let screen = try #require(try program.frame()).screen
      return PlainRenderer(size: program.size).lines(of: screen)
    }
  }

  /// The lines that are shown, without the last, which has the keys.
  var lines: [String] { get throws { Array(try allLines.dropLast()) } }
}

@Suite struct PokeScreenTests {
  @Test func `a new user reads the welcome, and then the list [X2]`() async throws {
    let window = try await TestWindow(size: Screen.Size(columns: 60, rows: 11))
    #expect(try window.lines.first == "Welcome to Poke")
    try await window.press("enter")
    #expect(
      try window.lines == [
        "Creatures of the app", "›   #001 Aldrim", "    #002 Bexil", "    #003 Corvant",
        "    #004 Dunlo", "    #005 Emberquill", "    #006 Fennoth", "    #007 Glimmox",
        "    #008 Harrowick", "8 creatures, 1 page",
      ])
  }

  @Test func `the next page is loaded below the last row [X2]`() async throws {
    let window = try await TestWindow()
    try await window.press("enter", "end", "down")
    #expect(try window.lines.last == "16 creatures, 2 pages")
    try await window.press("end", "down", "end", "down")
    #expect(try window.lines.last == "20 creatures, all")
    #expect(try window.lines[6].hasPrefix("›   #020 Thornow"))
  }

  @Test func `a creature is opened, marked, listed and unmarked [X2, W1]`() async throws {
    let window = try await TestWindow(size: Screen.Size(columns: 60, rows: 12))
    try await window.press("enter", "down", "enter")
    let details = [
      "types       fire, wind", "abilities   camouflage, night sight", "height      2.4 m",
      "weight      77.0 kg", "health      23", "attack      31", "defense     47",
      "speed       49",
    ]
    #expect(try window.lines.filter { !$0.isEmpty } == ["#002 Bexil"] + details)
    try await window.press("text:f")
    #expect(try window.lines.filter { !$0.isEmpty } == ["#002 Bexil", "★ favourite"] + details)
    try await window.press("escape", "up", "text:f", "tab")
    #expect(
      try window.lines.filter { !$0.isEmpty }
        == ["Favourites", "› ★ #001 Aldrim", "  ★ #002 Bexil", "2 favourites"])
    try await window.press("text:f", "text:f", "text:f")
    #expect(
      try window.lines.filter { !$0.isEmpty } == [
        "Favourites", "  No favourites yet: press f on a creature of the list.", "0 favourites",
      ])
  }

  @Test func `what does not come is told, and asked for again [X2]`() async throws {
    let window = try await TestWindow(server: .failing("The server is away."))
    try await window.press("enter", "text:s", "text:r")
    #expect(try window.lines.last == "Page 2 did not come: The server is away.")
    #expect(try window.lines.first == "Creatures of the server")
    try await window.press("enter")
    #expect(try window.lines[1] == "The details did not come: The server is away.")
    let server = try PageServer(serving: CreatureService.bundledFolder)
    try await window.server.withReplacement(.server(at: server.address)) {
      try await window.press("text:r")
      #expect(try window.lines[1].hasPrefix("types "))
      try await window.press("escape", "text:r")
      #expect(try window.lines.last == "16 creatures, 2 pages")
    }
    // After the scope the first service is back.
    try await window.press("text:r")
    #expect(try window.lines.last == "Page 3 did not come: The server is away.")
    try await window.press("text:s")
    #expect(try window.lines.last == "20 creatures, all")
  }

  @Test func `a name from a server cannot change the terminal`() async throws {
    let window = try await TestWindow(
      server: CreatureService { _ in
        CreaturePage(creatures: [.init(number: -1, name: "\u{1B}[31mred\n")], hasMore: false)
      } details: { _ in
        throw ServiceError("\u{7}")
      })
    try await window.press("enter", "text:s", "text:r", "end")
    #expect(try window.lines.contains { $0.contains(#"#0-1 \u{1B}[31mred\u{A}"#) })
    try await window.press("enter")
    #expect(try window.lines[1] == #"The details did not come: \u{7}"#)
  }

  @Test func `each screen has keys that are bound once, and help for them`() {
    for route in [PokeRoute.list, .favourites, .detail(CreatureID(value: 0)), .welcome] {
      let table = PokeKeys.table(of: route)
      #expect(table.conflicts.isEmpty)
      #expect(table.all.allSatisfy { $0.help.hasSuffix(".") })
    }
  }
}

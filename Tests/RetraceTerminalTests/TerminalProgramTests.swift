import Glibc
import RetraceFixtures
import RetraceSystem
import Testing

@testable import RetraceTerminal

/// An app of one scene, whose window has one key.
private enum OneJar: InteractiveApp {
  typealias Frame = OneJarFrame
  typealias Environment = LarderDesk
  typealias Route = OnlyRoute

  static var name: String { "one-jar" }
  static var build: String { "test" }
  static var initialState: LarderAppState { LarderAppState() }
  static var reducer: EmptyReducer<LarderAppState, LarderSceneAction, LarderDesk> {
    EmptyReducer()
  }
}

private struct OneJarFrame: InteractiveFrame {
  typealias App = OneJar
  let screen: Screen

  init(of scene: SceneID, in state: LarderAppState, at moment: Moment, size: Screen.Size) {
    screen = Screen(Screen.Line("scene \(scene.value)"), size: size)
  }

  var keys: Keys {
    Keys("Jar") {
      Binding(.text("u"), help: "Undo, which the app does not have.") { _ in .undo }
    }
  }
}

/// The house with a key for each errand, named by the desk.
private enum Household: InteractiveApp {
  typealias Frame = HouseholdFrame
  typealias Environment = HouseDesk
  typealias Route = CounterRoute

  static var name: String { "household" }
  static var build: String { "test" }
  static var initialState: HouseState { HouseState() }
  static var reducer: HouseReducer { HouseApp.reducer }
  static func scenes(in state: HouseState) -> [SceneID] { HouseApp.scenes(in: state) }
  static func backStack(of scene: SceneID, in state: HouseState) -> BackStack<CounterRoute>? {
    HouseApp.backStack(of: scene, in: state)
  }
}

private struct HouseholdFrame: InteractiveFrame {
  typealias App = Household
  let screen: Screen

  init(of scene: SceneID, in state: HouseState, at moment: Moment, size: Screen.Size) {
    screen = Screen(Screen.Line(state.done.joined(separator: ", ")), size: size)
  }

  var keys: Keys {
    Keys("House") {
      Binding(.text("l"), help: "Run an errand much later.") { _ in
        [.scene(.started(Errand("later"), after: .seconds(20), id: ""))]
      }
      Binding(.text("s"), help: "Run an errand soon.") { _ in
        [.scene(.started(Errand("soon"), after: ElapsedTime(microseconds: 200_000), id: ""))]
      }
      Binding(.text("n"), help: "Run an errand now.") { _ in
        [.scene(.started(Errand("now"), after: .zero, id: ""))]
      }
    }
  }
}

@Suite struct TerminalProgramTests {
  private let program: TerminalProgram<KioskApp>

  init() throws {
    let store = try Store<KioskApp>.inMemory(environment: KioskDesk())
    program = try TerminalProgram(store) { [.opened($0)] }
  }

  private var lines: [String] {
    get throws { try #require(try program.frame()).screen.canvas.lines }
  }

  private func add(_ text: String) throws { try program.press(.text(text), .enter) }

  @Test func `keys are carried out on the frame that each leads to`() throws {
    #expect(program.scene == SceneID(value: 0))
    try add("tea 250")
    try add("milk 90")
    try program.press(.down, .down)
    #expect(try lines.prefix(2) == ["  tea, 0 for 250 each", "> milk, 0 for 90 each"])
  }

  @Test func `the user is told why a key does nothing, and why a command was refused`() throws {
    try program.press(.ctrl("s"))
    #expect(try lines[1] == "not delivered: Select an item first.")
    try add("tea 250")
    try add("tea 90")
    #expect(try lines[2] == #"not delivered: nameTaken("tea")"#)
  }

  @Test func `a change of the user is undone and redone, as long as there is one`() throws {
    try add("tea 250")
    try program.press(.escape, .ctrl("z"))
    #expect(program.store.state.items.isEmpty)
    try program.press(.ctrl("z"))
    #expect(try lines[1] == "not delivered: There is nothing to undo.")
    try program.press(.ctrl("y"))
    #expect(program.store.state.items.count == 1)
    try program.press(.ctrl("y"))
    #expect(try lines[2] == "not delivered: There is nothing to redo.")
  }

  @Test func `a key leaves the app, and those after it are not pressed`() throws {
    #expect(try program.press(.text("a"), .ctrl("q"), .text("b")))
    #expect(try lines[0] == "new item: a")
    #expect(try program.press(.ctrl("c")))
    #expect(try !program.press(.ctrl("p"), .alt("x")))
  }

  @Test func `a paste above the limit is told, and other inputs do nothing`() throws {
    let frame = try program.frame()
    #expect(try program.perform(.pasteRefused(limitBytes: 9), on: frame) == .performed)
    #expect(
      try lines[1]
        == "not delivered: A pasted text has at most 9 bytes; nothing was inserted.")
    let sequence = program.store.sequence
    #expect(try program.perform(.unfocused, on: frame) == .nothing)
    #expect(try program.perform(.key(.ctrl("z")), on: nil) == .suspend)
    #expect(try program.perform(.key(.ctrl("l")), on: nil) == .redraw)
    #expect(program.store.sequence == sequence)
  }

  @Test func `an input means what it means on the frame that is seen`() throws {
    try add("tea 250")
    let seen = try program.frame()
    try program.store.performBlocking(.add(name: "milk"))
    try program.store.performBlocking(.remove(KioskItemID(value: 0)))
    #expect(try program.perform(.key(.text("1")), on: seen) == .performed)
    let window = try #require(program.store.state.windows[program.scene])
    #expect(window.selection == KioskItemID(value: 0))
  }

  @Test func `an app of one scene takes it, and needs neither undo nor answers`() throws {
    let store = try Store<OneJar>.inMemory()
    let jar = try TerminalProgram(store)
    #expect(try jar.frame()?.screen.canvas.lines == ["scene 0"])
    #expect(try !jar.press(.text("u")))
    #expect(store.sequence == 0)
  }

  @Test func `the screen after a line has what effects answer that are due soon`() async throws {
    let folder = try FileSystem.makeTemporaryDirectory("retrace-terminal")
    defer { try? FileSystem.removeTree(folder) }
    await #expect(processExitsWith: .success) { [folder = folder as String] in
      let thread = WorkerThread(name: "app")
      try await withCheckedThrowingContinuation {
        (ended: CheckedContinuation<Void, any Error>) in
        thread.submit { ended.resume(with: Result { try Self.runHousehold(in: folder) }) }
      }
    }
    let shown = try FileSystem.readWhole(folder + "/out", limitBytes: 1 << 20)
    // The test library writes, too, when the process ends.
    let lines = String(decoding: shown, as: UTF8.self).split(separator: "\n").filter {
      $0.hasPrefix("done")
    }
    #expect(lines == ["done now", "done now, done soon", "done now, done soon, done now"])
  }

  /// Runs the house with lines of a file.
  private static func runHousehold(in folder: String) throws {
    try FileSystem.replace(
      folder + "/in", with: Array("l\nn\ns\n".utf8 + [0xFF, 10] + "n\n".utf8).span)
    let input = try OpenFile.open(folder + "/in")
    dup2(input.descriptor, 0)
    let output = try OpenFile.open(folder + "/out", [.write, .create])
    dup2(output.descriptor, 1)
    let store = try Store<Household>.inMemory(environment: HouseDesk())
    let program = try TerminalProgram(store) { _ in [] }
    try #require(program.runOnLines(limitMilliseconds: 86_400_000) == "The line is not UTF-8.")
    try store.closeBlocking()
  }
}

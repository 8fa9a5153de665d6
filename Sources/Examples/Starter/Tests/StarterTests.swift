import Foundation
import Retrace
import RetraceTerminal
import RetraceTesting
import Testing

@testable import Starter

@Suite struct StarterTests {
  private let tea = ItemID(number: 0)

  @Test func `a command becomes a fact, or is refused`() {
    let store = TestStore<StarterApp>()
    store.when(.item(.add(name: ""))).then(refused: .item(.hasNoName))
    let facts = store.when(.item(.add(name: "tea"))).facts
    #expect(facts == [.fact(.edited(.item(.inserted(tea, Insertion(Item(name: "tea"))))))])
  }

  @Test func `a finished item is put away in five seconds, unless that is undone`() async throws {
    let clock = VirtualClock(at: Moment(microseconds: 0))
    var configuration = StoreConfiguration(clock: { clock.moment })
    configuration.effectClock = clock
    let store = try Store<StarterApp>.inMemory(
      configuration: configuration, environment: StarterEnvironment())
    try await store.perform(.item(.add(name: "tea")))
    let finished = try await store.perform(.item(.finish(tea)))
    #expect(store.effectsInFlight.leaves.count == 1)
    try await store.undo()
    await clock.whenSleeping(1)
    clock.advance(by: .seconds(5))
    try await finished.receipt.settled()
    #expect(store.state.domain.items[tea] == Item(name: "tea"))
    let again = try await store.perform(.item(.finish(tea)))
    await clock.whenSleeping(1)
    clock.advance(by: .seconds(5))
    try await again.receipt.settled()
    #expect(store.state.domain.items[tea] == nil)
    try await store.undo()
    #expect(store.state.frame.message == "It has changed since, so nothing was restored.")
  }

  @Test func `the window tells why a key does nothing, and which keys there are`() throws {
    let store = try Store<StarterApp>.inMemory(environment: StarterEnvironment())
    var program = try TerminalProgram(store)
    program.size = Screen.Size(columns: 40, rows: 12)
    func lines(after keys: Key...) throws -> [String] {
      for key in keys { try program.press(key) }
      return try #require(try program.frame()).screen.canvas.lines
    }
    #expect(try lines(after: .ctrl("z")).contains("There is nothing to undo."))
    #expect(try lines(after: .text("t"), .enter, .ctrl("d")).contains("Select an item."))
    #expect(try !lines(after: .ctrl("z")).contains("Select an item."))
    let shown = try lines(after: .text("t"), .enter, .down)
    #expect(shown.last == "enter: add/open  ctrl-d: done  ?: keys")
    #expect(try lines(after: .text("?")).contains { $0.hasPrefix("ctrl-z") })
    #expect(try lines(after: .text("?")) == shown)
    try store.closeBlocking()
  }

  @Test func `keys add, open and rename an item, and the log gives the same screen`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "starter-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let size = Screen.Size(columns: 40, rows: 6)
    let shown = try screen(size, recordedIn: folder.path)
    #expect(shown.canvas.lines[2].hasPrefix("› tea"))
    let log = try LogStorage.open(at: folder.path, access: .read)
    defer { log.close() }
    let replayed = try TestStore<StarterApp>.replaying(log)
    let frame = StarterFrame(
      of: SceneID(value: 0), in: replayed.state, at: Moment(microseconds: 0), size: size)
    #expect(frame.screen == shown)
  }

  /// Presses keys in a new store, and returns what the app shows then.
  private func screen(_ size: Screen.Size, recordedIn folder: String) throws -> Screen {
    let store = try Store<StarterApp>.openBlocking(
      at: folder, configuration: StoreConfiguration(), environment: StarterEnvironment())
    var program = try TerminalProgram(store)
    program.size = size
    try program.press(.text("t"), .text("e"), .enter, .down, .enter, .text("a"), .enter)
    let shown = try #require(try program.frame()).screen
    try store.closeBlocking()
    return shown
  }
}

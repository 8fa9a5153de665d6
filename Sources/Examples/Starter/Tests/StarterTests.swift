import Retrace
import RetraceRecording
import RetraceReplay
import RetraceTesting
import Testing

@testable import Starter

@Suite struct StarterTests {
  private let tea = ItemID(number: 0)

  @Test func `a command becomes a fact, or is refused`() throws {
    let store = TestStore<StarterApp>()
    try store.when(.item(.add(name: ""))).then(refused: .item(.hasNoName))
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
    await clock.advance(by: .seconds(5))
    try await finished.receipt.settled()
    #expect(store.state.domain.items[tea] == Item(name: "tea"))
    let again = try await store.perform(.item(.finish(tea)))
    await clock.advance(by: .seconds(5))
    try await again.receipt.settled()
    #expect(store.state.domain.items[tea] == nil)
  }

  @Test func `keys add, open and rename an item, and the log gives the same screen`() throws {
    let store = try Store<StarterApp>.inMemory(environment: StarterEnvironment())
    for key in [.text("t"), .text("e"), .enter, .down, .enter, .text("a"), .enter] as [Key] {
      let frame = StarterFrame(store.state)
      let intents = try #require(try frame.keys.value(for: key, in: frame))
      #expect(try store.carryOutBlocking(intents) == nil)
    }
    #expect(store.state.domain.items[tea]?.name == "tea")
    let screen = StarterFrame(store.state).screen(Screen.Size(columns: 40, rows: 6))
    #expect(screen.canvas.lines[2].hasPrefix("› tea"))
  }
}

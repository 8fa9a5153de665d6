import Foundation
import Retrace
import RetraceRecording
import RetraceReplay
import RetraceStorage
import RetraceTesting
import Testing

@testable import Listings

/// Runs what the tables of equivalents show beside the listings.
@Suite struct RowsTests {
  private let server = RowsServer(
    count: { query in Int64(query.utf8.count) },
    notices: { row in
      AsyncStream { continuation in
        continuation.yield("news of \(row.value)")
        continuation.finish()
      }
    })

  private static let first = RowID(value: 0)

  /// Returns the edit of a user who types a text into an empty field.
  private static func typed(_ text: String) -> TextReplacement {
    TextDraft().replacement(for: .insert(text))
  }

  @Test func `an entity is changed in place, and an action for a missing one is recorded`() throws {
    var store = TestStore<RowsApp>()
    store.send(.added(name: "tea")) {
      $0.newest = $0.rows.insert(Row(name: "tea"))
    }
    store.send(.row(Self.first, .tapped)) { $0.rows.modify(Self.first) { $0.hits = 1 } }
    let missing = RowID(value: 9)
    store.send(.row(missing, .tapped)) {
      $0.missing = MissingTarget(type: "Row", id: missing.value)
    }
    store.finish()
  }

  @Test func `an optional part has actions while it is there`() throws {
    var store = TestStore<RowsApp>()
    store.send(.noteTapped) { $0.note = NoteState(text: TextDraft()) }
    store.send(.note(.edited(Self.typed("tea")))) {
      $0.note = NoteState(text: TextDraft("tea"))
    }
    store.finish()
  }

  @Test func `a row is added to a store in memory`() async throws {
    let store = try Store<RowsApp>.inMemory(environment: server)
    try await store.send(.added(name: "tea"))
    #expect(store.state.rows.count == 1)
    try await store.close()
  }

  @Test func `a search waits until nothing more is typed, and a request can be cancelled`()
    async throws
  {
    var configuration = StoreConfiguration()
    configuration.effectClock = VirtualClock()
    let store = try Store<RowsApp>.inMemory(configuration: configuration, environment: server)
    try await store.send(.queryEdited(Self.typed("tea")))
    let receipt = try await store.send(.reloadTapped)
    #expect(receipt.effectsInFlight.leaves.count == 2)
    try await store.send(.stopTapped)
    #expect(store.effectsInFlight.leaves.count == 1)
    try await store.close()
  }

  @Test func `the answer of a request is an action`() async throws {
    var store = TestStore<RowsApp>()
    let reload: Effect<RowsAction, RowsServer> = .run(CountRows(query: ""))
      .cancellable("reload", cancelInFlight: true)
    store.send(.reloadTapped, effect: reload)
    await store.run("CountRows", in: server, sending: [.found(0)])
    store.finish()
  }

  @Test func `a store with an environment receives answers, and may skip some`() async {
    var store = TestStore<RowsApp>(environment: server)
    store.send(.reloadTapped)
    await store.receive(.found(0))
    store.isExhaustive = false
    store.send(.queryEdited(Self.typed("tea")))
    await store.receive(.found(3), after: .seconds(1)) { $0.found = 3 }
    store.send(.reloadTapped)
    await store.settle()
    await store.skipReceivedActions()
    store.finish()
  }

  @Test func `a service that no test provides fails its caller`() async {
    let server = RowsServer(
      count: { _ in throw Unimplemented("RowsServer.count") },
      notices: { _ in AsyncStream { $0.finish() } })
    await #expect(throws: Unimplemented("RowsServer.count")) { try await server.count("tea") }
  }

  @Test func `one reduction is compared as a value`() {
    let empty = NoteState(text: TextDraft())
    NoteReducer().testReduce(empty, .edited(Self.typed("tea"))) { $0.text = TextDraft("tea") }
  }

  @Test func `effects are combined as values`() {
    let count = CountRows(query: "tea")
    let both: Effect<RowsAction, RowsServer> = .merge([.run(count), .send(.reloadTapped)])
    let inOrder: Effect<RowsAction, RowsServer> = .concatenate([.run(count), .send(.reloadTapped)])
    let seldom: Effect<RowsAction, RowsServer> = .run(count)
      .throttled("count", for: .seconds(1), latest: true)
    #expect(both != inOrder)
    #expect(both.leafCount == 2 && inOrder.leafCount == 2 && seldom.leafCount == 1)
  }

  @Test func `a page of a stack is reduced by its id, and a case while the state is in it`() {
    var state = PagesState()
    let id = state.stack.push(.note(NoteState(text: TextDraft())))
    let edit = NoteAction.edited(Self.typed("tea"))
    let tea = NoteState(text: TextDraft("tea"))
    PagesReducer().testReduce(state, .page(id, .note(edit))) {
      $0.stack.modify(id) { $0 = .note(tea) }
    }
    PagesReducer().testReduceNoOp(state, .panel(.note(edit)))
    state.panel = .note(NoteState(text: TextDraft()))
    PagesReducer().testReduce(state, .panel(.note(edit))) { $0.panel = .note(tea) }
  }

  @Test func `a view of an optional part is there while the part is`() async throws {
    let store = try Store<RowsApp>.inMemory()
    let before = store.optionalView({ $0.note }, action: RowsAction.note)
    #expect(before == nil)
    try await store.send(.noteTapped)
    let after = store.optionalView({ $0.note }, action: RowsAction.note)
    let note = try #require(after)
    try await note.send(.edited(Self.typed("tea")))
    #expect(note.state == NoteState(text: TextDraft("tea")))
    try await store.close()
  }

  @Test func `each commit is printed with the places that it changed`() async throws {
    let lines = Lines()
    let store = try Store<RowsApp>.inMemory()
    let debug = store.observeCommits(.debug { line in lines.append(line) })
    try await store.send(.noteTapped)
    #expect(lines.all.count > 1)
    debug.cancel()
    try await store.close()
  }

  @Test func `a subscription follows from the state`() async throws {
    var store = TestStore<RowsApp>()
    let added: Effect<RowsAction, RowsServer> = .subscribe(
      to: [Notices(row: Self.first)], insteadOf: [])
    store.send(.followed([Self.first]), effect: added) { $0.followed = [Self.first] }
    await store.run("Notices", in: server, sending: [.noticed("news of 0")]) {
      $0.newest = $0.rows.insert(Row(name: "news of 0"))
    }
    store.finish()
  }

  @Test func `a replayer goes to any record, and back`() async throws {
    let files = FileManager.default
    let folder = files.temporaryDirectory.appending(path: "rows-\(UUID())").path
    defer { try? files.removeItem(atPath: folder) }
    let configuration = StoreConfiguration()
    let store = try await Store<RowsApp>.open(at: folder, configuration: configuration)
    try await store.send(.added(name: "tea"))
    try await store.send(.added(name: "milk"))
    let before = store.sequence - 1
    try await store.close()

    let storage = try LogStorage.open(at: folder, access: .read)
    defer { storage.close() }
    var replayer = try Replayer<RowsApp>(storage)
    try replayer.seek(to: replayer.last)
    #expect(replayer.state.rows.count == 2)
    try replayer.seek(to: before)
    #expect(replayer.state.rows.count == 1)
  }
}

import Foundation
import Poke
import PokeDomain
import PokeInjection
import PokeModels
import PokeServices
import Retrace
import RetraceRecording
import RetraceReplay
import RetraceStorage
import RetraceTesting
import Testing

@Suite(.timeLimit(.minutes(2))) struct PokeStoreTests {
  private static let window = SceneID(value: 0)
  private static let bexil = CreatureID(value: 1)
  private static let environment = PokeEnvironment(bundle: .bundled(), server: .failing("no"))

  private static func open(_ path: String) throws -> Store<PokeApp> {
    try Store<PokeApp>.openBlocking(
      at: path, configuration: StoreConfiguration(), environment: environment)
  }

  @Test func `a recorded store replays to the same state`() async throws {
    try await withFolder { path in
      let store = try Self.open(path)
      #expect(try store.attach(to: Self.window))
      try await store.send([.windowOpened(Self.window), .list(.appeared)]).settled()
      try await store.send([.item(Self.bexil, .detailsWanted(.bundle))]).settled()
      try await store.send([.item(Self.bexil, .favouriteAdded)])
      try await store.send([.item(Self.bexil, .favouriteRemoved)])
      let recorded = store.state
      try await store.close()
      let storage = try LogStorage.open(at: path, access: .read)
      defer { storage.close() }
      var replayer = try Replayer<PokeApp>(storage)
      try replayer.seek(to: replayer.last)
      let replayed = replayer.state
      #expect(replayed == recorded)
      #expect(try Verifier<PokeApp>.verify(storage).firstDivergence == nil)
    }
  }

  @Test func `a page that was on its way when a process ended comes in the next [X2]`()
    async throws
  {
    try await withFolder { path in
      let begun = AsyncStream<Void>.makeStream()
      let hanging = CreatureService { _ in
        begun.continuation.yield()
        try await Task.sleep(for: .seconds(3_600))
        throw CancellationError()
      } details: { _ in
        throw CancellationError()
      }
      let store = try Store<PokeApp>.openBlocking(
        at: path, configuration: StoreConfiguration(),
        environment: PokeEnvironment(bundle: hanging, server: hanging))
      try await store.send([.windowOpened(Self.window), .list(.appeared)])
      for await _ in begun.stream.prefix(1) {}
      #expect(store.state.list.isLoading)
      try await store.close()
      let next = try Self.open(path)
      await wait(for: next) { $0.creatures.count == 8 && !$0.list.isLoading }
      try await next.close()
    }
  }
}

/// Waits until a store has a state, also one that another process makes.
func wait(for store: Store<PokeApp>, _ isReached: (PokeState) -> Bool) async {
  for await state in store.states where isReached(state) { return }
}

/// Calls a function with the path of a folder that is removed afterwards.
func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appending(path: "poke-\(UUID())")
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await body(folder.path)
}

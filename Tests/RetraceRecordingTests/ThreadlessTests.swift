import Foundation
import RetraceArchitecture
import RetraceLog
import RetraceSystem
import RetraceRecording
import RetraceStorage
import RetraceFixtures
import Testing

/// A process at a limit that lets it make no thread.
@Suite struct ThreadlessTests {
  /// Limits the address space of this process so that the stack of a thread does not fit.
  static func refuseThreads() throws {
    let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
      .split(separator: " ").first
    let bytes = try #require(pages.flatMap { UInt($0) }) * 4096 + (7 << 20)
    var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
    try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
    #expect(throws: SystemError.self) { try WorkerThread(name: "none").start() }
  }

  @Test func `a store records, enqueues, flushes and closes`() async throws {
    let folder = try ScratchDirectory.make()
    defer { try? FileSystem.removeTree(folder) }
    await #expect(processExitsWith: .success) { [path = folder + "/store" as String] in
      var configuration = StoreConfiguration()
      configuration.snapshots = SnapshotPolicy(interval: 100, closingInterval: 1)
      let store = try Store<CounterApp>.openBlocking(at: path, configuration: configuration)
      try ThreadlessTests.refuseThreads()
      try store.sendBlocking([.noticed("one")])
      for number in 0..<40 {
        // A group of so many actions is reduced on a thread of its own, if there is one.
        try store.enqueue(Array(repeating: .noticed("\(number)"), count: 100))
      }
      try store.flushBlocking()
      try #require(store.sequence == 4_002)
      try store.closeBlocking()
    }
    let storage = try LogStorage.open(at: folder + "/store", access: .read)
    defer { storage.close() }
    #expect(try storage.head().sequence == 4_003)
  }

  @Test func `relaxed durability needs a thread, and opening fails without one`() async throws {
    let folder = try ScratchDirectory.make()
    defer { try? FileSystem.removeTree(folder) }
    await #expect(processExitsWith: .success) { [path = folder + "/store" as String] in
      try Store<CounterApp>.openBlocking(at: path, configuration: StoreConfiguration())
        .closeBlocking()
      try ThreadlessTests.refuseThreads()
      let configuration = StoreConfiguration(durability: .relaxed(window: .seconds(1)))
      do throws(StoreError) {
        _ = try Store<CounterApp>.openBlocking(at: path, configuration: configuration)
        exit(1)
      } catch {
        #expect(error.code == .storageFailed && error.why.contains("another thread"), "\(error)")
      }
    }
  }
}

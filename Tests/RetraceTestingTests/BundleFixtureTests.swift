import Glibc
import RetraceArchitecture
import RetraceFixtures
import RetraceRecording
import RetraceReplay
import RetraceSystem
import RetraceTesting
import Testing
import ToolTestSupport

/// Bundles in a folder, each of which is a case of one test.
@Suite struct BundleFixtureTests {
  /// Counters whose reducer is wrong.
  private enum Tripled: CounterVariant {
    static var reducer: CounterReducer { CounterReducer(factor: 3) }
  }

  /// A folder with the bundles of three logs, one of which declares its route.
  ///
  /// The arguments of a test are made before it runs, so the folder is removed with the process.
  private static let folder: Result<String, any Error> = Result {
    let folder = try FileSystem.makeTemporaryDirectory("retrace-test-")
    atexit { try? FileSystem.removeTree((try? BundleFixtureTests.folder.get()) ?? "") }
    for count in 1...3 { try write("\(folder)/\(count).bundle", counting: count) }
    let declaration = Array(#"{"routes": ["0 all"]}"#.utf8)
    try FileSystem.replace("\(folder)/2.bundle.json", with: declaration.span)
    return folder
  }

  /// Writes the bundle of a log whose record 3 counts; each record has a state hash.
  private static func write(_ path: String, counting count: Int) throws {
    var configuration = StoreConfiguration()
    configuration.hashInterval = 1
    let store = try Store<CounterApp>.inMemory(configuration: configuration)
    try store.sendBlocking([.added(name: "tea")])
    for _ in 0..<count {
      try store.sendBlocking([.counted(CounterID(value: 0), by: 2)])
    }
    let made = try BundleMaker<CounterApp>.make(
      of: store.storage, BundleOptions(isPlain: true, key: Array(0..<32))
    ) { _ in nil }
    try FileSystem.replace(path, with: made.bytes.span)
    try store.closeBlocking()
  }

  @Test(arguments: BundleFixture.all(in: (try? BundleFixtureTests.folder.get()) ?? "none"))
  func `each bundle replays as declared`(_ bundle: BundleFixture) {
    bundle.check(CounterApp.self)
  }

  @Test func `a folder is as many cases as it has bundles, and none is left out`() throws {
    let made = try Self.folder.get()
    #expect(
      BundleFixture.all(in: made).map { "\($0)" } == ["1.bundle", "2.bundle", "3.bundle"])
    let folder = try TemporaryDirectory()
    let bytes = try FileSystem.readWhole("\(made)/1.bundle", limitBytes: 1 << 20)
    for number in 0..<1_000 {
      try FileSystem.replace(folder.file("\(number).bundle"), with: bytes.span, isSynced: false)
    }
    let all = BundleFixture.all(in: folder.path)
    #expect(all.count == 1_000)
    #expect(issues { for bundle in all { bundle.check(CounterApp.self) } }.isEmpty)
    // One of them is not as declared.
    try folder.write(#"{"verdict": "divergence"}"#, "500.bundle.json")
    #expect(
      issues { for bundle in all { bundle.check(CounterApp.self) } } == [
        "500.bundle: the verdict is same, not divergence"
      ])
  }

  @Test func `a wrong reducer, damage, a crash and an empty folder are issues`() throws {
    let folder = try TemporaryDirectory()
    #expect(
      issues { for bundle in BundleFixture.all(in: folder.path) { bundle.check(CounterApp.self) } }
        .count == 1)
    try Self.write(folder.file("bug.bundle"), counting: 2)
    let bundle = BundleFixture(path: folder.file("bug.bundle"))
    #expect(
      issues { bundle.check(Tripled.self) } == [
        "bug.bundle: the verdict is divergence, not same (stateHash at record 3)"
      ])
    // What is declared of the wrong reducer holds for it, and only for it.
    try folder.write(#"{"verdict": "divergence", "record": 3}"#, "bug.bundle.json")
    #expect(issues { bundle.check(Tripled.self) }.isEmpty)
    #expect(issues { bundle.check(CounterApp.self) }.count == 2)
    try folder.write(#"{"verdict": "crash"}"#, "bug.bundle.json")
    #expect(issues { bundle.check(CounterApp.self) }.first?.contains("replay ci") == true)
    try folder.write(#"{"verdict": "same"}"#, "bug.bundle.json")
    var bytes = try FileSystem.readWhole(bundle.path, limitBytes: 1 << 20)
    bytes[bytes.count / 2] ^= 1
    try FileSystem.replace(bundle.path, with: bytes.span)
    #expect(
      issues { bundle.check(CounterApp.self) }.first?.contains("the verdict is damaged") == true)
  }
}

import Figures
import Glibc
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceStorage
import RetraceTestSupport

/// A store whose snapshots hold a million entries.
private final class SavedStore {
  private let path: String
  private let storage: LogStorage
  var fold: Fold<PagesApp>
  var keeper: SnapshotKeeper<PagesApp>
  private var generator = SeededGenerator(seed: 11)

  init() throws {
    path = try scratch("snapshots") + "/store"
    storage = try LogStorage.open(at: path, access: .create)
    var state = PagesState()
    for entry in Input.entries(1_000_000) { state.entries.insert(entry) }
    fold = Fold(state: state, sequence: 1_000_000)
    let known = Digest(hex: String(repeating: "1", count: 64)) ?? .zero
    keeper = SnapshotKeeper(
      storage.snapshots, policy: SnapshotPolicy(),
      identity: SnapshotIdentity(stateSchema: known, reducer: known, decoding: known))
    save()
  }

  func save() { keeper.save(&fold, chain: .zero) { _ in false } }

  /// 10,000 actions: half of them append, the others change one of the newest hundred.
  func act() {
    for index in 0..<10_000 {
      let next = Int(fold.state.entries.nextID.value)
      let action: PagesAction =
        index % 2 == 0
        ? .add(Input.entry(next, &generator))
        : .close(
          EntryID(value: Int64(next - 1 - generator.below(100))), duration: Int64(index))
      _ = fold.apply(action, at: Moment(microseconds: 0), sequence: fold.sequence + 1)
    }
  }

  /// What a save of the state as it is would put.
  func counted() -> CountingSink {
    var copy = fold.state
    var sink = CountingSink()
    let stored = StatePages.save(
      &copy, at: fold.sequence, with: SHA256.self, into: &sink)
    var writer = AvroWriter()
    stored.encode(into: &writer)
    sink.bytes += writer.count
    return sink
  }

  deinit {
    storage.close()
    removeScratch(path)
  }
}

/// Counts what a save writes: pages, their keys, and the keys of those that they replace.
private struct CountingSink: PageSink {
  var pages = 0
  var bytes = 0

  mutating func put(_ key: PageKey, _ page: Span<UInt8>) {
    pages += 1
    bytes += PageKey.byteCount + page.count
  }

  mutating func dead(_ key: PageKey) { bytes += PageKey.byteCount }
}

/// Saving after 10,000 local actions.
func registerSnapshotRows() {
  var store: SavedStore?
  let input = "10^6 entries, 10,000 actions: 5,000 append, 5,000 change one of the newest 100"
  compare(
    Row(
      "snapshot after 10,000 local actions, time", input: "\(input); seed 11", unit: .milliseconds,
      limit: "two flushes of the disk", target: .atMost(3)),
    setUp: { store = try SavedStore() }, tearDown: { store = nil },
    ours: {
      guard let store else { throw FiguresError("no store") }
      store.act()
      let measured = timed(by: .wall) {
        store.save()
        return (1, 0)
      }
      guard store.keeper.origin?.sequence == store.fold.sequence else {
        throw FiguresError("the snapshot was not saved")
      }
      return measured
    },
    yardsticks: [Yardstick("a file of 200 kB, two flushes") { try plainSave() }])
  figure(
    Row(
      "snapshot after 10,000 local actions, bytes", input: "\(input); seed 11",
      unit: .counted("kB"), limit: "5,000 entries of 35 bytes: 176 kB", target: .atMost(250)),
    setUp: { store = try SavedStore() }, tearDown: { store = nil }
  ) {
    guard let store else { throw FiguresError("no store") }
    store.act()
    let sink = store.counted()
    store.save()
    return Counted(
      Double(sink.bytes) / 1e3, operations: 10_000, checksum: UInt64(sink.pages))
  }
}

/// Writes as many bytes as a save does, and flushes as often.
private func plainSave() throws -> Measured {
  let folder = try scratch("plain-save")
  defer { removeScratch(folder) }
  let file = unsafe open(folder + "/file", O_WRONLY | O_CREAT, 0o600)
  defer { close(file) }
  let bytes = [UInt8](repeating: 1, count: 200_000)
  var isWritten = true
  let measured = timed(by: .wall) {
    unsafe bytes.withUnsafeBytes { bytes in
      isWritten = unsafe write(file, bytes.baseAddress, bytes.count) == bytes.count
    }
    isWritten = fdatasync(file) == 0 && isWritten
    isWritten = unsafe pwrite(file, [1 as UInt8], 1, 0) == 1 && isWritten
    isWritten = fdatasync(file) == 0 && isWritten
    return (1, 0)
  }
  guard isWritten else { throw FiguresError("the file cannot be written") }
  return measured
}

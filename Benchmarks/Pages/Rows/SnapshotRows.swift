import Figures
import Glibc
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceRandom
import RetraceState
import RetraceStorage

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
      fingerprint: FoldFingerprint(stateSchema: known, reducer: known, decoding: known))
    _ = try save()
  }

  /// Saves the state and returns the number of written pages and of their bytes.
  func save() throws -> (pages: Int, bytes: Int) {
    let result = keeper.save(&fold, chain: .zero) { _ in false }
    guard case .saved(let pages, let bytes) = result else {
      throw FiguresError("the snapshot was not saved: \(result)")
    }
    return (pages, bytes)
  }

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

  deinit {
    storage.close()
    removeScratch(path)
  }
}

/// Registers rows of saving after 10,000 local actions.
func registerSnapshotRows() {
  var store: SavedStore?
  let input = "10^6 entries, 10,000 actions: 5,000 append, 5,000 change one of the newest 100"
  compare(
    Row(
      "snapshot after 10,000 local actions, time", input: "\(input); seed 11", unit: .milliseconds,
      limit: "two flushes of the disk"),
    setUp: { store = try SavedStore() }, tearDown: { store = nil },
    ours: {
      guard let store else { throw FiguresError("no store") }
      store.act()
      return try timed(by: .wall) {
        _ = try store.save()
        return (1, 0)
      }
    },
    yardsticks: [
      Yardstick("write 200 kB, fdatasync twice", .timesYardstick(atMost: 4.7)) { try plainSave() }
    ])
  figure(
    Row(
      "snapshot after 10,000 local actions, bytes",
      input: "\(input); pages with their keys; seed 11",
      unit: .counted("kB"), limit: "5,000 entries of 35 bytes: 176 kB", target: .atMost(250)),
    setUp: { store = try SavedStore() }, tearDown: { store = nil }
  ) {
    guard let store else { throw FiguresError("no store") }
    store.act()
    let (pages, bytes) = try store.save()
    return Counted(
      Double(bytes + pages * PageKey.byteCount) / 1e3, operations: 10_000, checksum: UInt64(pages))
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

import Foundation
import RetraceArchitecture
import RetraceAvro
import RetraceLMDB
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceSystem
import Testing
import TimeTracking
import ToolTestSupport
import TrackerFeatures

/// Stores of the tracker in this process, whose calls can be made to fail.
enum SeamStore {
  /// The moment at which the clock of the stores stands: 2026-03-02 09:00 UTC.
  static let now = Moment(microseconds: 1_772_442_000_000_000)

  static func open(
    _ path: String, faults: LMDBFaultPlan? = nil
  ) throws(StoreError) -> Store<TimeTracker> {
    let storage = try LogStorage.open(at: path, access: .create, faults: faults)
    return try .open(over: storage, configuration: StoreConfiguration(clock: { now }))
  }

  /// Three actions that belong together, each of which opens a scene of its own.
  static func batch(_ name: String) -> [ScenesAction] {
    (1...3).map { .opened(SceneID(value: Int64("\(name).\($0)".hashValue & .max))) }
  }

  /// The actions of a batch as the log has them.
  static func encoded(_ batch: [ScenesAction]) -> [[UInt8]] {
    batch.map { TimeTracker.action(for: $0).encoded() }
  }

  /// A command whose facts are a user, a project and an entry of a minute.
  static func command(_ name: String) -> DomainCommand {
    var draft = TimeEntryDraft(user: .name(Name(name)), description: name, zone: .utc)
    draft.project = .name(Name(name))
    return .entry(.add(draft, start: now.adding(.seconds(-60)), end: now, policy: .refuse))
  }

  /// The error of a closure; nil if it throws none.
  static func error<R>(_ body: () throws(StoreError) -> R) -> StoreError? {
    do throws(StoreError) {
      _ = try body()
      return nil
    } catch {
      return error
    }
  }
}

/// Faults of single calls, as only the seam can make them.
struct SeamFaults {
  let master: RecordedStore

  init(_ master: RecordedStore) { self.master = master }

  func rows() throws -> [FaultRow] {
    try [
      lmdb("the last write of a commit fails", .inputOutput, .commit, "commitOutcomeUnknown"),
      lmdb("writing a block fails", .inputOutput, .put, "storageFailed"),
      lmdb("LMDB gave up after a failed write", .panic, .beginWrite, "storageFailed"),
      lmdb("the map is full", .mapFull, .put, "mapFull"),
      lmdb("the lock cannot be taken", .accessDenied, .beginWrite, "permissionDenied"),
      attempt("the attempt file cannot be written", .inputOutput, "storageFailed"),
      attempt("no room for the attempt file", .noSpace, "diskFull"),
      secondOpen(),
    ]
  }

  private func lmdb(
    _ name: String, _ code: LMDBError.Code, _ operation: LMDBError.Operation, _ expected: String
  ) throws -> FaultRow {
    try row(name, expected) { store, plan in
      plan.fail(code, atCall: 1, of: operation)
      return SeamStore.error { () throws(StoreError) in
        try store.sendBlocking(SeamStore.batch("failed"))
      }
    }
  }

  private func attempt(
    _ name: String, _ code: SystemError.Code, _ expected: String
  ) throws -> FaultRow {
    try row(name, expected) { store, _ in
      let plan = SystemFaultPlan(under: store.storage.path)
      plan.fail(code, atCall: 1, of: .pwrite)
      return plan.whileInstalled {
        SeamStore.error { () throws(StoreError) in
          try store.sendBlocking(SeamStore.batch("failed"))
        }
      }
    }
  }

  private func secondOpen() throws -> FaultRow {
    try row("a second open in one process", "alreadyOpen", exitCode: 5) { store, _ in
      SeamStore.error { () throws(StoreError) in try SeamStore.open(store.storage.path) }
    }
  }

  private func row(
    _ name: String, _ expected: String, exitCode: Int32 = 6,
    _ body: (Store<TimeTracker>, LMDBFaultPlan) -> StoreError?
  ) throws -> FaultRow {
    var copy = try master.copied(to: name.replacing(" ", with: "-"))
    let plan = LMDBFaultPlan()
    let store = try SeamStore.open(copy.path, faults: plan)
    try store.sendBlocking(SeamStore.batch("before"))
    let acknowledged = Int(store.sequence)
    let error = try #require(body(store, plan), "\(name)")
    plan.removeAll()
    #expect(Int(store.sequence) == acknowledged, "\(name)")
    try? store.closeBlocking()
    let row = FaultRow(name, command: "the library", error)
    #expect(row.code == expected, "\(row)")
    #expect(row.exitCode == exitCode, "\(row)")
    try copy.expectWhole(name, more: true)
    try copy.noteTruth()
    #expect(copy.truth.records.count >= acknowledged)
    return row
  }
}

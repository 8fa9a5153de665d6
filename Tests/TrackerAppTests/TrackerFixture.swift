import CivilTime
import Foundation
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceRecording
import RetraceScreen
import RetraceState
import RetraceStorage
import RetraceSystem
import TimeTracking
import TrackerFormats

@testable import TrackerApp

/// Trackers in a temporary directory, which is removed, at a fixed instant.
struct TrackerFixture {
  /// The directory, which is there; the store in it is not, before a tracker opens it.
  let directory: String
  /// 2026-03-02 09:00 UTC.
  static let morning = Moment(microseconds: 1_772_442_000_000_000)

  var store: String { directory + "/store" }

  static func with<R>(_ body: (TrackerFixture) throws -> R) throws -> R {
    let directory = try FileSystem.makeTemporaryDirectory("retrace-tracker-")
    defer { try? FileSystem.removeTree(directory) }
    return try body(TrackerFixture(directory: directory))
  }

  /// Opens a tracker while the body runs, some hours after nine.
  func open<R>(
    zone: ZoneRules = .utc, hour: Double = 0, _ body: (TrackerStore) throws -> R
  ) throws -> R {
    let tracker = try TrackerStore.open(
      at: store, zone: zone, login: "anna",
      now: Self.morning.adding(.seconds(Int64(hour * 3_600))))
    defer { try? tracker.store.closeBlocking() }
    return try body(tracker)
  }

  /// Opens the app on a pipe while the body runs.
  func app<R>(
    zone: ZoneRules = .utc, hour: Double = 0, _ body: (SceneDriver, PipeDriver) throws -> R
  ) throws -> R {
    try open(zone: zone, hour: hour) { tracker in
      var driver = try SceneDriver.attach(to: tracker, size: Screen.Size(columns: 72, rows: 20))
      driver.folder = directory
      return try body(driver, PipeDriver(driver))
    }
  }

  /// Writes a file into the directory, and returns its path.
  func write(_ text: String, to name: String = "rows.csv") throws -> String {
    let path = "\(directory)/\(name)"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// The batches of the log: how many records each has, system records as batches of their own.
  func batches() throws -> [Int] {
    let storage = try LogStorage.open(at: store, access: .read)
    defer { storage.close() }
    var sizes: [Int] = []
    try storage.withReadView { (view) throws(StoreError) in
      try view.forEachRecord(from: 1, through: view.head.sequence) {
        (envelope, _) throws(StoreError) in
        if envelope.startsBatch { sizes.append(1) } else { sizes[sizes.count - 1] += 1 }
      }
    }
    return sizes
  }
}

extension PipeDriver {
  /// The answers to lines one after another.
  func replies(_ lines: String...) throws -> [[String]] { try lines.map { try answer($0).lines } }
}

extension DomainState {
  /// The visible entries: what was done, and how long.
  var entries: [String] {
    var entries: [String] = []
    timeEntries.forEach { _, entry in
      guard isVisible(entry) else { return }
      entries.append("\(entry.description) \(entry.duration?.clock ?? "runs")")
    }
    return entries
  }
}

extension ImportSession {
  /// Begins a session with rows of a file `rows.csv`.
  init(
    into tracker: TrackerStore, source: String = "toggl", digest: Digest,
    fields: Set<ImportField> = ImportField.compared,
    hasRates: Bool = true
  ) throws(Importer.Failure) {
    let scope = ImportScope(
      system: Name(source), file: "rows.csv", digest: digest, fields: fields, hasRates: hasRates,
      differingMax: RejectedRows.keptMax, findsMissing: false)
    try self.init(scope, into: tracker.store)
  }

  /// Adds a row; a batch that it fills is durable when the call returns.
  mutating func add(_ row: ImportedRow) throws(Importer.Failure) {
    var rows = ReadRows()
    rows.append { _ in row }
    try add(&rows) { _ in }
    try wait { _ in }
  }
}

import Foundation
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceSystem

/// A store that a former build wrote, as it was committed; nothing ever writes it again.
struct GoldenLog {
  /// The folder's name, such as `shelf-1`.
  let name: String

  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Golden")

  /// The files of a store that are kept; the others are made anew.
  static let files = ["FORMAT", "data.mdb"]

  /// The logs of version 1 of the format.
  static let ofVersion1 =
    (1...5).map { GoldenLog(name: "shelf-\($0)") }
    + ["tracker-1", "tracker-1-long", "testapp-1"].map { GoldenLog(name: $0) }

  /// The logs of the tracker before its domain was one of commands.
  static let ofOldTracker = ["tracker-1", "tracker-1-long", "tracker-2"].map {
    GoldenLog(name: $0)
  }

  /// The logs of the versions 1 and 2 of the format.
  static let ofOlderVersions = ofVersion1 + (2...8).map { GoldenLog(name: "tracker-\($0)") }

  static let all = ofOlderVersions + (9...12).map { GoldenLog(name: "tracker-\($0)") }

  private var source: URL { Self.folder.appending(path: name) }

  /// Calls `body` with the path of a copy.
  func withCopy<R>(_ body: (String) throws -> R) throws -> R {
    let directory = try FileSystem.makeTemporaryDirectory("retrace-golden-")
    defer { try? FileSystem.removeTree(directory) }
    let path = directory + "/store"
    let manager = FileManager.default
    try manager.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    for file in Self.files {
      let target = path + "/" + file
      try manager.copyItem(atPath: source.appending(path: file).path, toPath: target)
      try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target)
    }
    return try body(path)
  }

  /// Calls `body` with the path of a copy in the current version of the format.
  func withMigratedCopy<R>(_ body: (String) throws -> R) throws -> R {
    try withCopy { path in
      let migrated = path + "-migrated"
      let storage = try LogStorage.open(at: path, access: .read)
      do {
        defer { storage.close() }
        _ = try storage.migrate(to: migrated)
      }
      return try body(migrated)
    }
  }

  /// Calls `body` with the log of a copy, opened for reading.
  func reading<R>(_ body: (LogStorage) throws -> R) throws -> R {
    try withCopy { path in
      let storage = try LogStorage.open(at: path, access: .read)
      defer { storage.close() }
      return try body(storage)
    }
  }

  /// The SHA-256 of a file of the committed store.
  func digest(of file: String) throws -> String {
    try Self.digest(ofFile: source.appending(path: file).path)
  }

  /// The SHA-256 of any file.
  static func digest(ofFile path: String) throws -> String {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    return SHA256Hasher.digest(of: bytes.span).hex
  }

  /// Records a log anew, if it is not there yet: committed logs are never replaced.
  ///
  /// - Parameter sessions: Batches of actions, session by session.
  func write<App: ReplayableApp>(
    _ app: App.Type, _ sessions: [[[App.SceneAction]]]
  ) throws {
    try write { path, configuration in
      for session in sessions {
        let store = try Store<App>.openBlocking(at: path, configuration: configuration)
        for batch in session { _ = try store.sendBlocking(batch) }
        try store.closeBlocking()
      }
    }
  }

  /// Records a log anew, if it is not there yet: committed logs are never replaced.
  ///
  /// - Parameter body: Makes a store at a path, with a fixed clock that advances a minute at each
  ///   reading, while the clock of the machine advances a second.
  func write(_ body: (String, StoreConfiguration) throws -> Void) throws {
    guard !FileManager.default.fileExists(atPath: source.path) else { return }
    let directory = try FileSystem.makeTemporaryDirectory("retrace-golden-")
    defer { try? FileSystem.removeTree(directory) }
    let path = directory + "/store"
    let seconds = Lock<Int64>(1_767_225_600)
    var configuration = StoreConfiguration(
      zoneID: "UTC",
      clock: {
        Moment(
          microseconds: seconds.withLock {
            $0 += 60
            return $0 * 1_000_000
          })
      })
    configuration.origin = SessionOrigin(
      login: "anna", host: "desk", process: 4_321, isClockFixed: true)
    let realSeconds = Lock<Int64>(1_800_000_000)
    configuration.realClock = {
      Moment(
        microseconds: realSeconds.withLock {
          $0 += 1
          return $0 * 1_000_000
        })
    }
    try body(path, configuration)
    try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
    for file in Self.files {
      try FileManager.default.copyItem(
        atPath: path + "/" + file, toPath: source.appending(path: file).path)
    }
  }
}

import CivilTime
import RetraceArchitecture
import RetraceFixtures
import RetraceLog
import RetraceRecording
import RetraceScreen
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceTesting

@testable import RetracePlayer

/// A log of the kiosk for the player: typed text, commands, a refusal, an undo, two windows, two
/// sessions and hours between them.
enum PlayedLog {
  static let tea = KioskItemID(value: 0)
  static let window = SceneID(value: 1)

  /// Records the log, calls `body` with it, and removes it.
  static func with<R>(_ body: (String) throws -> R) throws -> R {
    let directory = try FileSystem.makeTemporaryDirectory("retrace-player-")
    defer { try? FileSystem.removeTree(directory) }
    try record(at: directory + "/store")
    return try body(directory + "/store")
  }

  /// Opens the log for reading, and calls `body` with a player of it.
  static func withPlayer<R>(
    at sequence: UInt64? = nil, _ body: (inout Player<KioskApp>) throws -> R
  ) throws -> R {
    try with { path in try play(path, at: sequence, body) }
  }

  /// Calls `body` with a player of a store.
  static func play<R>(
    _ path: String, at sequence: UInt64? = nil, rail: PlayerState.Rail? = nil,
    _ body: (inout Player<KioskApp>) throws -> R
  ) throws -> R {
    let storage = try LogStorage.open(at: path, access: .read)
    defer { storage.close() }
    var player = try Player<KioskApp>(storage, at: sequence, zone: .utc, rail: rail)
    return try body(&player)
  }

  /// Calls `body` with the store in a session of its own.
  @discardableResult static func session<R>(
    _ path: String, by login: String, at start: String,
    _ body: (Store<KioskApp>) throws -> R
  ) throws -> R {
    var configuration = StoreConfiguration()
    (configuration.origin.login, configuration.origin.host) = (login, "desk")
    let clock = Lock(Moment(timestamp: start) ?? Moment(microseconds: 0))
    configuration.clock = {
      clock.withLock { now in
        defer { now = now.adding(.seconds(1)) }
        return now
      }
    }
    let store = try Store<KioskApp>.openBlocking(at: path, configuration: configuration)
    let result = try body(store)
    try store.closeBlocking()
    return result
  }

  /// Types a text into the line of a window, a letter at a time.
  static func type(
    _ text: String, _ store: Store<KioskApp>, in window: SceneID = window
  ) throws {
    for letter in text {
      let draft = store.state.windows[window]?.draft ?? TextDraft()
      let edit = draft.replacement(for: .insert(String(letter)))
      try store.sendBlocking([.window(window, .edited(edit))])
    }
  }

  private static func record(at path: String) throws {
    try session(path, by: "anna", at: "2026-03-02T09:00:00Z") { store in
      try store.sendBlocking([.opened(window)])
      try type("green tea 250", store)
      try store.performBlocking(.add(name: "green tea", price: 250), from: .scene)
      try store.sendBlocking([
        .window(window, .edited(TextReplacement(start: 0, end: 13, text: "", cursor: 0))),
        .window(window, .selected(tea)),
      ])
      try store.performBlocking(.restock(tea, count: 5), from: .scene)
      try store.performBlocking(.sell(tea, count: 2), from: .scene)
      _ = try? store.performBlocking(.sell(tea, count: 9), from: .scene)
      try store.undoBlocking()
      try store.redoBlocking()
    }
    try session(path, by: "bo", at: "2026-03-02T12:30:00Z") { store in
      try store.performBlocking(.add(name: "jam \u{1B}[31m日本", price: 3))
      try store.sendBlocking([.opened(SceneID(value: 2))])
      try store.performBlocking(
        .together([.restock(tea, count: 4), .rename(tea, to: "mate")]))
    }
  }
}

extension Player {
  /// Presses keys by their names, on frames of a size.
  mutating func press(
    _ names: String..., size: Screen.Size = Screen.Size(columns: 80, rows: 24)
  ) {
    for name in names {
      _ = take(.key(Key(name: name) ?? .text(name)), on: frame(size: size))
      while isWorking { work() }
    }
  }

  /// The lines of the screen of a size.
  mutating func lines(_ columns: Int = 80, _ rows: Int = 24) -> [String] {
    let size = Screen.Size(columns: columns, rows: rows)
    return PlainRenderer(size: size).lines(of: frame(size: size).picture)
  }
}

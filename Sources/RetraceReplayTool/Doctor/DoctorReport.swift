import Retrace
import RetraceReplay
import RetraceStorage
import RetraceToolSupport

struct DoctorReport {
  let condition: StoreCondition
  /// A remark on the moment of the last record, if there is one.
  let clock: RecordClocks.Remark?
  /// The sessions that were not closed, whether each is alive, and the processes that have it open.
  let openSessions: [(session: SessionSummary, isAlive: Bool, processes: [Int32])]
  /// The last session that was closed properly.
  let lastClosed: SessionSummary?
  /// The stored snapshots, and the one from which this build would open; `nil` if the log cannot be
  /// opened.
  let snapshots: SnapshotUse?

  /// Inspects a store, and its sessions if it can be opened.
  ///
  /// - Throws: `storeMissing` if the directory does not exist.
  init<App: ReplayableApp>(of app: App.Type, at path: String) throws(StoreError) {
    var snapshots: SnapshotUse?
    var sessions: [(session: SessionSummary, isAlive: Bool, processes: [Int32])] = []
    var lastClosed: SessionSummary?
    var clock: RecordClocks.Remark?
    condition = try StoreCondition.inspect(path) { (storage) throws(StoreError) in
      clock = try storage.withReadView {
        (view) throws(StoreError) -> RecordClocks.Remark? in
        guard view.head.sequence > 0 else { return nil }
        let last = try view.withRecord(at: view.head.sequence) { $0.envelope }
        var clocks = RecordClocks()
        return try clocks.remark(on: last, in: view)
      }
      snapshots = try storage.snapshotUse(of: app)
      for session in try SessionSummary.all(in: storage) {
        guard !session.isClosed else {
          lastClosed = session
          continue
        }
        let isAlive = try storage.isSessionAlive(session.number)
        let processes = isAlive ? try storage.processes(ofSession: session.number) : []
        sessions.append((session, isAlive, processes))
      }
    }
    self.clock = clock
    openSessions = sessions
    self.snapshots = snapshots
    self.lastClosed = lastClosed
  }

  var lines: [String] {
    var lines = ["store          \(condition.path)"]
    if let id = condition.storeID { lines.append("identity       \(id.hex)") }
    if let created = condition.created { lines.append("created        \(created.localTimestamp)") }
    if let head = condition.head {
      lines.append(
        head.sequence == 0
          ? "records        none"
          : "records        \(head.sequence), last \(head.moment.localTimestamp(with: clock))")
    }
    lines += sessionLines + snapshotLines + spaceLines
    for file in condition.files {
      lines.append("file           \(file.name), \(Self.size(file.sizeBytes))")
    }
    for end in condition.uncleanShutdowns {
      lines.append(
        "unclean exit   process \(end.process.map { "\($0)" } ?? "unknown"), which "
          + (end.wasWriting ? "was writing" : "was reading"))
    }
    for attempt in condition.orphanedAttempts {
      lines.append("attempt file   of session \(attempt.session), whose process has ended")
    }
    lines += orphanLines
    for name in condition.unknownDatabases {
      lines.append("not ours       the database \(SafeText.line(name)), which is not read")
    }
    if condition.failure == nil {
      lines.append(
        condition.isClean
          ? "The store is sound." : "The store is sound; see the lines \"unclean exit\".")
    }
    return lines
  }

  private var orphanLines: [String] {
    let left =
      condition.orphanedDrafts.map { ("creation", $0) }
      + condition.orphanedBackups.map { ("backup", $0) }
    return left.flatMap { work, path in
      [
        "left behind    \(path), by an interrupted \(work); it can be removed",
        "  remove it    rm -r -- \(shellWord(path))",
      ]
    }
  }

  private var sessionLines: [String] {
    var lines: [String] = []
    if !condition.holders.isEmpty {
      let holders = condition.holders.map { "\($0)" }.joined(separator: ", ")
      lines.append("in use by      process \(holders)")
    }
    for (session, isAlive, processes) in openSessions {
      let who = processes.map { " in process \($0)" }.joined()
      lines.append(
        TextWidth.padded("session \(session.number) ", to: 15)
          + (isAlive ? "alive\(who)" : "ended without closing")
          + ", since \(session.openedAt.localTimestamp(with: session.clock))")
    }
    if let lastClosed {
      lines.append("last closed    session \(lastClosed.number), at record \(lastClosed.last)")
    }
    return lines
  }

  private var snapshotLines: [String] {
    guard let snapshots else { return [] }
    guard !snapshots.stored.isEmpty || snapshots.failure != nil else {
      return ["snapshots      none; opening folds \(Self.records(snapshots.folded))"]
    }
    let stored = snapshots.stored.map { "\($0)" }.joined(separator: ", ")
    var lines = ["snapshots      after records \(stored)"]
    if let used = snapshots.used {
      lines.append(
        "opens from     record \(used), folding \(Self.records(snapshots.folded)) after it")
    } else {
      lines.append("opens from     the start, folding \(Self.records(snapshots.folded))")
    }
    for candidate in snapshots.candidates where candidate.verdict != .used {
      lines.append(
        "not usable     snapshot after record \(candidate.sequence): \(candidate.reason)")
    }
    if let failure = snapshots.failure { lines.append("not usable     \(failure)") }
    return lines
  }

  private var snapshotJSON: JSONValue {
    guard let snapshots else { return .null }
    return [
      "stored": .array(snapshots.stored.map { .integer(Int64(clamping: $0)) }),
      "used": snapshots.used.map { .integer(Int64(clamping: $0)) } ?? .null,
      "folds": .integer(Int64(clamping: snapshots.folded)),
      "unusable": .array(
        snapshots.candidates.filter { $0.verdict != .used }.map {
          ["after": .integer(Int64(clamping: $0.sequence)), "why": .string($0.reason)]
        }),
      "failure": snapshots.failure.map { .string($0) } ?? .null,
    ]
  }

  private var spaceLines: [String] {
    var lines: [String] = []
    if let pages = condition.pages {
      lines.append(
        "pages          \(pages.count) of \(pages.sizeBytes) bytes, \(pages.free) of them "
          + "free (\(Self.size(Int(clamping: pages.free) * pages.sizeBytes)))")
    }
    if let free = condition.freeBytes { lines.append("disk           \(Self.size(free)) free") }
    return lines
  }

  /// The report as JSON; sizes are in bytes.
  var json: JSONValue {
    [
      "store": .string(condition.path),
      "identity": condition.storeID.map { .string($0.hex) } ?? .null,
      "created": condition.created.map { .string($0.sortableTimestamp) } ?? .null,
      "records": condition.head.map { .integer(Int64(clamping: $0.sequence)) } ?? .null,
      "lastMoment": condition.head.map { .string($0.moment.sortableTimestamp) } ?? .null,
      "lastClock": clock.map { .string($0.text) } ?? .null,
      "holders": .array(condition.holders.map { .integer(Int64($0)) }),
      "sessions": .array(
        openSessions.map {
          .object(
            [
              .init("session", .integer(Int64(clamping: $0.session.number))),
              .init("alive", .bool($0.isAlive)),
              .init("processes", .array($0.processes.map { .integer(Int64($0)) })),
              .init("opened", .string($0.session.openedAt.sortableTimestamp)),
            ] + $0.session.clock.members)
        }),
      "lastClosed": lastClosed.map { .integer(Int64(clamping: $0.number)) } ?? .null,
      "snapshots": snapshotJSON,
      "files": .array(
        condition.files.map { ["name": .string($0.name), "bytes": .integer(Int64($0.sizeBytes))] }),
      "pages": condition.pages.map { .integer(Int64(clamping: $0.count)) } ?? .null,
      "freePages": condition.pages.map { .integer(Int64(clamping: $0.free)) } ?? .null,
      "freeBytes": condition.freeBytes.map { .integer(Int64($0)) } ?? .null,
      "uncleanEnds": .array(
        condition.uncleanShutdowns.map {
          [
            "process": $0.process.map { .integer(Int64($0)) } ?? .null,
            "wasWriting": .bool($0.wasWriting),
          ]
        }),
      "leftAttempts": .array(
        condition.orphanedAttempts.map { .integer(Int64(clamping: $0.session)) }),
      "leftDrafts": .array(condition.orphanedDrafts.map { .string($0) }),
      "leftBackups": .array(condition.orphanedBackups.map { .string($0) }),
      "unknownDatabases": .array(condition.unknownDatabases.map { .string($0) }),
      "sound": .bool(condition.failure == nil),
    ]
  }

  private static func records(_ count: UInt64) -> String {
    count == 1 ? "1 record" : "\(count) records"
  }

  static func size(_ bytes: Int) -> String {
    guard bytes >= 10_000 else { return "\(bytes) bytes" }
    let units = ["kB", "MB", "GB", "TB"]
    var value = bytes / 1_000
    var unit = 0
    while value >= 10_000 && unit < units.count - 1 {
      value /= 1_000
      unit += 1
    }
    return "\(value) \(units[unit])"
  }
}

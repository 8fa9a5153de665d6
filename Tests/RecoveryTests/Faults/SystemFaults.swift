import Foundation
import RetraceSystem
import Testing
import ToolTestSupport

/// Faults around a store: permissions, disk space, other programs.
struct SystemFaults {
  let master: RecordedStore
  /// What could not be made here, with the reason.
  private(set) var skipped: [String] = []

  init(_ master: RecordedStore) { self.master = master }

  mutating func rows() throws -> [FaultRow] {
    var rows = try [
      readOnlyDirectory(), readOnlyFiles(), dataDirectory(), limitedFiles(), secondWriter(),
      replaced("data.mdb", "data file replaced while open"),
      replaced("lock.mdb", "lock file removed while open"),
    ]
    rows += try withSmallFileSystem()
    return rows
  }

  /// Returns the command that runs a tool without root's privileges, and the user that it runs as.
  private func withoutPrivileges() throws -> (prefix: [String], user: uid_t) {
    guard geteuid() == 0 else { return ([], geteuid()) }
    let command = "/usr/bin/setpriv"
    let nobody = [command, "--reuid=65534", "--regid=65534", "--clear-groups"]
    // That user may have no access to the folder of the tools; then root drops its capabilities.
    if try self.run(nobody, ["track", "--help"]).status == 0 { return (nobody, 65_534) }
    return ([command, "--bounding-set=-all", "--inh-caps=-all"], 0)
  }

  /// Runs a tool by another command.
  private func run(
    _ prefix: [String], _ words: [String], environment: [String: String] = [:]
  ) throws -> ToolResult {
    let all = prefix + [Tools.url(words[0]).path] + words.dropFirst()
    return try ToolTestSupport.run(all[0], Array(all.dropFirst()), environment: environment)
  }

  private func give(_ store: RecordedStore, to user: uid_t) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: store.path)
    for path in [store.folder, store.path] + names.map({ store.file($0) }) {
      try give(path, to: user)
    }
  }

  private func give(_ path: String, to user: uid_t) throws {
    try FileManager.default.setAttributes(
      [.ownerAccountID: NSNumber(value: user)], ofItemAtPath: path)
  }

  // Permissions

  private func readOnlyDirectory() throws -> FaultRow {
    let name = "read-only directory"
    let store = try master.copied(to: "read-only-directory")
    // With a free mark, a small command needs no new name in the directory.
    for name in try FileSystem.list(store.path) where name.hasPrefix("open.") {
      try FileSystem.unlink(store.file(name))
    }
    let (prefix, user) = try withoutPrivileges()
    try give(store, to: user)
    try FileSystem.setMode(store.path, 0o500)
    let started = try run(prefix, Fault.Command.start.words(store.path))
    let row = try FaultRow(name, command: "track start", started)
    #expect(row.code == "permissionDenied")
    #expect(row.exitCode == 6)
    // Reading still works: it needs nothing but the files.
    let status = try run(prefix, Fault.Command.verify.words(store.path))
    #expect(status.status == 0, "\(status.errors)")
    try FileSystem.setMode(store.path, 0o700)
    try give(store, to: geteuid())
    try store.expectWhole(name)
    return row
  }

  private func readOnlyFiles() throws -> FaultRow {
    let name = "files without write permission"
    let store = try master.copied(to: "read-only-files")
    let (prefix, user) = try withoutPrivileges()
    try give(store, to: user)
    let names = try FileManager.default.contentsOfDirectory(atPath: store.path)
    for name in names { try FileSystem.setMode(store.file(name), 0o400) }
    var row: FaultRow?
    for command in Fault.Command.allCases {
      let result = try run(prefix, command.words(store.path))
      let next = try FaultRow(name, command: command.rawValue, result)
      #expect(next.code == "permissionDenied")
      #expect(next.exitCode == 6)
      row = row ?? next
    }
    for name in names { try FileSystem.setMode(store.file(name), 0o600) }
    try give(store, to: geteuid())
    try store.expectWhole(name)
    return try #require(row)
  }

  private func dataDirectory() throws -> FaultRow {
    let (prefix, user) = try withoutPrivileges()
    let home = "\(master.folder)/home"
    try FileSystem.makeDirectory(home)
    try FileSystem.setMode(home, 0o500)
    try give(home, to: user)
    let variables = ["XDG_DATA_HOME": home]
    let result = try run(prefix, ["track", "start", "x", "--json"], environment: variables)
    let row = try FaultRow("XDG_DATA_HOME read-only", command: "track start", result)
    #expect(row.code == "permissionDenied")
    #expect(row.exitCode == 6)
    #expect(try FileManager.default.contentsOfDirectory(atPath: home).isEmpty)
    try FileSystem.setMode(home, 0o700)
    let again = try run(prefix, ["track", "start", "x"], environment: variables)
    #expect(again.status == 0, "\(again.errors)")
    return row
  }

  // Disk space

  private func limitedFiles() throws -> FaultRow {
    let name = "limit on the size of files"
    let store = try master.copied(to: "limited")
    let size = try FileManager.default.attributesOfItem(atPath: store.data)[.size] as? Int
    let limit = ["/usr/bin/prlimit", "--fsize=\(try #require(size))"]
    let row = try fill(name, store, limitedBy: limit)
    try store.expectWhole(name, more: true)
    return row
  }

  /// Imports more than there is room for.
  private func fill(
    _ name: String, _ store: RecordedStore, limitedBy prefix: [String] = []
  ) throws -> FaultRow {
    let file = "\(store.folder)/more.csv"
    var text = "what,begin,minutes\n"
    for row in 0..<4000 {
      text += "\(String(repeating: "long ", count: 30))\(row),1/\(row % 28 + 1)/2025 9:00,5\n"
    }
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    let result = try run(
      prefix,
      [
        "track", "import", file, "--store", store.path, "--format", "csv", "--column",
        "description=what", "--column", "start=begin", "--column", "duration=minutes",
        "--date-format", "M/d/yyyy H:mm", "--duration-unit", "minutes", "--zone", "UTC", "--json",
      ])
    let row = try FaultRow(name, command: "track import", result)
    #expect(row.code == "diskFull", "\(row)")
    #expect(row.exitCode == 6)
    // Acknowledged records can be read while there is no room.
    let verified = try run(prefix, Fault.Command.verify.words(store.path))
    #expect(verified.status == 0, "\(verified.errors)")
    return row
  }

  /// A file system that is small, and one that is mounted to be read only; both need root.
  private mutating func withSmallFileSystem() throws -> [FaultRow] {
    let folder = "\(master.folder)/small"
    try FileSystem.makeDirectory(folder)
    let mounted = try ToolTestSupport.run(
      "/bin/mount", ["-t", "tmpfs", "-o", "size=1m,mode=0700", "none", folder])
    guard mounted.status == 0 else {
      let why = mounted.errors.trimmingCharacters(in: .whitespacesAndNewlines)
      skipped = ["no room on the disk", "read-only file system"].map { "\($0): \(why)" }
      return []
    }
    defer { _ = try? ToolTestSupport.run("/bin/umount", ["-l", folder]) }
    var store = try master.copied(to: "small")
    let full = try fill("no room on the disk", store)
    try remount(folder, "size=64m")
    try store.expectWhole(full.fault, more: true)
    try store.noteTruth()
    try remount(folder, "ro")
    let started = try run([], Fault.Command.start.words(store.path))
    let readOnly = try FaultRow("read-only file system", command: "track start", started)
    #expect(readOnly.code == "readOnly")
    #expect(readOnly.exitCode == 6)
    for command in [Fault.Command.status, .verify, .audit] {
      let result = try run([], command.words(store.path))
      #expect(result.status == 0, "\(result.errors)")
    }
    try remount(folder, "rw")
    try store.expectWhole(readOnly.fault)
    return [full, readOnly]
  }

  private func remount(_ folder: String, _ options: String) throws {
    let result = try ToolTestSupport.run("/bin/mount", ["-o", "remount,\(options)", folder])
    try #require(result.status == 0, "\(result.errors)")
  }

  // Other programs

  private func app(_ store: RecordedStore) throws -> (RunningTool, Int) {
    let app = try RunningTool(
      "track",
      ["app", "--store", store.path, "--now", RecordedStore.now, "--size", "72x20", "--json"])
    app.send("text:anna")
    let answer = try #require(app.readLine())
    let sequence = answer.dropFirst(#"{"sequence":"#.count).dropLast()
    return (app, try #require(Int(sequence), "\(answer)"))
  }

  private func secondWriter() throws -> FaultRow {
    let name = "a writer that does not share"
    let store = try master.copied(to: "second-writer")
    let other = try ByteRangeLock.open("\(store.path)/owner.lock")
    #expect(try other.tryExclusive(at: 1 << 62))
    let result = try run([], Fault.Command.start.words(store.path))
    let row = try FaultRow(name, command: "track start", result)
    #expect(row.code == "inUse")
    #expect(row.exitCode == 5)
    #expect(row.why.contains("\(ThisProcess.identifier)"), "\(row.why)")
    for command in [Fault.Command.status, .verify, .audit] {
      let result = try run([], command.words(store.path))
      #expect(result.status == 0, "a reader beside the writer: \(result.errors)")
    }
    try other.release(at: 1 << 62)
    try store.expectWhole(name)
    return row
  }

  private func replaced(_ file: String, _ name: String) throws -> FaultRow {
    var store = try master.copied(to: "replaced-\(file)")
    let (app, acknowledged) = try app(store)
    try store.moveAside(file)
    if file == "data.mdb" {
      try FileManager.default.copyItem(atPath: store.aside(file), toPath: store.file(file))
    }
    app.send("text:b")
    // Nothing is acknowledged that went into a file without a name.
    #expect(app.readLine() == nil)
    let row = try FaultRow(name, command: "track app", app.finish())
    #expect(row.code == "filesReplaced")
    #expect(row.exitCode == 6)
    try store.putBack(file)
    try store.expectWhole(name, more: true)
    try store.noteTruth()
    #expect(store.truth.records.count >= acknowledged)
    return row
  }
}

extension Fault.Command {
  /// The tool and its arguments.
  func words(_ store: String) -> [String] { [tool] + arguments(store) + ["--json"] }
}

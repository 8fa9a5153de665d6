import Foundation
import RetraceSystem
import Testing
import ToolTestSupport

struct FileSystemTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test func `A directory is listed, with its odd names, in order`() throws {
    let names = ["a", "b c", "ä", "zz", ".hidden", "new\nline"]
    for name in names { try directory.write("x", name) }
    let expected = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    #expect(try FileSystem.list(directory.path) == expected)
    #expect(throws: SystemError(.notADirectory, during: .readdir, path: directory.file("a"))) {
      try FileSystem.list(directory.file("a"))
    }
  }

  @Test func `A tree is removed, and what its links point at is not`() throws {
    try FileSystem.makeDirectories(directory.file("tree/a/b/c"))
    try directory.write("x", "tree/a/b/file")
    try FileSystem.makeDirectory(directory.file("kept"))
    try directory.write("x", "kept/file")
    try FileManager.default.createSymbolicLink(
      atPath: directory.file("tree/a/link"), withDestinationPath: directory.file("kept"))
    try FileSystem.removeTree(directory.file("tree"))
    #expect(try FileSystem.list(directory.path) == ["kept"])
    #expect(try directory.read("kept/file") == "x")
  }

  @Test func `Making directories takes what is there`() throws {
    try FileSystem.makeDirectories(directory.file("a/b/c"))
    try FileSystem.makeDirectories(directory.file("a/b/c"))
    #expect(try FileSystem.info(directory.file("a/b/c")).mode == 0o700)
    try directory.write("x", "file")
    #expect(throws: SystemError.self) { try FileSystem.makeDirectories(directory.file("file")) }
    #expect(throws: SystemError.self) { try FileSystem.makeDirectories(directory.file("file/d")) }
    #expect(throws: SystemError(.fileExists, during: .mkdir, path: directory.file("a"))) {
      try FileSystem.makeDirectory(directory.file("a"))
    }
  }

  @Test func `A directory that another process makes in between is taken`() throws {
    try FileSystem.makeDirectories(directory.file("a/b"))
    let plan = SystemFaultPlan(under: directory.path)
    // The first look finds no directory, as if another process made it just after.
    plan.fail(.noSuchFile, atCall: 1, of: .stat, onPathsEndingIn: "/a/b")
    plan.fail(.noSuchFile, atCall: 1, of: .stat, onPathsEndingIn: "/a")
    try plan.whileInstalled { () throws(SystemError) in
      try FileSystem.makeDirectories(directory.file("a/b"))
    }
    #expect(plan.callCount(of: .mkdir) == 2)
  }

  @Test func `Concurrent creations of the same directories all succeed`() async throws {
    for round in 0..<10 {
      let path = directory.file("\(round)/a/b/c")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<8 { group.addTask { try FileSystem.makeDirectories(path, syncing: true) } }
        try await group.waitForAll()
      }
    }
  }

  @Test func `The names of new directories, and of the lowest old one, are synced`() throws {
    let plan = SystemFaultPlan(under: directory.path)
    try FileSystem.makeDirectory(directory.file("old"))
    try plan.whileInstalled { () throws(SystemError) in
      try FileSystem.makeDirectories(directory.file("old/a/b"), syncing: true)
    }
    // The files of b, of a, and of old, which another process may just have made.
    #expect(plan.callCount(of: .fsync) == 3)
    plan.fail(.inputOutput, atCall: 1, of: .fsync)
    #expect(throws: SystemError.self) {
      try plan.whileInstalled { () throws(SystemError) in
        try FileSystem.makeDirectories(directory.file("old/a/c"), syncing: true)
      }
    }
  }

  @Test(arguments: [Int64.max, .min, 1 << 44, -1 << 44])
  func `A time that no count of microseconds holds is clamped`(seconds: Int64) {
    let expected: Int64 = seconds < 0 ? .min : .max
    #expect(FileInfo.microseconds(seconds, nanoseconds: 999_999_999) == expected)
    #expect(FileInfo.microseconds(2, nanoseconds: 1_500) == 2_000_001)
    #expect(FileInfo.microseconds(-1, nanoseconds: 500_000_000) == -500_000)
  }

  @Test func `A broken link exists, a path through a file does not`() throws {
    try directory.write("x", "file")
    try FileManager.default.createSymbolicLink(
      atPath: directory.file("link"), withDestinationPath: directory.file("nowhere"))
    #expect(try FileSystem.exists(directory.file("file")))
    #expect(try FileSystem.exists(directory.file("link")))
    #expect(try FileSystem.linkInfo(directory.file("link")).kind == .symbolicLink)
    #expect(try FileSystem.readLink(directory.file("link")) == directory.file("nowhere"))
    #expect(try !FileSystem.exists(directory.file("nowhere")))
    #expect(try !FileSystem.exists(directory.file("file/inner")))
    #expect(throws: SystemError(.noSuchFile, during: .stat, path: directory.file("link"))) {
      try FileSystem.info(directory.file("link"))
    }
  }

  @Test func `A whole file is read up to the limit, and no pipe is waited for`() throws {
    try directory.write("12345", "file")
    #expect(try FileSystem.readWhole(directory.file("file"), limitBytes: 5) == Array("12345".utf8))
    #expect(throws: SystemError(.aboveLimit, during: .read, path: directory.file("file"))) {
      try FileSystem.readWhole(directory.file("file"), limitBytes: 4)
    }
    let fifo = directory.file("fifo")
    #expect(unsafe mkfifo(fifo, 0o600) == 0)
    #expect(throws: SystemError(.invalidArgument, during: .open, path: fifo)) {
      try FileSystem.readWhole(fifo, limitBytes: 10)
    }
    #expect(throws: SystemError(.isADirectory, during: .open, path: directory.path)) {
      try FileSystem.readWhole(directory.path, limitBytes: 10)
    }
    #expect(try !FileSystem.readWhole("/proc/self/status", limitBytes: 1 << 20).isEmpty)
    #expect(throws: SystemError(.aboveLimit, during: .read, path: "/proc/self/status")) {
      try FileSystem.readWhole("/proc/self/status", limitBytes: 10)
    }
  }

  @Test func `Replacing leaves the old file or the new one, whichever call fails`() throws {
    let (old, new) = ("old", String(repeating: "new", count: 1000))
    let plan = SystemFaultPlan(under: directory.path)
    try plan.whileInstalled {
      try directory.write(new, "probe")
    }
    let total = plan.callCount()
    #expect(total >= 5)
    for timing in [SystemFaultPlan.Timing.before, .after] {
      for call in 1...total {
        try directory.write(old, "file")
        let plan = SystemFaultPlan(under: directory.path)
        plan.fail(.inputOutput, atCall: call, timing: timing)
        let error = plan.whileInstalled { () -> SystemError? in
          do throws(SystemError) {
            try directory.write(new, "file")
            return nil
          } catch { return error }
        }
        #expect(error?.code == .inputOutput, "call \(call)")
        let text = try directory.read("file")
        #expect(text == old || text == new, "call \(call)")
        #expect(try FileSystem.list(directory.path) == ["file", "probe"], "call \(call)")
      }
    }
  }

  @Test func `Threads that replace a file at once leave one of their files, whole`() async throws {
    let path = directory.file("file")
    try directory.write("0", "file")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for digit in UInt8(48)..<56 {
        let bytes = [UInt8](repeating: digit, count: 10_000)
        group.addTask {
          for _ in 0..<5 {
            try FileSystem.replace(path, with: bytes.span)
            let seen = try FileSystem.readWhole(path, limitBytes: 10_000)
            #expect(seen.count == 10_000 && Set(seen).count == 1)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try FileSystem.list(directory.path) == ["file"])
  }

  @Test func `The real path has no links and no dots`() throws {
    try FileManager.default.createSymbolicLink(
      atPath: directory.file("link"), withDestinationPath: directory.path)
    let real = try FileSystem.realPath(directory.path)
    #expect(try FileSystem.realPath(directory.file("link/./link/..")) == parent(of: real))
    #expect(throws: SystemError(.noSuchFile, during: .realpath, path: directory.file("none"))) {
      try FileSystem.realPath(directory.file("none"))
    }
  }

  private func parent(of path: String) -> String {
    "/" + path.split(separator: "/").dropLast().joined(separator: "/")
  }

  @Test func `There is free space, and none where there is nothing`() throws {
    #expect(try FileSystem.freeBytes(directory.path) > 0)
    #expect(throws: SystemError.self) { try FileSystem.freeBytes(directory.file("none")) }
    #expect(try FileSystem.list(FileSystem.temporaryDirectory).isEmpty == false)
  }
}

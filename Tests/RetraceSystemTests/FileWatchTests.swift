import RetraceSystem
import Synchronization
import Testing

struct FileWatchTests {
  private func waitUntil(_ condition: () -> Bool) {
    // Ends as soon as it holds; the limit only ends a test that fails.
    for _ in 0..<10_000 where !condition() { MonotonicClock.sleep(milliseconds: 1) }
  }

  private func withFile(_ body: (String, borrowing OpenFile) throws -> Void) throws {
    let folder = try FileSystem.makeTemporaryDirectory("retrace-watch")
    defer { try? FileSystem.removeTree(folder) }
    let file = try OpenFile.open("\(folder)/file", [.read, .write, .create])
    try file.write([1].span, at: 0)
    try body("\(folder)/file", file)
  }

  @Test func `A write is reported, looked at again later, and then nothing happens`() throws {
    try withFile { path, file in
      let calls = Atomic(0)
      let watch = try FileWatch(path) { calls.add(1, ordering: .relaxed) }
      #expect(watch.mechanism == .reported)
      MonotonicClock.sleep(milliseconds: 100)
      #expect(calls.load(ordering: .relaxed) == 0)
      try file.write([2].span, at: 0)
      let expected = FileWatch.delaysMilliseconds.count
      waitUntil { calls.load(ordering: .relaxed) >= expected }
      MonotonicClock.sleep(milliseconds: 200)
      #expect(calls.load(ordering: .relaxed) == expected)
      watch.stop()
      try file.write([3].span, at: 0)
      MonotonicClock.sleep(milliseconds: 20)
      #expect(calls.load(ordering: .relaxed) == expected)
    }
  }

  @Test func `Writes without end are reported all the while`() throws {
    try withFile { path, file in
      let calls = Atomic(0)
      let watch = try FileWatch(path) { calls.add(1, ordering: .relaxed) }
      var writes = 0
      while calls.load(ordering: .relaxed) < 5, writes < 1_000_000 {
        try file.write([UInt8(truncatingIfNeeded: writes)].span, at: 0)
        writes += 1
      }
      #expect(calls.load(ordering: .relaxed) >= 5)
      watch.stop()
    }
  }

  @Test func `If no watch can be created, the file is polled`() throws {
    try withFile { path, _ in
      for call in 1...2 {
        let plan = SystemFaultPlan(under: String(path.dropLast(5)))
        plan.fail(.noSpace, atCall: call, of: .inotify)
        let calls = Atomic(0)
        let watch = try plan.whileInstalled { () throws(SystemError) in
          try FileWatch(path) { calls.add(1, ordering: .relaxed) }
        }
        #expect(watch.mechanism == .polled)
        waitUntil { calls.load(ordering: .relaxed) >= 3 }
        #expect(calls.load(ordering: .relaxed) >= 3)
        watch.stop()
      }
    }
  }

  /// How many descriptors of this process ask for reports of a file, whatever else is open.
  private func reports(of path: String) throws -> Int {
    let inode = "ino:" + String(try FileSystem.info(path).identity.inode, radix: 16)
    return try FileSystem.list("/proc/self/fdinfo").count { name in
      // What was listed may be closed by now.
      let text = try? FileSystem.readWhole("/proc/self/fdinfo/\(name)", limitBytes: 1 << 16)
      return String(decoding: text ?? [], as: UTF8.self).split(whereSeparator: \.isWhitespace)
        .contains { $0 == inode }
    }
  }

  @Test func `A watch may end its own life, and many may come and go`() throws {
    try withFile { path, file in
      for _ in 0..<50 {
        let held = Lock<FileWatch?>(nil)
        let ended = Atomic(false)
        let watch = try FileWatch(path) {
          held.withLock { $0 = nil }
          ended.store(true, ordering: .releasing)
        }
        #expect(try reports(of: path) > 0)
        held.withLock { $0 = consume watch }
        try file.write([4].span, at: 0)
        waitUntil { ended.load(ordering: .acquiring) }
        let hasEnded = ended.load(ordering: .acquiring)
        #expect(hasEnded)
      }
      // Its thread closes what it had open after the call.
      for _ in 0..<500 {
        if try reports(of: path) == 0 { break }
        MonotonicClock.sleep(milliseconds: 20)
      }
      #expect(try reports(of: path) == 0)
    }
  }
}

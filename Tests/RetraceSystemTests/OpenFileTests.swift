import Foundation
import RetraceSystem
import Testing
import ToolTestSupport

struct OpenFileTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test func `Bytes written at a position are read there`() throws {
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let file = try OpenFile.open(directory.file("a"), [.read, .write, .create, .exclusive])
    try file.write(bytes.span, at: 1000)
    try file.synchronize()
    #expect(try file.size == 201_000)
    #expect(try file.read(at: 0, count: 1000) == [UInt8](repeating: 0, count: 1000))
    #expect(try file.read(at: 1000, count: bytes.count) == bytes)
    #expect(try file.read(at: 200_990, count: 100) == Array(bytes.suffix(10)))
    #expect(try file.read(at: 300_000, count: 5) == [])
    var buffer = [UInt8](repeating: 9, count: 20)
    #expect(try file.read(into: &buffer, at: 200_990) == 10)
    #expect(buffer == Array(bytes.suffix(10)) + [UInt8](repeating: 9, count: 10))
    try file.truncate(to: 1003)
    #expect(try file.read(at: 1000, count: 9) == Array(bytes.prefix(3)))
  }

  @Test func `Appending goes to the end, reading on goes on`() throws {
    let file = try OpenFile.open(directory.file("a"), [.write, .create, .append])
    try file.append(Array("one ".utf8).span)
    let other = try OpenFile.open(directory.file("a"), [.write, .append])
    try other.append(Array("two ".utf8).span)
    try file.append(Array("three".utf8).span)
    let reading = try OpenFile.open(directory.file("a"))
    #expect(try reading.readNext(4) == Array("one ".utf8))
    #expect(try reading.readNext(100) == Array("two three".utf8))
    #expect(try reading.readNext(100) == [])
  }

  @Test func `Options are honoured`() throws {
    try directory.write("text", "a")
    let path = directory.file("a")
    try FileManager.default.createSymbolicLink(
      atPath: directory.file("link"), withDestinationPath: path)
    func code(_ name: String, _ options: OpenFile.Options) -> SystemError.Code? {
      do throws(SystemError) {
        _ = try OpenFile.open(directory.file(name), options)
        return nil
      } catch {
        #expect(error.operation == .open && error.path == directory.file(name))
        return error.code
      }
    }
    #expect(code("a", [.write, .create, .exclusive]) == .fileExists)
    #expect(code("none", .read) == .noSuchFile)
    #expect(code("none", [.write]) == .noSuchFile)
    #expect(code("link", .read) == nil)
    #expect(code("link", [.read, .noFollow]) == .tooManyLinks)
    #expect(code("a", [.read, .directory]) == .notADirectory)
    #expect(code(".", [.read, .directory]) == nil)
    #expect(code(".", [.write]) == .isADirectory)
    #expect(code("a", [.write, .truncate]) == nil)
    #expect(try directory.read("a") == "")
  }

  @Test func `A file can only do what it was opened for`() throws {
    try directory.write("text", "a")
    let reading = try OpenFile.open(directory.file("a"))
    #expect(throws: SystemError(.badFileDescriptor, during: .pwrite, path: reading.path)) {
      try reading.write([1].span, at: 0)
    }
  }

  @Test func `The description tells owner, mode, names and kind`() throws {
    let file = try OpenFile.open(directory.file("a"), [.write, .create], mode: 0o640)
    let info = try file.info()
    #expect(info.kind == .regular && info.isRegular && !info.isDirectory)
    #expect(try file.isRegular && info.linkCount == 1 && file.mode & 0o640 == file.mode)
    #expect(info.owner == ThisProcess.userIdentifier)
    #expect(abs(info.modified - WallClock.now()) < 3_600_000_000)
    let byPath = try FileSystem.info(directory.file("a"))
    #expect(try file.identity == byPath.identity)
    try FileSystem.unlink(directory.file("a"))
    #expect(try file.info().linkCount == 0)
    #expect(try FileSystem.info(directory.path).kind == .directory)
    #expect(try FileSystem.info("/dev/null").kind == .other)
  }

  @Test func `Files and directories are private whatever the umask`() async throws {
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      umask(0)
      try FileSystem.makeDirectory(path + "/d")
      try #require(try FileSystem.info(path + "/d").mode == 0o700)
      try #require(
        try FileSystem.info(FileSystem.makeTemporaryDirectory("t", in: path)).mode == 0o700)
      try #require(try OpenFile.open(path + "/f", [.write, .create]).mode == 0o600)
      try FileSystem.replace(path + "/r", with: [1].span)
      try #require(try FileSystem.info(path + "/r").mode == 0o600)
      let lock = try ByteRangeLock.open(path + "/l")
      try #require(try lock.file.mode == 0o600)
    }
  }

  @Test func `Descriptors are closed with their files and not inherited`() throws {
    let before = try FileSystem.list("/proc/self/fd").count
    for _ in 0..<50 { _ = try OpenFile.open(directory.path, [.read, .directory]) }
    // Tests that run beside this one hold some of their own.
    #expect(try FileSystem.list("/proc/self/fd").count < before + 40)
    let file = try OpenFile.open(directory.file("a"), [.write, .create])
    let child = try ChildProcess.run("/bin/ls", ["/proc/self/fd"])
    let inherited = String(decoding: child.output, as: UTF8.self).split(separator: "\n")
    #expect(!inherited.contains("\(file.descriptor)") || file.descriptor < 4)
  }
}

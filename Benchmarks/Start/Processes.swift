import Figures
import Foundation

/// Programs that are started for a row, and what they print.
enum Program {
  /// The program on the engine that is built beside this one.
  static var probe: String { get throws { try beside("start-probe") } }
  /// The program in C that does the same as a tool or as ``probe``.
  static var yardstick: String { get throws { try beside("start-yardstick") } }

  /// The program that types at a program on a terminal.
  static var terminalProbe: String { get throws { try beside("terminal-probe") } }

  private static func beside(_ name: String) throws -> String {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let path = own.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/" + name
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw FiguresError("\(name) is not built beside this suite")
    }
    return path
  }

  /// What a program printed, and how long it took from its start to its end.
  struct Run {
    var nanoseconds: Int64
    var output: String

    /// The numbers of the last line.
    var numbers: [Double] {
      let line = output.split(separator: "\n").last ?? ""
      return line.split(separator: " ").compactMap { Double($0) }
    }

    /// Returns the operations and the checksum that `start-probe` or its yardstick printed, with
    /// the time of the whole process.
    func measured() throws -> Measured {
      let words = output.split(separator: "\n").last?.split(separator: " ") ?? []
      guard words.count >= 2, let operations = UInt64(words[0]), let checksum = UInt64(words[1])
      else { throw FiguresError("a program printed: \(output)") }
      return Measured(nanoseconds: nanoseconds, operations: operations, checksum: checksum)
    }

    /// Returns the same, with the time that the program measured and printed.
    func measuredByItself() throws -> Measured {
      var measured = try measured()
      guard numbers.count > 2 else { throw FiguresError("a program printed: \(output)") }
      measured.nanoseconds = Int64(numbers[2] * 1e6)
      return measured
    }
  }

  /// Runs a program and reads what it printed.
  static func run(_ path: String, _ words: [String], allowFailure: Bool = false) throws -> Run {
    let file = NSTemporaryDirectory() + "/retrace-start-\(getpid())"
    defer { unlink(file) }
    let run = try ToolRun.run(path, words, output: file)
    let output = try String(contentsOfFile: file, encoding: .utf8)
    guard run.status == 0 || allowFailure else {
      throw FiguresError("\(path) \(words.joined(separator: " ")) ended with \(run.status)")
    }
    return Run(nanoseconds: run.nanoseconds, output: output)
  }

  /// Returns the number of pages of some files that `body` leaves in the page cache, from which
  /// they are evicted before.
  static func pages(of files: [String], after body: () throws -> Void) throws -> Int {
    for file in files { try evict(file) }
    try body()
    return try files.reduce(0) { try $0 + cachedPages(of: $1) }
  }

  private static func cachedPages(of path: String) throws -> Int {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw FiguresError("\(path) cannot be opened") }
    defer { close(file) }
    var info = stat()
    guard fstat(file, &info) == 0 else { throw FiguresError("\(path) has no size") }
    let size = Int(info.st_size)
    let map = mmap(nil, size, PROT_READ, MAP_SHARED, file, 0)
    guard let map, map != MAP_FAILED else { throw FiguresError("\(path) cannot be mapped") }
    defer { munmap(map, size) }
    var pages = [UInt8](repeating: 0, count: (size + 4095) / 4096)
    guard mincore(map, size, &pages) == 0 else { throw FiguresError("\(path) is not in a cache") }
    return pages.count { $0 & 1 != 0 }
  }

  /// Evicts a file from the page cache.
  static func evict(_ path: String) throws {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw FiguresError("\(path) cannot be opened") }
    defer { close(file) }
    guard fsync(file) == 0, posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0 else {
      throw FiguresError("\(path) cannot be evicted from the page cache")
    }
  }
}

/// Registers the cost of a process that does nothing, and of the write that a commit waits for.
func registerProcessRows() {
  compare(
    Row(
      "a process that does nothing", input: "start to exit, Swift library linked statically",
      unit: .milliseconds, rounds: 21, isWhole: true),
    ours: { try Program.run(try Program.probe, ["nothing", "-"]).measured() },
    yardsticks: [nothingInC()])
  var folder = ""
  figure(
    Row(
      "write of 4 KiB and fdatasync", input: "a file that grows", unit: .milliseconds, rounds: 21),
    setUp: { folder = try scratch("sync") }, tearDown: { removeScratch(folder) }
  ) {
    let file = open(folder + "/file", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw FiguresError("the file cannot be opened") }
    defer { close(file) }
    let page = [UInt8](repeating: 1, count: 4096)
    let start = FiguresClock.wall.now
    guard write(file, page, page.count) == page.count, fdatasync(file) == 0 else {
      throw FiguresError("the file cannot be written")
    }
    return Counted(Double(FiguresClock.wall.now - start) / 1e6)
  }
}

/// A static C program that does nothing, from start to exit.
func nothingInC(_ target: Target? = nil) -> Yardstick {
  Yardstick("C that does nothing", target) {
    try Program.run(try Program.yardstick, ["nothing"]).measured()
  }
}

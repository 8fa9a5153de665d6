import Foundation
import RetraceSystem
import Testing
import ToolTestSupport

/// Files that the system does not have in memory, and what a process reads of them.
enum ColdFile {
  /// What a process read.
  struct Cost {
    /// Faults that waited for a file.
    var faults: Int
    /// Bytes that came from the disk, read ahead or asked for.
    var bytesRead: Int
  }

  /// Evicts a file from the page cache.
  static func evict(_ path: String) throws {
    let file = try OpenFile.open(path, [.read])
    try file.synchronize()
    _ = posix_fadvise(file.descriptor, 0, 0, POSIX_FADV_DONTNEED)
  }

  /// Runs a script that becomes the process to be measured.
  static func cost(_ script: String, _ arguments: [String]) throws -> Cost {
    // The kernel counts blocks of 512 bytes of what `read_bytes` in /proc/PID/io says.
    let result = try shell("/usr/bin/time -f '%F %I' bash -c '\(script)' bash \"$@\"", arguments)
    #expect(result.status == 0, "\(result.errors)")
    let figures = (result.errors.split(separator: "\n").last ?? "").split(separator: " ")
      .compactMap { Int($0) }
    try #require(figures.count == 2, "\(result.errors)")
    return Cost(faults: figures[0], bytesRead: figures[1] * 512)
  }

  /// Returns whether a file beside `path` can be evicted and reads of it are counted, which is not
  /// so in memory, over some networks, or where the kernel does not count.
  static func canMeasure(beside path: String) throws -> Bool {
    let file = "\(path).probe"
    let bytes = 64 << 10
    try Data(repeating: 1, count: bytes).write(to: URL(fileURLWithPath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    _ = try cost("exec cat \"$@\" >/dev/null", [file])
    try evict(file)
    return try cost("exec cat \"$@\" >/dev/null", [file]).bytesRead >= bytes
  }
}

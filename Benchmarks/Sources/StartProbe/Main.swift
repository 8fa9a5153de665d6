import Glibc
import RetraceStorage

/// One process from start to exit, as the suite `Start` times it.
///
/// The last line that a command prints is `operations checksum`, followed by figures of its own.
/// The suite compares the operations and the checksum with the yardstick's.
@main
enum Main {
  static func main() {
    let words = CommandLine.arguments.dropFirst()
    guard let name = words.first, let path = words.dropFirst().first else {
      end("start-probe: takes a command, a path and numbers")
    }
    let numbers = words.dropFirst(2).compactMap { Int($0) }
    do throws(StoreError) {
      try run(name, path, numbers, lastWord: words[words.endIndex - 1])
    } catch {
      end("start-probe: \(name): \(error.what) \(error.why)")
    }
    // The end of the process frees all memory.
    exit(0)
  }

  private static func run(
    _ name: String, _ path: String, _ numbers: [Int], lastWord: String
  ) throws(StoreError) {
    switch name {
    case "write": try writeEntries(path, numbers, login: lastWord)
    case "write-log": try writeLog(path, numbers)
    case "crash": try crash(path, numbers)
    case "open": try openAndStart(path, numbers)
    case "today": try today(path, numbers)
    case "report": try report(path, numbers)
    case "lazy": try openLazily(path, numbers)
    case "appended": try appended(path)
    case "recover": try recover(path, numbers)
    case "seek": try seek(path, numbers)
    case "keys": try typeKeys(path, numbers)
    case "nothing": nothing()
    default: end("start-probe: there is no command \(name)")
    }
  }

  /// `nothing -`: does nothing; for the cost of a process.
  private static func nothing() { printResult(1, Checksum()) }

  private static func end(_ message: String) -> Never {
    let line = Array((message + "\n").utf8)
    _ = write(2, line, line.count)
    exit(64)
  }

  /// Prints the last line: operations, checksum, figures.
  static func printResult(_ operations: Int, _ checksum: Checksum, _ figures: Double...) {
    let more = figures.map { " \($0)" }.joined()
    print("\(operations) \(checksum.value)\(more)")
  }
}

/// A checksum of numbers and texts, in order.
struct Checksum {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ number: Int64) {
    value = (value ^ UInt64(bitPattern: number)) &* 0x0000_0100_0000_01b3
    value ^= value >> 29
  }

  mutating func add(_ text: String) {
    for byte in text.utf8 { add(Int64(byte)) }
  }
}

/// The milliseconds of the monotonic clock.
func milliseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

/// A line of `/proc/self/status` that counts kilobytes.
func kilobytes(_ name: String) -> Double {
  let file = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
  defer { close(file) }
  var bytes = [UInt8](repeating: 0, count: 8_192)
  let count = read(file, &bytes, bytes.count)
  guard count > 0 else { return .nan }
  for line in String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n") {
    guard line.hasPrefix(name + ":") else { continue }
    return Double(line.split(whereSeparator: { $0 == " " || $0 == "\t" })[1]) ?? .nan
  }
  return .nan
}

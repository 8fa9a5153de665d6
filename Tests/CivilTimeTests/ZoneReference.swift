import Foundation
import RetraceSystem
import Testing
import ToolTestSupport

/// The script that answers questions about time zones by Python's zoneinfo.
enum ZoneReference {
  static var folder: String { "/usr/share/zoneinfo" }

  /// The words of a line that the script prints: a name, if the line starts with one, and numbers.
  struct Line {
    var name = ""
    var numbers: [Int64] = []
  }

  /// Runs the script, which has to succeed.
  static func run(_ arguments: [String], input: [UInt8] = []) throws -> [Line] {
    let script = URL(fileURLWithPath: "\(#filePath)").deletingLastPathComponent()
      .appending(path: "Python/zones.py").path
    let (exit, output, errors) = try ChildProcess.run(
      "/usr/bin/env", ["python3", "-I", script] + arguments, input: input)
    try #require(exit == .exited(0), "\(String(decoding: errors, as: UTF8.self))")
    return output.split(separator: 0x0a).map(line)
  }

  private static func line(_ bytes: ArraySlice<UInt8>) -> Line {
    var line = Line()
    for word in bytes.split(separator: 0x20) {
      let digits = word.first == UInt8(ascii: "-") ? word.dropFirst() : word
      var value: Int64 = 0
      var isNumber = true
      for byte in digits {
        guard (0x30...0x39).contains(byte) else {
          isNumber = false
          break
        }
        value = value * 10 + Int64(byte - 0x30)
      }
      if isNumber {
        line.numbers.append(digits.count == word.count ? value : -value)
      } else {
        line.name = String(decoding: word, as: UTF8.self)
      }
    }
    return line
  }
}

import ArgumentParser
import Retrace

/// The format of a flat export.
package enum FlatFormat: String, CaseIterable, Sendable {
  /// Comma-separated values: a header, and a line for each record.
  case csv
  /// JSON Lines: an object for each record.
  case jsonl

  /// A quotation mark inside a text.
  var quote: [UInt8] { Array((self == .csv ? "\"\"" : "\\\"").utf8) }

  /// Returns the bytes of JSON inside a text: without control characters, but with quotation marks
  /// and backslashes.
  func escaped(json: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for byte in json.utf8 {
      switch byte {
      case UInt8(ascii: "\""): bytes += quote
      case UInt8(ascii: "\\") where self == .jsonl: bytes += [byte, byte]
      default: bytes.append(byte)
      }
    }
    return bytes
  }

  /// Returns the bytes of any text inside the quotation marks of a field.
  func escaped(_ text: String) -> [UInt8] {
    switch self {
    case .csv: Array(text.replacing("\"", with: "\"\"").utf8)
    case .jsonl: Array(JSONValue.string(text).text().utf8.dropFirst().dropLast())
    }
  }
}

extension FlatFormat: ExpressibleByArgument {}

import Retrace
import RetraceToolSupport

/// A line of comma-separated values.
struct CSVLine {
  /// The values.
  let fields: [String]

  /// Prints the line, made safe for terminals, but never cut.
  func print(_ output: Output) {
    let line = fields.map { Self.quoted($0) }.joined(separator: ",")
    output.printRaw(SafeText.line(line, bytesMax: .max))
  }

  /// Returns a field, in quotes if it needs them.
  private static func quoted(_ field: String) -> String {
    let special: [UInt8] = [0x22, 0x2c, 0x0a, 0x0d]
    guard field.utf8.contains(where: { special.contains($0) }) else { return field }
    return "\"\(field.replacing("\"", with: "\"\""))\""
  }
}

extension ElapsedTime {
  /// The duration as a number of hours with four decimals, rounded to the nearest: `1.5000`.
  var decimalHours: String {
    let parts = tenThousandthsOfHours
    return "\(parts / 10_000).\(padded(Int(parts % 10_000), to: 4))"
  }

  /// The time in ten-thousandths of an hour, rounded to the nearest.
  var tenThousandthsOfHours: Int64 { (seconds * 10_000 + 1_800) / 3_600 }
}

import Retrace

/// A line of comma-separated values.
package struct CSVLine {
  /// The values.
  let fields: [String]

  package init(fields: [String]) { self.fields = fields }

  /// The line in a file, without its end.
  package var text: String { Self.text(of: fields) }

  /// Prints the line, which is never cut.
  ///
  /// A file or a pipe gets the exact values. A terminal gets them made safe.
  package func print(_ output: Output) {
    let isShown = output.streams.isTerminal(.output)
    let fields = fields.map { isShown ? SafeText.line($0, bytesMax: .max) : $0 }
    output.printRaw(Self.text(of: fields))
  }

  private static func text(of fields: [String]) -> String {
    fields.map(quoted).joined(separator: ",")
  }

  /// Returns a field, in quotes if it needs them.
  private static func quoted(_ field: String) -> String {
    let special: [UInt8] = [0x22, 0x2c, 0x0a, 0x0d]
    guard field.utf8.contains(where: { special.contains($0) }) else { return field }
    return "\"\(field.replacing("\"", with: "\"\""))\""
  }
}

import RetraceScreen

/// The texts of a long list, for both sides, and the widths of all scalars for the yardstick.
struct ListTexts {
  /// The number of rows of the list; row `i` has the text `i % texts.count`.
  static let rows = 1_000_000

  /// The texts.
  let texts: [String]
  /// The UTF-8 of all texts, one after another.
  let bytes: [UInt8]
  /// The offset after each text.
  let ends: [Int64]
  /// The cells of each scalar.
  let widths: [UInt8]

  init() {
    let subjects = [
      "Write the report", "Review the draft of the migration guide", "Gespräch über Größen",
      "会議の準備をする", "Fix a crash when the log is full", "Läuft noch: Prüfung der Zahlen",
      "Call with the bank", "출장 보고서 작성",
    ]
    texts = (0..<4096).map { index in
      let start = "\(index % 24):\(10 + index % 50)"
      let subject = subjects[index % subjects.count]
      let project = "Project \(index % 37), Client \(index % 11)"
      let tags = String(repeating: " #tag\(index % 7)", count: index % 5)
      return "  \(start)  \(index % 9):\(10 + index % 50)  \(subject) \(index)  \(project) \(tags)"
    }
    var (bytes, ends): ([UInt8], [Int64]) = ([], [])
    for text in texts {
      bytes += text.utf8
      ends.append(Int64(bytes.count))
    }
    (self.bytes, self.ends) = (bytes, ends)
    widths = (0..<0x110000).map { value in
      guard let scalar = Unicode.Scalar(UInt32(value)) else { return 0 }
      // Escapes are longer, and no text has a scalar of theirs.
      return UInt8(min(TextWidth.of(Character(scalar)), 2))
    }
  }
}

extension Screen.Size {
  /// The maximum number of columns and of rows.
  public static var sideMax: Int { 10_000 }

  /// Creates a size from text such as `80x24`; `nil` for any other text.
  public init?(_ text: String) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2,
      parts.allSatisfy({ $0.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) }),
      let columns = Int(parts[0]), let rows = Int(parts[1]),
      (1...Self.sideMax).contains(columns), (1...Self.sideMax).contains(rows)
    else { return nil }
    self.init(columns: columns, rows: rows)
  }
}

extension Screen.Size {
  /// The most cells in a line, and the most lines, that a size may have.
  public static var sideMax: Int { 10_000 }

  /// Takes a size from text such as `80x24`; `nil` for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let columns = Int(parts[0]), let rows = Int(parts[1]),
      (1...Self.sideMax).contains(columns), (1...Self.sideMax).contains(rows)
    else { return nil }
    self.init(columns: columns, rows: rows)
  }
}

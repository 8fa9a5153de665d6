import RetraceScreen

/// A line that tells how far a long work has come.
///
/// A value: it answers what to write, and nothing where a reader would not be helped, such as in a
/// pipe or when the line would not change.
///
/// ```swift
/// var bar = ProgressBar(label: "Import", total: 1_000, columns: 80)
/// for done in 0...1_000 { print(bar.update(done: done), terminator: "") }
/// print(bar.finish(), terminator: "")
/// ```
public struct ProgressBar: Sendable {
  /// What is being done.
  public let label: String
  /// The count at the end.
  public let total: Int
  /// The width of the terminal in cells, or `nil` in a pipe.
  public let columns: Int?
  private var shown = ""

  /// Makes a bar.
  ///
  /// - Parameters:
  ///   - label: What is being done; made harmless.
  ///   - total: The count at the end; below 1 counts as 1.
  ///   - columns: The width of the terminal in cells, or `nil` in a pipe.
  public init(label: String, total: Int, columns: Int?) {
    self.label = SafeText.line(label, bytesMax: 64)
    self.total = max(total, 1)
    self.columns = columns
  }

  /// The bar as text without control sequences, at most `columns` cells wide.
  ///
  /// - Complexity: O(columns).
  public static func text(label: String, done: Int, total: Int, columns: Int) -> String {
    let meter = ProgressMeter(
      label, done: Int64(done), of: Int64(max(total, 1)), signs: .plain)
    return Screen(meter, size: Screen.Size(columns: columns, rows: 1)).canvas.text(ofRow: 0)
  }

  /// What to write when `done` of the total is done; empty in a pipe or when nothing changes.
  ///
  /// - Complexity: O(columns).
  public mutating func update(done: Int) -> String {
    guard let columns else { return "" }
    // The last cell stays free: some terminals go to the next line once it is written.
    let text = ProgressBar.text(label: label, done: done, total: total, columns: columns - 1)
    guard text != shown else { return "" }
    shown = text
    return "\r\(text)\u{1B}[K"
  }

  /// What to write at the end: the line is cleared for what follows.
  public mutating func finish() -> String {
    guard !shown.isEmpty else { return "" }
    shown = ""
    return "\r\u{1B}[K"
  }
}

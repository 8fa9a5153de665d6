/// A grid of styled cells: what a screen shows, or a layer that is drawn over another canvas.
///
/// Drawing is clipped to a rectangle. Text from data is made harmless where it is put into cells:
/// what ``SafeText`` escapes is drawn as its escape, so no cell has a control character. A
/// character of two cells that is cut or drawn over in one of them leaves a blank in the other.
///
/// ```swift
/// var canvas = Canvas(Screen.Size(columns: 20, rows: 2))
/// let all = canvas.bounds
/// let end = canvas.draw("Timer ", row: 0, column: 0, style: .title, in: all)
/// canvas.draw("日本語", row: 0, column: end, in: all)
/// print(canvas.text(ofRow: 0))
/// ```
public struct Canvas: Sendable {
  /// The size in cells.
  public let size: Screen.Size
  /// The cells, row after row.
  var cells: [Cell]
  /// The characters of several scalars: a byte with the count of bytes before the UTF-8 of each.
  var clusters: [UInt8] = []
  /// The targets of links; the first has the number 1.
  var links: [String] = []

  /// Creates a canvas of blank cells.
  ///
  /// - Parameters:
  ///   - size: The size; a side counts as 0 to ``Screen/Size/sideMax``.
  ///   - style: The style of the blanks.
  /// - Complexity: O(cells).
  public init(_ size: Screen.Size, style: Style = .plain) {
    let most = Screen.Size.sideMax
    self.size = Screen.Size(
      columns: min(max(size.columns, 0), most), rows: min(max(size.rows, 0), most))
    cells = Array(repeating: Cell(blank: style), count: self.size.columns * self.size.rows)
  }

  /// The rectangle of all cells.
  public var bounds: Rect { Rect(size) }

  /// The cell at a place of the canvas; a blank one at any other place.
  public subscript(row row: Int, column column: Int) -> Cell {
    guard 0..<size.rows ~= row, 0..<size.columns ~= column else { return Cell(blank: .plain) }
    return cells[row * size.columns + column]
  }

  /// Returns a link to a target, for the styles of this canvas.
  ///
  /// A target that is no plain address makes no link: one of other characters than visible ASCII,
  /// of more than 2,000 bytes, or of another scheme than `http`, `https` and `mailto`.
  ///
  /// - Complexity: O(number of links + bytes of the target).
  public mutating func link(to target: String) -> Style.Link {
    guard Canvas.isAddress(target) else { return .none }
    if let index = links.firstIndex(where: { $0.utf8.elementsEqual(target.utf8) }) {
      return Style.Link(number: UInt16(index + 1))
    }
    guard links.count < Int(UInt16.max) else { return .none }
    links.append(target)
    return Style.Link(number: UInt16(links.count))
  }

  /// Returns the target of a link of this canvas; `nil` for no link.
  public func target(of link: Style.Link) -> String? {
    let index = Int(link.number) - 1
    return links.indices.contains(index) ? links[index] : nil
  }

  private static func isAddress(_ target: String) -> Bool {
    let schemes = ["http://", "https://", "mailto:"]
    return target.utf8.count <= 2000 && target.utf8.allSatisfy { 0x20 < $0 && $0 < 0x7F }
      && schemes.contains { target.utf8.starts(with: $0.utf8) }
  }
}

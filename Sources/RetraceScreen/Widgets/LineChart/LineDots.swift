/// The dots of a line chart: cells of 2 by 4 dots of Braille, of 1 by 2 halves of blocks, or of one
/// sign.
struct LineDots {
  /// The signs of ASCII for the lines.
  static var plainSigns: [String] { ["*", "+", "o", "x"] }
  /// What the lines look like in a legend.
  static var legendSigns: [String] { ["━", "╍", "┅"] }

  private let signs: ChartSigns
  private let columns: Int
  private let rows: Int
  /// The dots of a cell: bits in the order of Unicode's Braille, or the sign of a line from 1.
  private var masks: [UInt8]
  /// The number of the last line in a cell.
  private var lines: [UInt8]

  init(_ signs: ChartSigns, columns: Int, rows: Int) {
    self.signs = signs
    self.columns = max(columns, 0)
    self.rows = max(rows, 0)
    masks = Array(repeating: 0, count: self.columns * self.rows)
    lines = masks
  }

  private var dotsAcross: Int { signs == .braille ? 2 : 1 }
  private var dotsDown: Int { signs == .braille ? 4 : signs == .blocks ? 2 : 1 }

  /// Adds a line.
  ///
  /// - Complexity: O(number of values + dots).
  mutating func add(_ values: [Int64?], range: ClosedRange<Int64>, number: Int) {
    let (width, height) = (columns * dotsAcross, rows * dotsDown)
    guard width > 0, height > 0, !values.isEmpty else { return }
    // The lowest and the highest dot of each column of dots.
    var lowest = [Int](repeating: .max, count: width)
    var highest = [Int](repeating: -1, count: width)
    func mark(_ x: Int, _ one: Int, _ other: Int) {
      lowest[x] = min(lowest[x], one, other)
      highest[x] = max(highest[x], one, other)
    }
    var last: (x: Int, y: Int)?
    for (index, value) in values.enumerated() {
      guard let value else {
        last = nil
        continue
      }
      let x = values.count > 1 ? index * (width - 1) / (values.count - 1) : 0
      let y = height - 1 - LineDots.height(of: value, in: range, dots: height)
      if let last, last.x < x {
        let (dx, dy) = (2 * (x - last.x), y - last.y)
        // From half a column before to half a column after, so that the dots are joined.
        for place in last.x...x {
          let from = max(0, 2 * (place - last.x) - 1)
          let to = min(dx, 2 * (place - last.x) + 1)
          mark(place, last.y + dy * from / dx, last.y + dy * to / dx)
        }
      } else {
        mark(x, last?.y ?? y, y)
      }
      last = (x, y)
    }
    var place = 0
    for x in 0..<width where highest[x] >= 0 {
      for y in lowest[x]...highest[x] {
        if isSeen(place, number) { set(x, y, number) }
        place += 1
      }
    }
  }

  /// Returns whether a line has its next dot: the second line is dashed, the third one dotted.
  private func isSeen(_ place: Int, _ number: Int) -> Bool {
    guard signs != .plain else { return true }
    return number % 3 == 0 || (number % 3 == 1 ? place % 6 < 4 : place % 2 == 0)
  }

  private mutating func set(_ x: Int, _ y: Int, _ number: Int) {
    let cell = y / dotsDown * columns + x / dotsAcross
    let (dx, dy) = (x % dotsAcross, y % dotsDown)
    switch signs {
    case .braille: masks[cell] |= dy == 3 ? 64 << UInt8(dx) : 1 << UInt8(dy + 3 * dx)
    case .blocks: masks[cell] |= 1 << UInt8(dy)
    case .plain: masks[cell] = 1
    }
    lines[cell] = UInt8(truncatingIfNeeded: number % 255)
  }

  /// Returns the dots below a value.
  private static func height(of value: Int64, in range: ClosedRange<Int64>, dots: Int) -> Int {
    let value = min(max(value, range.lowerBound), range.upperBound)
    // A difference of two integers fits into one without a sign.
    let part = UInt64(bitPattern: value &- range.lowerBound)
    let whole = max(1, UInt64(bitPattern: range.upperBound &- range.lowerBound))
    let product = part.multipliedFullWidth(by: UInt64(max(dots - 1, 0)))
    return Int(whole.dividingFullWidth(product).quotient)
  }

  func draw(in rect: Rect, colors: [Color], on canvas: inout Canvas) {
    for row in 0..<min(rows, rect.rows) {
      for column in 0..<min(columns, rect.columns) {
        let index = row * columns + column
        guard masks[index] > 0, let sign = sign(masks[index], line: Int(lines[index])) else {
          continue
        }
        let cell = Rect(
          column: rect.column + column, row: rect.row + row, columns: 1, rows: 1)
        let line = Int(lines[index])
        let color = line < colors.count ? colors[line] : .accent
        canvas.fill(cell, with: sign, style: Style(foreground: color))
      }
    }
  }

  private func sign(_ mask: UInt8, line: Int) -> Unicode.Scalar? {
    switch signs {
    case .braille: Unicode.Scalar(0x2800 + UInt32(mask))
    case .blocks: mask == 3 ? "█" : mask == 1 ? "▀" : "▄"
    case .plain: LineDots.plainSigns[line % 4].unicodeScalars.first
    }
  }
}

/// How wide a column is, and how it becomes narrower where there is too little room.
///
/// ```swift
/// let rules = [
///   ColumnRule(width: 30, cutTo: 8, priority: 2, grows: true),  // a title
///   ColumnRule(widths: [10, 5], priority: 1),  // a date, which can do without its year
///   ColumnRule(width: 8, priority: 3),  // a duration: whole, or not at all
/// ]
/// print(ColumnRule.widths(of: rules, gap: 2, in: 40))
/// ```
public struct ColumnRule: Hashable, Sendable {
  /// The widths in which the content can be written, from the widest to the narrowest.
  public var widths: [Int]
  /// The width to which the narrowest writing may be cut.
  public var widthMin: Int
  /// Columns of a lower priority become narrower first, and go first.
  public var priority: Int
  /// Whether the column becomes wider if the table has room left.
  public var grows: Bool

  /// Creates a rule of a column whose content can be written in several widths, and is never cut.
  ///
  /// - Parameters:
  ///   - widths: The widths from the widest to the narrowest, each at least 1.
  ///   - priority: Columns of a lower priority become narrower first, and go first.
  public init(widths: [Int], priority: Int) {
    self.widths = widths.isEmpty ? [1] : widths
    widthMin = widths.last ?? 1
    self.priority = priority
    grows = false
  }

  /// Creates a rule of a column whose content may be cut.
  ///
  /// - Parameters:
  ///   - width: The width that the content wants, at least 1.
  ///   - cut: The width that it may be cut to; `nil` for content that is whole or not shown.
  ///   - priority: Columns of a lower priority become narrower first, and go first.
  ///   - grows: Whether the column becomes wider if the table has room left.
  public init(width: Int, cutTo cut: Int? = nil, priority: Int, grows: Bool = false) {
    widths = [width]
    widthMin = min(cut ?? width, width)
    self.priority = priority
    self.grows = grows
  }

  /// Returns the widths of columns; 0 for a column that is not shown.
  ///
  /// First, columns become narrower, and then some go, each time in the order of their priorities
  /// and from the right to the left. The last column that is left is cut. Columns that grow share
  /// the rest.
  ///
  /// - Parameters:
  ///   - rules: The rules.
  ///   - gap: The cells between two columns.
  ///   - room: The cells of all columns.
  /// - Complexity: O(columns²).
  public static func widths(of rules: [ColumnRule], gap: Int, in room: Int) -> [Int] {
    var widths = rules.map { max($0.widths.first ?? 1, 1) }
    var excess = widths.reduce(0, +) + gap * max(rules.count - 1, 0) - room
    let order = rules.indices.sorted {
      (rules[$0].priority, $1) < (rules[$1].priority, $0)
    }
    for index in order where excess > 0 {
      let narrower = rules[index].width(atMost: widths[index] - excess)
      excess -= widths[index] - narrower
      widths[index] = narrower
    }
    for index in order where excess > 0 {
      // The last one is cut.
      let width = index == order.last ? max(room, 0) : 0
      excess -= widths[index] - width + (width == 0 ? gap : 0)
      widths[index] = width
    }
    share(-excess, among: rules, widths: &widths)
    return widths
  }

  /// Returns the widest width that is not above a limit, or the narrowest one.
  private func width(atMost limit: Int) -> Int {
    max(widths.first { $0 <= limit } ?? max(widthMin, min(limit, widths.last ?? 1)), 1)
  }

  /// Gives cells that are left to columns that grow, and to narrowed ones.
  private static func share(_ rest: Int, among rules: [ColumnRule], widths: inout [Int]) {
    var rest = rest
    // What a column lost in vain, because another one went later.
    for index in rules.indices.sorted(by: { rules[$0].priority > rules[$1].priority })
    where rest > 0 && widths[index] > 0 {
      let wider = rules[index].width(atMost: widths[index] + rest)
      rest -= max(wider - widths[index], 0)
      widths[index] = max(wider, widths[index])
    }
    let growing = rules.indices.filter { rules[$0].grows && widths[$0] > 0 }
    guard rest > 0, !growing.isEmpty else { return }
    for (place, index) in growing.enumerated() {
      widths[index] += rest / growing.count + (place < rest % growing.count ? 1 : 0)
    }
  }
}

import Retrace
package import TimeTracking

extension Project {
  /// The names of the colors that are offered, in the order of ``Project/colors``.
  package static let colorNames = [
    "blue", "violet", "pink", "orange", "amber", "yellow", "red", "green", "teal", "rose",
    "indigo", "purple", "olive", "slate",
  ]

  /// Returns the color of a text, which is the name of an offered color or #rrggbb; `nil` for other
  /// texts.
  package static func color(_ text: String) -> Int32? {
    let name = text.lowercased()
    if let index = colorNames.firstIndex(where: { $0.hasBytes(of: name) }) { return colors[index] }
    let digits = text.utf8.dropFirst()
    guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6,
      let value = Int32(Substring(digits), radix: 16), value >= 0
    else { return nil }
    return value
  }

  /// Returns the text of a color.
  package static func text(ofColor color: Int32) -> String {
    if let index = colors.firstIndex(of: color) { return colorNames[index] }
    let digits = String(color, radix: 16)
    return "#" + String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits
  }

  /// Sets the rate.
  ///
  /// A project that gets a rate of its own is billable until something else is said.
  package mutating func setRate(_ rate: Int64?) {
    if self.rate == nil, rate != nil { isBillable = true }
    self.rate = rate
  }

  /// Returns a new project of a workspace.
  ///
  /// A rate of the workspace makes a new project billable, as a rate of its own does.
  package static func new(
    named name: Name, in workspace: WorkspaceID?, of domain: DomainState
  ) -> Project {
    var project = Project(name: name, workspace: workspace)
    project.isBillable = workspace.flatMap { domain.workspaces[$0]?.rate } != nil
    return project
  }
}

/// The price of an hour, as a user types it: with a decimal comma or point, and before or after it
/// the currency.
package struct RateText {
  /// The reason why a text is no rate.
  package enum Problem: Error, Hashable {
    /// The text is no amount.
    case notAnAmount(String)
    /// The text has this currency, and the rate is in another one, or in none.
    case inOtherCurrency(String)
  }

  /// The rate, in hundredths of the currency.
  package let rate: Int64

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - currency: The currency of the rate; `nil` if none is set.
  package init(_ text: String, in currency: String?) throws(Problem) {
    let amount = text.filter { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
    guard !amount.isEmpty else {
      rate = try Self.amount(of: text, text)
      return
    }
    let rest = Self.parts(of: text, around: amount)
    let signs = rest.map { $0.filter { $0 != " " } }.filter { !$0.isEmpty }
    guard let sign = signs.first else {
      rate = try Self.amount(of: text, amount)
      return
    }
    let code = Self.currency(sign)
    let isCode = code.utf8.count == 3 && code.utf8.allSatisfy { (0x41...0x5a) ~= $0 }
    guard rest.count == 2, signs.count == 1, isCode else {
      rate = try Self.amount(of: text, text)
      return
    }
    guard let currency, code.hasBytes(of: currency) else { throw .inOtherCurrency(code) }
    rate = try Self.amount(of: text, amount)
  }

  /// Returns the code of a currency that a user wrote: `eur` and the sign of the euro are EUR.
  package static func currency(_ text: String) -> String {
    if text.hasBytes(of: "\u{20AC}") { return "EUR" }
    return text.utf8.count == 3 ? text.uppercased() : text
  }

  /// Returns the parts of a text before and after each occurrence of another one, which has a byte.
  private static func parts(of text: String, around other: String) -> [String] {
    let (bytes, sought) = (Array(text.utf8), Array(other.utf8))
    var (parts, part, index) = ([[UInt8]](), [UInt8](), 0)
    while index < bytes.count {
      if bytes[index...].starts(with: sought) {
        parts.append(part)
        (part, index) = ([], index + sought.count)
      } else {
        part.append(bytes[index])
        index += 1
      }
    }
    return (parts + [part]).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Reads an amount, in hundredths.
  private static func amount(of whole: String, _ text: String) throws(Problem) -> Int64 {
    let parts = text.utf8.split(omittingEmptySubsequences: false) {
      $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",")
    }
    let isNumber = parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { (0x30...0x39) ~= $0 } }
    guard isNumber, parts.count <= 2, let units = Int64(Substring(parts[0])),
      units < 1_000_000_000, parts.count == 1 || parts[1].count <= 2
    else { throw .notAnAmount(whole) }
    guard parts.count == 2, let cents = Int64(Substring(parts[1])) else { return units * 100 }
    return units * 100 + (parts[1].count == 1 ? cents * 10 : cents)
  }
}

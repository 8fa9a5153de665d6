/// A color of cells: a role, which a ``Theme`` gives its color, or red, green and blue.
///
/// Renderers keep text readable: a color for text is made lighter or darker until it contrasts with
/// its background. For a mark of an exact color, give blanks that background.
///
/// ```swift
/// let heading = Style(foreground: .accent, attributes: .bold)
/// let project = Style(foreground: Color(rgb: 0x0b83d9))
/// print(heading, project)
/// ```
public struct Color: Hashable, Sendable {
  /// What a color is for.
  public enum Role: UInt8, Hashable, Sendable, CaseIterable {
    /// Ordinary text.
    case text
    /// The background of a screen.
    case background
    /// Less important text.
    case faint
    /// Headings and what has the focus.
    case accent
    /// What runs or has succeeded.
    case success
    /// What needs attention soon.
    case caution
    /// Warnings and errors.
    case warning
    /// Lines of boxes and tables.
    case border
    /// The background of what lies above the screen, such as a dialog or a menu.
    case surface
    /// The background of what is selected.
    case selection
  }

  /// The number of a role, or a bit above red, green and blue.
  let bits: UInt32

  init(bits: UInt32) { self.bits = bits }

  /// Creates the color of a role.
  @inline(__always) public init(_ role: Role) { bits = UInt32(role.rawValue) }

  /// Creates a color of red, green and blue.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    bits = 1 << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
  }

  /// Creates a color from red, green and blue in the lowest 24 bits; the others are ignored.
  public init(rgb: Int32) { bits = 1 << 24 | UInt32(bitPattern: rgb) & 0xFF_FFFF }

  /// The role; `nil` for a color of red, green and blue.
  public var role: Role? { bits >> 24 == 0 ? Role(rawValue: UInt8(truncatingIfNeeded: bits)) : nil }

  /// Red, green and blue; `nil` for the color of a role.
  public var rgb: RGB? {
    guard bits >> 24 != 0 else { return nil }
    return RGB(
      red: UInt8(truncatingIfNeeded: bits >> 16), green: UInt8(truncatingIfNeeded: bits >> 8),
      blue: UInt8(truncatingIfNeeded: bits))
  }

  /// The color of ordinary text.
  public static var text: Color { Color(.text) }
  /// The background of a screen.
  public static var background: Color { Color(.background) }
  /// The color of less important text.
  public static var faint: Color { Color(.faint) }
  /// The color of headings and of what has the focus.
  public static var accent: Color { Color(.accent) }
  /// The color of what runs or has succeeded.
  public static var success: Color { Color(.success) }
  /// The color of what needs attention soon.
  public static var caution: Color { Color(.caution) }
  /// The color of warnings and errors.
  public static var warning: Color { Color(.warning) }
  /// The color of the lines of boxes and tables.
  public static var border: Color { Color(.border) }
  /// The background of what lies above the screen.
  public static var surface: Color { Color(.surface) }
  /// The background of what is selected.
  public static var selection: Color { Color(.selection) }
}

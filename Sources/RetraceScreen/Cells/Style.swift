/// How text looks: colors, attributes and a link.
///
/// ```swift
/// let name = Screen.Run("sleeping", Style(foreground: .accent, attributes: [.bold, .underline]))
/// print(name.text, name.style == .plain)
/// ```
public struct Style: Hashable, Sendable {
  /// What text looks like beside its colors.
  public struct Attributes: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt16

    /// Creates a set of attributes from its bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Bold letters.
    public static let bold = Attributes(rawValue: 1)
    /// Slanted letters.
    public static let italic = Attributes(rawValue: 2)
    /// A line below the text.
    public static let underline = Attributes(rawValue: 4)
    /// Foreground and background change places.
    public static let reversed = Attributes(rawValue: 8)
    /// A line through the text.
    public static let struck = Attributes(rawValue: 16)
  }

  /// A link in a canvas; see ``Canvas/link(to:)``.
  public struct Link: Hashable, Sendable {
    /// The number of the link in its canvas, from 1; 0 for none.
    let number: UInt16

    /// No link.
    public static var none: Link { Link(number: 0) }
  }

  /// The color of the letters.
  public var foreground: Color
  /// The color of the background.
  public var background: Color
  /// The bits of the attributes, and the number of the link above them: cells are compared by whole
  /// words.
  var rest: UInt32

  /// The attributes.
  public var attributes: Attributes {
    get { Attributes(rawValue: UInt16(truncatingIfNeeded: rest)) }
    set { rest = rest & 0xFFFF_0000 | UInt32(newValue.rawValue) }
  }

  /// The link that the text leads to.
  public var link: Link {
    get { Link(number: UInt16(truncatingIfNeeded: rest >> 16)) }
    set { rest = rest & 0xFFFF | UInt32(newValue.number) << 16 }
  }

  /// Creates a style.
  public init(
    foreground: Color = .text, background: Color = .background, attributes: Attributes = [],
    link: Link = .none
  ) {
    self.foreground = foreground
    self.background = background
    rest = UInt32(attributes.rawValue) | UInt32(link.number) << 16
  }

  /// Ordinary text.
  public static var plain: Style { Style() }
  /// A heading.
  public static var title: Style { Style(foreground: .accent, attributes: .bold) }
  /// Emphasized text.
  public static var strong: Style { Style(attributes: .bold) }
  /// De-emphasized text.
  public static var faint: Style { Style(foreground: .faint) }
  /// The selected item.
  public static var selected: Style { Style(attributes: .reversed) }
  /// A warning or an error.
  public static var warning: Style { Style(foreground: .warning, attributes: .bold) }
}

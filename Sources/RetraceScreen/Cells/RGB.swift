/// Red, green and blue, as a screen mixes them.
///
/// ```swift
/// let orange = RGB(red: 227, green: 106, blue: 0)
/// let white = RGB(red: 255, green: 255, blue: 255)
/// print(orange.contrast(with: white), orange.legible(on: white).contrast(with: white))
/// ```
public struct RGB: Hashable, Sendable {
  /// The least contrast of text with its background.
  public static let contrastMin = 4.5

  /// The red part, from 0 to 255.
  public var red: UInt8
  /// The green part, from 0 to 255.
  public var green: UInt8
  /// The blue part, from 0 to 255.
  public var blue: UInt8

  /// Creates a color.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// Creates a color from red, green and blue in the lowest 24 bits, such as `0xFF8800`.
  public init(_ number: Int32) {
    self.init(
      red: UInt8(truncatingIfNeeded: number >> 16), green: UInt8(truncatingIfNeeded: number >> 8),
      blue: UInt8(truncatingIfNeeded: number))
  }

  /// How light the color looks, from 0 to 1: the relative luminance of WCAG.
  public var luminance: Double {
    0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
  }

  /// Returns the contrast of two colors, from 1 to 21, as WCAG defines it.
  public func contrast(with other: RGB) -> Double {
    let (one, two) = (luminance, other.luminance)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  /// Returns the color, made as much lighter or darker as it takes to be read on a background.
  ///
  /// On a background of any color, the contrast is ``contrastMin`` or better.
  public func legible(on background: RGB) -> RGB {
    guard contrast(with: background) < RGB.contrastMin else { return self }
    let (white, black) = (RGB(0xFF_FFFF), RGB(0))
    let isLighter = luminance >= background.luminance
    // Toward the nearer end, if that can be read.
    let end = isLighter ? white : black
    let other = isLighter ? black : white
    let goal = end.contrast(with: background) >= RGB.contrastMin ? end : other
    var (low, high) = (0, 256)
    while high - low > 1 {
      let middle = (low + high) / 2
      if mixed(with: goal, part: middle).contrast(with: background) >= RGB.contrastMin {
        high = middle
      } else {
        low = middle
      }
    }
    return mixed(with: goal, part: high)
  }

  /// Returns the color mixed with another one.
  ///
  /// - Parameters:
  ///   - other: The other color.
  ///   - part: The part of the other color, in 256ths.
  public func mixed(with other: RGB, part: Int) -> RGB {
    func mix(_ own: UInt8, _ more: UInt8) -> UInt8 {
      UInt8(clamping: Int(own) + (Int(more) - Int(own)) * part / 256)
    }
    return RGB(
      red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
  }

  /// The light of a channel, by the curve of sRGB.
  private static func linear(_ channel: UInt8) -> Double {
    let part = Double(channel) / 255
    if part <= 0.04045 { return part / 12.92 }
    let base = (part + 0.055) / 1.055
    // base^2.4 is base^2 by the fifth root of base^2, which Newton's method finds.
    let square = base * base
    var root = 1.0
    for _ in 0..<12 {
      let fourth = root * root * root * root
      root -= (fourth * root - square) / (5 * fourth)
    }
    return square * root
  }
}

/// Colors of any red, green and blue, as a terminal can show them and people can read them.
///
/// Colors keep their hue, and are made lighter or darker until they contrast with the background.
public struct TerminalPalette: Hashable, Sendable {
  /// How many colors a terminal has.
  public enum Depth: Hashable, Sendable {
    /// The eight of all terminals with colors.
    case basic
    /// 256, of which 240 are the same on all terminals.
    case indexed
    /// All.
    case direct
  }

  /// What the background of a terminal is like.
  public enum Background: Hashable, Sendable {
    /// Colors are made light.
    case dark
    /// Colors are made dark.
    case light
    /// Colors are made such that they contrast with black and with white.
    case unknown
  }

  /// How many colors there are.
  public let depth: Depth
  /// The background.
  public let background: Background

  /// Makes a palette.
  public init(_ depth: Depth, on background: Background) {
    self.depth = depth
    self.background = background
  }

  /// Makes the palette that environment variables tell.
  ///
  /// - Parameters:
  ///   - term: `TERM`.
  ///   - colorTerm: `COLORTERM`, which is `truecolor` or `24bit` on terminals with all colors.
  ///   - background: The background; `nil` for the one of `colors`.
  ///   - colors: `COLORFGBG`, which some terminals set, such as `15;0`.
  public init(term: String?, colorTerm: String?, background: Background?, colors: String?) {
    let term = term ?? ""
    if ["truecolor", "24bit"].contains(colorTerm ?? "") || term.hasSuffix("-direct") {
      depth = .direct
    } else {
      depth = term.contains("256color") ? .indexed : .basic
    }
    let number = (colors ?? "").split(separator: ";").last.flatMap { Int($0) }
    self.background =
      background
      ?? number.map { $0 == 7 || (9...15).contains($0) ? .light : .dark } ?? .unknown
  }

  /// Returns the parameters of the sequence that selects a color for letters; empty for a grey on a
  /// terminal of eight colors.
  ///
  /// - Parameter color: Red, green and blue in one byte each.
  /// - Complexity: O(1).
  public func letters(_ color: Int32) -> String {
    switch depth {
    case .basic: return basic(RGB(color)).map { "\($0)" } ?? ""
    case .indexed: return "38;5;\(indexed(legible(RGB(color))))"
    case .direct:
      let color = legible(RGB(color))
      return "38;2;\(color.red);\(color.green);\(color.blue)"
    }
  }

  /// The parameters of the sequence that ends the color of letters.
  public static var plainLetters: String { "39" }
}

struct RGB: Hashable {
  var red: Int
  var green: Int
  var blue: Int

  init(red: Int, green: Int, blue: Int) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  init(_ color: Int32) {
    let bits = UInt32(bitPattern: color)
    self.init(
      red: Int(bits >> 16 & 0xff), green: Int(bits >> 8 & 0xff), blue: Int(bits & 0xff))
  }

  /// How light the color looks, from 0 to 1, as defined for contrast on the web.
  var luminance: Double {
    0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
  }

  /// The light of a channel: a polynomial that is within 0.002 of the curve of sRGB.
  private static func linear(_ channel: Int) -> Double {
    let part = Double(channel) / 255
    return part * (part * (part * 0.305306011 + 0.682171111) + 0.012522878)
  }

  /// Returns the color mixed with black or white.
  ///
  /// - Parameters:
  ///   - channel: 0 for black, 255 for white.
  ///   - part: The part of it, in 256ths.
  func mixed(with channel: Int, part: Int) -> RGB {
    func mix(_ own: Int) -> Int { own + (channel - own) * part / 256 }
    return RGB(red: mix(red), green: mix(green), blue: mix(blue))
  }

  /// Returns how far another color is.
  func distance(to other: RGB) -> Int {
    let (red, green, blue) = (red - other.red, green - other.green, blue - other.blue)
    return red * red * 2 + green * green * 4 + blue * blue * 3
  }
}

extension TerminalPalette {
  /// Returns the luminances at which letters contrast with the background.
  ///
  /// With those for any background the contrast is 4.3 to 1 or better on black and on white.
  var luminances: ClosedRange<Double> {
    switch background {
    case .dark: 0.25...1
    case .light: 0...0.14
    case .unknown: 0.17...0.19
    }
  }

  func legible(_ color: RGB) -> RGB {
    let wanted = luminances
    let luminance = color.luminance
    guard !wanted.contains(luminance) else { return color }
    let channel = luminance < wanted.lowerBound ? 255 : 0
    for part in 1...256 {
      let mixed = color.mixed(with: channel, part: part)
      let isEnough =
        channel == 255
        ? mixed.luminance >= wanted.lowerBound : mixed.luminance <= wanted.upperBound
      if isEnough { return mixed }
    }
    return color
  }

  /// Returns the number of the nearest of 240 colors: a cube of 6 by 6 by 6, and 24 greys.
  private func indexed(_ color: RGB) -> Int {
    let steps = [0, 95, 135, 175, 215, 255]
    func step(_ channel: Int) -> Int {
      steps.indices.min { abs(steps[$0] - channel) < abs(steps[$1] - channel) } ?? 0
    }
    let (red, green, blue) = (step(color.red), step(color.green), step(color.blue))
    let inCube = RGB(red: steps[red], green: steps[green], blue: steps[blue])
    let grey = min(23, max(0, ((color.red + color.green + color.blue) / 3 - 3) / 10))
    let level = 8 + grey * 10
    let isGrey =
      color.distance(to: RGB(red: level, green: level, blue: level))
      < color.distance(to: inCube)
    return isGrey ? 232 + grey : 16 + 36 * red + 6 * green + blue
  }

  /// Returns the number of the basic color with nearly the hue of a color; `nil` for a grey.
  private func basic(_ color: RGB) -> Int? {
    let channels = [color.red, color.green, color.blue]
    guard let least = channels.min(), let most = channels.max(), most - least >= 32 else {
      return nil
    }
    let middle = (least + most) / 2
    return channels.indices.reduce(30) { $0 + (channels[$1] > middle ? 1 << $1 : 0) }
  }
}

import RetraceScreen

/// Colors of any red, green and blue, as a terminal can show them and people can read them.
///
/// Colors keep their hue, and are made lighter or darker until they contrast with the background.
///
/// ```swift
/// let palette = TerminalPalette(
///   term: "xterm-256color", colorTerm: nil, background: .dark, colors: nil)
/// print("\u{1B}[\(palette.letters(0x0b83d9))mproject\u{1B}[\(TerminalPalette.plainLetters)m")
/// ```
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

  /// Makes the palette of an output by the settings of the user and environment variables; `nil` if
  /// the output has no colors.
  ///
  /// - Parameters:
  ///   - color: `always`, `never`, or any other text for what `NO_COLOR` and `TERM` say.
  ///   - theme: `dark`, `light`, or any other text for the background that `COLORFGBG` says.
  ///   - isTerminal: Whether the output goes to a terminal; elsewhere only `always` gives colors.
  ///   - variable: Returns the value of an environment variable.
  public init?(
    color: String?, theme: String?, isTerminal: Bool, variable: (String) -> String?
  ) {
    let term = variable("TERM")
    let isWanted =
      switch color {
      case "always": true
      case "never": false
      default: isTerminal && AnsiRenderer.wantsColor(noColor: variable("NO_COLOR"), term: term)
      }
    guard isWanted else { return nil }
    let background: Background? =
      switch theme {
      case "dark": .dark
      case "light": .light
      default: nil
      }
    self.init(
      term: term, colorTerm: variable("COLORTERM"), background: background,
      colors: variable("COLORFGBG"))
  }

  /// Returns the parameters of the sequence that selects a color for letters; empty for a grey on a
  /// terminal of eight colors.
  ///
  /// - Parameter color: Red, green and blue in one byte each.
  /// - Complexity: O(1).
  public func letters(_ color: Int32) -> String { letters(RGB(color)) }

  func letters(_ color: RGB) -> String {
    depth == .basic
      ? basic(color).map { "\($0)" } ?? "" : parameters(of: legible(color), at: .letters)
  }

  /// Where a color is shown, with the number of the sequence that selects it there.
  enum Layer: Int {
    case letters = 38
    case background = 48
  }

  /// Returns the parameters of the sequence that selects a color; not for the eight colors.
  func parameters(of color: RGB, at layer: Layer) -> String {
    depth == .direct
      ? "\(layer.rawValue);2;\(color.red);\(color.green);\(color.blue)"
      : "\(layer.rawValue);5;\(indexed(color))"
  }

  /// The parameters of the sequence that ends the color of letters.
  public static var plainLetters: String { "39" }
}

extension RGB {
  /// Returns how far another color is.
  func distance(to other: RGB) -> Int {
    let red = Int(self.red) - Int(other.red)
    let green = Int(self.green) - Int(other.green)
    let blue = Int(self.blue) - Int(other.blue)
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
    let isTooDark = luminance < wanted.lowerBound
    let end = RGB(isTooDark ? 0xFF_FFFF : 0)
    for part in 1...256 {
      let mixed = color.mixed(with: end, part: part)
      let isEnough =
        isTooDark ? mixed.luminance >= wanted.lowerBound : mixed.luminance <= wanted.upperBound
      if isEnough { return mixed }
    }
    return color
  }

  /// Returns the number of the nearest of 240 colors: a cube of 6 by 6 by 6, and 24 greys.
  func indexed(_ color: RGB) -> Int {
    let steps = Self.cubeSteps
    func step(_ channel: UInt8) -> Int {
      func distance(_ index: Int) -> Int { abs(Int(steps[index]) - Int(channel)) }
      return steps.indices.min { distance($0) < distance($1) } ?? 0
    }
    let inCube = 16 + 36 * step(color.red) + 6 * step(color.green) + step(color.blue)
    let sum = Int(color.red) + Int(color.green) + Int(color.blue)
    let grey = 232 + min(23, max(0, (sum / 3 - 3) / 10))
    func distance(_ index: Int) -> Int { color.distance(to: Self.color(ofIndex: index)) }
    return distance(grey) < distance(inCube) ? grey : inCube
  }

  /// Returns the number of the basic color with nearly the hue of a color; `nil` for a grey.
  func basic(_ color: RGB) -> Int? {
    let channels = [color.red, color.green, color.blue]
    guard let least = channels.min(), let most = channels.max(), most - least >= 32 else {
      return nil
    }
    let middle = (Int(least) + Int(most)) / 2
    return channels.indices.reduce(30) { $0 + (Int(channels[$1]) > middle ? 1 << $1 : 0) }
  }
}

extension TerminalPalette {
  /// The theme for the background; `nil` if that is not known.
  var theme: Theme? {
    switch background {
    case .dark: .dark
    case .light: .light
    case .unknown: nil
    }
  }

  /// The levels of a channel in the cube of 6 by 6 by 6 colors.
  private static let cubeSteps: [UInt8] = [0, 95, 135, 175, 215, 255]

  /// Returns the color that terminals show for a number from 16 to 255.
  static func color(ofIndex index: Int) -> RGB {
    let steps = cubeSteps
    guard index < 232 else {
      let level = UInt8(clamping: 8 + 10 * (index - 232))
      return RGB(red: level, green: level, blue: level)
    }
    let place = max(0, index - 16)
    return RGB(red: steps[place / 36], green: steps[place / 6 % 6], blue: steps[place % 6])
  }
}

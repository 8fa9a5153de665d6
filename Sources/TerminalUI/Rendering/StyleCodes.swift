import RetraceScreen

/// The parameters of the sequences that select styles, in the colors that a terminal has.
struct StyleCodes: Sendable {
  /// The colors of the terminal; `nil` for none.
  let palette: TerminalPalette?
  private var known: [Style: [UInt8]] = [:]

  init(_ palette: TerminalPalette?) { self.palette = palette }

  /// Returns the parameters that select a style after a reset, each preceded by a semicolon.
  ///
  /// - Complexity: O(1), at the first time of a style O(colors of the terminal).
  mutating func parameters(of style: Style) -> [UInt8] {
    var style = style
    style.link = .none
    if let parameters = known[style] { return parameters }
    // Colors of data are without number.
    if known.count >= 500 { known = [:] }
    let parameters = Array(codes(of: style).map { ";\($0)" }.joined().utf8)
    known[style] = parameters
    return parameters
  }

  private func codes(of style: Style) -> [String] {
    let attributes: [(Style.Attributes, String)] = [
      (.bold, "1"), (.italic, "3"), (.underline, "4"), (.reversed, "7"), (.struck, "9"),
    ]
    let codes = attributes.filter { style.attributes.contains($0.0) }.map { $0.1 }
    guard let palette else { return codes + plainCodes(of: style) }
    guard let theme = palette.theme, palette.depth != .basic else {
      return codes + ownCodes(of: style, palette)
    }
    return codes + themeCodes(of: style, theme, palette)
  }

  /// The codes that stand for colors on a terminal without colors.
  private func plainCodes(of style: Style) -> [String] {
    var codes: [String] = []
    switch style.foreground.role {
    case .faint, .border: codes = ["2"]
    case .accent: codes = ["4"]
    case .warning where !style.attributes.contains(.bold): codes = ["1"]
    default: break
    }
    return style.background.role == .selection ? codes + ["7"] : codes
  }

  /// The codes of the colors that the user has given the terminal, whose background is not known.
  private func ownCodes(of style: Style, _ palette: TerminalPalette) -> [String] {
    var codes: [String] = []
    let letters = style.foreground.rgb
    if let background = style.background.rgb, palette.depth != .basic {
      let color = shown(background, palette)
      codes.append(palette.parameters(of: color, at: .background))
      // Letters of the terminal's own color could be as light as this background.
      let readable = (letters ?? RGB(0x808080)).legible(on: color)
      return codes + [self.letters(readable, on: color, palette)]
    }
    if let letters {
      let code = palette.letters(letters)
      if !code.isEmpty { codes.append(code) }
    }
    switch style.foreground.role {
    case .faint, .border: codes.append("2")
    case .accent: codes.append("36")
    case .success: codes.append("32")
    case .caution: codes.append("33")
    case .warning: codes.append("31")
    default: break
    }
    if style.background.role == .selection { codes.append("7") }
    return codes
  }

  /// The codes of a theme's colors; ordinary text and the background of the screen stay the
  /// terminal's own.
  private func themeCodes(
    of style: Style, _ theme: Theme, _ palette: TerminalPalette
  ) -> [String] {
    let hasOwnBackground = style.background.role == .background
    if hasOwnBackground, style.foreground.role == .text { return [] }
    let background = shown(theme.color(of: style.background), palette)
    let letters = theme.color(of: style.foreground).legible(on: background)
    let code = self.letters(letters, on: background, palette)
    return hasOwnBackground
      ? [code] : [code, palette.parameters(of: background, at: .background)]
  }

  private func letters(_ color: RGB, on background: RGB, _ palette: TerminalPalette) -> String {
    palette.parameters(of: legible(color, on: background, palette), at: .letters)
  }

  /// The color that the terminal shows for a color.
  private func shown(_ color: RGB, _ palette: TerminalPalette) -> RGB {
    palette.depth == .direct ? color : TerminalPalette.color(ofIndex: palette.indexed(color))
  }

  /// The nearest color of the terminal that can be read.
  private func legible(_ color: RGB, on background: RGB, _ palette: TerminalPalette) -> RGB {
    guard palette.depth == .indexed,
      shown(color, palette).contrast(with: background) < RGB.contrastMin
    else { return color }
    let readable = (16..<256).map { TerminalPalette.color(ofIndex: $0) }
      .filter { $0.contrast(with: background) >= RGB.contrastMin }
    return readable.min { color.distance(to: $0) < color.distance(to: $1) } ?? color
  }
}

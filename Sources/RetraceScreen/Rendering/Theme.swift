/// The colors of the roles, for a dark screen or for a light one.
///
/// ```swift
/// let colors = Theme.light.colors(of: .title)
/// print(colors.foreground.contrast(with: colors.background) >= RGB.contrastMin)
/// ```
public enum Theme: Hashable, Sendable, CaseIterable {
  /// Light text on a dark background.
  case dark
  /// Dark text on a light background.
  case light

  private func color(_ role: Color.Role) -> RGB {
    let isDark = self == .dark
    switch role {
    case .text: return RGB(isDark ? 0xD7DAE0 : 0x1F2328)
    case .background: return RGB(isDark ? 0x16181D : 0xFFFFFF)
    case .faint: return RGB(isDark ? 0x9AA0AA : 0x59636E)
    case .accent: return RGB(isDark ? 0x6CB6FF : 0x0550AE)
    case .success: return RGB(isDark ? 0x7BD88F : 0x116329)
    case .caution: return RGB(isDark ? 0xE5C07B : 0x7D4E00)
    case .warning: return RGB(isDark ? 0xFF8A80 : 0xB3261E)
    case .border: return RGB(isDark ? 0x8A909A : 0x656D76)
    case .surface: return RGB(isDark ? 0x242830 : 0xF0F2F5)
    case .selection: return RGB(isDark ? 0x31465E : 0xCFE3FA)
    }
  }

  /// Returns the color that a color of cells has.
  public func color(of color: Color) -> RGB {
    color.rgb ?? self.color(color.role ?? .text)
  }

  /// Returns the colors that a style has: the letters are readable on their background.
  ///
  /// For a style of reversed colors they have changed places.
  public func colors(of style: Style) -> (foreground: RGB, background: RGB) {
    let background = color(of: style.background)
    let foreground = color(of: style.foreground).legible(on: background)
    return style.attributes.contains(.reversed)
      ? (background, foreground) : (foreground, background)
  }
}

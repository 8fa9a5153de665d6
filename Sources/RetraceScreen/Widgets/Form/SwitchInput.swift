/// A field that is on or off.
///
/// ```swift
/// let billable = SwitchInput(isOn: true, on: "billable", off: "not billable")
/// print(Screen(billable, size: Screen.Size(columns: 20, rows: 1)).canvas.lines)
/// ```
public struct SwitchInput: Widget, Hashable, Sendable {
  /// Whether the field is on.
  public var isOn: Bool
  /// What it is called when it is on.
  public var on: String
  /// What it is called when it is off.
  public var off: String

  /// Creates a field.
  public init(isOn: Bool, on: String = "on", off: String = "off") {
    self.isOn = isOn
    self.on = on
    self.off = off
  }

  /// Draws a mark and what the value is called.
  public func draw(in rect: Rect, on canvas: inout Canvas) {
    let mark = isOn ? Screen.Run("[x]", .title) : Screen.Run("[ ]", .faint)
    canvas.drawLine(Screen.Line([mark, Screen.Run(" " + (isOn ? on : off))]), in: rect)
  }
}

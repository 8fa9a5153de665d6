/// An input of the mouse in a cell of the screen.
public struct Mouse: Hashable, Sendable {
  /// A button of a mouse.
  public enum Button: Hashable, Sendable, CaseIterable {
    /// The left button.
    case left
    /// The middle button.
    case middle
    /// The right button.
    case right
    /// The button that goes back in a browser.
    case back
    /// The button that goes forward in a browser.
    case forward
  }

  /// A direction of the wheel.
  public enum Direction: Hashable, Sendable, CaseIterable {
    /// Towards the first row.
    case up
    /// Towards the last row.
    case down
    /// Towards the first column.
    case left
    /// Towards the last column.
    case right
  }

  /// What the user did.
  public enum Action: Hashable, Sendable {
    /// A button was pressed.
    case pressed(Button)
    /// A button was released.
    case released(Button)
    /// The mouse was moved to another cell while a button was pressed.
    case dragged(Button)
    /// The mouse was moved to another cell while no button was pressed.
    case moved
    /// The wheel was turned by a step.
    case scrolled(Direction)
  }

  /// What the user did.
  public var action: Action
  /// The row of the cell, from 0.
  public var row: Int
  /// The column of the cell, from 0.
  public var column: Int
  /// The modifiers that were held.
  public var modifiers: Key.Modifiers

  /// Creates an input of the mouse.
  public init(_ action: Action, row: Int, column: Int, modifiers: Key.Modifiers = []) {
    self.action = action
    self.row = row
    self.column = column
    self.modifiers = modifiers
  }
}

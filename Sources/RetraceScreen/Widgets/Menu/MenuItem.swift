/// An item of a ``Menu``: an action with its key, or a line between groups.
public struct MenuItem: Hashable, Sendable {
  /// What the action is called.
  public var label: String
  /// The name of the key that does the same; empty for none.
  public var key: String
  /// Whether the item can be selected.
  public var isEnabled: Bool
  /// Whether the item is a line between groups.
  let isLine: Bool

  /// Creates an item.
  ///
  /// - Parameters:
  ///   - label: What the action is called.
  ///   - key: The name of the key that does the same; empty for none.
  ///   - isEnabled: Whether the item can be selected.
  public init(_ label: String, key: String = "", isEnabled: Bool = true) {
    self.init(label: label, key: key, isEnabled: isEnabled, isLine: false)
  }

  private init(label: String, key: String, isEnabled: Bool, isLine: Bool) {
    self.label = label
    self.key = key
    self.isEnabled = isEnabled
    self.isLine = isLine
  }

  /// A line between two groups of items.
  public static var line: MenuItem {
    MenuItem(label: "", key: "", isEnabled: false, isLine: true)
  }
}

/// What the user did at a terminal, in the order in which it happened.
public enum Input: Hashable, Sendable {
  /// A key was pressed, or text was typed or pasted.
  case key(Key)
  /// The mouse was used.
  case mouse(Mouse)
  /// The terminal gained the focus.
  case focused
  /// The terminal lost the focus.
  case unfocused
  /// The terminal has another size.
  case resized(Screen.Size)
  /// The user pasted more text than an app takes; none of it is kept. The value is the limit in
  /// bytes, which the app should tell.
  case pasteRefused(limitBytes: Int)
}

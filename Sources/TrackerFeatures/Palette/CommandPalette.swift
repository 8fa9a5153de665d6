public import Retrace

/// The command palette of a scene while it is open: what was typed, and the selected row.
///
/// What it offers follows from the shown screen and the state.
public struct CommandPalette: Recordable, Equatable {
  /// The words that the listed actions contain.
  public var text: TextDraft = TextDraft()  // recorded: constant default
  /// The index of the selected row.
  public var selected: Int64 = 0

  /// Creates a palette without words.
  public init() {}
}

package import Retrace

/// What a key or the mouse means in the player.
package enum PlayerAction: Hashable, Sendable {
  /// Selects a row some rows after the selected one.
  case rowsMoved(Int)
  /// Selects a row some pages after the selected one.
  case pagesMoved(Int)
  /// Selects the next record, or the one before, within a row, too.
  case recordMoved(isForward: Bool)
  /// Selects the last record of the next batch, or of the one before.
  case batchMoved(isForward: Bool)
  /// Selects the last record of the next change, or of the one before.
  case changeMoved(isForward: Bool)
  /// Shows the records of all sessions, or those of one alone.
  case widened
  case firstSelected
  case lastSelected
  /// Selects a row that was clicked.
  case rowClicked(UInt64)
  /// Moves the rows under the window.
  case rowsScrolled(Int)
  case differenceScrolled(Int)
  case helpScrolled(Int)
  case helpToggled
  case focused(PlayerState.Pane)
  /// Moves the focus to the next pane, or to the one before.
  case focusMoved(isForward: Bool)
  /// Makes the pane with the focus larger, or smaller.
  case paneResized(isLarger: Bool)
  /// The mouse grasped a divider.
  case dividerPressed(Split.Axis)
  /// The mouse moved the divider some cells to the right or down.
  case dividerDragged(Int64)
  case dividerReleased
  case sceneChanged
  case prompted(PlayerState.Prompt)
  case edited(TextReplacement)
  case submitted
  /// Closes what is open: the prompt, the list of keys, the search, or the filter.
  case escaped
  /// Goes on to the next row with the text, or to the one before.
  case found(isForward: Bool)
  /// Copies the selected record as the pane with the focus shows it.
  case copied
  case left
}

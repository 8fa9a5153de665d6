import Retrace

extension PlayerState {
  /// Carries out an action that needs no record of the log.
  mutating func perform(_ action: PlayerAction, on frame: PlayerFrame) {
    let layout = frame.layout
    switch action {
    case .differenceScrolled(let steps):
      var window = ScrollWindow(
        count: Int64(frame.differenceLines.count), rows: Int64(layout.difference.rows),
        offset: offset)
      window.scroll(to: window.offset + Int64(steps))
      offset = window.offset
    case .helpScrolled(let steps):
      var window = ScrollWindow(
        count: Int64(frame.helpLines.count), rows: Int64(layout.help.rows),
        offset: helpOffset ?? 0)
      window.scroll(to: window.offset + Int64(steps))
      helpOffset = window.offset
    case .helpToggled: helpOffset = helpOffset == nil ? 0 : nil
    case .focused(let pane): focus = pane
    case .focusMoved(let isForward):
      let count = Int64(Pane.allCases.count)
      focus = Pane(rawValue: (focus.rawValue + (isForward ? 1 : count - 1)) % count) ?? .timeline
    case .paneResized(let isLarger): resize(isLarger: isLarger, in: layout)
    case .dividerPressed(let axis): dragged = axis
    case .dividerDragged(let cells): if let dragged { resize(dragged, by: cells, in: layout) }
    case .dividerReleased: dragged = nil
    case .prompted(let kind):
      prompt = kind
      draft = TextDraft(kind == .filter ? filter : "")
    case .edited(let replacement): draft.apply(replacement)
    case .escaped: escape()
    default: break
    }
  }

  private mutating func escape() {
    if prompt != nil {
      prompt = nil
    } else if search != nil {
      search = nil
      tell("The search was ended.")
    }
  }

  private mutating func resize(isLarger: Bool, in layout: PlayerLayout) {
    switch focus {
    case .timeline: resize(.columns, by: isLarger ? 2 : -2, in: layout)
    case .screen: resize(.rows, by: isLarger ? 1 : -1, in: layout)
    case .difference: resize(.rows, by: isLarger ? -1 : 1, in: layout)
    }
  }

  private mutating func resize(_ axis: Split.Axis, by cells: Int64, in layout: PlayerLayout) {
    guard let columns = layout.columns, let rows = layout.rows else { return }
    switch axis {
    case .columns:
      self.columns.resize(
        divider: 0, by: cells, sizes: columns.sizes(in: layout.columnsArea),
        minimums: columns.minimums)
    case .rows:
      self.rows.resize(
        divider: 0, by: cells, sizes: rows.sizes(in: layout.rowsArea), minimums: rows.minimums)
    }
  }
}

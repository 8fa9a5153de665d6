import CivilTime
import RetraceArchitecture
import RetraceScreen

extension StartEditDraft.Field {
  /// The label of the field.
  var label: String {
    switch self {
    case .description: "Description"
    case .project: "Project"
    case .tags: "Tags"
    case .start: "Start"
    case .duration: "Duration"
    case .billable: "Billable"
    }
  }

  /// What the field means while it is empty.
  fileprivate var emptyHint: String {
    switch self {
    case .description: "what is done, @project, #tag"
    case .project: "none"
    case .tags: "none"
    case .start: "now"
    case .duration: "running"
    case .billable: ""
    }
  }

  /// The field that lies a number of fields further, around the end.
  func moved(by step: Int) -> Self {
    let all = Self.allCases
    let index = all.firstIndex(of: self) ?? 0
    return all[CivilDate.floorMod(index + step, all.count)]
  }
}

extension StartEditDraft {
  private static let labelCells = 14

  /// The screen: all fields, the cursor in the focused one, and what could complete it.
  func screen(in state: AppState, size: Screen.Size) -> Screen {
    let title = entry.map { "Edit entry \($0.value)" } ?? "New entry"
    var lines = [Screen.Line(title, .title), Screen.Line("")]
    var cursor: Screen.Cursor?
    for field in Field.allCases {
      let isFocused = field == self.field
      let label = fitted((isFocused ? "> " : "  ") + field.label, to: Self.labelCells)
      var runs = [Screen.Run(label, isFocused ? .strong : .plain)]
      if let text = self[field] {
        let window = TextWindow(
          text, cells: size.columns - Self.labelCells, followsCursor: isFocused)
        runs.append(
          text.isEmpty ? Screen.Run(field.emptyHint, .faint) : Screen.Run(window.text))
        if isFocused {
          cursor = Screen.Cursor(row: lines.count, column: Self.labelCells + window.cursor)
        }
      } else {
        runs.append(Screen.Run(isBillable ? "yes" : "no"))
      }
      lines.append(Screen.Line(runs))
    }
    let suggestions = suggestions(in: state.library)
    if !suggestions.isEmpty {
      lines.append(Screen.Line(""))
      for name in suggestions { lines.append(Screen.Line("    \(name)", .faint)) }
    }
    return Screen(lines: lines, cursor: cursor)
  }
}

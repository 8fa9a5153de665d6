import Retrace
import TimeTracking

extension EntryEditorFrame {
  /// The rectangle of the suggestions: below the focused text, over the fields there, or above it
  /// where no row is left below.
  func listRect(in rect: Rect) -> Rect? {
    guard let list,
      let input = form.inputRect(of: route.field.index, in: parts(in: rect).form)
    else { return nil }
    var room = rect
    let above = input.row - rect.row
    if input.row + 1 < rect.endRow {
      _ = room.removeTop(above + 1)
    } else {
      room = room.removeTop(above)
    }
    return room.isEmpty ? nil : room.removeTop(min(room.rows, list.rows.count))
  }

  /// The suggestions as they are drawn.
  func suggestionRows() -> List<SuggestionRow>? {
    guard let list else { return nil }
    let projects = list.rows.compactMap { row in
      if case .entry(let item) = row { item.newest.entry.project } else { nil }
    }
    let longNames = domain.longNames(ofAll: projects)
    var names = EntryLabeler(domain)
    let views = list.rows.map { row in
      switch row {
      case .entry(let item):
        SuggestionRow(
          text: domain.summaryLine(of: item.newest.entry, longNames, &names),
          note: use(of: item))
      case .project(let id, let task, let name):
        SuggestionRow(
          text: Screen.Line(projectRuns(id, task, name)), note: task == nil ? "project" : "task")
      case .tag(let name): SuggestionRow(text: Screen.Line("#\(name)"), note: "tag")
      case .newProject(let name):
        SuggestionRow(text: Screen.Line("@\(name)", .faint), note: "new project")
      case .newTag(let name):
        SuggestionRow(text: Screen.Line("#\(name)", .faint), note: "new tag")
      }
    }
    return List(
      count: views.count, state: ListState(selected: Int64(list.marked ?? 0)),
      hasSelection: list.marked != nil, isFocused: list.isChosen, background: .surface
    ) { views[$0] }
  }

  private func projectRuns(_ id: ProjectID, _ task: TaskID?, _ name: String) -> [Screen.Run] {
    let color = domain.projects.read(id) { $0.color } ?? nil
    let style = color.map { Style(foreground: Color(rgb: $0)) } ?? .plain
    let task = task.flatMap { domain.tasks.read($0) { $0.name.text } }
    return [Screen.Run("@\(name)" + (task.map { "/\($0)" } ?? ""), style)]
  }

  /// Returns how long ago and how often entries had contents.
  private func use(of item: RecentContents.Item) -> String {
    let minutes = max(0, moment.elapsed(since: item.start).microseconds) / 60_000_000
    let ago =
      switch minutes {
      case ..<60: "\(minutes) min ago"
      case ..<1_440: "\(minutes / 60) h ago"
      case ..<20_160: "\(minutes / 1_440) d ago"
      default: "\(minutes / 10_080) weeks ago"
      }
    return item.count == 1 ? ago : "\(ago), \(item.count) times"
  }
}

/// A suggestion as it is drawn: its text, and at the right what it is or how it was used.
struct SuggestionRow: Widget {
  let text: Screen.Line
  let note: String

  /// The fewest cells of the text beside a note.
  private static var textColumnsMin: Int { 20 }

  func draw(in rect: Rect, on canvas: inout Canvas) {
    var rest = rect
    let columns = TextWidth.of(note)
    if rest.columns >= Self.textColumnsMin + columns + 3 {
      _ = rest.removeRight(1)
      canvas.drawLine(
        note, style: Style(foreground: .faint, background: .surface), aligned: .right,
        in: rest.removeRight(columns))
      _ = rest.removeRight(2)
    }
    let runs = text.runs.map { run in
      var style = run.style
      style.background = .surface
      return Screen.Run(run.text, style)
    }
    canvas.drawLine(Screen.Line(runs), in: rest)
  }
}

import CivilTime
import RetraceArchitecture
import RetraceScreen
import RetraceState

extension TimerRoute {
  /// How many entries the list holds at most.
  static let listLimit = 200

  /// The entries of the list, the latest first: all but the running one.
  static func list(
    of user: UserID, in state: AppState
  ) -> [(id: TimeEntryID, entry: TimeEntry)] {
    state.recentEntries(of: user, limit: listLimit).filter { !$0.entry.isRunning }
  }

  /// The screen: what runs, and what was done lately.
  func screen(
    in state: AppState, at moment: Moment, size: Screen.Size, zone: RecordedZone
  ) -> Screen {
    guard let name = state.library.users[user]?.name else {
      return Screen(lines: [Screen.Line("There is no user \(user.value).", .warning)])
    }
    var lines = [Screen.Line("Timer of \(name)", .title), Screen.Line("")]
    lines.append(runningLine(in: state, at: moment))
    lines.append(Screen.Line(""))
    let list = Self.list(of: user, in: state)
    for index in ListWindow.range(of: list.count, from: firstRow, in: size) {
      lines.append(line(list[index].id, list[index].entry, in: state, at: moment, size: size))
    }
    if list.isEmpty { lines.append(Screen.Line("  nothing yet: n for a new entry", .faint)) }
    return Screen(lines: lines)
  }

  private func runningLine(in state: AppState, at moment: Moment) -> Screen.Line {
    guard let (_, entry) = state.runningEntry(of: user) else {
      return Screen.Line("Nothing is running.", .faint)
    }
    return Screen.Line([
      Screen.Run("Running \(entry.elapsed(at: moment).clock)  ", .strong),
      Screen.Run(Self.summary(of: entry, in: state)),
      Screen.Run("  since \(entry.localStart.clock)", .faint),
    ])
  }

  private func line(
    _ id: TimeEntryID, _ entry: TimeEntry, in state: AppState, at moment: Moment,
    size: Screen.Size
  ) -> Screen.Line {
    let isSelected = id == selection
    let start = "\(entry.localStart.date) \(entry.localStart.clock)"
    let head = "\(isSelected ? ">" : " ") \(start)  "
    let duration = entry.elapsed(at: moment).clock
    let room = size.columns - TextWidth.of(head) - TextWidth.of(duration) - 2
    let text = fitted(Self.summary(of: entry, in: state), to: max(8, min(60, room)))
    return Screen.Line("\(head)\(text)  \(duration)", isSelected ? .selected : .plain)
  }

  /// What an entry is about, in one line.
  private static func summary(of entry: TimeEntry, in state: AppState) -> String {
    var parts = [entry.description.isEmpty ? "(no description)" : entry.description]
    if let project = entry.project.flatMap({ state.library.projects[$0]?.name }) {
      parts.append("@\(project)")
    }
    for tag in entry.tags {
      if let name = state.library.tags[tag]?.name { parts.append("#\(name)") }
    }
    if entry.isBillable { parts.append("$") }
    return parts.joined(separator: " ")
  }
}

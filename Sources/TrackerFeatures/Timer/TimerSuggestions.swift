import Retrace
import TimeTracking

/// The suggestions of the timer for the next entry, a row for each.
struct TimerSuggestions: Sendable {
  /// The most suggestions; each has a digit.
  static var countMax: Int { 3 }

  /// The suggestions.
  let all: [EntrySuggestion]
  /// The entries that the next frame need not count again.
  let mostUsed: MostUsedEntries

  /// Chooses the suggestions.
  ///
  /// - Parameters:
  ///   - mostUsed: The most used entries of the user.
  ///   - events: The events of the user's calendars.
  ///   - domain: The entities.
  ///   - moment: The present.
  init(
    _ mostUsed: MostUsedEntries, events: [CalendarEvent], in domain: DomainState, at moment: Moment
  ) {
    self.mostUsed = mostUsed
    all = domain.suggestions(mostUsed, events: events, at: moment, limit: Self.countMax)
  }

  /// Returns the suggested entries.
  func entries(in domain: DomainState) -> [TimeEntry] {
    all.compactMap { suggestion in
      if case .mostUsed(let id, count: _) = suggestion { domain.timeEntries[id] } else { nil }
    }
  }

  /// The number of rows; a text is in the only one without suggestions.
  var rowCount: Int { max(1, all.count) }
}

extension TimerFrame {
  /// Whether the screen has room for suggestions.
  var hasRoomForSuggestions: Bool {
    TimerLayout(Rect(size)).hasRoom(forSuggestions: TimerSuggestions.countMax)
  }

  /// Draws the suggestions, each with its digit and with its use.
  func drawSuggestions(in rect: Rect, on canvas: inout Canvas) {
    guard let suggestions else { return }
    var rest = rect
    if suggestions.all.isEmpty {
      let text = "  No suggestions: start an entry with a description or a project first."
      canvas.drawLine(text, style: .faint, in: rest)
    }
    for (index, suggestion) in suggestions.all.enumerated() {
      var row = rest.removeTop(1)
      canvas.drawLine("  \(index + 1) ", style: .strong, in: row.removeLeft(4))
      let (line, figure) = texts(of: suggestion)
      let columns = TextWidth.of(figure)
      if row.columns >= columns + Self.suggestionColumnsMin {
        let place = row.removeRight(columns)
        canvas.drawLine(figure, style: .faint, aligned: .right, in: place)
        _ = row.removeRight(Self.figureGap)
      }
      canvas.drawLine(line, in: row)
    }
  }

  /// The fewest cells of a suggestion beside its use.
  private static var suggestionColumnsMin: Int { 20 }
  /// The cells between a suggestion and its use.
  private static var figureGap: Int { 2 }

  /// Returns the text of a suggestion, and that of its use or its start.
  private func texts(of suggestion: EntrySuggestion) -> (line: Screen.Line, figure: String) {
    switch suggestion {
    case .event(let event):
      let start = log.days.calendar.rules.local(at: event.start)
      return (Screen.Line(event.title), "at \(log.days.calendar.style.clock(start))")
    case .mostUsed(let id, let count):
      guard let entry = domain.timeEntries[id] else { return (Screen.Line(""), "") }
      return (domain.summaryLine(of: entry, longNames), count == 1 ? "once" : "\(count) times")
    }
  }

  /// Returns the index of the suggestion in a row of the screen; `nil` in other rows.
  func suggestionIndex(at place: Screen.Cursor, in rect: Rect) -> Int? {
    guard let suggestions, rect.contains(place), place.row - rect.row < suggestions.all.count else {
      return nil
    }
    return place.row - rect.row
  }

  /// Returns the steps that start a suggestion and hide the suggestions; `nil` without it.
  ///
  /// The most used entry is continued. An entry about an event begins with the event.
  func starting(suggestion index: Int) -> [KeyStep]? {
    guard hasUser, let suggestions, suggestions.all.indices.contains(index) else { return nil }
    let command: TimeEntryCommand
    switch suggestions.all[index] {
    case .event(let event):
      let draft = TimeEntryDraft(
        user: .id(route.user), description: event.title, zone: edge?.zone ?? .utc)
      command = .start(draft, at: event.start, policy: policy)
    case .mostUsed(let id, count: _):
      let zone = edge?.zone ?? domain.timeEntries[id]?.zone ?? .utc
      command = .resume(id, at: nil, zone: zone, policy: policy)
    }
    return [.command(.entry(command)), .screen(.timer(.suggestionsToggled))]
  }
}

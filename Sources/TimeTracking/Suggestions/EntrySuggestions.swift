public import RetraceState

/// An event of a calendar outside the tracker.
public struct CalendarEvent: Hashable, Sendable {
  /// The id in the calendar.
  public var id: String
  /// The title.
  public var title: String
  /// The start.
  public var start: Moment
  /// The end.
  public var end: Moment

  /// Creates an event.
  public init(id: String, title: String, start: Moment, end: Moment) {
    self.id = id
    self.title = title
    self.start = start
    self.end = end
  }
}

/// A suggestion for the next entry to start.
public enum EntrySuggestion: Hashable, Sendable {
  /// An entry about an event, with the start of the event.
  case event(CalendarEvent)
  /// An entry like this one, which was recently used `count` times.
  case mostUsed(TimeEntryID, count: Int)
}

extension DomainState {
  /// Returns suggestions for the next entry of a user: at most one event, then the most used
  /// entries.
  ///
  /// - The event is the nearest one with a title that begins within an hour before or after the
  ///   moment. If two are equally near, the earlier one is taken, then the one with the lower id.
  /// - Use is counted by description, project and task, over the user's entries that began in the
  ///   last 42 days of 24 hours and have a project that is neither archived nor deleted or, without
  ///   a project, a description. Equal counts are ordered by the latest start, then by the higher
  ///   id. The latest entry is suggested, unless it runs.
  ///
  /// - Parameters:
  ///   - user: The user.
  ///   - events: The events of the user's calendars.
  ///   - moment: The moment.
  ///   - limit: The maximum number of suggestions.
  /// - Complexity: O(events + entries of all users that ended in the last 42 days or later).
  public func suggestions(
    for user: UserID, events: [CalendarEvent], at moment: Moment, limit: Int = 3
  ) -> [EntrySuggestion] {
    suggestions(
      MostUsedEntries(of: user, in: self, at: moment), events: events, at: moment, limit: limit)
  }

  /// Returns suggestions, as ``suggestions(for:events:at:limit:)``, with entries that were counted.
  ///
  /// - Complexity: O(events + limit).
  package func suggestions(
    _ mostUsed: MostUsedEntries, events: [CalendarEvent], at moment: Moment, limit: Int
  ) -> [EntrySuggestion] {
    let event = nextEvent(of: events, at: moment).map { [EntrySuggestion.event($0)] } ?? []
    let running = runningEntry(of: mostUsed.user)?.id
    let others = mostUsed.suggestions.lazy.filter { suggestion in
      if case .mostUsed(let id, count: _) = suggestion { id != running } else { true }
    }
    return Array((event + others.prefix(max(0, limit))).prefix(max(0, limit)))
  }

  private func nextEvent(of events: [CalendarEvent], at moment: Moment) -> CalendarEvent? {
    func distance(_ event: CalendarEvent) -> ElapsedTime {
      max(event.start.elapsed(since: moment), moment.elapsed(since: event.start))
    }
    return
      events
      .filter { distance($0) <= .seconds(3_600) && !Name($0.title).isEmpty }
      .min { left, right in
        if distance(left) != distance(right) { return distance(left) < distance(right) }
        if left.start != right.start { return left.start < right.start }
        return left.id.utf8.lexicographicallyPrecedes(right.id.utf8)
      }
  }
}

/// The entries that a user started most in the last 42 days, counted once.
///
/// The counts stay the same until an entry changes, or becomes older than 42 days.
package struct MostUsedEntries: Sendable {
  /// What entries share that are counted together.
  private struct Use: Hashable {
    var description: String
    var project: ProjectID?
    var task: TaskID?
  }

  private struct Count {
    var count = 0
    var start = Moment(microseconds: .min)
    var id = TimeEntryID(value: -1)
  }

  /// The time for which an entry counts after its start.
  private static var window: ElapsedTime { .seconds(42 * 86_400) }

  /// The user.
  package let user: UserID
  /// The most used entries first, each the latest one of its kind.
  package let suggestions: [EntrySuggestion]
  private let domain: DomainState
  /// The moments at which the same entries count.
  private let moments: Range<Moment>

  /// Counts the entries of a user.
  ///
  /// - Complexity: O(entries of all users that ended in the last 42 days or later).
  package init(of user: UserID, in domain: DomainState, at moment: Moment) {
    var aliases = AliasResolver(domain)
    var counts: [Use: Count] = [:]
    let earliest = moment.adding(ElapsedTime(microseconds: -Self.window.microseconds))
    var end = Moment(microseconds: .max)
    domain.forEachEntry(from: earliest, to: nil, of: user) { id, entry in
      guard entry.start >= earliest else { return }
      guard entry.start <= moment else {
        end = min(end, entry.start)
        return
      }
      let project = aliases.project(entry.project)
      if let project {
        guard let found = domain.projects.live(project), !found.isArchived else { return }
      } else if Name(entry.description).isEmpty {
        return
      }
      end = min(end, entry.start.adding(Self.window).adding(ElapsedTime(microseconds: 1)))
      let use = Use(
        description: entry.description, project: project, task: aliases.task(entry.task))
      var count = counts[use] ?? Count()
      count.count += 1
      if (entry.start, id) > (count.start, count.id) { (count.start, count.id) = (entry.start, id) }
      counts[use] = count
    }
    suggestions = counts.values
      .sorted { ($0.count, $0.start, $0.id) > ($1.count, $1.start, $1.id) }
      .map { .mostUsed($0.id, count: $0.count) }
    (self.user, self.domain) = (user, domain)
    moments = moment..<max(moment, end)
  }

  /// Returns whether the entries are the most used ones of a state at a moment.
  ///
  /// - Complexity: As ``isOf(_:)``.
  package func isOf(_ domain: DomainState, at moment: Moment) -> Bool {
    moments.contains(moment) && isOf(domain)
  }

  /// Returns whether the entries were counted in a state.
  ///
  /// - Complexity: As `==` of the tables.
  package func isOf(_ domain: DomainState) -> Bool {
    self.domain.timeEntries == domain.timeEntries && self.domain.projects == domain.projects
      && self.domain.tasks == domain.tasks
      && self.domain.importRuns == domain.importRuns
  }
}

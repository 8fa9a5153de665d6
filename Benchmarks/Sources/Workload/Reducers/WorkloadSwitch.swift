public import RetraceArchitecture
public import RetraceState

/// The same reducer written by hand as one nested switch: the yardstick of composition.
///
/// The functions that change the state are shared with the composed reducers, so only the dispatch
/// differs.
public struct WorkloadSwitch: Reducer {
  /// Makes the reducer.
  public init() {}

  /// Changes the state as ``WorkloadReducer`` does.
  public func reduce(
    _ state: inout WorkloadState, _ action: WorkloadAction, at moment: Moment
  ) -> Effect<WorkloadAction, Never> {
    switch action {
    case .timer(let action):
      switch action {
      case .started(let draft): state.timeline.start(draft, at: moment)
      case .stopped(let id): state.timeline.stop(id, at: moment)
      case .continued(let id): state.timeline.proceed(id, at: moment)
      case .deleted(let id): state.timeline.delete(id)
      case .limited(let count): state.timeline.limit(to: count)
      case .moved(let id, let start): state.timeline.move(id, to: start)
      case .merged(let id, let other): state.timeline.merge(id, into: other)
      case .split(let id, let time): state.timeline.split(id, after: time)
      }
    case .editor(let action):
      switch action {
      case .described(let id, let text): state.timeline.describe(id, text)
      case .patched(let id, let patch): state.timeline.patch(id, patch)
      case .assigned(let id, let project): state.timeline.assign(id, project)
      case .tagged(let id, let tags): state.timeline.tag(id, tags)
      case .billingToggled(let id): state.timeline.toggleBilling(id)
      case .tasked(let id, let task): state.timeline.task(id, task)
      case .timed(let id, let duration): state.timeline.time(id, duration)
      case .duplicated(let id): state.timeline.duplicate(id)
      case .colored(let id, let color): state.timeline.color(id, color)
      }
    case .projects(let action):
      switch action {
      case .created(let name, let color): state.projects.create(name, color)
      case .renamed(let id, let name): state.projects.change(id) { $0.name = name }
      case .recolored(let id, let color): state.projects.change(id) { $0.color = color }
      case .archived(let id): state.projects.change(id) { $0.isArchived = true }
      case .restored(let id): state.projects.change(id) { $0.isArchived = false }
      case .favored(let id): state.projects.change(id) { $0.isFavorite.toggle() }
      case .sorted(let order): state.projects.order = order
      }
    case .tags(let action):
      switch action {
      case .created(let name): state.tags.create(name)
      case .renamed(let id, let name): state.tags.change(id) { $0.name = name }
      case .used(let id): state.tags.change(id) { $0.uses &+= 1 }
      case .counted(let id, let other): state.tags.count(id, with: other)
      case .searched(let text): state.tags.query = text
      case .cleared: state.tags.query = ""
      }
    case .clients(let action):
      switch action {
      case .created(let name): state.clients.create(name)
      case .renamed(let id, let name): state.clients.change(id) { $0.name = name }
      case .archived(let id): state.clients.change(id) { $0.isArchived = true }
      case .rated(let id, let rate): state.clients.change(id) { $0.rate = rate }
      case .noted(let id, let notes): state.clients.change(id) { $0.notes = notes }
      case .billed(let id, let amount): state.clients.change(id) { $0.billed &+= amount }
      }
    default: Self.reduceRest(&state, action)
    }
    return .none
  }

  /// Reduces actions that change no table; a separate function, so that each half fits a screen.
  @inline(__always)
  private static func reduceRest(_ state: inout WorkloadState, _ action: WorkloadAction) {
    switch action {
    case .timer, .editor, .projects, .tags, .clients: break
    case .calendar(let action):
      switch action {
      case .dayShown(let day): state.calendar.day = day
      case .weekShown(let week): state.calendar.week = week
      case .zoomed(let zoom): state.calendar.zoom = zoom
      case .selected(let id): state.calendar.selected = id
      case .deselected: state.calendar.selected = nil
      case .imported(let text, _, let duration): state.calendar.note(text, duration)
      case .scrolled(let rows): state.calendar.offset &+= rows
      }
    case .reports(let action):
      switch action {
      case .ranged(let from, let to): state.reports.range(from, to)
      case .grouped(let grouping): state.reports.grouping = grouping
      case .projectChosen(let project): state.reports.project = project
      case .tagChosen(let tag): state.reports.tag = tag
      case .rounded(let time): state.reports.rounding = time
      case .exported(let file): state.reports.export(file)
      case .cleared: state.reports.clear()
      }
    case .settings(let action):
      switch action {
      case .themed(let theme): state.settings.theme = theme
      case .weekBegins(let day): state.settings.weekStart = day
      case .dated(let format): state.settings.dateFormat = format
      case .roundingToggled: state.settings.rounds.toggle()
      case .idle(let time): state.settings.idle = time
      case .spoken(let language): state.settings.language = language
      case .notified(let notifies): state.settings.notifies = notifies
      }
    case .navigation(let action):
      switch action {
      case .pushed(let place): state.navigation.push(place)
      case .popped: state.navigation.pop()
      case .replaced(let place): state.navigation.replace(place)
      case .tabbed(let tab): state.navigation.tab = tab
      case .presented(let sheet): state.navigation.sheet = sheet
      case .dismissed: state.navigation.sheet = nil
      }
    case .sync(let action):
      switch action {
      case .began(let revision): state.sync.pending = revision
      case .succeeded(let revision, let changes): state.sync.succeed(revision, changes)
      case .failed(let code, let message): state.sync.fail(code, message)
      case .conflicted(let id, let keepsOurs): state.sync.settle(id, keepsOurs)
      case .scheduled(let moment): state.sync.next = moment
      case .reset: state.sync = Sync()
      }
    }
  }
}

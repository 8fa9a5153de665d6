import RetraceArchitecture
import RetraceState
import Workload

extension PBAction {
  /// The message of an action.
  init(_ action: WorkloadAction) {
    self.init()
    leaf =
      switch action {
      case .timer(let action): Self.leaf(action)
      case .editor(let action): Self.leaf(action)
      case .calendar(let action): Self.leaf(action)
      case .projects(let action): Self.leaf(action)
      case .tags(let action): Self.leaf(action)
      case .clients(let action): Self.leaf(action)
      case .reports(let action): Self.leaf(action)
      case .settings(let action): Self.leaf(action)
      case .navigation(let action): Self.leaf(action)
      case .sync(let action): Self.leaf(action)
      }
  }

  private static func leaf(_ action: TimerAction) -> OneOf_Leaf {
    switch action {
    case .started(let draft): .timerStarted(PBDraft(draft))
    case .stopped(let id): .timerStopped(id.value)
    case .continued(let id): .timerContinued(id.value)
    case .deleted(let id): .timerDeleted(id.value)
    case .limited(let count): .timerLimited(count)
    case .moved(let id, let start): .timerMoved(PBPair(id.value, start.microseconds))
    case .merged(let id, let other): .timerMerged(PBPair(id.value, other.value))
    case .split(let id, let time): .timerSplit(PBPair(id.value, time.microseconds))
    }
  }

  private static func leaf(_ action: EditorAction) -> OneOf_Leaf {
    switch action {
    case .described(let id, let text): .editorDescribed(PBTexted(id.value, text))
    case .patched(let id, let patch): .editorPatched(PBPatch(id.value, patch))
    case .assigned(let id, let project): .editorAssigned(PBChoice(id.value, project?.value))
    case .tagged(let id, let tags): .editorTagged(PBTagged(id.value, tags))
    case .billingToggled(let id): .editorBillingToggled(id.value)
    case .tasked(let id, let task): .editorTasked(PBChoice(id.value, task))
    case .timed(let id, let time): .editorTimed(PBPair(id.value, time.microseconds))
    case .duplicated(let id): .editorDuplicated(id.value)
    case .colored(let id, let color): .editorColored(PBPair(id.value, Int64(color)))
    }
  }

  private static func leaf(_ action: CalendarAction) -> OneOf_Leaf {
    switch action {
    case .dayShown(let day): .calendarDayShown(day)
    case .weekShown(let week): .calendarWeekShown(week)
    case .zoomed(let zoom): .calendarZoomed(zoom)
    case .selected(let id): .calendarSelected(id.value)
    case .deselected: .calendarDeselected(true)
    case .imported(let text, let start, let duration):
      .calendarImported(PBImported(text, start.microseconds, duration.microseconds))
    case .scrolled(let rows): .calendarScrolled(rows)
    }
  }

  private static func leaf(_ action: ProjectsAction) -> OneOf_Leaf {
    switch action {
    case .created(let name, let color): .projectsCreated(PBTexted(Int64(color), name))
    case .renamed(let id, let name): .projectsRenamed(PBTexted(id.value, name))
    case .recolored(let id, let color): .projectsRecolored(PBPair(id.value, Int64(color)))
    case .archived(let id): .projectsArchived(id.value)
    case .restored(let id): .projectsRestored(id.value)
    case .favored(let id): .projectsFavored(id.value)
    case .sorted(let order):
      switch order {
      case .name: .projectsSorted(0)
      case .recent: .projectsSorted(1)
      case .color: .projectsSorted(2)
      }
    }
  }

  private static func leaf(_ action: TagsAction) -> OneOf_Leaf {
    switch action {
    case .created(let name): .tagsCreated(name)
    case .renamed(let id, let name): .tagsRenamed(PBTexted(id.value, name))
    case .used(let id): .tagsUsed(id.value)
    case .counted(let id, let other): .tagsCounted(PBPair(id.value, other.value))
    case .searched(let text): .tagsSearched(text)
    case .cleared: .tagsCleared(true)
    }
  }

  private static func leaf(_ action: ClientsAction) -> OneOf_Leaf {
    switch action {
    case .created(let name): .clientsCreated(name)
    case .renamed(let id, let name): .clientsRenamed(PBTexted(id.value, name))
    case .archived(let id): .clientsArchived(id.value)
    case .rated(let id, let rate): .clientsRated(PBPair(id.value, rate))
    case .noted(let id, let notes): .clientsNoted(PBTexted(id.value, notes))
    case .billed(let id, let amount): .clientsBilled(PBPair(id.value, amount))
    }
  }

  private static func leaf(_ action: ReportsAction) -> OneOf_Leaf {
    switch action {
    case .ranged(let from, let to): .reportsRanged(PBPair(from.microseconds, to.microseconds))
    case .grouped(let grouping):
      switch grouping {
      case .day: .reportsGrouped(0)
      case .project: .reportsGrouped(1)
      case .client: .reportsGrouped(2)
      case .tag: .reportsGrouped(3)
      }
    case .projectChosen(let project): .reportsProjectChosen(PBChoice(0, project?.value))
    case .tagChosen(let tag): .reportsTagChosen(PBChoice(0, tag?.value))
    case .rounded(let time): .reportsRounded(time.microseconds)
    case .exported(let file): .reportsExported(file)
    case .cleared: .reportsCleared(true)
    }
  }

  private static func leaf(_ action: SettingsAction) -> OneOf_Leaf {
    switch action {
    case .themed(let theme):
      switch theme {
      case .system: .settingsThemed(0)
      case .light: .settingsThemed(1)
      case .dark: .settingsThemed(2)
      }
    case .weekBegins(let day): .settingsWeekBegins(day)
    case .dated(let format): .settingsDated(format)
    case .roundingToggled: .settingsRoundingToggled(true)
    case .idle(let time): .settingsIdle(time.microseconds)
    case .spoken(let language): .settingsSpoken(language)
    case .notified(let notifies): .settingsNotified(notifies)
    }
  }

  private static func leaf(_ action: NavigationAction) -> OneOf_Leaf {
    switch action {
    case .pushed(let place): .navigationPushed(PBPlace(place))
    case .popped: .navigationPopped(true)
    case .replaced(let place): .navigationReplaced(PBPlace(place))
    case .tabbed(let tab): .navigationTabbed(tab)
    case .presented(let sheet): .navigationPresented(sheet)
    case .dismissed: .navigationDismissed(true)
    }
  }

  private static func leaf(_ action: SyncAction) -> OneOf_Leaf {
    switch action {
    case .began(let revision): .syncBegan(revision)
    case .succeeded(let revision, let changes): .syncSucceeded(PBPair(revision, changes))
    case .failed(let code, let message): .syncFailed(PBTexted(Int64(code), message))
    case .conflicted(let id, let ours): .syncConflicted(PBPair(id.value, ours ? 1 : 0))
    case .scheduled(let moment): .syncScheduled(moment.microseconds)
    case .reset: .syncReset(true)
    }
  }
}

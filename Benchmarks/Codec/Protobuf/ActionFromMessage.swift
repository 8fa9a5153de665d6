import RetraceArchitecture
import RetraceState
import Workload

extension PBAction {
  /// The action of a message, or `nil` if it has none.
  var action: WorkloadAction? {
    guard let leaf else { return nil }
    return switch leaf {
    case .timerStarted(let draft): .timer(.started(draft.draft))
    case .timerStopped(let id): .timer(.stopped(entry(id)))
    case .timerContinued(let id): .timer(.continued(entry(id)))
    case .timerDeleted(let id): .timer(.deleted(entry(id)))
    case .timerLimited(let count): .timer(.limited(to: count))
    case .timerMoved(let pair): .timer(.moved(entry(pair.first), to: moment(pair.second)))
    case .timerMerged(let pair): .timer(.merged(entry(pair.first), into: entry(pair.second)))
    case .timerSplit(let pair): .timer(.split(entry(pair.first), after: time(pair.second)))
    case .editorDescribed(let texted): .editor(.described(entry(texted.number), texted.text))
    case .editorPatched(let patch): .editor(.patched(entry(patch.id), patch.patch))
    case .editorAssigned(let choice):
      .editor(.assigned(entry(choice.id), choice.optional.map { project($0) }))
    case .editorTagged(let tagged):
      .editor(.tagged(entry(tagged.id), tagged.tags.map { tag($0) }))
    case .editorBillingToggled(let id): .editor(.billingToggled(entry(id)))
    case .editorTasked(let choice): .editor(.tasked(entry(choice.id), choice.optional))
    case .editorTimed(let pair): .editor(.timed(entry(pair.first), time(pair.second)))
    case .editorDuplicated(let id): .editor(.duplicated(entry(id)))
    case .editorColored(let pair): .editor(.colored(entry(pair.first), Int32(pair.second)))
    case .calendarDayShown(let day): .calendar(.dayShown(day))
    case .calendarWeekShown(let week): .calendar(.weekShown(week))
    case .calendarZoomed(let zoom): .calendar(.zoomed(to: zoom))
    case .calendarSelected(let id): .calendar(.selected(entry(id)))
    case .calendarDeselected: .calendar(.deselected)
    case .calendarImported(let imported):
      .calendar(
        .imported(
          imported.text, start: moment(imported.start), duration: time(imported.duration)))
    case .calendarScrolled(let rows): .calendar(.scrolled(by: rows))
    case .projectsCreated(let texted):
      .projects(.created(name: texted.text, color: Int32(texted.number)))
    case .projectsRenamed(let texted): .projects(.renamed(project(texted.number), texted.text))
    case .projectsRecolored(let pair):
      .projects(.recolored(project(pair.first), Int32(pair.second)))
    case .projectsArchived(let id): .projects(.archived(project(id)))
    case .projectsRestored(let id): .projects(.restored(project(id)))
    case .projectsFavored(let id): .projects(.favored(project(id)))
    case .projectsSorted(let order):
      .projects(.sorted(by: order == 0 ? .name : order == 1 ? .recent : .color))
    case .tagsCreated(let name): .tags(.created(name))
    case .tagsRenamed(let texted): .tags(.renamed(tag(texted.number), texted.text))
    case .tagsUsed(let id): .tags(.used(tag(id)))
    case .tagsCounted(let pair): .tags(.counted(tag(pair.first), with: tag(pair.second)))
    case .tagsSearched(let text): .tags(.searched(text))
    case .tagsCleared: .tags(.cleared)
    case .clientsCreated(let name): .clients(.created(name))
    case .clientsRenamed(let texted): .clients(.renamed(client(texted.number), texted.text))
    case .clientsArchived(let id): .clients(.archived(client(id)))
    case .clientsRated(let pair): .clients(.rated(client(pair.first), pair.second))
    case .clientsNoted(let texted): .clients(.noted(client(texted.number), texted.text))
    case .clientsBilled(let pair): .clients(.billed(client(pair.first), pair.second))
    case .reportsRanged(let pair):
      .reports(.ranged(from: moment(pair.first), to: moment(pair.second)))
    case .reportsGrouped(let grouping):
      .reports(
        .grouped(
          by: grouping == 0 ? .day : grouping == 1 ? .project : grouping == 2 ? .client : .tag))
    case .reportsProjectChosen(let choice):
      .reports(.projectChosen(choice.optional.map { project($0) }))
    case .reportsTagChosen(let choice): .reports(.tagChosen(choice.optional.map { tag($0) }))
    case .reportsRounded(let time): .reports(.rounded(to: self.time(time)))
    case .reportsExported(let file): .reports(.exported(as: file))
    case .reportsCleared: .reports(.cleared)
    case .settingsThemed(let theme):
      .settings(.themed(theme == 0 ? .system : theme == 1 ? .light : .dark))
    case .settingsWeekBegins(let day): .settings(.weekBegins(on: day))
    case .settingsDated(let format): .settings(.dated(format))
    case .settingsRoundingToggled: .settings(.roundingToggled)
    case .settingsIdle(let time): .settings(.idle(after: self.time(time)))
    case .settingsSpoken(let language): .settings(.spoken(language))
    case .settingsNotified(let notifies): .settings(.notified(notifies))
    case .navigationPushed(let place): .navigation(.pushed(place.place ?? .log))
    case .navigationPopped: .navigation(.popped)
    case .navigationReplaced(let place): .navigation(.replaced(place.place ?? .log))
    case .navigationTabbed(let tab): .navigation(.tabbed(tab))
    case .navigationPresented(let sheet): .navigation(.presented(sheet))
    case .navigationDismissed: .navigation(.dismissed)
    case .syncBegan(let revision): .sync(.began(revision: revision))
    case .syncSucceeded(let pair):
      .sync(.succeeded(revision: pair.first, changes: pair.second))
    case .syncFailed(let texted):
      .sync(.failed(code: Int32(texted.number), message: texted.text))
    case .syncConflicted(let pair):
      .sync(.conflicted(entry(pair.first), keepsOurs: pair.second == 1))
    case .syncScheduled(let moment): .sync(.scheduled(at: self.moment(moment)))
    case .syncReset: .sync(.reset)
    }
  }

  private func entry(_ value: Int64) -> EntryID { EntryID(value: value) }
  private func project(_ value: Int64) -> ProjectID { ProjectID(value: value) }
  private func tag(_ value: Int64) -> TagID { TagID(value: value) }
  private func client(_ value: Int64) -> ClientID { ClientID(value: value) }
  private func moment(_ value: Int64) -> Moment { Moment(microseconds: value) }
  private func time(_ value: Int64) -> ElapsedTime { ElapsedTime(microseconds: value) }
}

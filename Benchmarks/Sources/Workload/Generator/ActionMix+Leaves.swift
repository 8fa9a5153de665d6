import RetraceArchitecture

/// Any of the 69 cases.
extension ActionMix {
  /// Returns an action of the case with a number from 0 to 68; if it names an entry, that is `id`.
  mutating func leaf(_ number: Int, _ id: Int) -> WorkloadAction {
    switch number {
    case ..<8: .timer(timer(number, id))
    case ..<17: .editor(editor(number - 8, id))
    case ..<24: .calendar(calendar(number - 17, id))
    case ..<31: .projects(projects(number - 24))
    case ..<37: .tags(tags(number - 31))
    case ..<43: .clients(clients(number - 37))
    case ..<50: .reports(reports(number - 43))
    case ..<57: .settings(settings(number - 50))
    case ..<63: .navigation(navigation(number - 57, id))
    default: .sync(sync(number - 63, id))
    }
  }

  private mutating func timer(_ number: Int, _ id: Int) -> TimerAction {
    switch number {
    case 0:
      living.insert()
      return .started(draft())
    case 1: return .stopped(entry(id))
    case 2:
      living.insert()
      return .continued(entry(id))
    case 3:
      living.remove(id)
      return .deleted(entry(id))
    case 4: return .limited(to: Int64(living.limit))
    case 5: return .moved(entry(id), to: moment())
    case 6:
      guard let other = living.any(&random), other != id else { return .stopped(entry(id)) }
      living.remove(id)
      return .merged(entry(id), into: entry(other))
    default:
      living.insert()
      return .split(entry(id), after: time())
    }
  }

  private mutating func editor(_ number: Int, _ id: Int) -> EditorAction {
    switch number {
    case 0: return .described(entry(id), text(0...80))
    case 1: return .patched(entry(id), patch())
    case 2: return .assigned(entry(id), maybeProject())
    case 3: return .tagged(entry(id), someTags())
    case 4: return .billingToggled(entry(id))
    case 5: return .tasked(entry(id), maybeTask())
    case 6: return .timed(entry(id), time())
    case 7:
      living.insert()
      return .duplicated(entry(id))
    default: return .colored(entry(id), small())
    }
  }

  private mutating func calendar(_ number: Int, _ id: Int) -> CalendarAction {
    switch number {
    case 0: .dayShown(self.number(20_000))
    case 1: .weekShown(self.number(3_000))
    case 2: .zoomed(to: small())
    case 3: .selected(entry(id))
    case 4: .deselected
    case 5: .imported(text(5...40), start: moment(), duration: time())
    default: .scrolled(by: small())
    }
  }

  private mutating func projects(_ number: Int) -> ProjectsAction {
    switch number {
    case 0:
      projects += 1
      return .created(name: text(3...20), color: small())
    case 1: return .renamed(project(), text(3...20))
    case 2: return .recolored(project(), small())
    case 3: return .archived(project())
    case 4: return .restored(project())
    case 5: return .favored(project())
    default:
      let orders: [SortOrder] = [.name, .recent, .color]
      return .sorted(by: orders[random.below(3)])
    }
  }

  private mutating func tags(_ number: Int) -> TagsAction {
    switch number {
    case 0:
      tags += 1
      return .created(text(3...12))
    case 1: return .renamed(tag(), text(3...12))
    case 2: return .used(tag())
    case 3: return .counted(tag(), with: tag())
    case 4: return .searched(text(0...12))
    default: return .cleared
    }
  }

  private mutating func clients(_ number: Int) -> ClientsAction {
    switch number {
    case 0:
      clients += 1
      return .created(text(3...20))
    case 1: return .renamed(client(), text(3...20))
    case 2: return .archived(client())
    case 3: return .rated(client(), self.number(20_000))
    case 4: return .noted(client(), text(0...80))
    default: return .billed(client(), self.number(1_000_000))
    }
  }

  private mutating func reports(_ number: Int) -> ReportsAction {
    switch number {
    case 0: return .ranged(from: moment(), to: moment())
    case 1:
      let groupings: [Grouping] = [.day, .project, .client, .tag]
      return .grouped(by: groupings[random.below(4)])
    case 2: return .projectChosen(maybeProject())
    case 3: return .tagChosen(random.below(2) == 0 ? tag() : nil)
    case 4: return .rounded(to: time())
    case 5: return .exported(as: text(5...30))
    default: return .cleared
    }
  }

  private mutating func settings(_ number: Int) -> SettingsAction {
    switch number {
    case 0:
      let themes: [Theme] = [.system, .light, .dark]
      return .themed(themes[random.below(3)])
    case 1: return .weekBegins(on: Int32(1 + random.below(7)))
    case 2: return .dated(text(5...12))
    case 3: return .roundingToggled
    case 4: return .idle(after: time())
    case 5: return .spoken(text(2...5))
    default: return .notified(random.below(2) == 0)
    }
  }

  private mutating func navigation(_ number: Int, _ id: Int) -> NavigationAction {
    switch number {
    case 0: .pushed(place(id))
    case 1: .popped
    case 2: .replaced(place(id))
    case 3: .tabbed(Int32(random.below(5)))
    case 4: .presented(text(3...20))
    default: .dismissed
    }
  }

  private mutating func place(_ id: Int) -> Place {
    switch random.below(4) {
    case 0: .log
    case 1: .entry(entry(id))
    case 2: .project(project())
    default: .search(text(0...20))
    }
  }

  private mutating func sync(_ number: Int, _ id: Int) -> SyncAction {
    switch number {
    case 0: .began(revision: self.number(1_000_000))
    case 1: .succeeded(revision: self.number(1_000_000), changes: self.number(100))
    case 2: .failed(code: small(), message: text(5...40))
    case 3: .conflicted(entry(id), keepsOurs: random.below(2) == 0)
    case 4: .scheduled(at: moment())
    default: .reset
    }
  }
}

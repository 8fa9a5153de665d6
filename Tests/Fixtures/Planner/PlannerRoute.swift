package import RetraceArchitecture
import RetraceAvro

/// The routes of the planner's window; two of them contain routes of their own.
package enum PlannerRoute: NavigationRoute, Composed {
  /// The screen of a user who is signed out.
  case welcome
  /// The tabs, with a stack for each.
  case main(MainState)
  /// The settings, a stack above the tabs.
  case settings(BackStack<SettingsRoute>)
}

/// The parameters of the route that has the tabs.
package struct MainState: Recordable, Hashable, ReportsMissingTarget, Composed {
  /// The tabs with their stacks.
  package var tabs: TabStacks<PlannerTab, MainRoute>
  /// The targets that were missing in the tabs.
  package var missing: [MissingTarget] = []

  /// Makes the tabs with their roots.
  package init(selected: PlannerTab = .timer) {
    tabs = TabStacks(selected: selected) { $0.root }
  }

  /// Records a missing target.
  package mutating func targetWasMissing(_ target: MissingTarget) { missing.append(target) }
}

/// The tabs of the planner.
package enum PlannerTab: Recordable, CaseIterable {
  /// The entries.
  case timer
  /// The reports.
  case reports
  /// The calendar.
  case calendar
}

/// The routes in the tabs.
package enum MainRoute: NavigationRoute, Composed {
  /// The list of entries.
  case timer
  /// The report of a range.
  case reports(ReportRange)
  /// The calendar, with the event that is selected.
  case calendar(event: Int64?)
  /// An entry is started or edited.
  case startEdit(EntryDraft)
}

/// The days of a report.
package struct ReportRange: Recordable, Hashable {
  /// The first day, counted from 1970-01-01; `nil` for the default range.
  package var start: Int64?
  /// The last day.
  package var end: Int64?
}

/// An entry that is being started or edited.
package struct EntryDraft: Recordable, Hashable {
  /// The entry that is edited; `nil` if a new one is started.
  package var entry: Int64?
  /// The description as typed so far.
  package var description: String = ""
  /// The project, if one is chosen.
  package var project: Int64?
  /// Whether the entry is billable.
  package var isBillable: Bool = false
  /// Descriptions that were suggested.
  package var suggestions: [String] = []
  /// Makes a draft.
  package init(entry: Int64? = nil) { self.entry = entry }
}

/// The routes of the settings.
package enum SettingsRoute: NavigationRoute {
  /// The list of settings.
  case list
  /// About the planner.
  case about
  /// The licences.
  case licences
}

extension PlannerTab {
  /// The root of the tab's stack.
  package var root: MainRoute {
    switch self {
    case .timer: .timer
    case .reports: .reports(ReportRange())
    case .calendar: .calendar(event: nil)
    }
  }
}

// MARK: Links

extension SettingsRoute: LinkedRoute {
  package var link: DeepLink {
    switch self {
    case .list: DeepLink()
    case .about: DeepLink("about")
    case .licences: DeepLink("about", "licences")
    }
  }

  package init(reading reader: inout DeepLinkReader) throws(DeepLinkError) {
    if reader.isAtEnd {
      self = .list
    } else if reader.take("about") {
      self = reader.take("licences") ? .licences : .about
    } else {
      throw reader.unknownComponent
    }
  }
}

extension MainRoute: LinkedRoute {
  package var link: DeepLink {
    switch self {
    case .timer: DeepLink("timer")
    case .reports(let range):
      DeepLink("reports").item("start", range.start).item("end", range.end)
    case .calendar(let event): DeepLink("calendar").item("event", event)
    case .startEdit(let draft):
      (draft.entry.map { DeepLink("entry", "edit", "\($0)") } ?? DeepLink("entry", "start"))
        .item("description", draft.description.isEmpty ? nil : draft.description)
        .item("project", draft.project).item("billable", draft.isBillable ? true : nil)
    }
  }

  package init(reading reader: inout DeepLinkReader) throws(DeepLinkError) {
    if reader.take("timer") {
      self = .timer
    } else if reader.take("reports") {
      let range = ReportRange(start: try reader.item("start"), end: try reader.item("end"))
      if let start = range.start, let end = range.end, end < start {
        throw .invalidItem("end", value: "\(end)")
      }
      self = .reports(range)
    } else if reader.take("calendar") {
      self = .calendar(event: try reader.item("event"))
    } else if reader.take("entry") {
      var draft = EntryDraft()
      if reader.take("edit") {
        draft.entry = try reader.component(Int64.self)
      } else if !reader.take("start") {
        throw reader.unknownComponent
      }
      draft.description = try reader.item("description") ?? ""
      draft.project = try reader.item("project")
      draft.isBillable = try reader.item("billable") ?? false
      self = .startEdit(draft)
    } else {
      throw reader.unknownComponent
    }
  }
}

extension PlannerRoute: LinkedRoute {
  /// The link of the route that is shown.
  package var link: DeepLink {
    switch self {
    case .welcome: DeepLink("welcome")
    case .main(let main): main.tabs.shown.top.link
    case .settings(let stack): DeepLink("settings").appending(stack.top.link)
    }
  }

  package init(reading reader: inout DeepLinkReader) throws(DeepLinkError) {
    if reader.take("welcome") {
      self = .welcome
    } else if reader.take("main") {
      self = .main(MainState())
    } else if reader.take("settings") {
      let route = try SettingsRoute(reading: &reader)
      self = .settings(BackStack(root: .list, pushed: route.above))
    } else {
      let route = try MainRoute(reading: &reader)
      self = .main(MainState(showing: route))
    }
  }

  /// The path of the window's route, which stays equal while the routes in it change.
  package var path: String {
    switch self {
    case .welcome: "welcome"
    case .main: "main"
    case .settings: "settings"
    }
  }
}

extension SettingsRoute {
  /// The routes above the list that lead to this one.
  package var above: [SettingsRoute] {
    switch self {
    case .list: []
    case .about: [.about]
    case .licences: [.about, .licences]
    }
  }
}

extension MainState {
  /// Makes the tabs with a route shown: as the root of its tab, or above it.
  package init(showing route: MainRoute) {
    switch route {
    case .timer:
      self.init()
      return
    case .reports: self.init(selected: .reports)
    case .calendar: self.init(selected: .calendar)
    case .startEdit:
      self.init()
      tabs.modify(.timer) { $0.push(route) }
      return
    }
    tabs.modify(tabs.selected) { $0.replaceAll(with: route) }
  }
}

import Retrace
import TimeTracking

/// A part of the settings.
enum SettingsSection: CaseIterable, Hashable {
  case profile
  case time
  case timer
  case calendar
  case about
  case session

  /// The heading.
  var title: String {
    switch self {
    case .profile: "Profile"
    case .time: "Date and time"
    case .timer: "Timer"
    case .calendar: "Calendar"
    case .about: "About"
    case .session: "Session"
    }
  }
}

/// A row of the settings with its value.
struct SettingsItem: Sendable {
  /// What a key may do with the row.
  enum Kind: Hashable, Sendable {
    /// A value is typed; its present text.
    case text(String)
    /// A value is switched.
    case toggle(Bool)
    /// One of several values is chosen.
    case choice([String], selected: Int)
    /// It only says how things are.
    case fact
    /// It leads to another screen.
    case way
  }

  let row: SettingsRow
  let label: String
  let kind: Kind
  /// The value as it is shown.
  var value: String
  /// Where the value comes from.
  var origin = ""
  /// The purpose.
  var help = ""
}

/// The rows of the settings of a user.
struct SettingsItems {
  private let user: UserID
  private let domain: DomainState
  private let store: String?
  private let calendars: String?

  /// The libraries that the tracker links, and their licenses.
  private static let libraries = [
    ("LMDB", "OpenLDAP Public License 2.8"), ("OpenSSL", "Apache License 2.0"),
    ("xxHash", "BSD 2-Clause License"),
    ("Swift", "Apache License 2.0 with Runtime Library Exception"),
    ("Unicode data", "Unicode License v3"),
  ]

  /// Creates the rows.
  ///
  /// - Parameters:
  ///   - user: The user.
  ///   - domain: The entities.
  ///   - store: The place of the store, if the driver says it.
  ///   - calendars: The calendar files and folders, if the driver says them.
  init(of user: UserID, in domain: DomainState, store: String?, calendars: String? = nil) {
    (self.user, self.domain, self.store, self.calendars) = (user, domain, store, calendars)
  }

  /// Returns the rows of a section.
  ///
  /// - Complexity: O(sets of preferences + workspaces).
  func items(in section: SettingsSection) -> [SettingsItem] {
    let preferences = Preference.allCases.filter { $0.rule.section == section }.map(item)
    switch section {
    case .profile: return profile + preferences
    case .time, .timer: return preferences
    case .calendar:
      return [
        SettingsItem(
          row: .calendars, label: "Files and folders", kind: .text(calendars ?? ""),
          value: calendars.map { $0.isEmpty ? "none" : SafeText.line($0, bytesMax: 400) }
            ?? "a setting of the machine",
          help:
            "The .ics files, and folders of them, whose events the calendar shows, with a colon "
            + "between two: ~/calendars:~/work.ics. `track config set calendars`")
      ]
    case .about: return facts
    case .session:
      return [
        SettingsItem(
          row: .signOut, label: "Sign out", kind: .way, value: "",
          help: "Go to the list of users, and drop what you typed and did not save.")
      ]
    }
  }

  private var profile: [SettingsItem] {
    let known = domain.users[user]
    let workspaces = SettingsWorkspaces(in: domain)
    let email = known?.email ?? ""
    return [
      SettingsItem(
        row: .name, label: "Name", kind: .text(known?.name.text ?? ""),
        value: known?.name.text ?? "",
        help: "The name of the user. The command line is of the user with the login name; after a "
          + "change, write `track config set user NAME`."),
      SettingsItem(
        row: .email, label: "E-mail", kind: .text(email), value: email.isEmpty ? "none" : email,
        help: "The e-mail address of the user."),
      SettingsItem(
        row: .workspace, label: "Workspace",
        kind: .choice(workspaces.names, selected: workspaces.index(of: known?.workspace)),
        value: domain.name(of: known?.workspace) ?? "none",
        help: "The workspace of new entries; `track workspaces` makes one."),
    ]
  }

  private var facts: [SettingsItem] {
    func fact(_ row: SettingsRow, _ label: String, _ value: String) -> SettingsItem {
      SettingsItem(row: row, label: label, kind: .fact, value: value)
    }
    var facts = [fact(.version, "Version", TimeTracker.build)]
    if let store { facts.append(fact(.store, "Store", SafeText.line(store, bytesMax: 400))) }
    facts.append(fact(.changes, "Recorded changes", "\(domain.undoableFacts)"))
    for (index, library) in Self.libraries.enumerated() {
      facts.append(fact(.license(Int64(index)), library.0, library.1))
    }
    return facts
  }

  private func item(of preference: Preference) -> SettingsItem {
    let rule = preference.rule
    let known = domain.preferences(of: user)?.set
    let standard = PreferenceSet(user: user)
    let set = known ?? standard
    let (text, standardText) = (rule.text(of: set), rule.text(of: standard) ?? "none")
    let isStandard = (text ?? "none").hasBytes(of: standardText)
    let kind: SettingsItem.Kind =
      switch rule.kind {
      case .toggle(let read, write: _): .toggle(read(set))
      case .choice(let words, let read, write: _): .choice(words, selected: read(set))
      case .text: .text(text ?? "")
      }
    return SettingsItem(
      row: .preference(preference), label: rule.label, kind: kind, value: text ?? "none",
      origin: isStandard ? "default" : "set, default \(standardText)",
      help: "\(rule.help) `track preferences --\(rule.word)`")
  }
}

/// The workspaces that a user can choose, after none of them.
struct SettingsWorkspaces {
  private let ids: [WorkspaceID?]
  /// The names.
  let names: [String]

  /// - Complexity: O(workspaces).
  init(in domain: DomainState) {
    var (ids, names): ([WorkspaceID?], [String]) = ([nil], ["none"])
    domain.workspaces.forEach { id, workspace in
      guard workspace.deleted == nil, !workspace.isArchived else { return }
      ids.append(id)
      names.append(SafeText.line(workspace.name.text, bytesMax: 100))
    }
    (self.ids, self.names) = (ids, names)
  }

  /// Returns the place of a workspace; that of none if it cannot be chosen.
  func index(of workspace: WorkspaceID?) -> Int { ids.firstIndex(of: workspace) ?? 0 }

  /// Returns the workspace at a place.
  func id(at index: Int) -> WorkspaceID? { ids.indices.contains(index) ? ids[index] : nil }
}

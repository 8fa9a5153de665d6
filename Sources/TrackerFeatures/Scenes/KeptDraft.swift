public import Retrace
import TimeTracking

/// A screen that was left with what the user had typed into it.
public struct KeptDraft: Recordable, Equatable {
  /// The id that the screen had.
  public var id: RouteID
  /// The screen, with the texts and the cursors.
  public var route: TrackerRoute
  /// The moment at which it was left.
  public var moment: Moment

  /// Creates a kept screen.
  public init(id: RouteID, route: TrackerRoute, moment: Moment) {
    (self.id, self.route, self.moment) = (id, route, moment)
  }
}

extension KeptDraft {
  /// The most drafts of a scene; another one takes the place of the first.
  public static var countMax: Int { 8 }

  /// Returns the line that offers to bring it back.
  ///
  /// It has no time of day, so it needs no zone.
  func line(at now: Moment) -> Screen.Line {
    let texts = route.typedTexts.map { SafeText.line($0, bytesMax: 40) }.filter { !$0.isEmpty }
    let what = texts.first.map { "\"\($0)\"," } ?? "what you"
    return Screen.Line("ctrl-y brings back \(what) typed \(age(at: now))")
  }

  private func age(at now: Moment) -> String {
    let seconds = max(0, now.elapsed(since: moment).microseconds / 1_000_000)
    return switch seconds {
    case ..<60: "just now"
    case ..<7_200: "\(seconds / 60) min ago"
    case ..<172_800: "\(seconds / 3_600) h ago"
    default: "\(seconds / 86_400) days ago"
    }
  }
}

extension Scene {
  /// Removes a screen and those above it, and keeps what the user typed into them.
  mutating func keepDrafts(from id: RouteID, at moment: Moment) {
    let left = stack.entries.drop { $0.id < id }
    guard left.first?.id == id, stack.pop(through: id) else { return }
    for entry in left where entry.route.isTyped {
      drafts.append(KeptDraft(id: entry.id, route: entry.route, moment: moment))
    }
    drafts.removeFirst(max(0, drafts.count - KeptDraft.countMax))
  }

  /// Keeps what the user typed into forms, which are about to be replaced.
  ///
  /// A name or an address that chose the user of the next screen has done its work.
  mutating func keepForms(at moment: Moment) {
    for entry in stack.entries where entry.route.isTyped {
      switch entry.route {
      case .users, .account: continue
      default: break
      }
      drafts.append(KeptDraft(id: entry.id, route: entry.route, moment: moment))
    }
    drafts.removeFirst(max(0, drafts.count - KeptDraft.countMax))
  }

  /// Shows a draft in place of the screen of the same kind that is shown.
  ///
  /// What was typed into that screen becomes the first draft. So a key that opens the last draft
  /// goes through all of them.
  mutating func openDraft(_ id: RouteID, at moment: Moment) {
    guard let index = drafts.firstIndex(where: { $0.id == id }) else {
      return targetWasMissing(MissingTarget(type: KeptDraft.recordedName, id: id.value))
    }
    let draft = drafts.remove(at: index)
    guard stack.top.takes(draft.route) else {
      stack.push(draft.route)
      return
    }
    if stack.top.isTyped {
      drafts.insert(KeptDraft(id: stack.topID, route: stack.top, moment: moment), at: 0)
    }
    stack.replaceTop(with: draft.route)
  }
}

extension ScreenContext {
  /// The draft that the screen offers: the last one of its kind.
  func draft(for route: TrackerRoute) -> KeptDraft? {
    drafts.last { route.takes($0.route) }
  }
}

extension TrackerRoute {
  /// Whether the user typed something that is not saved.
  var isTyped: Bool {
    switch self {
    case .users(let route): !route.name.text.isEmpty
    case .entryEditor(let route): route.isTyped
    case .projectForm(let route): route.isTyped
    case .calendar(let route): route.draft?.entry != nil
    case .account(let route): !route.email.text.isEmpty
    case .lists, .reports, .settings, .timer, .history, .welcome: false
    }
  }

  /// The texts that the user typed, the first ones first.
  fileprivate var typedTexts: [String] {
    switch self {
    case .users(let route): [route.name.text]
    case .entryEditor(let route): route.typedTexts
    case .projectForm(let route): route.typedTexts
    case .account(let route): [route.email.text]
    case .calendar, .lists, .reports, .settings, .timer, .history, .welcome: []
    }
  }

  /// Returns whether a draft is of this screen: of the same entries or project, or of a new one,
  /// too.
  func takes(_ draft: TrackerRoute) -> Bool {
    switch (self, draft) {
    case (.users, .users): true
    case (.account(let shown), .account(let kept)): shown.purpose == kept.purpose
    case (.entryEditor(let shown), .entryEditor(let kept)):
      shown.user == kept.user && shown.entry == kept.entry && shown.others == kept.others
    case (.projectForm(let shown), .projectForm(let kept)):
      shown.user == kept.user && shown.project == kept.project
    case (.calendar(let shown), .calendar(let kept)): shown.user == kept.user
    default: false
    }
  }
}

extension ProjectFormRoute {
  /// Whether it differs from what it was made from.
  var isTyped: Bool {
    !typedTexts.isEmpty || isBillable.map { $0 != seen?.isBillable } ?? false
  }

  /// The texts that differ from those that the form was made from.
  fileprivate var typedTexts: [String] {
    ProjectField.typedTexts({ self[$0]?.text }, unlike: { seen?[$0] })
  }
}

extension EntryEditorRoute {
  /// Whether it differs from what it was made from.
  var isTyped: Bool {
    !typedTexts.isEmpty || isBillable.map { $0 != seen?.shownBillable } ?? false
  }

  /// The texts that differ from those that the form was made from.
  fileprivate var typedTexts: [String] {
    EditorField.typedTexts({ self[$0]?.text }, unlike: { seen?[$0] })
  }
}

extension FieldOfForm {
  /// Returns the texts of fields that are not those that the form was made from.
  ///
  /// - Parameters:
  ///   - text: Returns the text of a field; `nil` for a switch.
  ///   - seen: Returns the text that the form was made from; `nil` for an empty one.
  fileprivate static func typedTexts(
    _ text: (Self) -> String?, unlike seen: (Self) -> String?
  ) -> [String] {
    allCases.compactMap { field in
      guard let text = text(field) else { return nil }
      return text.hasBytes(of: seen(field) ?? "") ? nil : text
    }
  }
}

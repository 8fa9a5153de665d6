import Retrace
import TimeTracking

extension Notice {
  /// Returns the line of the notice: a success in its color, or a warning with a mark.
  ///
  /// - Parameters:
  ///   - domain: The entities.
  ///   - rules: The rules of the zone in which times are shown; `nil` for the recorded offsets.
  ///   - zone: The zone of the times of a question; without it, the same as of other times.
  ///   - user: The user whose entries are shown, if any.
  ///   - advice: What to press after a key that does nothing.
  func line(
    in domain: DomainState, by rules: ZoneRules?, zone: ZoneRules?, to user: UserID?,
    advice: String
  ) -> Screen.Line {
    let text = text(in: domain, by: rules, zone: zone, to: user, advice: advice)
    return switch self {
    case .deleted, .undone, .redone, .draftKept, .saved, .madeRoom, .copied, .fileWritten,
      .resetSent, .clientMade, .namesMade, .joined:
      Screen.Line(text, Style(foreground: .success))
    case .hook(_, failed: false): Screen.Line(text)
    case .refused, .unavailable, .hook, .unknownKey, .nothingToUndo, .nothingToRedo, .obstacle,
      .notCopied, .fileNotWritten:
      Screen.Line("! \(text)", .warning)
    }
  }

  private func text(
    in domain: DomainState, by rules: ZoneRules?, zone: ZoneRules?, to user: UserID?,
    advice: String
  ) -> String {
    switch self {
    case .refused(let refusal): return refusal.text(in: domain, zone: zone ?? rules).line
    case .unavailable(let reason): return reason
    case .unknownKey(let name):
      // The name of a typed character has the prefix `text:`, as in the input of a pipe.
      let text = name.hasPrefix("text:") ? String(name.dropFirst(5)) : name
      let key = text.utf8.elementsEqual(" ".utf8) ? "space" : text
      return "\(SafeText.line(key, bytesMax: 40)) does nothing here. \(advice)"
    case .deleted: return "Deleted. z takes it back."
    case .undone(let unrestored, let changed):
      return Self.text(
        "Undone", unrestored, "Z redoes it.", changed, in: domain, by: rules, to: user)
    case .redone(let unrestored, let changed):
      return Self.text(
        "Redone", unrestored, "z undoes it.", changed, in: domain, by: rules, to: user)
    case .saved(let start, let end):
      let preferences = user.flatMap { domain.preferences(of: $0)?.set }
      return Self.text(start, end, in: preferences.map { TimeStyle($0) } ?? TimeStyle())
    case .madeRoom(let count):
      let deleted = count == 1 ? "An entry was" : "\(count) entries were"
      return "Saved. \(deleted) deleted for it. z takes all of it back."
    case .nothingToUndo: return "There is nothing to undo."
    case .nothingToRedo: return "There is nothing to redo."
    case .draftKept: return "What you typed is kept. ctrl-y brings it back on that screen."
    case .hook(let text, _): return SafeText.line(text)
    case .copied: return "Sent to the clipboard of the terminal."
    case .notCopied: return "There is no terminal with a clipboard."
    case .fileWritten(let path, let lines):
      return "Saved \(lines == 1 ? "a line" : "\(lines) lines") to \(SafeText.line(path))."
    case .fileNotWritten(let failure):
      return SafeText.line(
        "\(failure.path) was not written: \(failure.reason). \(failure.advice)")
    case .resetSent: return "A message is on its way. It says how to choose a new password."
    case .clientMade(let name):
      return SafeText.line("\(name.text) is a client now. Press enter to save the project.")
    case .namesMade(let names):
      return SafeText.line("Saved: \(names.remarks(in: domain).joined(separator: "; ")).")
    case .joined(let seconds):
      let style = user.flatMap { domain.preferences(of: $0)?.set }.map { TimeStyle($0) }
      let time = (style ?? TimeStyle()).text(.seconds(seconds))
      return "Joined. The break of \(time) counts, too. z takes it back."
    case .obstacle(let obstacle):
      return SafeText.line(obstacle.text(in: domain, zone: zone ?? rules))
    }
  }

  /// Returns the text of a saved entry, which the timer may not show.
  private static func text(
    _ start: ClockMoment, _ end: ClockMoment?, in style: TimeStyle
  ) -> String {
    func local(_ moment: ClockMoment) -> LocalTime {
      LocalTime(moment.moment, offsetSeconds: moment.offsetSeconds)
    }
    let begins = local(start)
    let clock = style.clock(begins) + (end.map { "-\(style.clock(local($0)))" } ?? "")
    return "Saved: \(style.withWeekday(begins.date)), \(clock)."
  }

  /// Returns the text of a restore: what is left as it was, the key back, and what it changed.
  private static func text(
    _ verb: String, _ unrestored: Int64, _ back: String, _ changed: RestoredEntities?,
    in domain: DomainState, by rules: ZoneRules?, to user: UserID?
  ) -> String {
    let owner = changed?.owner(in: domain, otherThan: user) ?? ""
    let rest =
      unrestored > 0 ? ", but for what was changed since, is in use or would break a rule" : ""
    let what = changed?.text(in: domain, by: rules).map { " \($0)." } ?? ""
    return "\(verb)\(owner)\(rest). \(back)\(what)"
  }
}

extension Notice {
  /// Whether it is the refusal of a command.
  var isRefusal: Bool { if case .refused = self { true } else { false } }
}

extension Scene {
  /// What to press after a key that does nothing.
  var advice: String {
    if isHelpShown { return "Press escape to leave the list." }
    if palette != nil { return "Press escape to close the palette." }
    return isTextTyped ? "In an empty field, ? shows the keys." : "Press ? for the keys."
  }

  /// Whether the focused field has a text, into which a question mark is typed.
  private var isTextTyped: Bool {
    switch stack.top {
    case .users(let route): !route.name.text.isEmpty
    case .entryEditor(let route): route[route.field].map { !$0.text.isEmpty } ?? false
    case .reports(let route): route.typed.map { !$0.text.isEmpty } ?? false
    case .settings(let route):
      if case .text(let draft)? = route.dialog { !draft.text.isEmpty } else { false }
    case .timer(let route):
      route.splitsAt.map { !$0.text.isEmpty } ?? (route.isFiltering && !route.filter.text.isEmpty)
    case .history, .welcome: false
    case .account(let route):
      route.field == .password ? route.password != nil : !route.email.text.isEmpty
    case .projectForm(let route): route[route.field].map { !$0.text.isEmpty } ?? false
    case .calendar(let route): route.typed.map { !$0.text.isEmpty } ?? false
    case .lists(let route):
      if let naming = route.naming {
        !naming.name.text.isEmpty
      } else {
        route.isSearching && !route.search.text.isEmpty
      }
    }
  }
}

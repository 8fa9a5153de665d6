import Retrace
import TimeTracking

/// The question about a running entry that may have been forgotten.
///
/// The machine slept, or the entry runs for longer than the preferences say. The second follows
/// from the state and the moment alone, so that no record is needed to ask it.
struct ForgottenFrame: KeyFrame {
  /// Why the user is asked, in a line that may be wider than the screen.
  let reason: Screen.Line
  let domain: DomainState
  var edge: Edge?
  private let entry: IdentifiedEntry
  /// Whether the form of the entry is shown.
  private let isInForm: Bool
  private let cause: Cause

  private enum Cause: Sendable {
    case slept(from: Moment, to: Moment)
    case sleptFor(ElapsedTime)
    /// The entry runs for longer than the preferences say since a moment.
    case long(since: Moment)
  }

  /// Creates the question of a scene; `nil` if nothing is to be asked.
  ///
  /// - Complexity: O(running entries + sets of preferences).
  init?(of scene: Scene, in domain: DomainState, at moment: Moment, by rules: ZoneRules?) {
    guard let user = scene.stack.top.user else { return nil }
    self.domain = domain
    let shown: TimeEntryID? =
      if case .entryEditor(let form) = scene.stack.top, form.others.isEmpty { form.entry } else {
        nil
      }
    let preferences = domain.preferences(of: user)?.set
    if let forgotten = scene.forgotten, let entry = forgotten.openEntry(in: domain),
      entry.entry.user == user
    {
      self.entry = entry
      cause =
        switch forgotten {
        case .slept(_, let from, let to): .slept(from: max(from, entry.entry.start), to: to)
        case .sleptFor(_, let time, until: _): .sleptFor(time)
        }
    } else if let longest = preferences?.asksAfter, let (id, entry) = domain.runningEntry(of: user)
    {
      let start = domain.unconfirmedStart(of: entry)
      guard start.adding(longest) < moment else { return nil }
      self.entry = IdentifiedEntry(id: id, entry: entry)
      cause = .long(since: start.adding(longest))
    } else {
      return nil
    }
    isInForm = shown == entry.id
    let text = Self.text(
      of: cause, entry.entry, at: moment, style: preferences.map { TimeStyle($0) } ?? TimeStyle(),
      by: rules)
    reason = Screen.Line("? \(text)", .warning)
  }

  private static func text(
    of cause: Cause, _ entry: TimeEntry, at moment: Moment, style: TimeStyle, by rules: ZoneRules?
  ) -> String {
    func local(_ moment: Moment) -> LocalTime {
      rules?.local(at: moment) ?? LocalTime(moment, offsetSeconds: entry.zone.offsetSeconds)
    }
    func clock(_ time: Moment) -> String {
      let shown = local(time)
      let day = shown.date == local(moment).date ? "" : "\(style.withWeekdayAndDay(shown.date)) "
      return day + style.clock(shown) + (rules?.offsetMark(at: time) ?? "")
    }
    switch cause {
    case .slept(let from, let to):
      let time = style.text(to.elapsed(since: from))
      return "Slept \(clock(from))-\(clock(to)) (\(time)) while \(entry.shortName) ran."
    case .sleptFor(let time):
      return "Slept \(style.text(time)) while \(entry.shortName) ran, unseen by this app. It can "
        + "be cut off the end, which is now."
    case .long(let since):
      let time = entry.elapsed(at: moment)
      return "Still working? \(entry.shortName) runs since \(clock(entry.start)) "
        + "(\(style.text(time))). It may have ended at \(clock(since))."
    }
  }

  private var user: UserID { entry.entry.user }

  /// The steps that confirm the time until now.
  fileprivate var keeping: [KeyStep] {
    let now = edge?.now ?? Moment(microseconds: 0)
    return [.command(.user(domain.confirming(user, until: now)))]
  }

  /// The steps that cut the sleep out, or off the end of an entry that ends now; `nil` if the
  /// machine did not sleep.
  fileprivate var cutting: [KeyStep]? {
    switch cause {
    case .slept(let from, let to):
      let zone = edge?.rules.recorded(at: to) ?? entry.entry.zone
      return steps(
        .several([
          .stop(user, at: from, policy: .refuse),
          .resume(entry.id, at: to, zone: zone, policy: .refuse),
        ]))
    case .sleptFor(let time):
      let now = edge?.now ?? entry.entry.start
      let end = now.adding(ElapsedTime(microseconds: -time.microseconds)).wholeSecond
      return steps(.stop(user, at: max(entry.entry.start, end), policy: .refuse))
    case .long: return nil
    }
  }

  /// The steps that end the entry before the sleep, or when it had run for as long as the
  /// preferences say; `nil` if the moment is not known.
  fileprivate var ending: [KeyStep]? {
    switch cause {
    case .slept(let from, to: _): steps(.stop(user, at: from, policy: .refuse))
    case .long(let since): steps(.stop(user, at: since, policy: .refuse))
    case .sleptFor: nil
    }
  }

  /// The steps that make an entry of its own of the sleep; `nil` if its moments are not known.
  fileprivate var splitting: [KeyStep]? {
    guard case .slept(let from, let to) = cause else { return nil }
    // An entry that began with the sleep has nothing before it.
    let before: [TimeEntryCommand] =
      from > entry.entry.start ? [.split(entry.id, at: from, policy: .refuse, reason: nil)] : []
    return steps(.several([.split(entry.id, at: to, policy: .refuse, reason: nil)] + before))
  }

  /// The steps that go to the end in the form of the entry, in which any time is typed.
  fileprivate var typing: [KeyStep]? {
    if isInForm { return [.screen(.entryEditor(.focused(.end)))] }
    guard var form = EntryEditorRoute([entry], in: domain, by: edge?.rules) else { return nil }
    form.field = .end
    return [.scene(.pushed(.entryEditor(form)))]
  }

  private func steps(_ command: TimeEntryCommand) -> [KeyStep] { [.command(.entry(command))] }
}

extension SceneKeys {
  /// The keys while a running entry may have been forgotten; all other keys go to the screen.
  ///
  /// No screen has these keys, so what a user means by a key does not depend on the question.
  static let forgotten = KeyTable<ForgottenFrame>("Forgotten timer") {
    Binding(.alt("k"), hint: "keep", help: "Keep the time of the running entry until now.") {
      $0.keeping
    }
    Binding(.alt("x"), hint: "cut out", help: "Take the time of the sleep out of the entry.") {
      $0.cutting
    }
    Binding(.alt("e"), hint: "end there", help: "End the entry when it may have been forgotten.") {
      $0.ending
    }
    Binding(.alt("s"), hint: "split", help: "Make an entry of its own of the sleep.") {
      $0.splitting
    }
    Binding(.alt("t"), hint: "other end", help: "Type when the entry ended, in its form.") {
      $0.typing
    }
  }
}

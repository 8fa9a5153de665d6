import CivilTime
import Retrace
import TimeTracking

extension TimerFrame {
  /// The keys of the field of the time at which an entry is split.
  static let splitKeys = KeyTable<TimerFrame>("Split") {
    Binding(.enter, hint: "split", help: "Split the entry at the typed time, or in its middle.") {
      frame throws(KeyProblem) in
      guard frame.splitInput != nil else { return nil }
      return try frame.splitting
    }
    Binding(.escape, hint: "cancel", help: "Leave the entry as it is.") { frame in
      frame.splitInput == nil ? nil : [.screen(.timer(.splitToggled))]
    }
    Binding.editing({ $0.splitInput?.draft }, passing: [.text("?")]) { _, edit in
      [.screen(.timer(.splitEdited(edit)))]
    }
  }

  /// The keys that change when the selected or the running entry begins or ends.
  static let shapeKeys = KeyTable<TimerFrame>("Split and join") {
    Binding(.text("x"), hint: "split", help: "Split the selected or the running entry in two.") {
      frame throws(KeyProblem) in
      guard frame.hasUser else { return nil }
      return try frame.shaping { _ in [.screen(.timer(.splitToggled))] }
    }
    Binding(.text("J"), hint: "join", help: "Join the selected entry with the one after it.") {
      frame throws(KeyProblem) in
      guard frame.hasUser else { return nil }
      return try frame.shaping { found throws(KeyProblem) in
        guard let next = frame.domain.next(after: found.entry), let end = found.entry.end else {
          return try frame.telling(.noNextEntry)
        }
        let join = TimeEntryCommand.join(found.id, next.id, policy: frame.policy, reason: nil)
        let seconds = next.entry.start.elapsed(since: end).seconds
        return [.command(.entry(join))]
          + (seconds > 0 ? [.scene(.told(.joined(acrossSeconds: seconds)))] : [])
      }
    }
    Binding(
      .text("F"), hint: "fill", help: "Lengthen the entry up to the ones before and after it."
    ) { frame throws(KeyProblem) in
      guard frame.hasUser else { return nil }
      return try frame.shaping { found throws(KeyProblem) in
        guard let correction = frame.domain.filling(found, in: frame.log.days.calendar) else {
          return try frame.telling(.noGap)
        }
        return [
          .command(.entry(.correct(found.id, correction, policy: frame.policy, reason: nil)))
        ]
      }
    }
  }

  /// Returns the steps for the selected entry or, if none is selected, the running one.
  ///
  /// While a frame is painted there are none: it only asks whether the key means something, and
  /// looking for the entries beside this one reads the table.
  private func shaping(
    _ steps: (IdentifiedEntry) throws(KeyProblem) -> [KeyStep]
  ) throws(KeyProblem) -> [KeyStep] {
    guard selectedEntries.count < 2 else { return try telling(.groupSelected) }
    guard let found = shapedEntry else { return try telling(.nothingSelected) }
    return edge == nil ? [] : try steps(found)
  }

  /// The selected entry or, if none is selected, the running one.
  private var shapedEntry: IdentifiedEntry? {
    selectedEntries.first ?? running.map { IdentifiedEntry(id: $0.id, entry: $0.entry) }
  }

  /// The field of the time at which an entry is split; `nil` if none is typed.
  var splitInput: TextInput? {
    guard hasUser, let draft = route.splitsAt, let found = shapedEntry else { return nil }
    let (calendar, now) = (log.days.calendar, edge?.now ?? moment)
    let style = calendar.style
    var reading = ""
    if !draft.text.isEmpty, let read = try? splitMoment(draft.text, of: found.entry, at: now) {
      reading = "\(style.text(calendar.rules.local(at: read).date)) \(clock(read))"
    }
    return TextInput(
      draft, placeholder: "a time, or the middle: \(clock(found.entry.middle(at: now)))",
      reading: reading, hasFocus: true)
  }

  private func clock(_ moment: Moment) -> String {
    let (style, local) = (log.days.calendar.style, log.days.calendar.rules.local(at: moment))
    return local.second == 0 ? style.clock(local) : style.clockWithSeconds(local)
  }

  /// The steps that split the entry, and close the field.
  private var splitting: [KeyStep] {
    get throws(KeyProblem) {
      guard let found = shapedEntry, let text = route.splitsAt?.text else { return [] }
      let now = edge?.now ?? moment
      let at: Moment
      do throws(KeyObstacle) {
        at =
          try Name(text).isEmpty
          ? found.entry.middle(at: now) : splitMoment(text, of: found.entry, at: now)
      } catch {
        return try telling(error)
      }
      return [
        .command(.entry(.split(found.id, at: at, policy: policy, reason: nil))),
        .screen(.timer(.splitToggled)),
      ]
    }
  }

  /// Reads the time at which an entry is split; one without a day is on a day of the entry.
  private func splitMoment(
    _ text: String, of entry: TimeEntry, at now: Moment
  ) throws(KeyObstacle) -> Moment {
    var calendar = log.days.calendar
    if let edge { calendar.rules = edge.rules }
    let context = calendar.expressionContext(at: now, after: nil)
    let (first, end) = (context.day(at: entry.start), entry.end ?? now)
    return try context.moment(of: text, on: first...max(first, context.day(at: end))) {
      $0 > entry.start && $0 < end
    }
  }
}

public import Retrace
public import TimeTracking

extension Closing {
  /// Returns the period as a user types it, in a zone: a month, a day or days, or else two times.
  ///
  /// - Parameter rules: The zone.
  public func periodText(by rules: ZoneRules) -> String {
    let (first, last) = (rules.local(at: start), rules.local(at: end))
    let areDays = [first, last].allSatisfy { $0.hour == 0 && $0.minute == 0 && $0.second == 0 }
    guard areDays, first.date < last.date else { return "\(dated(first)) - \(dated(last))" }
    let lastDay = last.date.adding(days: -1)
    if first.date == lastDay { return "\(lastDay)" }
    let isMonth =
      first.date.day == 1 && last.date.day == 1
      && (first.date.year, first.date.month) == (lastDay.year, lastDay.month)
    return isMonth ? String("\(lastDay)".prefix(7)) : "\(first.date) - \(lastDay)"
  }

  /// Returns who closed the period, when and why, as the end of a sentence.
  ///
  /// - Parameter rules: The zone of the times.
  public func originText(by rules: ZoneRules) -> String {
    let who = login.isEmpty ? "" : " by \(login)"
    let why = reason.map { ", because: \(TextWidth.cut($0, to: 200))" } ?? ""
    return "closed\(who) on \(dated(rules.local(at: closed)))\(why)"
  }
}

extension ClosingScope {
  /// Returns whose entries they are, such as `for the client ACME`.
  ///
  /// - Parameter domain: The entities, for names.
  public func text(in domain: DomainState) -> String {
    switch self {
    case .all: "for all"
    case .user(let id): "for the user \(domain.users[id]?.name.text ?? "\(id.value)")"
    case .client(let id): "for the client \(domain.clients[id]?.name.text ?? "\(id.value)")"
    }
  }
}

extension ClosingRefusal {
  func text(
    in domain: DomainState, zone rules: ZoneRules?, showsIDs: Bool, of commands: [TimeEntryCommand]
  ) -> RefusalText {
    let zone = rules ?? .utc
    func period(_ closing: Closing) -> String {
      "\(closing.periodText(by: zone)) \(closing.scope.text(in: domain))"
    }
    switch self {
    case .closed(let id, let closing, let entry):
      let touched = entry.flatMap { id in
        domain.timeEntries[id].map { entry in
          func mention(in domain: DomainState) -> String {
            domain.mention(of: [id], zone: showsIDs ? zone : nil)
          }
          if closing.touches(from: entry.start, to: entry.sortKey) {
            return " It has a part of \(mention(in: domain))."
          }
          guard let changes = commands.lazy.compactMap({ $0.changes(of: id) }).first else {
            return " It would have a part of \(mention(in: domain)) after the change."
          }
          var after = domain
          after.timeEntries.modify(id) { changes.apply(to: &$0) }
          return " It would have a part of \(mention(in: after))."
        }
      }
      return RefusalText(
        "The period \(period(closing)) is \(closing.originText(by: zone)).\(touched ?? "")",
        "Reopen it first: `track reopen \(id.value)`.")
    case .alreadyClosed(_, let closing):
      return RefusalText(
        "The period \(period(closing)) is already \(closing.originText(by: zone)).",
        "`track close` lists what is closed.")
    case .unknown(let id):
      return RefusalText(
        "There is no closed period \(id.value), or it was reopened.",
        "`track close` lists what is closed.")
    case .notOver(let end):
      return RefusalText(
        "The period is not over: it ends at \(dated(zone.local(at: end))).",
        "Close it after that, or close a shorter one.")
    case .running(let ids):
      return RefusalText(
        "In the period runs \(domain.mention(of: ids, zone: showsIDs ? zone : nil)).",
        "Stop it first.")
    case .entity(let refusal): return refusal.text(in: domain)
    case .invalid(let field):
      return RefusalText(
        "The value of \(words(of: field)) is too long or cannot be used.", "Correct it.")
    }
  }
}

extension TimeEntryCommand {
  /// Returns the changes of an entry that the command asks for; `nil` if it is no correction of it.
  fileprivate func changes(of id: TimeEntryID) -> TimeEntryChanges? {
    switch self {
    case .correct(id, let correction, policy: _, rules: _, reason: _): correction.changes
    case .several(let commands): commands.lazy.compactMap { $0.changes(of: id) }.first
    default: nil
    }
  }
}

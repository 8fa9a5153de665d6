import Retrace
package import TimeTracking
import TrackerFeatures

extension PreferenceSet {
  /// The names of the days of the week, from Sunday on.
  package static let weekdays = [
    "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
  ]
}

/// The values of the fields that an edit changed or set, as text; "none" for a field without a
/// value.
struct FieldTexts: _FieldChangeVisitor, _EntityFieldVisitor {
  /// The fields that changed or were set, in order.
  private(set) var fields: [RecordedChangeText.Field] = []
  private let domain: DomainState

  /// Creates a visitor without fields.
  ///
  /// - Parameter domain: The state after the edit, for names.
  init(in domain: DomainState) { self.domain = domain }

  mutating func visit<Value: Recordable>(_ name: String, _ change: inout Change<Value>?) {
    guard let change else { return }
    fields.append(
      RecordedChangeText.Field(
        name: name, before: text(change.before, name), after: text(change.after, name)))
  }

  /// Adds a field of a new entity.
  ///
  /// Left out are fields without a value, the name and the user, which are shown beside the fields,
  /// and the color, which is chosen for the user. A style that users without preferences have, too,
  /// is left out.
  mutating func visit<Value: Recordable>(
    _ name: String, _ change: inout Change<Value>?, _ field: inout Value
  ) {
    let text = text(field, name)
    guard !Self.isStyleOfAll(field, name) else { return }
    let isOff = ["none", "no"].contains(text) && name != "groupsSimilar"
    guard !isOff, !["name", "user", "color"].contains(name) else { return }
    fields.append(RecordedChangeText.Field(name: name, before: "none", after: text, isOfNew: true))
  }

  private func text(_ value: Any, _ field: String) -> String {
    switch value {
    case let name as Name: name.text
    case let text as String: text
    case let is24Hours as Bool where field == "is24Hours": Preference.clock(is24Hours)
    case let isSet as Bool: isSet ? "yes" : "no"
    case let time as ElapsedTime: time.hoursAndMinutes
    case let moment as Moment: moment.wholeSecond.timestamp
    case let rate as Int64 where field == "rate": Amount.decimal(rate)
    case let color as Int32 where field == "color": Project.text(ofColor: color)
    case let day as Int32 where field == "firstWeekday": Preference.days[Int(day) % 7]
    case let policy as Policy: "\(policy)"
    case let dates as DateStyle: dates.pattern
    case let durations as RecordedDurationStyle: durations.style.rawValue
    case let period as GoalPeriod: "\(period)"
    case let id as WorkspaceID: name(id, domain.workspaces)
    case let id as ClientID: name(id, domain.clients)
    case let id as ProjectID: name(id, domain.projects)
    case let id as TaskID: name(id, domain.tasks)
    case let id as TagID: name(id, domain.tags)
    case let id as UserID: name(id, domain.users)
    case let ids as [TagID]:
      ids.isEmpty ? "none" : ids.map { name($0, domain.tags) }.joined(separator: ", ")
    case let ids as [ExternalID]:
      ids.isEmpty ? "none" : ids.map(\.id).joined(separator: ", ")
    default: "none"
    }
  }

  private static func isStyleOfAll(_ value: Any, _ field: String) -> Bool {
    switch value {
    case let dates as DateStyle: dates == .yearMonthDay
    case let durations as RecordedDurationStyle: durations == .improved
    case let isSet as Bool: ["is24Hours", "groupsSimilar"].contains(field) && isSet
    default: false
    }
  }

  private func name<ID, Entity: NamedEntity>(
    _ id: ID, _ table: EntityTable<ID, Entity>
  ) -> String {
    table.read(id) { $0.name.text } ?? "none"
  }
}

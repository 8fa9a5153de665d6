package import Retrace
import TimeTracking

/// A detail of an entity in a list, besides its name.
package struct EntityDetail: Sendable {
  /// The name.
  package let name: String
  /// The value for programs.
  package let value: String
  /// The text for people; empty if the text of another detail has it.
  package let shown: String
  /// Whether a list for people has it.
  package let isListed: Bool
  /// The estimated time, if it is the detail.
  package private(set) var estimate: ElapsedTime?

  /// Creates a detail; the text for people is the name and the value, unless it is given.
  package init(_ name: String, _ value: String, shown: String? = nil, isListed: Bool = true) {
    self.name = name
    self.value = value
    self.isListed = isListed && shown?.isEmpty != true
    self.shown = shown ?? "\(name) \(value)"
  }

  /// Creates the detail of an estimate.
  package init(estimate: ElapsedTime) {
    self.init("estimate", estimate.hoursAndMinutes)
    self.estimate = estimate
  }

  /// Returns an estimate and the time spent of it; any other detail unchanged.
  package func with(spent time: ElapsedTime) -> [EntityDetail] {
    guard let estimate else { return [self] }
    let spent = estimate > .zero ? ", \(time.percent(of: estimate))% spent" : ""
    return [
      EntityDetail(name, value, shown: shown + spent),
      EntityDetail("spent", time.hoursAndMinutes, shown: ""),
    ]
  }

  /// The names of all details, in the order of their columns.
  package static let order = [
    "target", "each", "limit", "tag", "project", "client", "workspace", "currency", "rate",
    "billable", "estimate", "color",
  ]
}

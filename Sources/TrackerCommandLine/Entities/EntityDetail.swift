import Retrace
import TimeTracking

/// A detail of an entity in a list, besides its name.
struct EntityDetail {
  let name: String
  /// The value for programs.
  let value: String
  /// The text for people; empty if the text of another detail has it.
  let shown: String
  /// Whether a list for people has it.
  let isListed: Bool
  var estimate: ElapsedTime?

  /// Creates a detail; the text for people is the name and the value, unless it is given.
  init(_ name: String, _ value: String, shown: String? = nil, isListed: Bool = true) {
    self.name = name
    self.value = value
    self.isListed = isListed && shown != ""
    self.shown = shown ?? "\(name) \(value)"
  }

  init(estimate: ElapsedTime) {
    self.init("estimate", estimate.hoursAndMinutes)
    self.estimate = estimate
  }

  /// Returns an estimate and the time spent of it; any other detail unchanged.
  func with(spent time: ElapsedTime) -> [EntityDetail] {
    guard let estimate else { return [self] }
    let spent = estimate > .zero ? ", \(time.percent(of: estimate))% spent" : ""
    return [
      EntityDetail(name, value, shown: shown + spent),
      EntityDetail("spent", time.hoursAndMinutes, shown: ""),
    ]
  }

  /// The names of all details, in the order of their columns.
  static let order = [
    "target", "each", "limit", "tag", "project", "client", "workspace", "currency", "rate",
    "billable", "estimate", "color",
  ]
}

/// A rule of an app that a state breaks; see ``ReplayableApp/violations(of:)``.
///
/// ```swift
/// extension HeaterApp {
///   static func violations(of state: borrowing HeaterState) -> [Violation] {
///     let degrees = state.thermostat.degrees
///     return degrees <= 30 ? [] : [Violation(of: "at most 30 degrees", "\(degrees)")]
///   }
/// }
/// ```
public struct Violation: Hashable, Sendable {
  /// The rule, such as "no balance is below zero".
  public let rule: String
  /// The subject that breaks it, such as the id of an entity.
  public let detail: String

  /// Creates a violation.
  public init(of rule: String, _ detail: String) {
    self.rule = rule
    self.detail = detail
  }
}

extension Violation: CustomStringConvertible {
  /// The rule and what breaks it.
  public var description: String { "\(rule): \(detail)" }
}

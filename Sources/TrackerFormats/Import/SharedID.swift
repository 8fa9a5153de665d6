public import TimeTracking

/// The beginning of an id that several rows of a file may have, because the program that wrote the
/// file has no ids.
///
/// Such rows are numbered. An import gives a number to the row that resembles the entry with it,
/// so that a row keeps its entry wherever it is in the file.
public struct SharedID: Hashable, Sendable {
  /// The text that the rows have in common, such as the time at which they start.
  public let key: String
  /// The key of the name of their user.
  public let user: String
  /// Whether the file has a duration and a day, but no times, so that the times were made up.
  public let hasMadeUpTimes: Bool

  /// Creates the beginning of an id.
  public init(_ key: String, of user: Name, hasMadeUpTimes: Bool = false) {
    self.key = key
    self.user = user.key
    self.hasMadeUpTimes = hasMadeUpTimes
  }

  /// Returns the id of the row with a number, counted from 1.
  public func id(_ number: Int) -> String { "\(key)\(number > 1 ? " \(number)" : "") \(user)" }
}

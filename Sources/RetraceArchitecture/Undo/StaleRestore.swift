/// The error of a restore that is out of date: a fact came between making and deciding it.
public struct StaleRestore: Error, Hashable {
  /// Creates the error.
  public init() {}
}

/// The error of a dependency that a test did not expect to be used.
///
/// An environment in which every dependency throws it, except those that the test provides, shows
/// which ones the tested effects use: a leaf that uses another one fails, and the log names it.
///
/// ```swift
/// let server = NoteServer(
///   text: { _ in "text" }, count: { _ in throw Unimplemented("NoteServer.count") })
/// ```
public struct Unimplemented: Error, Hashable, CustomStringConvertible {
  /// The name of the dependency.
  public let name: String

  /// Creates the error of a dependency.
  public init(_ name: String) { self.name = name }

  /// The name of the dependency, and what to do.
  public var description: String {
    "\(name) is not implemented in this test: provide it in the environment"
  }
}

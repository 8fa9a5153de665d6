import RetraceSystem

/// The environment variables that a command depends on.
package struct Environment: Sendable {
  private let value: @Sendable (String) -> String?

  /// The variables of the process.
  package static let process = Environment { ThisProcess.environment($0) }

  /// Creates an environment with exactly these variables.
  package init(_ variables: [String: String]) { self.init { variables[$0] } }

  private init(_ value: @escaping @Sendable (String) -> String?) { self.value = value }

  /// Returns the value of a variable; `nil` if it is not set.
  package subscript(name: String) -> String? { value(name) }

  /// Returns a variable that is an absolute path; `nil` otherwise.
  package func folder(_ name: String) -> String? {
    value(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// Returns a variable that is not empty; `nil` otherwise.
  package func text(_ name: String) -> String? {
    value(name).flatMap { $0.utf8.isEmpty ? nil : $0 }
  }
}

// Foundation is for tests only; no tool links this module.
import Foundation

/// The value of an environment variable, or `nil` when it is not set.
public func environmentValue(_ name: String) -> String? {
  ProcessInfo.processInfo.environment[name]
}

// Only tests may use Foundation; no tool links this module.
import Foundation

/// Returns the value of an environment variable, or `nil` if it is not set.
public func environmentValue(_ name: String) -> String? {
  ProcessInfo.processInfo.environment[name]
}

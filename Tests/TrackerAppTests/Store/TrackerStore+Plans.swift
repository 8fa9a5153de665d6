import RetraceRecording
import TimeTracking
import TrackerFeatures

@testable import TrackerApp

extension TrackerStore {
  /// Returns the plan of commands on the latest state.
  func plan(_ commands: [TimeEntryCommand]) -> EntryPlan {
    EntryPlan(commands, on: domain, at: now(), in: zones, known: zone)
  }

  /// Plans and performs a command.
  func perform(
    _ command: TimeEntryCommand, closing: Bool
  ) throws(CommandError<TimeTracker>) -> EntryChanges {
    try perform(plan([command]), closing: closing)[0]
  }
}

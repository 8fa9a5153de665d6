import RetraceArchitecture
import RetraceSystem
import TimeTracking

/// The planner of an import, shared with the writer thread on which it plans.
final class Planning: Sendable {
  private let held: Lock<ImportPlanner>

  init(_ planner: ImportPlanner) { held = Lock(planner) }

  /// The planner as it is now.
  var planner: ImportPlanner { held.withLock { $0 } }

  func plan(_ rows: [ImportedEntry], in state: AppState) -> [AppAction] {
    held.withLock { $0.plan(rows, in: state) }
  }
}

package import Retrace
import RetraceSystem
package import TimeTracking

/// The hooks of the open app, which run on a thread of their own, so that no key waits for one.
package final class AppHooks: Sendable {
  private let folder: String
  private let store: String
  private let describe: @Sendable (TimeEntryID, DomainState, Moment) -> JSONValue
  private let worker = WorkerThread(name: "track-hooks")

  /// Creates the hooks of a folder.
  ///
  /// - Parameters:
  ///   - folder: The folder of the hooks.
  ///   - store: The directory of the store.
  ///   - describe: Returns an entry of some entities at a moment, as hooks read it.
  package init(
    in folder: String, store: String,
    _ describe: @escaping @Sendable (TimeEntryID, DomainState, Moment) -> JSONValue
  ) {
    self.folder = folder
    self.store = store
    self.describe = describe
  }

  /// Runs the hooks of changes after those of the changes before, and returns at once.
  ///
  /// - Parameters:
  ///   - changes: The changes of the commands of one input, which are on disk.
  ///   - domain: The entities before the input.
  ///   - moment: The end of running entries.
  ///   - tell: Receives what became of the hooks, on their thread; not called if they did their
  ///     work in silence.
  func run(
    _ changes: [EntryChanges], before domain: DomainState, at moment: Moment,
    _ tell: @escaping @Sendable (Hooks.Report) -> Void
  ) {
    var noted = Hooks()
    var domain = domain
    for change in changes {
      noted.note(change, before: domain, store: store) { describe($0, $1, moment) }
      domain = change.state
    }
    guard noted.hasCalls else { return }
    let (hooks, folder) = (noted, folder)
    worker.submit {
      var hooks = hooks
      let report = hooks.run(in: folder, keepsOutput: true)
      if report != Hooks.Report() { tell(report) }
    }
  }

  /// Waits until all hooks have run.
  package func finish() { worker.waitForSubmittedJobs() }
}

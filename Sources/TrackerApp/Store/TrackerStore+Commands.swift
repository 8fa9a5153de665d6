import RetraceLog
public import RetraceArchitecture
public import RetraceRecording
import RetraceState
import RetraceStorage
public import TimeTracking
public import TrackerFeatures

/// What a command about time entries changed.
public struct EntryChanges: Sendable {
  /// The inserted entries, in order; that of the command itself is the last one.
  public var inserted: [TimeEntryID] = []
  /// The entries that ran and ended.
  public var stopped: [TimeEntryID] = []
  /// The other entries that changed, in order.
  public var changed: [TimeEntryID] = []
  /// The state right after the command.
  public var state: DomainState
  /// The sequence of the last record, which is durable.
  public var sequence: UInt64

  /// The entries that the facts of a command edited.
  init(_ performed: Performed<TimeTracker>) {
    state = performed.receipt.state.domain
    sequence = performed.receipt.sequence
    for fact in performed.facts {
      for edit in TimeTracker.edits(of: fact) {
        guard case .entry(let edit) = edit else { continue }
        switch edit {
        case .inserted(let id, _): inserted.append(id)
        case .changed(let id, let changes):
          let isStop = changes.end.map { $0.before == nil && $0.after != nil } ?? false
          if isStop { stopped.append(id) } else { changed.append(id) }
        case .removed(let id, _): changed.append(id)
        }
      }
    }
  }
}

extension TrackerStore {
  /// Performs a command as the only one of its session, which ends in the same commit.
  ///
  /// - Parameter command: The command.
  /// - Complexity: That of the decision; two disk flushes.
  /// - Throws: The refusal, with nothing written; the errors of the store.
  public func performAndClose(
    _ command: DomainCommand
  ) throws(CommandError<TimeTracker>) -> Performed<TimeTracker> {
    let result: Result<Performed<TimeTracker>, CommandError<TimeTracker>>
    do throws(CommandError<TimeTracker>) {
      result = .success(
        try store.performBlocking(command, from: .commandLine, closing: true))
    } catch {
      result = .failure(error)
    }
    do throws(StoreError) {
      try store.closeBlocking()
    } catch {
      // The reason of a refusal says more than that of closing.
      if case .success = result { throw .store(error) }
    }
    return try result.get()
  }

  /// Performs a command about time entries as the only one of its session.
  ///
  /// - Throws: As ``performAndClose(_:)``.
  public func performAndClose(
    _ command: TimeEntryCommand
  ) throws(CommandError<TimeTracker>) -> EntryChanges {
    EntryChanges(try performAndClose(.entry(command)))
  }

  /// Returns the facts that a command would have now, without performing it.
  ///
  /// - Complexity: That of the decision.
  /// - Throws: The refusal.
  public func preview(_ command: DomainCommand) throws(DomainRefusal) -> [DomainFact] {
    try DomainDecider().decide(command, on: domain, at: now())
  }
}

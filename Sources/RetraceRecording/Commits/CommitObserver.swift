public import Retrace

/// What a store calls with each commit: logging, debugging, a feed of activities.
///
/// Reducers are pure and run again in each replay, so none of this is in them. A store calls
/// observers of commits after the batch is durable and before it notifies observers of states. A
/// replay has no such observers, so it tells nothing twice.
///
/// ```swift
/// let debugging: CommitObserver<CounterApp> = .debug { print($0) }
/// let observation = store.observeCommits(
///   .logging { print($0) },
///   debugging.filtered { !$0.effects.isEmpty },
///   .activityFeed { (activity: Activity) in print(activity.name) })
/// ```
public struct CommitObserver<App: ReplayableApp>: Sendable {
  let body: @Sendable (Commit<App>) -> Void

  /// Creates an observer.
  public init(_ body: @escaping @Sendable (Commit<App>) -> Void) { self.body = body }

  /// Returns an observer of the commits that a function includes.
  public func filtered(
    _ isIncluded: @escaping @Sendable (Commit<App>) -> Bool
  ) -> CommitObserver {
    CommitObserver { if isIncluded($0) { body($0) } }
  }

  /// Returns an observer that prints one line for each record: its sequence and its text.
  ///
  /// Secrets are as they are in the log, which has them sealed.
  ///
  /// - Parameter print: Called with each line, which is safe for terminals.
  public static func logging(
    to print: @escaping @Sendable (String) -> Void
  ) -> CommitObserver {
    let texts = ActionTexts<App>()
    return CommitObserver { for line in texts.lines(of: $0) { print(line) } }
  }

  /// Returns an observer that prints the records of each commit, the effects that they started, and
  /// the places in which the state changed.
  ///
  /// - Parameters:
  ///   - isIncluded: Returns whether a change is printed; by default all are.
  ///   - print: Called with each line, which is safe for terminals.
  /// - Complexity: O(size of the state) for each commit.
  public static func debug(
    including isIncluded: @escaping @Sendable (ValueDifference) -> Bool = { _ in true },
    to print: @escaping @Sendable (String) -> Void
  ) -> CommitObserver {
    let texts = ActionTexts<App>()
    return CommitObserver { commit in
      for line in texts.lines(of: commit) { print(line) }
      for effect in commit.effects { print("  effect \(SafeText.line("\(effect)"))") }
      for change in texts.changes(of: commit) where isIncluded(change) {
        let before = change.before?.text() ?? "none"
        let after = change.after?.text() ?? "none"
        print("  \(SafeText.line(change.path)): \(before) -> \(after)")
      }
    }
  }

  /// Returns an observer that tells each action as an activity.
  public static func activityFeed(
    to receive: @escaping @Sendable (Activity) -> Void
  ) -> CommitObserver {
    let texts = ActionTexts<App>()
    return CommitObserver { commit in
      guard let moment = commit.moment else { return }
      for (sequence, action) in commit.records {
        guard let (name, payload) = texts.parts(of: action) else { continue }
        receive(Activity(sequence: sequence, moment: moment, name: name, payload: payload))
      }
    }
  }
}

/// An action in a feed of activities.
public struct Activity: Hashable, Sendable {
  /// The sequence of the action's record.
  public var sequence: UInt64
  /// When it happened.
  public var moment: Moment
  /// The names of its cases, outermost first, as in `timeline.started`.
  public var name: String
  /// The action as JSON.
  public var payload: JSONValue

  /// Creates an activity.
  public init(sequence: UInt64, moment: Moment, name: String, payload: JSONValue) {
    self.sequence = sequence
    self.moment = moment
    self.name = name
    self.payload = payload
  }
}

extension Store {
  /// Calls observers with each later commit, in the order of the log and in the order written.
  ///
  /// A commit whose state equals the one before is included, and so is a refused command that was
  /// recorded. Records that other processes appended are one commit without actions. The calls are
  /// made as ``observe(_:)`` makes them; within a call only ``enqueue(_:key:)`` is allowed.
  ///
  /// The observation ends with ``Observation/cancel()`` or when it is dropped. It does not keep the
  /// store open.
  public func observeCommits(_ observers: CommitObserver<App>...) -> Observation {
    let observation = writer.publisher.observeCommits { commit in
      for observer in observers { observer.body(commit) }
    }
    follow()
    return observation
  }

  /// Calls `body` with each later commit; see the form with observers.
  public func observeCommits(
    _ body: @escaping @Sendable (Commit<App>) -> Void
  ) -> Observation { observeCommits(CommitObserver(body)) }
}

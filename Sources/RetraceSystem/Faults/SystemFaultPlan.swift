import Synchronization

/// A plan, for tests, that makes the n-th file call under a directory fail, counting the calls of
/// one operation or of all.
///
/// An installed plan sees the calls of the whole process that name a path under its directory, on
/// every thread; tests that run in parallel use different directories. It does not see calls
/// without a path, such as those for terminals, processes, threads and random bytes. A call that
/// fails with `EINTR` is repeated, as after a signal.
package final class SystemFaultPlan: Sendable {
  /// The moment of the fault.
  package enum Timing: Sendable {
    /// The call fails without being made.
    case before
    /// The call is made and then fails.
    ///
    /// Calls that acquire a resource, such as opening a file, and calls that fail with `EINTR` are
    /// not made.
    case after
  }

  enum Verdict: Equatable {
    case perform
    case failBefore(SystemError.Code)
    case failAfter(SystemError.Code)
  }

  private struct Rule {
    var code: SystemError.Code
    var operation: SystemError.Operation?
    var suffix: String?
    var callsUntilFault: Int
    var timing: Timing
    var isPersistent: Bool
  }

  private struct State {
    var rules: [Rule] = []
    var counts: [SystemError.Operation: Int] = [:]
    var total = 0
  }

  private let directory: String
  private let state = Lock(State())

  private static let installedCount = Atomic<Int>(0)
  private static let installed = Lock<[SystemFaultPlan]>([])

  /// Creates a plan without faults.
  ///
  /// - Parameter directory: The directory; the plan covers its path and every path below it.
  package init(under directory: String) {
    self.directory = directory
  }

  /// Makes a call fail.
  ///
  /// - Parameters:
  ///   - code: The error code of the call.
  ///   - call: The number of the call, counted from now; 1 is the next one.
  ///   - operation: The operation whose calls are counted; `nil` for all calls.
  ///   - suffix: The suffix of the paths whose calls are counted; `nil` for all.
  ///   - timing: Whether the call is made before it fails.
  ///   - persistent: Whether all later counted calls fail too.
  package func fail(
    _ code: SystemError.Code, atCall call: Int, of operation: SystemError.Operation? = nil,
    onPathsEndingIn suffix: String? = nil, timing: Timing = .before, persistent: Bool = false
  ) {
    precondition(call > 0, "SystemFaultPlan: calls are counted from 1, not \(call)")
    let rule = Rule(
      code: code, operation: operation, suffix: suffix, callsUntilFault: call, timing: timing,
      isPersistent: persistent)
    state.withLock { $0.rules.append(rule) }
  }

  /// Removes all faults; the counts stay.
  package func removeAll() {
    state.withLock { $0.rules.removeAll() }
  }

  /// Returns the number of calls so far.
  package func callCount(of operation: SystemError.Operation? = nil) -> Int {
    state.withLock { state in
      operation.map { state.counts[$0, default: 0] } ?? state.total
    }
  }

  /// Activates the plan until ``uninstall()``.
  package func install() {
    Self.installed.withLock { $0.append(self) }
    Self.installedCount.add(1, ordering: .sequentiallyConsistent)
  }

  /// Deactivates the plan.
  package func uninstall() {
    Self.installed.withLock { plans in
      guard let index = plans.firstIndex(where: { $0 === self }) else { return }
      plans.remove(at: index)
      Self.installedCount.subtract(1, ordering: .sequentiallyConsistent)
    }
  }

  /// Activates the plan while a closure runs.
  package func whileInstalled<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    install()
    defer { uninstall() }
    return try body()
  }

  /// Whether any plan is active.
  static var areAnyInstalled: Bool { installedCount.load(ordering: .relaxed) > 0 }

  /// Counts a call in the plans that cover it, up to the first plan that makes it fail, and returns
  /// whether it fails.
  static func verdict(for operation: SystemError.Operation, _ path: String?) -> Verdict {
    guard let path else { return .perform }
    let plans = installed.withLock { $0 }
    for plan in plans where path == plan.directory || path.hasPrefix(plan.directory + "/") {
      let verdict = plan.verdict(for: operation, path)
      if verdict != .perform { return verdict }
    }
    return .perform
  }

  private func verdict(for operation: SystemError.Operation, _ path: String) -> Verdict {
    state.withLock { state in
      state.total += 1
      state.counts[operation, default: 0] += 1
      var verdict = Verdict.perform
      for index in state.rules.indices {
        guard (state.rules[index].operation ?? operation) == operation,
          path.hasSuffix(state.rules[index].suffix ?? "")
        else { continue }
        state.rules[index].callsUntilFault -= 1
        let rule = state.rules[index]
        guard verdict == .perform else { continue }
        guard rule.callsUntilFault == 0 || rule.callsUntilFault < 0 && rule.isPersistent else {
          continue
        }
        verdict = rule.timing == .before ? .failBefore(rule.code) : .failAfter(rule.code)
      }
      return verdict
    }
  }
}

import Synchronization

/// A plan, for tests, that makes the n-th file call under a directory fail, counting the calls of
/// one operation or of all.
///
/// An installed plan sees the calls of the whole process that name a path under its directory, on
/// every thread; tests that run in parallel use different directories. It does not see calls
/// without a path, such as those for terminals, processes, threads and random bytes. A call that
/// fails with `EINTR` is repeated, as after a signal.
package final class SystemFaultPlan: Sendable {
  package typealias Timing = FaultTiming
  typealias Verdict = FaultVerdict<SystemError.Code>

  private let directory: String
  private let rules = Lock(FaultRules<SystemError.Operation, SystemError.Code>())

  private static let installedCount = Atomic<Int>(0)
  private static let installed = Lock<[SystemFaultPlan]>([])

  /// Creates a plan without faults.
  ///
  /// - Parameter directory: The directory; the plan covers its path and every path below it.
  package init(under directory: String) { self.directory = directory }

  /// Makes a call fail.
  ///
  /// - Parameters:
  ///   - code: The error code of the call.
  ///   - call: The number of the call, counted from now; 1 is the next one.
  ///   - operation: The operation whose calls are counted; `nil` for all calls.
  ///   - suffix: The suffix of the paths whose calls are counted.
  ///   - timing: Whether the call is made before it fails.
  ///   - persistent: Whether all later counted calls fail too.
  package func fail(
    _ code: SystemError.Code, atCall call: Int, of operation: SystemError.Operation? = nil,
    onPathsEndingIn suffix: String = "", timing: Timing = .before, persistent: Bool = false
  ) {
    rules.withLock {
      $0.fail(
        code, atCall: call, of: operation, onPathsEndingIn: suffix, timing: timing,
        persistent: persistent)
    }
  }

  package func callCount(of operation: SystemError.Operation? = nil) -> Int {
    rules.withLock { $0.callCount(of: operation) }
  }

  /// Activates the plan until ``uninstall()``.
  package func install() {
    Self.installed.withLock { $0.append(self) }
    Self.installedCount.add(1, ordering: .sequentiallyConsistent)
  }

  package func uninstall() {
    Self.installed.withLock { plans in
      guard let index = plans.firstIndex(where: { $0 === self }) else { return }
      plans.remove(at: index)
      Self.installedCount.subtract(1, ordering: .sequentiallyConsistent)
    }
  }

  package func whileInstalled<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    install()
    defer { uninstall() }
    return try body()
  }

  static var areAnyInstalled: Bool { installedCount.load(ordering: .relaxed) > 0 }

  /// Counts a call in the plans that cover it, up to the first plan that makes it fail, and returns
  /// whether it fails.
  static func verdict(for operation: SystemError.Operation, _ path: String?) -> Verdict {
    guard let path else { return .perform }
    let plans = installed.withLock { $0 }
    for plan in plans where path == plan.directory || path.hasPrefix(plan.directory + "/") {
      let verdict = plan.rules.withLock { $0.verdict(for: operation, path) }
      if verdict != .perform { return verdict }
    }
    return .perform
  }
}

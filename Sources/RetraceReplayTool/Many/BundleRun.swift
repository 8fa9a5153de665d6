import Retrace
import RetraceReplay
import RetraceSystem
import RetraceToolSupport

/// A check of many bundles by several workers, whose results are printed in order.
final class BundleRun: Sendable {
  private let paths: [String]
  private let isDeclaring: Bool
  private let asJSON: Bool
  private let state: Lock<State>

  private struct State {
    /// The number of bundles that were given to a worker.
    var given = 0
    var printed = 0
    var results: [BundleResult?]
    var failure: ToolFailure?
  }

  /// Creates a check of some bundles.
  init(_ paths: [String], isDeclaring: Bool, asJSON: Bool) {
    self.paths = paths
    self.isDeclaring = isDeclaring
    self.asJSON = asJSON
    state = Lock(State(results: Array(repeating: nil, count: paths.count)))
  }

  /// The results, in the order of the bundles.
  var results: [BundleResult] { state.withLock { $0.results.compactMap { $0 } } }

  /// Checks all bundles, and prints a line for each as soon as those before it are checked.
  ///
  /// - Throws: A failure if a worker could not start, or a declaration could not be written.
  func check(jobs: Int, timeoutSeconds: Int) throws(ToolFailure) {
    let count = min(jobs, paths.count)
    _ = ThreadPool(name: "retrace-ci", threadCount: count).map(count) { _ in
      do throws(ToolFailure) {
        let worker = try BundleWorker(timeoutSeconds: timeoutSeconds)
        defer { worker.end() }
        while let next = self.next() {
          try self.add(
            try self.declared(
              worker.check(self.paths[next], wantsRoutes: self.isDeclaring)), at: next)
        }
      } catch {
        self.state.withLock { $0.failure = error }
      }
    }
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  private func next() -> Int? {
    state.withLock { state in
      guard state.given < paths.count, state.failure == nil else { return nil }
      state.given += 1
      return state.given - 1
    }
  }

  /// Returns a result, after declaring it if nothing is declared.
  private func declared(_ result: BundleResult) throws(ToolFailure) -> BundleResult {
    let path = BundleDeclaration.path(of: result.path)
    // A file that cannot be read is corrected by its author, and is not replaced.
    guard isDeclaring, result.finding.verdict != .unread, (try? FileSystem.exists(path)) == false
    else { return result }
    let declaration = BundleDeclaration(result.finding)
    try declaration.write(beside: result.path)
    var declared = result
    declared.declaration = declaration
    declared.unexpected = []
    return declared
  }

  private func add(_ result: BundleResult, at index: Int) throws(ToolFailure) {
    state.withLock { state in
      state.results[index] = result
      while state.printed < paths.count, let ready = state.results[state.printed] {
        if asJSON {
          Output.standard.print(ready.json)
        } else {
          Output.standard.print(ready.line)
        }
        state.printed += 1
      }
    }
  }
}

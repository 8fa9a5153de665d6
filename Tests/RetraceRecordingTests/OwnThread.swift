import RetraceSystem

/// Runs `body`, which waits for tasks, on a thread of its own.
///
/// A test that blocks its thread until a task has run keeps the task from the few threads that all
/// tests and tasks share; several such tests deadlock.
func onOwnThread(_ body: @escaping @Sendable () throws -> Void) async throws {
  let thread = WorkerThread(name: "caller")
  try await withCheckedThrowingContinuation {
    (continuation: CheckedContinuation<Void, any Error>) in
    thread.submit { continuation.resume(with: Result { try body() }) }
  }
}

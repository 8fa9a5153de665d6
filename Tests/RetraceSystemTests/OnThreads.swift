import RetraceSystem

/// Runs a body with 0, 1… on as many threads of their own, which may block, until all have ended.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
  await withTaskGroup(of: Void.self) { group in
    for number in 0..<count {
      group.addTask {
        let thread = WorkerThread(name: "test \(number)")
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
          thread.submit {
            body(number)
            continuation.resume()
          }
        }
      }
    }
  }
}

import RetraceSystem
import Testing

/// Returns the texts of the issues that a body records, which then do not fail the test.
func issues(_ body: () -> Void) -> [String] {
  let found = Lock([String]())
  withKnownIssue(isIntermittent: true) {
    body()
  } matching: { issue in
    found.withLock { $0 += issue.comments.map(\.rawValue) }
    return true
  }
  return found.withLock { $0 }
}

/// Returns the texts of the issues that a body records, which then do not fail the test.
func issues(_ body: () async -> Void) async -> [String] {
  let found = Lock([String]())
  await withKnownIssue(isIntermittent: true) {
    await body()
  } matching: { issue in
    found.withLock { $0 += issue.comments.map(\.rawValue) }
    return true
  }
  return found.withLock { $0 }
}

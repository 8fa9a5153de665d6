import RetraceStorage
import RetraceToolSupport
import Testing

/// What tools make of a store's failures.
@Suite struct StoreFailureTests {
  private func failure(
    _ code: StoreError.Code, _ remedy: StoreError.Remedy? = nil
  ) -> ToolFailure {
    ToolFailure(StoreError(code, what: "W.", why: "Y.", advice: "Do it.", remedy: remedy))
  }

  @Test func `each kind of failure has the exit code of its class`() {
    let codes: [(Int32, [StoreError.Code])] = [
      (1, [.recordTooLarge, .invalidRecord, .keyReused, .invalidConfiguration]),
      (3, [.rolledBack(from: 2, to: 1), .damaged(sequence: 1)]),
      (4, [.incompatible, .reducerTrapped(sequence: 1)]),
      (
        5,
        [
          .inUse(pids: []), .alreadyOpen, .writerStalled(pids: []), .overloaded, .reentrant,
          .cancelled,
        ]
      ),
      (
        6,
        [
          .storeMissing(.directory), .notAStore, .storageFailed, .diskFull, .mapFull,
          .filesReplaced, .fileSystemUnsupported, .commitOutcomeUnknown, .notPlainFile,
          .permissionDenied, .readOnly, .closed,
        ]
      ),
      (64, [.destinationExists]),
    ]
    for (exit, codes) in codes {
      for code in codes {
        #expect(failure(code).exitCode == exit && failure(code).code == code.name)
      }
    }
  }

  @Test func `advice for a shell is added where the library knows what would help`() {
    #expect(failure(.permissionDenied).advice == "Do it.")
    #expect(
      failure(.permissionDenied, .restrictWriting(directory: "/a b")).advice
        == "Run: chmod go-w '/a b'.")
    #expect(
      failure(.permissionDenied, .restrictWriting(directory: "/it's")).advice
        == #"Run: chmod go-w '/it'\''s'."#)
    #expect(
      failure(.diskFull, .raiseFileSizeLimit).advice
        == "Do it. `ulimit -f` shows and sets the limit.")
    #expect(
      failure(.writerStalled(pids: [7, 8]), .resume(pids: [7, 8])).advice
        == "Do it. Resume a stopped process with: kill -CONT 7 8.")
    #expect(failure(.writerStalled(pids: []), .resume(pids: [])).advice == "Do it.")
    #expect(
      failure(.fileSystemUnsupported, .acceptAnyFileSystem).advice
        == "Do it. Or set RETRACE_ANY_FILE_SYSTEM=1 if only one machine uses the store.")
    #expect(
      failure(.damaged(sequence: 1), .salvage(directory: "/a b")).advice
        == "Do it: replay salvage NEW --store '/a b'.")
    #expect(
      failure(.incompatible, .migrate(directory: "/old")).advice
        == "Do it: replay migrate NEW --store /old.")
  }
}

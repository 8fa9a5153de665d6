import Testing

/// The issues that test stores find, recorded by the framework that runs the test.
///
/// Within a test of Swift Testing, that is Swift Testing. Elsewhere it is both: `XCTFail` does
/// nothing unless XCTest runs a test case, and a recorded issue does nothing unless Swift Testing
/// runs, which it also does for a task that a test has detached.
enum Issues {
  /// Records an issue at a line.
  static func record(_ text: String, at location: SourceLocation) {
    if Test.current == nil {
      XCTestFailure.record(text, path: location.filePath, line: location.line)
    }
    Issue.record(Comment(rawValue: text), sourceLocation: location)
  }
}

import XCTest

/// Failures of tests of XCTest.
enum XCTestFailure {
  /// The layout of a `StaticString` that points to UTF-8.
  private struct PointedString {
    var start: UInt
    var count: Int
    /// Bit 1 says that the text may be other than ASCII.
    var flags: UInt8
  }

  /// Fails the test case that runs at a line of a file; does nothing without one.
  ///
  /// `XCTFail` takes the path as a `StaticString` and copies it before it returns.
  static func record(_ text: String, path: String, line: Int) {
    var path = path
    path.withUTF8 { bytes in
      let pointed = PointedString(
        start: UInt(bitPattern: bytes.baseAddress), count: bytes.count, flags: 0)
      XCTFail(text, file: unsafe unsafeBitCast(pointed, to: StaticString.self), line: UInt(line))
    }
  }
}

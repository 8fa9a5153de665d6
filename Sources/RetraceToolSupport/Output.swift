import RetraceArchitecture
public import RetraceAvro
import RetracePlatform
import Synchronization

/// What a tool prints; text is made harmless for a terminal first.
public enum Output {
  /// Prints a line; control characters in it become visible.
  public static func print(_ line: String) {
    write(SafeText.line(line) + "\n", toError: false)
  }

  /// Prints a JSON value on one line, which escapes control characters by itself.
  public static func print(_ value: JSONValue) {
    write(value.text() + "\n", toError: false)
  }

  /// Prints text of the program itself as it is, with its line ends.
  public static func printRaw(_ text: String) {
    write(text.hasSuffix("\n") ? text : text + "\n", toError: false)
  }

  /// Prints a line to standard error; control characters in it become visible.
  public static func printError(_ line: String) {
    write(SafeText.line(line) + "\n", toError: true)
  }

  /// Why not everything was printed; `nil` if it was, or if the reader had seen enough.
  static var failure: PlatformError? {
    firstError.withLock { $0.flatMap { $0.code == .brokenPipe ? nil : $0 } }
  }

  private static let firstError = Mutex<PlatformError?>(nil)

  private static func write(_ text: String, toError: Bool) {
    if toError {
      try? Console.write(text, to: .standardError)
      return
    }
    // A reader that has gone away, or a full disk, ends the output, not the work.
    guard firstError.withLock({ $0 == nil }) else { return }
    do throws(PlatformError) {
      try Console.write(text, to: .standardOutput)
    } catch {
      firstError.withLock { $0 = error }
    }
  }
}

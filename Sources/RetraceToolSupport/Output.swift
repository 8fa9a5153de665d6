import RetraceArchitecture
public import RetraceAvro
import RetracePlatform

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

  private static func write(_ text: String, toError: Bool) {
    // A reader that has gone away ends the output, not the work.
    try? Console.write(text, to: toError ? .standardError : .standardOutput)
  }
}

import RetraceArchitecture
import RetracePlatform
import RetraceRecording
public import RetraceStorage
import TerminalUI

/// The app on a pipe: one line of input is one batch.
///
/// A line is a key's name, or `text:` and text, one key per grapheme. It is answered with
/// `ok SEQUENCE` once its actions are durable, or with `error …` when nothing was done. The line
/// `screen` is answered with the lines of the screen, the place of the cursor, and `ok SEQUENCE`.
public struct PipeDriver {
  private let driver: SceneDriver

  /// The most bytes of one line of input.
  public static var lineSizeMax: Int { 1 << 16 }

  /// Drives a scene.
  public init(_ driver: SceneDriver) { self.driver = driver }

  /// Answers one line of input.
  ///
  /// - Returns: The lines of the answer.
  /// - Throws: `StoreError` when the batch did not become durable.
  public func answer(_ line: String) throws(StoreError) -> [String] {
    if line == "screen" {
      try driver.tracker.store.catchUpBlocking()
      let renderer = PlainRenderer(size: driver.size, showsCursor: true)
      return renderer.lines(of: driver.screen()) + ["ok \(driver.tracker.store.sequence)"]
    }
    guard let keys = Self.keys(of: line) else {
      return [
        "error there is no key \"\(SafeText.line(line, bytesMax: 80))\"; "
          + "a line is a key's name, text:… or screen; ? in the app lists the keys"
      ]
    }
    return ["ok \(try driver.press(keys))"]
  }

  /// The keys that a line stands for; `nil` for a line that stands for none.
  static func keys(of line: String) -> [Key]? {
    // By bytes: a combining mark that follows the colon is part of what was typed.
    let mark = "text:".utf8
    if line.utf8.starts(with: mark) {
      return String(Substring(line.utf8.dropFirst(mark.count))).map { Key.text(String($0)) }
    }
    // The key that lists the keys is the first one that a newcomer tries.
    if line == "?" { return [.text("?")] }
    return Key(name: line).map { [$0] }
  }

  /// Answers standard input line by line until it ends.
  ///
  /// - Throws: `StoreError` when a batch did not become durable.
  public func run() throws(StoreError) {
    while let input = Self.nextLine() {
      let answers: [String]
      switch input {
      case .line(let line): answers = try answer(line)
      case .refused(let why): answers = ["error \(why); nothing was done"]
      }
      for answer in answers {
        guard (try? Console.write(answer + "\n", to: .standardOutput)) != nil else { return }
      }
    }
  }

  /// What was read for one line.
  private enum Input {
    case line(String)
    case refused(String)
  }

  /// The next line, or `nil` at the end of the input or when it cannot be read any more.
  private static func nextLine() -> Input? {
    do throws(PlatformError) {
      guard var bytes = try Console.readLine(limitBytes: lineSizeMax) else { return nil }
      // Lines may end as they do on Windows; no key and no text of one line holds such an end.
      if bytes.last == 0x0d { bytes.removeLast() }
      guard let text = try? UTF8Span(validating: bytes.span) else {
        return .refused("the line is not UTF-8")
      }
      return .line(String(copying: text))
    } catch {
      guard error.code == .aboveLimit, (try? Console.skipLine()) != nil else { return nil }
      return .refused("the line is longer than \(lineSizeMax) bytes")
    }
  }
}

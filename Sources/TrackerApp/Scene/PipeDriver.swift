import RetraceArchitecture
public import RetraceAvro
import RetraceRecording
import RetraceScreen
public import RetraceStorage
import RetraceSystem
import RetraceTerminal
import TerminalUI

/// The app on a pipe: one line of input is one batch.
///
/// A line is a key's name, or `text:` and text, one key per grapheme. It is answered with
/// `ok SEQUENCE` once its actions are durable, or with `error …` when nothing was done. The line
/// `screen` is answered with the lines of the screen, the place of the cursor, and `ok SEQUENCE`.
/// As JSON each answer is one object, with `sequence` or `error`, and `screen` if that was asked
/// for.
public struct PipeDriver {
  /// The answer to a line.
  public enum Answer: Hashable, Sendable {
    /// What was asked for is durable up to a sequence; the lines of the screen, if they were asked
    /// for.
    case done(sequence: UInt64, screen: [String]?)
    /// Nothing was done, and why.
    case refused(String)

    /// The lines of the answer as text.
    public var lines: [String] {
      switch self {
      case .done(let sequence, let screen): (screen ?? []) + ["ok \(sequence)"]
      case .refused(let why): ["error \(why)"]
      }
    }

    /// The answer as one object.
    public var json: JSONValue {
      switch self {
      case .done(let sequence, let screen):
        let number = JSONValue.integer(Int64(clamping: sequence))
        guard let screen else { return ["sequence": number] }
        return ["sequence": number, "screen": .array(screen.map { .string($0) })]
      case .refused(let why): return ["error": .string(why)]
      }
    }
  }

  private let driver: SceneDriver

  /// The most bytes of one line of input.
  public static var lineSizeMax: Int { 1 << 16 }

  /// Drives a scene.
  public init(_ driver: SceneDriver) { self.driver = driver }

  /// Answers one line of input.
  ///
  /// - Returns: The answer.
  /// - Throws: `StoreError` when the batch did not become durable.
  public func answer(_ line: String) throws(StoreError) -> Answer {
    if line == "screen" {
      try driver.tracker.store.catchUpBlocking()
      let renderer = PlainRenderer(size: driver.size, showsCursor: true)
      return .done(
        sequence: driver.tracker.store.sequence, screen: renderer.lines(of: driver.screen()))
    }
    guard let keys = Self.keys(of: line) else {
      return .refused(
        "there is no key \"\(SafeText.line(line, bytesMax: 80))\"; "
          + "a line is a key's name, text:… or screen; ? in the app lists the keys")
    }
    return .done(sequence: try driver.press(keys), screen: nil)
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
  /// - Parameter asJSON: Whether each answer is one object on one line.
  /// - Returns: Why the first line that was refused was; `nil` if none was.
  /// - Throws: `StoreError` when a batch did not become durable.
  public func run(asJSON: Bool = false) throws(StoreError) -> String? {
    var refused: String?
    while let input = Self.nextLine() {
      let answer: Answer
      switch input {
      case .line(let line): answer = try self.answer(line)
      case .refused(let why): answer = .refused("\(why); nothing was done")
      }
      if case .refused(let why) = answer { refused = refused ?? why }
      for line in asJSON ? [answer.json.text()] : answer.lines {
        guard (try? Console.write(line + "\n", to: .standardOutput)) != nil else { return refused }
      }
    }
    return refused
  }

  /// What was read for one line.
  private enum Input {
    case line(String)
    case refused(String)
  }

  /// The next line, or `nil` at the end of the input or when it cannot be read any more.
  private static func nextLine() -> Input? {
    do throws(SystemError) {
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

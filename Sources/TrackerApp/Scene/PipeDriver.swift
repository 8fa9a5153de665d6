public import Retrace
import TrackerFeatures
import RetraceRecording
public import RetraceStorage
import RetraceSystem
import TerminalUI

/// The app on a pipe: one line of input is one key.
///
/// A line is the name of a key, a character, or `text:` or `paste:` and a text that is typed or
/// pasted as a whole. A line such as `press-left 3 10` or `scroll-down 3 10` uses the mouse in the
/// cell of a row and a column, which count from 0. The answer is `ok SEQUENCE` when the changes of
/// the key are durable, or `error …` if nothing was done. The answer to the line `screen` is the
/// lines of the screen, the position of the cursor, and `ok SEQUENCE`. In JSON, each answer is one
/// object with `sequence` or `error`, and with `screen` if requested.
public final class PipeDriver {
  /// The answer to a line.
  public enum Answer: Hashable, Sendable {
    /// The log is durable up to a sequence. The lines of the screen are there if requested.
    case done(sequence: UInt64, screen: [String]?)
    /// The key leaves the app. The log is durable up to a sequence.
    case left(sequence: UInt64)
    /// Nothing was done, for a reason.
    case refused(String)

    /// The lines of the answer as text.
    public var lines: [String] {
      switch self {
      case .done(let sequence, let screen): (screen ?? []) + ["ok \(sequence)"]
      case .left(let sequence): ["ok \(sequence)"]
      case .refused(let why): ["error \(why)"]
      }
    }

    /// The answer as a JSON object.
    public var json: JSONValue {
      switch self {
      case .done(let sequence, let screen):
        let number = JSONValue.integer(Int64(clamping: sequence))
        guard let screen else { return ["sequence": number] }
        return ["sequence": number, "screen": .array(screen.map { .string($0) })]
      case .left(let sequence): return ["sequence": .integer(Int64(clamping: sequence))]
      case .refused(let why): return ["error": .string(why)]
      }
    }
  }

  private var view: AppView

  /// Whether the screen is that of the rail.
  var isLookingBack: Bool { view.isLookingBack }

  /// The maximum number of bytes of one line of input.
  public static var lineSizeMax: Int { Console.TextLine.keyBytesMax }

  /// Creates a driver of a scene.
  public init(_ driver: any ScreenDriver) { view = AppView(driver) }

  /// Performs one line of input.
  ///
  /// - Returns: The answer.
  /// - Throws: The errors of the store.
  public func answer(_ line: String) throws(StoreError) -> Answer {
    try view.askAboutSleep()
    try view.followCalendars()
    if line == "screen" {
      let sequence = try view.catchUp()
      let renderer = PlainRenderer(size: view.size, showsCursor: true)
      guard let screen = view.screen() else { return .refused("the store cannot be read") }
      return .done(sequence: sequence, screen: renderer.lines(of: screen))
    }
    let key = Key(name: line).map { Input.key($0) }
    guard let input = key ?? Mouse(name: line).map({ .mouse($0) }) else {
      return .refused(
        "there is no key \"\(SafeText.line(line, bytesMax: 80))\"; "
          + "a line is a key's name, a character, text:… or screen; ? in the app lists the keys")
    }
    var pressed = try view.perform([input], onLatest: true)
    view.finishWork()
    if pressed.copied != nil {
      // A pipe has no clipboard.
      try view.tell(.notCopied)
      pressed.sequence = try view.catchUp()
    }
    return pressed.leaves
      ? .left(sequence: pressed.sequence) : .done(sequence: pressed.sequence, screen: nil)
  }

  /// Performs standard input line by line, until it ends or a key leaves the app.
  ///
  /// - Parameters:
  ///   - asJSON: Whether each answer is one object on one line.
  ///   - showsScreens: Whether the screen comes first and after each line, for a person at a
  ///     terminal that can only show lines.
  /// - Returns: The reason why the first refused line was refused; `nil` if no line was refused, or
  ///   if `showsScreens`.
  /// - Throws: The errors of the store.
  public func run(
    asJSON: Bool = false, showsScreens: Bool = false
  ) throws(StoreError) -> String? {
    var refused: String?
    if showsScreens, !Self.print(try answer("screen").lines) { return refused }
    while let input = Console.readText(limitBytes: Self.lineSizeMax) {
      let answer: Answer
      switch input {
      // A person who presses return alone sees the screen again.
      case .text("") where showsScreens: answer = try self.answer("screen")
      case .text(let line): answer = try self.answer(line)
      case .notUTF8, .tooLong:
        answer = .refused("the \(input.problem ?? "line was not read"); nothing was done")
      }
      if !showsScreens, case .refused(let why) = answer { refused = refused ?? why }
      var lines = asJSON ? [answer.json.text()] : answer.lines
      if showsScreens, case .refused = answer {
        lines = lines.flatMap {
          TextWidth.lines(of: $0, fitting: view.size.columns, indent: 2)
        }
      }
      guard Self.print(lines) else { return refused }
      if case .left = answer { return refused }
      if showsScreens, case .done(_, screen: nil) = answer {
        guard Self.print(try self.answer("screen").lines) else { return refused }
      }
    }
    return refused
  }

  /// Prints lines, and returns whether the output takes more.
  private static func print(_ lines: [String]) -> Bool {
    lines.allSatisfy { (try? Console.write($0 + "\n", to: .standardOutput)) != nil }
  }
}

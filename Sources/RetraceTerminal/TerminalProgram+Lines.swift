import Retrace
import RetraceRecording
public import RetraceStorage
import RetraceSystem
import TerminalUI

extension TerminalProgram {
  /// Runs the app line by line: prints the screen, and again after each line of input, which is a
  /// key, until the input ends or a key leaves the app.
  ///
  /// A line is a character, `space`, or the name of a key as `Key(name:)` takes it: `down`,
  /// `ctrl-d`, `text:` and a text. An empty line prints the screen again. A line that names no key
  /// is reported on the standard error, and nothing is printed for it.
  ///
  /// The key means what it means to the user who sees the screen that was printed last. The effects
  /// of the key are waited for, so a script sees their answers.
  ///
  /// - Parameter limitMilliseconds: How long effects in flight are waited for at most.
  /// - Returns: The first line that named no key; `nil` if each line named one.
  /// - Throws: The errors of the store.
  @discardableResult
  public func runOnLines(limitMilliseconds: Int = 5_000) throws(StoreError) -> String? {
    var refused: String?
    guard var shown = try show(limitMilliseconds) else { return nil }
    while let line = Self.nextLine() {
      if !line.isEmpty {
        guard let key = Key(name: line) else {
          let text = SafeText.line(line, bytesMax: 80)
          _ = try? Console.write("There is no key \(text).\n", to: .standardError)
          refused = refused ?? text
          continue
        }
        if try perform(.key(key), on: shown) == .leave { break }
      }
      guard let next = try show(limitMilliseconds) else { break }
      shown = next
    }
    return refused
  }

  /// Prints the screen once no effect is in flight.
  ///
  /// - Returns: The frame; `nil` if there is none, or if the output takes no more.
  private func show(_ limitMilliseconds: Int) throws(StoreError) -> App.Frame? {
    let end = MonotonicClock.deadline(inMilliseconds: limitMilliseconds)
    while !store.effectsInFlight.isEmpty, MonotonicClock.nanoseconds() < end {
      MonotonicClock.sleep(milliseconds: 1)
    }
    try store.catchUpBlocking()
    let (frame, screen) = try shown()
    let isPrinted: Void? = try? Console.write(PlainRenderer(size: size).text(of: screen))
    return isPrinted == nil ? nil : frame
  }

  /// Returns the next line of the standard input; `nil` at its end, and for a line that cannot be
  /// read.
  private static func nextLine() -> String? {
    guard var bytes = try? Console.readLine(limitBytes: 1 << 16) else { return nil }
    if bytes.last == 0x0D { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}

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
  /// in flight are waited for before a screen is printed, so a script sees their answers. A delayed
  /// effect is waited for only if it is due within a second. An effect that runs longer than the
  /// limit, such as a subscription, is waited for once.
  ///
  /// - Parameter limitMilliseconds: How long effects are waited for at most before a screen.
  /// - Returns: The report on the first line that named no key; `nil` if each line named one.
  /// - Throws: The errors of the store.
  @discardableResult
  public func runOnLines(limitMilliseconds: Int = 5_000) throws(StoreError) -> String? {
    var (report, long): (String?, Set<EffectLeafID>) = (nil, [])
    guard var shown = try show(limitMilliseconds, except: &long) else { return nil }
    while let line = Console.readText(limitBytes: Console.TextLine.keyBytesMax) {
      var problem: String?
      switch line {
      case .text(""): break
      case .text(let name):
        if let key = Key(name: name) {
          if try perform(.key(key), on: shown) == .leave { return report }
        } else {
          problem = "There is no key \(SafeText.line(name, bytesMax: 80))."
        }
      case .notUTF8, .tooLong: problem = line.problem.map { "The \($0)." }
      }
      if let problem {
        _ = try? Console.write("\(problem)\n", to: .standardError)
        report = report ?? problem
        continue
      }
      guard let next = try show(limitMilliseconds, except: &long) else { break }
      shown = next
    }
    return report
  }

  /// Prints the screen once no effect is in flight that is due soon.
  ///
  /// - Parameters:
  ///   - limitMilliseconds: How long effects are waited for at most.
  ///   - long: The effects that are not waited for; it gets those that outlast the limit.
  /// - Returns: The frame; `nil` if there is none, or if the output takes no more.
  private func show(
    _ limitMilliseconds: Int, except long: inout Set<EffectLeafID>
  ) throws(StoreError) -> App.Frame? {
    long.formUnion(
      try store.waitForEffects(
        dueWithin: .seconds(1), limitMilliseconds: limitMilliseconds, except: long))
    try store.catchUpBlocking()
    let (frame, screen) = try shown()
    let isPrinted: Void? = try? Console.write(PlainRenderer(size: size).text(of: screen))
    return isPrinted == nil ? nil : frame
  }
}

import CivilTime
import RetraceSystem
import RetraceTerminal
import RetraceToolSupport
import TimeTracking

/// The readings of ambiguous times that the user chose on a terminal.
///
/// A command that fails because a time is ambiguous runs again after the choice; so nothing is
/// asked while the store is read.
enum TimeReading {
  /// The choices, by the readings among which the user chose.
  private static let choices = Lock([[String]: String]())

  /// Asks on a terminal which reading of an ambiguous time is meant, if a failure has several.
  ///
  /// - Parameter failure: The failure of a command; it says so if no reading is chosen.
  /// - Returns: Whether a reading was chosen, so that the command can run again.
  static func isChosen(after failure: inout ToolFailure) -> Bool {
    let readings = failure.readings
    guard !readings.isEmpty, !choices.withLock({ $0.keys.contains(readings) }), !Batch.isActive,
      !ToolProcess.words.contains("--json"), Terminal.isTerminal(0), Terminal.isTerminal(2)
    else { return false }
    ToolProcess.printWrapped(failure.why)
    for (index, reading) in readings.enumerated() {
      Output.printError("  \(index + 1)  \(reading)")
    }
    let numbers = readings.count == 1 ? "1" : "1-\(readings.count)"
    Output.promptError("Which time is meant? [\(numbers)] ")
    let answer = (try? Console.readLine(limitBytes: 100)).flatMap { $0 }
      .flatMap { Int(String(decoding: $0, as: UTF8.self)) }
    guard let answer, readings.indices.contains(answer - 1) else {
      // The reason stands above the question.
      failure.why = "No reading was chosen."
      return false
    }
    choices.withLock { $0[readings] = readings[answer - 1] }
    return true
  }

  /// Returns the failure of a text that is no time, with its readings if it is ambiguous.
  static func failure(_ error: ExpressionError, option: String? = nil) -> ToolFailure {
    var failure = ToolFailure.time(error, option: option)
    failure.readings = readings(of: error)
    return failure
  }

  /// Reads a time.
  static func time(
    _ text: String, in context: ExpressionContext
  ) throws(ExpressionError) -> TimeExpression {
    do throws(ExpressionError) {
      return try TimeExpression(text, in: context)
    } catch {
      guard let chosen = chosen([text], after: error, in: context) else { throw error }
      return try TimeExpression(chosen[0], in: context)
    }
  }

  /// Returns texts with the chosen reading in the one that is ambiguous; `nil` if none was chosen.
  ///
  /// - Parameters:
  ///   - texts: The texts of a time, or of a range; the last one may be read in another context.
  ///   - error: Their error.
  ///   - context: The context of the first text.
  static func chosen(
    _ texts: [String], after error: ExpressionError, in context: ExpressionContext
  ) -> [String]? {
    guard let choice = choice(after: error), !texts.isEmpty else { return nil }
    var texts = texts
    let index = texts.firstIndex { hasError(error, $0, in: context) } ?? texts.count - 1
    let old = texts[index]
    texts[index] =
      if case .ambiguous(let part, _) = error {
        old.replacing(part, with: choice)
      } else {
        choice
      }
    return texts[index] == old ? nil : texts
  }

  /// Returns words with those of the chosen reading in place of those of an ambiguous time; `nil`
  /// if none was chosen.
  static func chosen(
    in words: ArraySlice<String>, after error: ExpressionError, _ context: ExpressionContext
  ) -> ArraySlice<String>? {
    guard let choice = choice(after: error) else { return nil }
    let words = Array(words)
    for start in words.indices.prefix(LeadingTime.rangeWordsMax) {
      for count in (1...min(LeadingTime.timeWordsMax, words.count - start)).reversed() {
        let text = words[start..<start + count].joinedByBlanks
        let isMeant =
          if case .ambiguous(let part, _) = error {
            text.utf8.elementsEqual(part.utf8)
          } else {
            hasError(error, text, in: context)
          }
        guard isMeant else { continue }
        return words[..<start] + choice.split(separator: " ").map(String.init)
          + words[(start + count)...]
      }
    }
    return nil
  }

  private static func choice(after error: ExpressionError) -> String? {
    let readings = readings(of: error)
    return readings.isEmpty ? nil : choices.withLock { $0[readings] }
  }

  private static func readings(of error: ExpressionError) -> [String] {
    switch error {
    case .ambiguous(_, let instead): instead
    case .repeated(_, let first, let second): ["\(first)", "\(second)"]
    case .skipped(_, let before, let after): ["\(before)", "\(after)"]
    default: []
    }
  }

  /// Returns whether a text is a time with an error, by itself or on the day of the error.
  private static func hasError(
    _ error: ExpressionError, _ text: String, in context: ExpressionContext
  ) -> Bool {
    var texts = [text]
    switch error {
    case .repeated(let local, _, _), .skipped(let local, _, _):
      texts.append("\(local.date) \(text)")
    default: break
    }
    return texts.contains { text in
      do throws(ExpressionError) {
        _ = try TimeExpression(text, in: context)
        return false
      } catch let other {
        return other == error
      }
    }
  }
}

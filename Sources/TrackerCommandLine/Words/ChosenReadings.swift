import Retrace
import RetraceToolSupport
import TimeTracking

/// The readings of ambiguous times and durations that the user chose on a terminal.
///
/// A verb that fails because a text is ambiguous is performed again after the choice; so nothing is
/// asked while the store is read.
struct ChosenReadings {
  /// The choices, by the readings among which the user chose.
  private var choices: [[String]: String] = [:]

  /// Asks on a terminal which reading of an ambiguous time is meant, if a failure has several.
  ///
  /// - Parameters:
  ///   - failure: The failure of a verb. Its reason changes if no reading is chosen.
  ///   - output: The output with the terminal.
  /// - Returns: Whether a reading was chosen, so that the verb can be performed again.
  mutating func choose(after failure: inout ToolFailure, _ output: Output) -> Bool {
    let readings = failure.readings
    guard !readings.isEmpty, choices[readings] == nil, output.streams.canAsk else { return false }
    let isOne = readings.count == 1
    if isOne {
      output.promptError("Is `\(readings[0])` meant? [y/N] ")
    } else {
      output.printErrorWrapped(failure.why)
      for (index, reading) in readings.enumerated() {
        output.printError("  \(index + 1)  \(reading)")
      }
      output.promptError("Which time is meant? [1-\(readings.count)] ")
    }
    let answer = output.streams.readAnswer()?.lowercased() ?? ""
    let number = isOne && ["y", "yes"].contains(answer) ? 1 : Int(answer)
    guard let number, readings.indices.contains(number - 1) else {
      // The question was printed after the reason.
      if !isOne { failure.why = "No reading was chosen." }
      return false
    }
    choices[readings] = readings[number - 1]
    return true
  }

  /// Reads a text that is a time and nothing else, by the chosen reading if it is ambiguous.
  ///
  /// Three or four digits are a time of day.
  func time(
    _ text: String, in context: ExpressionContext
  ) throws(ExpressionError) -> TimeExpression {
    do throws(ExpressionError) {
      return try TimeExpression(text, in: context, takesDigits: true)
    } catch {
      guard let chosen = chosen([text], after: error, in: context) else { throw error }
      return try TimeExpression(chosen[0], in: context)
    }
  }

  /// Reads a duration, by the chosen reading if it is ambiguous.
  func duration(_ text: String) throws(ExpressionError) -> DurationExpression {
    do throws(ExpressionError) {
      return try DurationExpression(text)
    } catch {
      guard let choice = choice(after: error) else { throw error }
      return try DurationExpression(choice)
    }
  }

  /// Returns texts with the chosen reading in the one that is ambiguous; `nil` if none was chosen.
  ///
  /// - Parameters:
  ///   - texts: The texts of a time, or of a range; the last one may be read in another context.
  ///   - error: Their error.
  ///   - context: The context of the first text.
  func chosen(
    _ texts: [String], after error: ExpressionError, in context: ExpressionContext
  ) -> [String]? {
    guard let choice = choice(after: error), !texts.isEmpty else { return nil }
    var texts = texts
    let index = texts.firstIndex { Self.hasError(error, $0, in: context) } ?? texts.count - 1
    let old = texts[index]
    texts[index] =
      if case .ambiguous(let part, _) = error {
        old.replacing(part, with: choice)
      } else {
        choice
      }
    return texts[index] == old ? nil : texts
  }

  /// Returns words with the chosen reading in place of an ambiguous time; `nil` without a choice.
  func chosen(
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
            Self.hasError(error, text, in: context)
          }
        guard isMeant else { continue }
        return words[..<start] + choice.split(separator: " ").map(String.init)
          + words[(start + count)...]
      }
    }
    return nil
  }

  private func choice(after error: ExpressionError) -> String? {
    let readings = error.readings
    return readings.isEmpty ? nil : choices[readings]
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

extension ToolFailure {
  /// Returns the failure of a text that is no time, with its readings if it is ambiguous.
  static func ambiguousTime(_ error: ExpressionError, option: String? = nil) -> ToolFailure {
    var failure = ToolFailure.time(error, option: option)
    failure.readings = error.readings
    return failure
  }
}

extension ExpressionError {
  /// The possible readings; empty if the text is not ambiguous.
  var readings: [String] {
    switch self {
    case .ambiguous(_, let instead): instead
    case .repeated(_, let first, let second): ["\(first)", "\(second)"]
    case .skipped(_, let before, let after): ["\(before)", "\(after)"]
    default: []
    }
  }
}

public import RetraceScreen

/// The questions to a terminal about what it can do.
///
/// A value: it returns what to write, takes the answers, and settles on the features. The last
/// question is for the primary device attributes, which every terminal answers, so its answer ends
/// the wait. The caller ends it after a time of its choice with ``stop()``. Nothing waits for the
/// answers: screens are shown meanwhile.
///
/// ```swift
/// var queries = TerminalQueries(term: "xterm-256color")
/// print(queries.request.isEmpty)
/// queries.take(.keyboardFlags(0))
/// queries.take(.deviceAttributes([62]))
/// print(queries.isSettled, queries.features.hasKittyKeys)
/// ```
public struct TerminalQueries: Sendable {
  /// What to write; empty for a terminal that is asked nothing.
  public let request: String
  /// What the terminal has told.
  public private(set) var features = TerminalFeatures()
  /// Whether the features are final, except for the color scheme.
  public private(set) var isSettled: Bool

  /// Creates the questions to a terminal.
  ///
  /// Nothing is asked of the types `dumb` and `linux`, or of no type. Apple's terminal is asked
  /// nothing either, because it prints parts of the questions.
  ///
  /// - Parameters:
  ///   - term: The type of the terminal, from the environment variable `TERM`.
  ///   - program: The name of the terminal, from `TERM_PROGRAM`.
  public init(term: String?, program: String? = nil) {
    let isAsked =
      !TerminalExtensions.assumed(term: term).isEmpty && program != "Apple_Terminal"
    request = isAsked ? Self.questions : ""
    isSettled = !isAsked
  }

  private static var questions: String {
    let modes = [Mode.synchronizedOutput, .graphemeClusters, .colorSchemeReports, .sizeReports]
    return modes.map { "\u{1B}[?\($0.rawValue)$p" }.joined()
      + "\u{1B}[?u\u{1B}[?996n\u{1B}]10;?\u{1B}\\\u{1B}]11;?\u{1B}\\\u{1B}[c"
  }

  /// The numbers of the private modes that are asked for.
  private enum Mode: Int {
    case synchronizedOutput = 2026
    case graphemeClusters = 2027
    case colorSchemeReports = 2031
    case sizeReports = 2048
  }

  /// Takes a report of the terminal, and returns whether it changed ``features`` or settled them.
  ///
  /// Once the features are settled, only a changed color scheme is taken; all other reports are
  /// ignored.
  ///
  /// - Complexity: O(attributes of the report).
  @discardableResult
  public mutating func take(_ report: TerminalReport) -> Bool {
    let before = features
    if isSettled {
      guard features.hasColorSchemeReports, case .colorScheme(let scheme) = report else {
        return false
      }
      features.colorScheme = scheme
      return features != before
    }
    switch report {
    case .mode(let number, let isKnown):
      switch Mode(rawValue: number) {
      case .synchronizedOutput: features.hasSynchronizedOutput = isKnown
      case .graphemeClusters: features.hasGraphemeClusters = isKnown
      case .colorSchemeReports: features.hasColorSchemeReports = isKnown
      case .sizeReports: features.hasSizeReports = isKnown
      case nil: break
      }
    case .keyboardFlags: features.hasKittyKeys = true
    case .colorScheme(let scheme): features.colorScheme = scheme
    case .foreground(let color): features.foreground = color
    case .background(let color): features.background = color
    case .deviceAttributes(let attributes):
      features.hasAnswered = true
      // The number with which terminals tell that `OSC 52` writes to the clipboard.
      features.hasClipboard = attributes.contains(52)
      stop()
    }
    return features != before
  }

  /// Ends the wait for answers: the features are settled.
  public mutating func stop() {
    isSettled = true
    if features.colorScheme == nil, let background = features.background {
      features.colorScheme = RGB(background).luminance < 0.18 ? .dark : .light
    }
  }
}

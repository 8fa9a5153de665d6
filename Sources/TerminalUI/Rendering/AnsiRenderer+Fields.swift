import RetraceScreen

/// The sequences of what a screen asks of a terminal beside its cells.
extension AnsiRenderer {
  /// Returns the sequences that change a terminal from one screen to another.
  ///
  /// - Parameters:
  ///   - old: The screen whose fields were written; `nil` if the terminal has none of them.
  ///   - new: The screen to show.
  func fieldCodes(from old: Screen?, to new: Screen) -> String {
    var text = ""
    if extensions.contains(.title), new.title != old?.title {
      text += Self.code(ofTitle: new.title)
    }
    if extensions.contains(.progress), new.progress != old?.progress {
      text += Self.code(of: new.progress)
    }
    if extensions.contains(.reports) {
      if new.mouse != old?.mouse ?? .off { text += Self.code(of: new.mouse) }
      if new.reportsFocus != old?.reportsFocus ?? false {
        text += Self.focusCode(new.reportsFocus)
      }
    }
    return text
  }

  static func code(of shape: Screen.Cursor.Shape) -> String {
    switch shape {
    case .standard: "\u{1B}[0 q"
    case .block: "\u{1B}[2 q"
    case .underline: "\u{1B}[4 q"
    case .bar: "\u{1B}[6 q"
    }
  }

  static func code(of mouse: Screen.MouseReporting) -> String {
    // The modes exclude each other on some terminals, so the last one that is set has to be right.
    switch mouse {
    case .off: "\u{1B}[?1003l\u{1B}[?1002l\u{1B}[?1006l"
    case .buttons: "\u{1B}[?1003l\u{1B}[?1002h\u{1B}[?1006h"
    case .motion: "\u{1B}[?1002l\u{1B}[?1003h\u{1B}[?1006h"
    }
  }

  static func focusCode(_ isReported: Bool) -> String { "\u{1B}[?1004\(isReported ? "h" : "l")" }

  static func code(of progress: Screen.Progress?) -> String {
    func code(_ state: Int, _ percent: Int) -> String {
      "\u{1B}]9;4;\(state);\(min(max(percent, 0), 100))\u{1B}\\"
    }
    switch progress {
    case nil: return code(0, 0)
    case .busy: return code(3, 0)
    case .percent(let percent): return code(1, percent)
    case .failed(let percent): return code(2, percent)
    case .paused(let percent): return code(4, percent)
    }
  }

  /// The title that was there before is on the terminal's stack.
  private static func code(ofTitle title: String?) -> String {
    guard let title else { return "\u{1B}[23;0t\u{1B}[22;0t" }
    return "\u{1B}]2;\(SafeText.line(title, bytesMax: 200))\u{1B}\\"
  }
}

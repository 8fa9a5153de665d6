import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TerminalUI

/// The options that say how output for people looks.
struct DisplayOptions {
  static let colorOption = CommandOption(
    "color", value: "when", choices: ["auto", "always", "never"],
    "When text has colors; the default is the setting of `track config`.")
  static let noPagerOption = CommandOption(
    "no-pager", "Print long output as it is on a terminal, without the pager.")
  static let all = [colorOption, noPagerOption]

  private let context: VerbContext
  private let color: String?
  private let hasPager: Bool

  init(_ arguments: CommandArguments, in context: VerbContext) {
    self.context = context
    color = arguments[Self.colorOption]
    hasPager = !arguments.has(Self.noPagerOption)
  }

  /// Shows output on a terminal with the pager, if it is longer than the screen.
  func startPaging() {
    let output = context.output
    guard hasPager, let rows = output.streams.size(of: .output)?.rows,
      AnsiRenderer.wantsColor(noColor: nil, term: context.environment["TERM"])
    else { return }
    let command = context.settings.pager.text
    guard command != Configuration.none else { return }
    output.startPaging(Pager(command: command, rows: rows, in: context.environment))
  }

  /// Returns the style of standard output.
  ///
  /// - Parameter isWide: Whether lines may have any width.
  func style(isWide: Bool = false) -> OutputStyle {
    context.style(isWide: isWide, color: color)
  }
}

/// The output for people, and the width and the colors of its lines.
struct OutputStyle {
  /// The usual width of a terminal.
  static let usualColumns = 80

  var output: Output
  /// The most cells of a line; `nil` for no limit.
  var columns: Int?
  /// The colors; `nil` for text without any.
  var palette: TerminalPalette?

  /// Whether headings are bold.
  var hasColors: Bool { palette != nil }
}

extension VerbContext {
  /// Returns the style of standard output.
  ///
  /// - Parameters:
  ///   - isWide: Whether lines may have any width.
  ///   - color: When text has colors; `nil` for the setting.
  func style(isWide: Bool = false, color: String? = nil) -> OutputStyle {
    let isTerminal = output.streams.isTerminal(.output)
    // A program that reads a pipe or a file needs whole lines, unless COLUMNS asks for a width.
    let given = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    let terminal =
      isTerminal
      ? output.streams.size(of: .output)?.columns ?? given ?? OutputStyle.usualColumns : given
    return OutputStyle(
      output: output, columns: isWide ? nil : terminal,
      palette: TerminalPalette(
        color: color ?? settings[.color]?.text, theme: settings[.theme]?.text,
        isTerminal: isTerminal
      ) { environment[$0] })
  }
}

/// A part of a line in a color.
struct Tint {
  /// The bytes of the part, in UTF-8.
  var bytes: Range<Int>
  /// The color, as red, green and blue in one byte each.
  var color: Int32
}

extension OutputStyle {
  /// Prints an empty line and notes, which break at blanks; nothing without notes.
  func print(notes: [String]) {
    if !notes.isEmpty { output.print("") }
    for note in notes {
      for line in TextWidth.lines(of: SafeText.line(note), fitting: columns ?? .max, indent: 2) {
        output.print(line)
      }
    }
  }

  /// Prints a line, with some parts in colors if the output has colors.
  ///
  /// - Parameters:
  ///   - line: The line; control characters are made visible.
  ///   - tints: The parts, in order; parts beyond the line are left out.
  ///   - isBold: Whether the line is emphasized.
  func print(_ line: String, _ tints: [Tint], isBold: Bool = false) {
    guard let palette, isBold || !tints.isEmpty else {
      return output.printRaw(SafeText.line(line, bytesMax: .max))
    }
    let bytes = Array(line.utf8)
    /// Returns where the next character begins, because a line may be cut in a colored part.
    func boundary(_ index: Int) -> Int {
      var index = min(index, bytes.count)
      while index < bytes.count, bytes[index] & 0xc0 == 0x80 { index += 1 }
      return index
    }
    func part(_ range: Range<Int>) -> String {
      SafeText.line(String(decoding: bytes[range], as: UTF8.self), bytesMax: .max)
    }
    var text = isBold ? "\u{1B}[1m" : ""
    var end = 0
    for tint in tints {
      let start = max(end, boundary(tint.bytes.lowerBound))
      let range = start..<max(start, boundary(tint.bytes.upperBound))
      let code = palette.letters(tint.color)
      guard !range.isEmpty, !code.isEmpty else { continue }
      text += part(end..<range.lowerBound) + "\u{1B}[\(code)m" + part(range)
      text += "\u{1B}[\(TerminalPalette.plainLetters)m"
      end = range.upperBound
    }
    text += part(end..<bytes.count)
    output.printRaw(isBold ? text + "\u{1B}[0m" : text)
  }
}

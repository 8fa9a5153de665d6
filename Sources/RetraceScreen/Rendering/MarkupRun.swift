/// Neighboring cells of a row that a picture draws as one piece.
package struct MarkupRun {
  /// The column of the first cell.
  package var column: Int
  /// The number of cells.
  package var cells: Int
  /// The style of all cells.
  package var style: Style
  /// The characters.
  package var text: String
  /// Whether the cells show nothing but their background.
  var isBlank: Bool
  /// Whether each character has one cell and is ASCII, so that a font has one width for all.
  package var isASCII: Bool
  /// The scalar of a run that may go on with the same one: a part of a line, a block or dots.
  var part: UInt32?
  /// Whether the cells are full blocks, which their color covers as a background does.
  var isFull: Bool
}

extension Canvas {
  /// Returns the pieces of a row.
  ///
  /// A character that is not ASCII is a piece of its own, because fonts have other widths for it.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - joinsParts: Whether neighbors that show the same part of a line, block or dots are one
  ///     piece, for pictures that give a piece the length of its cells.
  /// - Complexity: O(columns).
  package func markupRuns(ofRow row: Int, joinsParts: Bool = false) -> [MarkupRun] {
    var runs: [MarkupRun] = []
    for column in 0..<size.columns {
      let cell = self[row: row, column: column]
      if cell.isContinued { continue }
      let text = self.text(of: cell)
      let part = joinsParts ? cell.partOfLine : nil
      if let last = runs.indices.last, runs[last].style == cell.style.withoutLink,
        runs[last].isASCII && cell.isASCII || part != nil && runs[last].part == part,
        runs[last].isBlank == cell.isBlank || !runs[last].isBlank
      {
        runs[last].cells += 1
        runs[last].text += text
        continue
      }
      runs.append(
        MarkupRun(
          column: column, cells: cell.cells, style: cell.style.withoutLink, text: text,
          isBlank: cell.isBlank, isASCII: cell.isASCII, part: part,
          isFull: cell.clusterOffset == nil && cell.scalar == 0x2588))
    }
    return runs
  }
}

extension Cell {
  /// The scalar of a part of a line, a block or dots of Braille, which all fonts draw alike beside
  /// its like.
  fileprivate var partOfLine: UInt32? {
    guard clusterOffset == nil, cells == 1 else { return nil }
    return 0x2500...0x259F ~= scalar || 0x2800...0x28FF ~= scalar ? scalar : nil
  }
}

extension Style {
  /// The style as pictures draw it, which lead nowhere.
  fileprivate var withoutLink: Style {
    var style = self
    style.link = .none
    return style
  }

  /// Whether a blank of this style shows a line.
  var hasLine: Bool { !attributes.isDisjoint(with: [.underline, .struck]) }
}

extension Theme {
  /// Returns the color of the background of a run.
  ///
  /// The background of full blocks has their own color. Otherwise viewers show thin lines between
  /// the blocks.
  package func background(of run: MarkupRun) -> RGB {
    let colors = colors(of: run.style)
    return run.isFull ? colors.foreground : colors.background
  }
}

/// Text of XML and HTML.
package enum Markup {
  /// The fonts of cells, of which a viewer takes the first that it has.
  ///
  /// The lines of boxes meet in them if rows are 1.17 times as high as letters.
  static let fonts = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace"

  /// Returns a text such that it is only text in XML and HTML.
  ///
  /// Scalars that XML does not allow become the replacement character.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\u{FFFE}", "\u{FFFF}", "\0"..."\u{1F}", "\u{7F}"..."\u{9F}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns a color such as `#0b83d9`.
  package static func color(_ color: RGB) -> String {
    func hex(_ channel: UInt8) -> String {
      (channel < 16 ? "0" : "") + String(channel, radix: 16)
    }
    return "#" + hex(color.red) + hex(color.green) + hex(color.blue)
  }

  /// Returns a number of 100ths with its fraction, such as `8.4` for 840.
  static func decimal(_ hundredths: Int) -> String {
    let (whole, rest) = (hundredths / 100, hundredths % 100)
    if rest == 0 { return "\(whole)" }
    return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }
}

import Foundation
import RetraceScreen

/// A screen with its picture, its page and its cells, as `Tools/chromium` reads it.
enum WrittenScreen {
  /// Writes a screen into the folder that RETRACE_SCREENS names; writes nothing without it.
  static func write(_ screen: Screen, size: Screen.Size, name: String) throws {
    guard let folder = ProcessInfo.processInfo.environment["RETRACE_SCREENS"] else { return }
    let canvas = screen.canvas(fitting: size)
    var cells: [[Any]] = []
    for row in 0..<size.rows {
      for column in 0..<size.columns {
        let cell = canvas[row: row, column: column]
        if cell.isContinued || cell.isBlank { continue }
        cells.append([row, column, cell.cells, canvas.text(of: cell)])
      }
    }
    let name = "\(name)-\(size.columns)x\(size.rows)"
    let json: [String: Any] = [
      "name": name, "cells": cells,
      "svg": SVGRenderer(theme: .light).text(of: screen, size: size, title: name),
      "html": HTMLRenderer(theme: .dark).page(of: screen, size: size, title: name),
    ]
    try JSONSerialization.data(withJSONObject: json)
      .write(to: URL(fileURLWithPath: folder).appendingPathComponent("\(name).json"))
  }
}

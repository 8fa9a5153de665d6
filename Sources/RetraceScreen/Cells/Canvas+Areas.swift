extension Canvas {
  /// Fills a rectangle with blanks.
  ///
  /// - Complexity: O(cells of the rectangle).
  public mutating func fill(_ rect: Rect, style: Style = .plain) {
    fill(rect, with: " ", style: style)
  }

  /// Fills a rectangle with a sign, such as a line's.
  ///
  /// - Parameters:
  ///   - rect: The rectangle; cells outside of the canvas are left out.
  ///   - sign: The sign; blanks are drawn for one that is not one agreed cell wide.
  ///   - style: The style.
  /// - Complexity: O(cells of the rectangle).
  public mutating func fill(_ rect: Rect, with sign: Unicode.Scalar, style: Style = .plain) {
    let rect = rect.intersection(bounds)
    guard !rect.isEmpty else { return }
    let entry = WidthTable.entry(of: sign.value)
    let isSign = entry.isSimple && entry.cells == 1
    let cell = Cell(isSign ? sign.value : 0x20, cells: 1, style: style)
    for row in rect.row..<rect.endRow {
      cut(row: row, from: rect.column, to: rect.endColumn)
      let start = row * size.columns
      for index in start + rect.column..<start + rect.endColumn { cells[index] = cell }
    }
  }

  /// Changes the style of what a rectangle shows, such as a selected row.
  ///
  /// A character of two cells belongs to the rectangle if its first cell does.
  ///
  /// - Parameters:
  ///   - rect: The rectangle; cells outside of the canvas are left out.
  ///   - foreground: The new color of letters; `nil` leaves each as it is.
  ///   - background: The new background; `nil` leaves each as it is.
  ///   - attributes: Attributes to add.
  /// - Complexity: O(cells of the rectangle).
  public mutating func restyle(
    _ rect: Rect, foreground: Color? = nil, background: Color? = nil,
    adding attributes: Style.Attributes = []
  ) {
    let rect = rect.intersection(bounds)
    guard !rect.isEmpty else { return }
    for row in rect.row..<rect.endRow {
      let start = row * size.columns
      var (first, end) = (start + rect.column, start + rect.endColumn)
      if cells[first].isContinued { first += 1 }
      if end < start + size.columns, cells[end].isContinued { end += 1 }
      for index in first..<max(first, end) {
        var style = cells[index].style
        style.foreground = foreground ?? style.foreground
        style.background = background ?? style.background
        style.attributes.formUnion(attributes)
        cells[index] = Cell(content: cells[index].content, style: style)
      }
    }
  }

  /// Draws a canvas over this one, such as a dialog.
  ///
  /// - Parameters:
  ///   - layer: The canvas to draw.
  ///   - row: The row of its first cell, which may be outside of the rectangle.
  ///   - column: The column of its first cell, which may be outside of the rectangle.
  ///   - clip: The rectangle outside of which nothing is drawn.
  /// - Complexity: O(cells that are drawn + links of the layer).
  public mutating func draw(layer: Canvas, row: Int, column: Int, in clip: Rect) {
    let whole = Rect(
      column: column, row: row, columns: layer.size.columns, rows: layer.size.rows)
    let rect = whole.intersection(clip).intersection(bounds)
    guard !rect.isEmpty else { return }
    let numbers = layer.links.map { link(to: $0).number }
    for target in rect.row..<rect.endRow {
      cut(row: target, from: rect.column, to: rect.endColumn)
      let source = (target - row) * layer.size.columns - column
      let start = target * size.columns
      for index in rect.column..<rect.endColumn {
        var cell = layer.cells[source + index]
        // The other half is outside.
        if cell.isContinued ? index == rect.column : index + cell.cells > rect.endColumn {
          cell = Cell(blank: cell.style)
        }
        cells[start + index] = cell.isPlain ? cell : moved(cell, from: layer, numbers)
      }
    }
  }

  /// Returns a cell of another canvas, with its characters and its link in this one.
  private mutating func moved(_ cell: Cell, from layer: Canvas, _ numbers: [UInt16]) -> Cell {
    var style = cell.style
    let link = Int(style.link.number) - 1
    style.link = Style.Link(number: numbers.indices.contains(link) ? numbers[link] : 0)
    guard let offset = cell.clusterOffset else { return Cell(content: cell.content, style: style) }
    let place = clusters.count
    clusters += layer.clusters[offset...offset + Int(layer.clusters[offset])]
    return Cell(
      clusterAt: place, cells: cell.cells, isDisputed: cell.isDisputed, style: style)
  }

  /// Leaves a blank of each character that is half in a range of columns.
  private mutating func cut(row: Int, from first: Int, to end: Int) {
    let start = row * size.columns
    if cells[start + first].isContinued {
      cells[start + first - 1] = Cell(blank: cells[start + first - 1].style)
    }
    if end < size.columns, cells[start + end].isContinued {
      cells[start + end] = Cell(blank: cells[start + end].style)
    }
  }
}

/// A form: labels, fields and what is wrong with them.
///
/// A form that is too high shows the fields around the one with the focus, and counts the others. A
/// narrow form has its labels above the fields.
///
/// ```swift
/// let form = Form(
///   [
///     FormField("Description", .text(TextInput(TextDraft("report"), hasFocus: true))),
///     FormField("Billable", .toggle(SwitchInput(isOn: true))),
///   ], state: FormState(focus: 0))
/// print(Screen(form, size: Screen.Size(columns: 40, rows: 12)).canvas.lines)
/// ```
public struct Form: Widget, Hashable, Sendable {
  /// The fields from top to bottom.
  public var fields: [FormField]
  /// Which field has the focus.
  public var state: FormState

  /// Creates a form.
  public init(_ fields: [FormField], state: FormState) {
    self.fields = fields
    self.state = state
  }

  /// Draws the fields that fit.
  ///
  /// - Complexity: O(bytes of the fields).
  public func draw(in rect: Rect, on canvas: inout Canvas) {
    let layout = layout(in: rect)
    for place in layout.places {
      let field = fields[place.index]
      let isFocused = place.index == focus
      var label = place.label
      let mark = label.removeLeft(2)
      if isFocused { canvas.drawLine("›", style: .title, in: mark) }
      let end = canvas.drawLine(field.label, style: isFocused ? .title : .faint, in: label)
      if layout.isNarrow, !field.reading.isEmpty {
        let rest = label.dropLeft(end - label.column + 1)
        canvas.drawLine(field.reading, style: .faint, aligned: .right, in: rest)
      }
      field.content(isFocused: isFocused, isNarrow: layout.isNarrow)
        .draw(in: place.input, on: &canvas)
      canvas.drawLine("! " + field.problem, style: .warning, in: place.problem)
    }
    guard !layout.note.isEmpty, let first = layout.places.first, let last = layout.places.last
    else { return }
    let (above, below) = (first.index, fields.count - 1 - last.index)
    var parts: [String] = []
    if above > 0 { parts.append("↑ \(above)") }
    if below > 0 { parts.append("↓ \(below)") }
    canvas.drawLine(parts.joined(separator: "  ") + " more", style: .faint, in: layout.note)
  }

  /// Returns the place of the cursor in the field with the focus, if that is a text.
  public func cursor(in rect: Rect) -> Screen.Cursor? {
    let layout = layout(in: rect)
    guard let place = layout.places.first(where: { $0.index == focus }) else { return nil }
    return fields[focus].content(isFocused: true, isNarrow: layout.isNarrow)
      .cursor(in: place.input)
  }

  /// Returns the index of the field at a place.
  public func index(at position: Screen.Cursor, in rect: Rect) -> Int? {
    let places = layout(in: rect).places
    return places.first { place in
      place.label.contains(position) || place.input.contains(position)
        || place.problem.contains(position)
    }?.index
  }

  /// Returns where a field takes its input, such as for a click into its text; `nil` if it is not
  /// seen.
  ///
  /// - Parameters:
  ///   - index: The index of the field.
  ///   - rect: The rectangle of the form.
  public func inputRect(of index: Int, in rect: Rect) -> Rect? {
    layout(in: rect).places.first { $0.index == index }?.input
  }

  /// Returns the offset in the text of a field, in bytes of UTF-8, of the character at a place.
  ///
  /// The result is `nil` for a place outside of the texts.
  public func offset(at position: Screen.Cursor, in rect: Rect) -> Int64? {
    let layout = layout(in: rect)
    guard let place = layout.places.first(where: { $0.input.contains(position) }),
      case .text(let input) = fields[place.index].content(
        isFocused: place.index == focus, isNarrow: layout.isNarrow)
    else { return nil }
    return input.offset(at: position, in: place.input)
  }

  /// Returns how many rows all fields take in a number of columns.
  public func rowCount(columns: Int) -> Int {
    heights(isNarrow: columns < Form.narrow).reduce(0, +)
  }

  private func heights(isNarrow: Bool) -> [Int] {
    fields.map { (isNarrow ? 2 : 1) + ($0.problem.isEmpty ? 0 : 1) }
  }

  private var focus: Int { Int(index: state.focus, of: fields.count) }
}

extension Form {
  /// Where a field is.
  private struct Place {
    var index: Int
    var label: Rect
    var input: Rect
    var problem: Rect
  }

  /// The fields that are seen, and the row that counts the others.
  private struct Layout {
    var places: [Place] = []
    var note = Rect(columns: 0, rows: 0)
    var isNarrow = false
  }

  /// The columns below which labels are above their fields.
  private static var narrow: Int { 32 }

  private func layout(in rect: Rect) -> Layout {
    var layout = Layout()
    guard !fields.isEmpty, !rect.isEmpty else { return layout }
    let isNarrow = rect.columns < Form.narrow
    layout.isNarrow = isNarrow
    let heights = heights(isNarrow: isNarrow)
    var rest = rect
    var range = 0..<fields.count
    if heights.reduce(0, +) > rect.rows {
      range = seen(heights, in: rect.rows - 1)
      // What the field with the focus needs comes before the count.
      let used = heights[range].reduce(0, +)
      if used < rect.rows { layout.note = rest.removeBottom(1) }
    }
    let labels = fields.reduce(0) { max($0, TextWidth.of($1.label)) }
    let columns = min(labels + 3, rect.columns * 2 / 5)
    for index in range {
      layout.places.append(place(index, isNarrow: isNarrow, labels: columns, from: &rest))
    }
    return layout
  }

  private func place(_ index: Int, isNarrow: Bool, labels: Int, from rest: inout Rect) -> Place {
    var (label, input): (Rect, Rect)
    if isNarrow, rest.rows > 1 {
      label = rest.removeTop(1)
      input = rest.removeTop(1)
      _ = input.removeLeft(2)
    } else {
      input = rest.removeTop(1)
      label = input.removeLeft(isNarrow ? 0 : labels)
      if !isNarrow { label.columns -= 1 }
    }
    label.columns = max(label.columns, 0)
    var problem = Rect(columns: 0, rows: 0)
    if !fields[index].problem.isEmpty {
      problem = rest.removeTop(1)
      _ = problem.removeLeft(input.column - problem.column)
    }
    return Place(index: index, label: label, input: input, problem: problem)
  }

  /// Returns the fields around the one with the focus that fit into a number of rows.
  private func seen(_ heights: [Int], in rows: Int) -> Range<Int> {
    var (first, end, used) = (focus, focus + 1, heights[focus])
    var grows = true
    while grows {
      grows = false
      if end < heights.count, used + heights[end] <= rows {
        used += heights[end]
        end += 1
        grows = true
      }
      if first > 0, used + heights[first - 1] <= rows {
        first -= 1
        used += heights[first]
        grows = true
      }
    }
    return first..<end
  }
}

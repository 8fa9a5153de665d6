extension Bindings {
  /// Returns the hint line: the bindings that have a hint and are available, as many as fit.
  ///
  /// The hints of the outermost table are at the end. They include the list of all keys and the way
  /// out, so those that half of the line takes are kept before all others, except before the first
  /// hint and that of escape: these lead on and back. If not all fit, one of several keys that mean
  /// the same stands for them. If hints are left out, `…` says so.
  ///
  /// - Parameters:
  ///   - context: What the user sees.
  ///   - columns: The width of the line in cells.
  /// - Complexity: O(bindings), plus asking each.
  public func hints(in context: Context, fitting columns: Int) -> Screen.Line {
    hintLine(in: context, fitting: columns).line
  }

  /// Returns the hint line with the keys that a click on it presses.
  ///
  /// - Parameters:
  ///   - context: What the user sees.
  ///   - columns: The width of the line in cells.
  /// - Complexity: O(bindings), plus asking each.
  public func hintLine(in context: Context, fitting columns: Int) -> HintLine {
    let rows = rows(in: context, withHint: true)
    func hints(isOutermost: Bool, isShort: Bool) -> [HintLine.Hint] {
      rows.filter { row in
        (row.level > 0 && row.level == levels.count - 1) == isOutermost && row.problem == nil
      }
      .compactMap { row in
        let label = isShort ? row.shortLabel : row.label
        return row.hint.map { HintLine.Hint("\(label): \(SafeText.line($0))", row.key) }
      }
    }
    var (inner, outermost): ([HintLine.Hint], [HintLine.Hint]) = ([], [])
    for isShort in [false, true] {
      inner = hints(isOutermost: false, isShort: isShort)
      outermost = hints(isOutermost: true, isShort: isShort)
      if let line = HintLine(inner + outermost, fitting: columns) { return line }
    }
    let more = HintLine.Hint("…", nil)
    let back = inner.firstIndex { $0.key == .escape }
    let ways = back.map { Set([0, $0]).sorted() } ?? []
    func line(_ first: some Sequence<Int>, _ last: [HintLine.Hint]) -> HintLine? {
      HintLine(first.sorted().map { inner[$0] } + [more] + last, fitting: columns)
    }
    var last: [HintLine.Hint] = []
    for hint in outermost where HintLine(last + [hint], fitting: columns / 2) != nil {
      if line(ways, last + [hint]) != nil || line(ways, last) == nil { last.append(hint) }
    }
    var first: Set<Int> = []
    for index in ways + Array(inner.indices) where line(first.union([index]), last) != nil {
      first.insert(index)
    }
    return line(first, last) ?? HintLine()
  }

  /// Returns all hints in lines, each with the first key of its binding.
  ///
  /// If they take more lines than there may be, `…` in the last one says so.
  ///
  /// - Parameters:
  ///   - context: What the user sees.
  ///   - columns: The width of the lines in cells.
  ///   - linesMax: The most lines.
  /// - Complexity: O(bindings), plus asking each.
  public func hintLines(
    in context: Context, fitting columns: Int, linesMax: Int
  ) -> [HintLine] {
    var (lines, line): ([[HintLine.Hint]], [HintLine.Hint]) = ([], [])
    for row in rows(in: context, withHint: true) where row.problem == nil {
      guard let hint = row.hint else { continue }
      let next = HintLine.Hint("\(row.shortLabel): \(SafeText.line(hint))", row.key)
      if !line.isEmpty, HintLine(line + [next], fitting: columns) == nil {
        lines.append(line)
        line = []
      }
      line.append(next)
    }
    if !line.isEmpty { lines.append(line) }
    guard lines.count > linesMax else { return lines.map { HintLine($0) } }
    lines.removeLast(lines.count - max(0, linesMax))
    guard var last = lines.popLast() else { return [] }
    let more = HintLine.Hint("…", nil)
    while last.count > 1, HintLine(last + [more], fitting: columns) == nil { last.removeLast() }
    return (lines + [last + [more]]).map { HintLine($0) }
  }

  /// Returns the list of keys: for each table a title and a line for each binding.
  ///
  /// A binding that is not available is faint, with its reason. One that passes its keys on is left
  /// out, as are keys that a table before it takes.
  ///
  /// - Parameters:
  ///   - context: What the user sees.
  ///   - columns: The width of the lines in cells. The keys have a third of it at most, in which
  ///     they go on below.
  ///   - isShort: Whether each binding has one line, however wide; else a text that does not fit
  ///     goes on below.
  /// - Complexity: O(bindings), plus asking each.
  public func help(
    in context: Context, fitting columns: Int = .max, isShort: Bool = false
  ) -> [Screen.Line] {
    let rows = rows(in: context)
    let width = min(rows.map { TextWidth.of($0.label) }.max() ?? 0, max(1, columns / 3))
    var lines: [Screen.Line] = []
    for (number, level) in levels.enumerated() {
      let own = rows.filter { $0.level == number }
      guard !own.isEmpty else { continue }
      if !lines.isEmpty, !isShort { lines.append(Screen.Line("")) }
      lines.append(Screen.Line(SafeText.line(level.title), .title))
      for row in own {
        let reason = row.problem.map { " (\($0))" } ?? ""
        let texts = TextWidth.lines(
          of: SafeText.line(row.help) + reason,
          fitting: isShort ? .max : max(1, columns - width - 4), indent: 0)
        let style: Screen.Style = row.problem == nil ? .plain : .faint
        let labels =
          isShort
          ? [TextWidth.fitted(row.label, to: width)]
          : TextWidth.lines(of: row.label, fitting: width, indent: 0)
        for index in 0..<max(labels.count, texts.count) {
          let key = labels.indices.contains(index) ? labels[index] : ""
          let text = texts.indices.contains(index) ? "  " + texts[index] : ""
          let label = "  " + (text.isEmpty ? key : TextWidth.padded(key, to: width))
          lines.append(
            row.problem == nil && !key.isEmpty
              ? Screen.Line([Screen.Run(label, .strong), Screen.Run(text)])
              : Screen.Line(label + text, style))
        }
      }
    }
    return lines
  }

  /// Returns the list of keys in columns, for a small screen.
  ///
  /// Each binding has its first keys, and its help, or else its brief words if the help does not
  /// fit. The titles of the tables are left out where all bindings fit only without them; one at
  /// the end of a column goes to the next, if there is room. If bindings are left out, the last
  /// line says how many.
  ///
  /// - Parameters:
  ///   - context: What the user sees.
  ///   - size: The size of the list in cells.
  /// - Complexity: O(bindings), plus asking each.
  public func briefHelp(in context: Context, fitting size: Screen.Size) -> [Screen.Line] {
    let (rows, height) = (rows(in: context), max(1, size.rows))
    let titled = levels.indices.filter { level in rows.contains { $0.level == level } }
    let columnsMax = max(1, min(size.columns / Self.briefColumnsMin, 4))
    let hasTitles = rows.count + titled.count <= height * columnsMax
    let count = rows.count + (hasTitles ? titled.count : 0)
    let columns = max(1, min(columnsMax, (count + height - 1) / height))
    let width = (size.columns - (columns - 1)) / columns
    let label = min(rows.map { TextWidth.of($0.shortLabel) }.max() ?? 0, 9)
    var cells: [Screen.Line] = []
    var spare = height * columns - count
    for level in titled {
      if hasTitles {
        if height > 1, cells.count % height == height - 1, spare > 0 {
          cells.append(Screen.Line(""))
          spare -= 1
        }
        cells.append(Screen.Line(SafeText.line(levels[level].title), .title))
      }
      for row in rows where row.level == level {
        cells.append(Self.brief(row, label: label, width: width))
      }
    }
    let left = cells.count - height * columns
    if left > 0 {
      cells.removeLast(left + 1)
      cells.append(Screen.Line("… \(left + 1) more", .faint))
    }
    return (0..<min(cells.count, height)).map { row in
      var line = Screen.Line([])
      for index in stride(from: row, to: cells.count, by: height) {
        let cell = cells[index].cut(to: width)
        let blanks = index + height < cells.count ? width + 1 - TextWidth.of(cell.text) : 0
        line.runs += cell.runs + [Screen.Run(String(repeating: " ", count: blanks))]
      }
      return line
    }
  }

  private static func brief(_ row: Row, label: Int, width: Int) -> Screen.Line {
    let help = SafeText.line(row.help)
    let fits = label + 1 + TextWidth.of(help) <= width
    let text = fits ? help : row.brief.map { SafeText.line($0) } ?? help
    let isAvailable = row.problem == nil
    let key = TextWidth.fitted(row.label(fitting: label), to: label) + " "
    return Screen.Line([
      Screen.Run(key, isAvailable ? .strong : .faint),
      Screen.Run(text, isAvailable ? .plain : .faint),
    ])
  }

  /// The fewest cells of a column of keys.
  private static var briefColumnsMin: Int { 18 }

  /// The table as Markdown, for documentation: a heading for each table, a line for each binding.
  ///
  /// - Complexity: O(bytes of the texts).
  public var markdown: String {
    levels.map { level in
      let rows = level.bindings.map { binding in
        "| \(Self.code(binding.label(of: binding.keys))) | \(Self.cell(binding.help)) |\n"
      }
      return "### \(level.title)\n\n| key | what it does |\n| --- | --- |\n" + rows.joined()
    }
    .joined(separator: "\n")
  }

  /// Returns a text as code in a cell of a Markdown table.
  private static func code(_ text: String) -> String {
    let fence = text.utf8.contains(UInt8(ascii: "`")) ? "`` " : "`"
    return fence + cell(text) + String(fence.reversed())
  }

  /// Returns a text as a cell of a Markdown table.
  private static func cell(_ text: String) -> String {
    var cell = ""
    for character in SafeText.line(text) { cell += character == "|" ? "\\|" : String(character) }
    return cell
  }
}

extension Binding {
  func label(of keys: [Key]) -> String {
    if let label, keys.count == self.keys.count { return SafeText.line(label) }
    return keys.map { $0.label }.joined(separator: ", ")
  }

  fileprivate func shortLabel(of keys: [Key]) -> String {
    label(of: hasSynonyms ? Array(keys.prefix(1)) : keys)
  }
}

extension Bindings {
  private struct Row {
    var level: Int
    var label: String
    /// The label with one of several keys that mean the same.
    var shortLabel: String
    /// The first key that it takes; `nil` for typed text.
    var key: Key?
    var hint: String?
    var brief: String?
    var help: String
    var problem: KeyProblem?

    /// Returns the label with as many keys as fit, at least one.
    func label(fitting cells: Int) -> String {
      var label = shortLabel
      while TextWidth.of(label) > cells {
        let bytes = label.utf8
        let comma = bytes.indices.dropLast().last { index in
          bytes[index] == 0x2C && bytes[bytes.index(after: index)] == 0x20
        }
        guard let comma else { break }
        label = String(label[..<comma])
      }
      return label
    }
  }

  /// Returns the bindings that take at least one of their keys in a context, or that say why they
  /// do not.
  ///
  /// - Parameter withHint: Whether those without a hint are left out, which are then not asked.
  private func rows(in context: Context, withHint: Bool = false) -> [Row] {
    var rows: [Row] = []
    for (number, level) in levels.enumerated() {
      for binding in level.bindings where !withHint || binding.hint != nil {
        var keys: [Key] = []
        var problem: KeyProblem?
        var isAvailable = false
        var shared: Binding<Context, Value>.Answer?
        // An empty text asks whether a binding of typed text is available.
        for key in binding.isText ? [.text("")] : binding.keys
        where !isTaken(key, in: context, before: number) {
          let answer = shared ?? binding.answer(to: key, in: context)
          if binding.areAvailableTogether { shared = answer }
          switch answer {
          case .passed: continue
          case .given: isAvailable = true
          case .unavailable(let reason): problem = problem ?? reason
          }
          keys.append(key)
        }
        guard !keys.isEmpty else { continue }
        rows.append(
          Row(
            level: number, label: binding.label(of: binding.isText ? [] : keys),
            shortLabel: binding.shortLabel(of: binding.isText ? [] : keys),
            key: binding.isText ? nil : keys.first, hint: binding.hint, brief: binding.brief,
            help: binding.help,
            problem: isAvailable ? nil : problem))
      }
    }
    return rows
  }

  /// Returns whether a table before a level takes a key.
  func isTaken(_ key: Key, in context: Context, before level: Int) -> Bool {
    for level in levels.prefix(level) {
      for binding in level.bindings where binding.matches(key) {
        if case .passed = binding.answer(to: key, in: context) { continue }
        return true
      }
    }
    return false
  }
}

extension Binding {
  enum Answer {
    case passed
    case given
    case unavailable(KeyProblem)
  }

  /// Asks the binding for a key that it has.
  func answer(to key: Key, in context: Context) -> Answer {
    do throws(KeyProblem) {
      return try value(for: key, in: context) == nil ? .passed : .given
    } catch {
      return .unavailable(error)
    }
  }
}

import RetraceScreen
import RetraceTesting

/// A widget of any kind, whose state and content change at random, as users and data change them.
struct RandomWidget {
  enum Kind: CaseIterable {
    case list, tree, table, menu, palette, choiceList, tabs, form, textArea, dialog, toasts, split
    case progress, barChart, lineChart, yearHeatMap, dayGrid

    /// Whether the widget is drawn over others.
    var isLayer: Bool { [.menu, .palette, .dialog, .toasts].contains(self) }
  }

  let kind: Kind
  private var texts: [String]
  private var numbers: [Int64]
  private var list = ListState()
  private var tree = TreeState()
  private var choices = ChoiceListState()
  private var form = FormState()
  private var dialog = DialogState()
  private var split = SplitState(weights: [2, 1, 1])
  private var grid = DayGridState()
  private var draft = TextDraft()
  private var offset = TextAreaState()
  private var panes: [RandomWidget] = []

  init(_ kind: Kind, using random: inout SeededGenerator) {
    self.kind = kind
    texts = (0..<Int.random(in: 0...12, using: &random)).map { _ in random.terminalText() }
    numbers = (0..<40).map { _ in Int64.random(in: -2...60, using: &random) }
    if kind == .split {
      panes = (0..<3).map { _ in
        let kinds = Kind.allCases.filter { !$0.isLayer && $0 != .split }
        return RandomWidget(kinds.randomElement(using: &random) ?? .list, using: &random)
      }
    }
  }

  /// Changes the state or the content.
  mutating func change(in rect: Rect, using random: inout SeededGenerator) {
    for index in panes.indices { panes[index].change(in: rect, using: &random) }
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let step = Int64.random(in: -3...3, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: changeContent(using: &random)
      case 1: edit(in: rect, using: &random)
      case 2: scroll(by: step, rows: Int64(rect.rows))
      case 3: toggle(step)
      case 4:
        split.resize(
          divider: step & 1, by: step, sizes: splitWidget(in: rect).sizes(in: rect),
          minimums: splitWidget(in: rect).minimums)
      default: move(by: step, rows: Int64(rect.rows))
      }
    }
  }

  private mutating func changeContent(using random: inout SeededGenerator) {
    numbers[Int.random(in: 0..<40, using: &random)] = Int64.random(in: -2...60, using: &random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0: texts.append(random.terminalText())
    case 1 where !texts.isEmpty: texts.remove(at: Int.random(in: 0..<texts.count, using: &random))
    default:
      guard !texts.isEmpty else { return }
      texts[Int.random(in: 0..<texts.count, using: &random)] = random.terminalText()
    }
  }

  private mutating func edit(in rect: Rect, using random: inout SeededGenerator) {
    let edits: [TextEdit] = [
      .insert(random.terminalText()), .deleteBackward(1), .deleteForward(2), .moveLeft, .moveRight,
      .moveToStart, .moveToEnd, .moveWordLeft, .moveWordRight, .deleteWordBackward,
    ]
    draft.apply(draft.replacement(for: edits.randomElement(using: &random) ?? .moveLeft))
    guard kind == .textArea, let move = TextArea.Move.allCases.randomElement(using: &random)
    else { return }
    draft.apply(TextArea(draft, state: offset).replacement(for: move, in: rect))
  }

  private mutating func scroll(by step: Int64, rows: Int64) {
    list.scroll(by: step, count: count, rows: rows)
    offset.scroll(by: step, lines: 30, rows: rows)
    dialog.scroll(by: step, lines: 30, rows: rows)
    grid.scroll(by: step, count: 24, rows: rows)
  }

  private mutating func toggle(_ step: Int64) {
    tree.toggle(list.selected, at: list.selected, rows: 2)
    choices.toggle(list.selected)
    grid.moveDay(by: step, count: 7)
  }

  private mutating func move(by step: Int64, rows: Int64) {
    list.move(by: step, count: count, rows: rows)
    tree.list.move(by: step, count: count, rows: rows)
    choices.list.move(by: step, count: count, rows: rows)
    form.move(by: step, count: count)
    dialog.move(by: step, count: count)
    split.move(by: step)
    grid.moveEntry(by: step, count: 3)
  }

  /// Draws the widget, and returns where it has the cursor.
  func draw(in rect: Rect, on canvas: inout Canvas) -> Screen.Cursor? {
    if kind == .menu {
      let menu = menu
      menu.draw(
        in: menu.rect(at: Rect(column: 3, row: 1, columns: 4, rows: 1), in: rect), on: &canvas)
      return nil
    }
    guard kind == .split else {
      let widget: any Widget = kind.isLayer || kind == .form ? input(in: rect) : view(in: rect)
      widget.draw(in: rect, on: &canvas)
      return widget.cursor(in: rect)
    }
    let split = splitWidget(in: rect)
    split.draw(in: rect, on: &canvas)
    var cursors: [Screen.Cursor] = []
    for (pane, part) in zip(panes, split.rects(in: rect)) {
      if let cursor = pane.draw(in: part, on: &canvas) { cursors.append(cursor) }
    }
    return cursors.first
  }
}

extension RandomWidget {
  private var count: Int64 { Int64(texts.count) }

  private func text(_ index: Int) -> String { texts.isEmpty ? "" : texts[index % texts.count] }

  private func number(_ index: Int) -> Int64 { numbers[index % numbers.count] }

  private func style(_ index: Int) -> Style {
    let styles: [Style] = [.plain, .strong, .faint, .warning, .title]
    return styles[Int(number(index) & 7) % styles.count]
  }

  private func color(_ index: Int) -> Color {
    number(index) & 1 == 0 ? .success : Color(rgb: Int32(number(index) & 63) * 0x04_1003)
  }

  private func line(_ index: Int) -> Screen.Line { Screen.Line(text(index), style(index)) }

  private func splitWidget(in rect: Rect) -> Split {
    Split(number(0) & 1 == 0 ? .columns : .rows, minimums: [4, 3, 2], state: split)
  }

  private var menu: Menu {
    Menu(
      texts.indices.map { MenuItem(text($0), key: text($0 + 1), isEnabled: number($0) & 3 > 0) },
      state: list, title: text(3))
  }

  /// The widgets that take text or ask for a choice.
  private func input(in rect: Rect) -> any Widget {
    switch kind {
    case .palette:
      Palette(draft, count: texts.count, state: list) { PaletteItem(text($0), key: text($0 + 1)) }
    case .form: Form(texts.indices.map(field), state: form)
    case .toasts:
      Toasts(
        texts.prefix(3).enumerated().map {
          Toast($0.element, kind: Toast.Kind.allCases[$0.offset % 3], hint: text($0.offset + 1))
        })
    default:
      Dialog(
        text(0), text: texts.dropFirst().joined(separator: "\n"),
        choices: (0..<3).map { Dialog.Choice("abc".map { String($0) }[$0], text($0 + 2)) },
        state: dialog, columnsMax: 12 + Int(number(1) & 31))
    }
  }

  private func field(_ index: Int) -> FormField {
    let content: FormField.Content =
      switch index % 3 {
      case 0:
        .text(TextInput(draft, placeholder: text(index + 1), reading: text(index + 2)))
      case 1:
        .choice(ChoiceInput(Array(texts.prefix(3)), state: ChoiceState(selected: number(index))))
      default: .toggle(SwitchInput(isOn: number(index) & 1 == 0))
      }
    return FormField(
      text(index), content, problem: number(index) & 3 == 0 ? text(index + 1) : "")
  }

  /// The widgets that show data.
  private func view(in rect: Rect) -> any Widget {
    switch kind {
    case .tree:
      let outline = TreeOutline(roots: [0, 1, 2], state: tree) { [$0 * 3 + 3, $0 * 3 + 4] }
      return Tree(count: outline.nodes.count, state: tree.list) { index in
        let node = outline.nodes[index]
        return TreeRow(
          depth: node.depth, expansion: node.isExpanded ? .expanded : .collapsed,
          content: line(Int(node.id)))
      }
    case .table: return table
    case .choiceList:
      return ChoiceList(count: texts.count, state: choices, id: { Int64($0) }, row: line)
    case .tabs: return Tabs(texts, selected: list.selected, isFocused: true)
    case .textArea: return TextArea(draft, state: offset, placeholder: text(0), hasFocus: true)
    case .progress, .barChart, .lineChart, .yearHeatMap: return chart
    case .dayGrid: return dayGrid
    default:
      return List(
        count: texts.count, state: list, rowHeight: 1 + Int(number(0) & 1), emptyText: "none",
        row: line)
    }
  }

  private var table: Table {
    let rules = [
      ColumnRule(width: 12, cutTo: 4, priority: 1, grows: true),
      ColumnRule(widths: [8, 5], priority: 2),
      ColumnRule(width: 6, priority: 3),
    ]
    let columns = rules.enumerated().map {
      TableColumn(text($0.offset), $0.element, aligned: $0.offset == 2 ? .right : .left)
    }
    return Table(
      columns: columns, count: texts.count, state: list,
      footer: number(2) & 1 == 0 ? [] : [Screen.Run(text(5), .strong)], emptyText: "none"
    ) { row, column, _ in Screen.Run(text(row + column), style(row)) }
  }

  private var chart: any Widget {
    let signs = ChartSigns.allCases[Int(number(3) & 7) % 3]
    switch kind {
    case .progress: return ProgressMeter(text(0), done: number(0), of: number(1), signs: signs)
    case .barChart:
      return BarChart(
        texts.indices.map {
          BarChart.Bar(text($0), value: number($0), text: text($0 + 1), color: color($0))
        }, whole: number(9) & 1 == 0 ? nil : 90, selected: list.selected, signs: signs)
    case .lineChart:
      return LineChart(
        (0..<3).map { series in
          LineChart.Series(
            text(series),
            values: (0..<20).map { number(series * 7 + $0) < 0 ? nil : number(series * 7 + $0) },
            color: color(series))
        }, texts: (text(4), text(5)), labels: texts, signs: signs)
    default:
      return YearHeatMap(
        levels: (0..<365).map { number($0) & 7 }, firstRow: Int(number(0) & 7),
        weekdays: (0..<7).map(text), months: (0..<12).map { YearHeatMap.Month(text($0), days: 30) },
        selected: list.selected * 9, signs: signs)
    }
  }

  private var dayGrid: DayGrid {
    DayGrid(
      rows: (0..<24).map { "\($0):00" },
      days: (0..<7).map { day in
        GridDay(
          text(day),
          entries: (0..<3).map { entry in
            let start = max(number(day * 3 + entry), 0) * 20
            return GridDay.Entry(
              text(day + entry), detail: text(day + entry + 1), start: start, end: start + 90,
              color: color(entry), isRunning: entry == 2)
          }, isToday: day == 3)
      }, state: grid)
  }
}

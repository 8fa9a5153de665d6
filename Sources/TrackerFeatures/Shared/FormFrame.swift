import Retrace

/// The content of a screen that is a form of texts and one switch.
///
/// The scene keeps what was typed into it.
protocol FormFrame: ScreenFrame {
  /// A field, in the order in which tab visits them.
  associatedtype Field: FieldOfForm

  /// The id of the route.
  var id: RouteID { get }
  /// The form.
  var form: Form { get }
  /// The focused field.
  var field: Field { get }
  /// Whether it differs from what it was made from.
  var isTyped: Bool { get }
  /// The draft that the form offers.
  var draft: KeptDraft? { get }

  /// Returns the text of a field; `nil` for the switch.
  func draft(of field: Field) -> TextDraft?

  /// Returns the step that gives a field the focus.
  func focusing(_ field: Field) -> KeyStep

  /// Returns the step that edits the text of a field.
  func editing(_ field: Field, _ edit: TextReplacement) -> KeyStep

  /// The step that turns the switch.
  var switching: KeyStep { get }

  /// Returns what is to be known about the texts.
  func remarks(fitting columns: Int) -> [Screen.Line]
}

/// A value of a list that keys go through, from the last one to the first again.
protocol FieldOfForm: CaseIterable, Equatable where AllCases == [Self] {}

extension FieldOfForm {
  /// The place of the value among all.
  var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// Returns the value some places further, wrapping around.
  func moved(by step: Int) -> Self {
    let all = Self.allCases
    return all[(index + step + all.count) % all.count]
  }
}

extension FormFrame {
  /// The steps that leave the form and keep what was typed.
  var leaving: [KeyStep] { [.scene(isTyped ? .draftKept(id) : .popped(id))] }

  /// Divides a rectangle; of a low one, the form gets nearly all rows.
  func parts(in rect: Rect) -> (title: Rect, form: Rect, remarks: Rect) {
    var rest = rect
    let title = rest.removeTop(rect.rows > 3 ? 1 : 0)
    let wanted = form.rowCount(columns: rect.columns)
    let count = remarks(fitting: rect.columns).count
    _ = rest.removeTop(rect.rows > 8 && rest.rows > wanted + count ? 1 : 0)
    let left = max(rest.rows - wanted, rest.rows > 2 ? 1 : 0)
    let form = rest.removeTop(min(wanted, rest.rows - min(count, left)))
    if rest.rows > count { _ = rest.removeTop(1) }
    return (title, form, rest)
  }

  func cursor(in rect: Rect) -> Screen.Cursor? { form.cursor(in: parts(in: rect).form) }

  /// A click gives a field the focus; one into a text sets the cursor, and one on the switch turns
  /// it.
  func stepsOfForm(for mouse: Mouse, in rect: Rect) -> [KeyStep] {
    let (form, place) = (form, Screen.Cursor(row: mouse.row, column: mouse.column))
    let rect = parts(in: rect).form
    guard mouse.action == .pressed(.left), let index = form.index(at: place, in: rect) else {
      return []
    }
    let clicked = Field.allCases[index]
    var steps = clicked == field ? [] : [focusing(clicked)]
    guard let draft = draft(of: clicked) else {
      let isOnSwitch = form.inputRect(of: index, in: rect)?.contains(place) == true
      return isOnSwitch ? steps + [switching] : steps
    }
    if let offset = form.offset(at: place, in: rect), offset != draft.cursor {
      steps.append(editing(clicked, draft.moving(to: offset)))
    }
    return steps
  }
}

extension Binding where Context: FormFrame, Value == [KeyStep] {
  /// The keys of every form that go to another field, or leave the form.
  static func moving() -> [Binding] {
    [
      Binding(.tab, .down, hint: "next field", brief: "next", help: "Go to the next field.") {
        frame in [frame.focusing(frame.field.moved(by: 1))]
      },
      Binding(.backtab, .up, brief: "previous", help: "Go to the previous field.") { frame in
        [frame.focusing(frame.field.moved(by: -1))]
      },
      Binding(
        .escape, hint: "back", help: "Leave without saving; what you typed is kept."
      ) { frame in
        frame.leaving
      },
      Binding(
        .ctrl("y"), brief: "bring back",
        help: "Bring back what you typed before and did not save."
      ) { frame in
        frame.draft.map { [.scene(.draftOpened($0.id))] }
      },
      Binding(
        .ctrl("g"), brief: "discard", help: "Leave, and throw away what you typed."
      ) { frame in
        [.scene(.discarded(frame.id))]
      },
    ]
  }
}

/// The lines below a form, wrapped to its columns.
struct FormRemarks {
  /// The lines.
  private(set) var lines: [Screen.Line] = []
  private let columns: Int

  /// Begins with what became of the edited entity elsewhere.
  ///
  /// - Parameters:
  ///   - isDeleted: Whether it was deleted since the form was made.
  ///   - changes: What was changed since then.
  ///   - columns: The columns of the lines.
  init(isDeleted: Bool, changes: [String], fitting columns: Int) {
    self.columns = columns
    if isDeleted {
      add("Deleted elsewhere. After escape, z undoes the newest change.", .warning)
    } else if !changes.isEmpty {
      add(
        "Changed elsewhere: \(changes.joined(separator: "; ")). "
          + "ctrl-r takes it over, except where you typed.", .warning, linesMax: 3)
    }
  }

  /// Adds a text.
  mutating func add(_ text: String, _ style: Style, linesMax: Int = 2) {
    lines += TextWidth.lines(of: text, cutTo: columns, indent: 2, linesMax: linesMax)
      .map { Screen.Line($0, style) }
  }

  /// Adds a line as it is.
  mutating func add(_ line: Screen.Line) { lines.append(line) }
}

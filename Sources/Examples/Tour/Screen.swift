import Retrace

/// What an entry of a guest book shows, and what its keys are interpreted on.
struct GuestBook: Sendable {
  var name: TextDraft = TextDraft()
  var guests: [String] = []
}

/// The meanings of an input in the guest book.
enum GuestIntent: Equatable {
  case edited(TextReplacement)
  case signed(String)
  case helpToggled
}

/// The keys of every window.
let windowKeys = Bindings<GuestBook, GuestIntent>("Window") {
  Binding(.text("?"), hint: "keys", help: "Show or hide the keys.") { _ in .helpToggled }
}

/// The keys of the guest book.
///
/// A question mark reaches the window while no name is typed.
let guestKeys = Bindings<GuestBook, GuestIntent>("Guest book") {
  Binding(.enter, hint: "sign", help: "Sign with the typed name.") {
    book throws(KeyProblem) in
    guard !book.name.text.isEmpty else { throw .unavailable("Type your name first.") }
    return .signed(book.name.text)
  }
  Binding.editing(\.name, passing: [.text("?")]) { _, edit in .edited(edit) }
}
.within(windowKeys)

/// Returns what a key means in a guest book, or a sentence for the user.
func interpret(_ key: Key, in book: GuestBook) -> (meaning: GuestIntent?, problem: String?) {
  do throws(KeyProblem) {
    return (try guestKeys.value(for: key, in: book), nil)
  } catch {
    return (nil, error.description)
  }
}

/// Returns the names of keys that are bound twice; a test should require an empty array.
func conflicts<Context, Value>(
  @BindingsBuilder<Context, Value> _ bindings: () -> [Binding<Context, Value>]
) -> [String] {
  Bindings("Keys", bindings: bindings).conflicts.map(\.description)
}

/// Returns the screen of a guest book: its guests, its keys and a hint line.
func screen(of book: GuestBook, size: Screen.Size) -> Screen {
  Screen(
    lines: book.guests.map { Screen.Line($0) } + guestKeys.help(in: book)
      + [guestKeys.hints(in: book, fitting: size.columns)])
}

/// Returns the draft after an edit of the user.
func draft(after edit: TextEdit, in draft: TextDraft) -> TextDraft {
  var draft = draft
  draft.apply(draft.replacement(for: edit))
  return draft
}

/// Returns a screen with a label, a text and its cursor.
func screen(of draft: TextDraft, label: String, error: String?) -> Screen {
  let style: Screen.Style = error == nil ? .strong : .warning
  let title = "\(SafeText.line(label)): "
  var lines = [
    Screen.Line([Screen.Run(title, style), Screen.Run(SafeText.line(draft.text))])
  ]
  if let error { lines.append(Screen.Line(SafeText.line(error), .warning)) }
  // The width of what is shown: some characters are escaped.
  let shown = SafeText.line(String(Substring(draft.text.utf8.prefix(Int(draft.cursor)))))
  let column = TextWidth.of(title) + TextWidth.of(shown)
  return Screen(lines: lines, cursor: Screen.Cursor(row: 0, column: column))
}

/// Returns the lines of a screen that fit into a size, cut to its width.
func text(of screen: Screen, fitting size: Screen.Size) -> [Substring] {
  screen.lines.prefix(size.rows).map { TextWidth.prefix(of: $0.text, fitting: size.columns) }
}

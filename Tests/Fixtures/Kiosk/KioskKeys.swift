package import RetraceArchitecture
package import RetraceScreen

/// The keys of the kiosk.
package enum KioskKeys {
  /// A table of what keys mean on a frame.
  package typealias Table = Bindings<KioskFrame, [KioskApp.Intent]>

  /// The keys of the shelf: first of the new item, then of the list and the window.
  package static let shelf =
    draft.map { (frame: KioskFrame) in
      frame.window.draft
    } value: { frame, intents in
      intents.map { intent in
        intent.map(scene: { .window(frame.scene, .edited($0)) }, command: { $0 })
      }
    }
    .within(items).within(window)

  /// The keys while the list of keys is shown.
  package static let help = Table("Keys") {
    Binding(.text("?"), .escape, .enter, hint: "back", help: "Hide the keys.") { frame in
      [.scene(.window(frame.scene, .helpToggled))]
    }
  }

  private static let digits: Set<Key> = Set((1...9).map { .text("\($0)") })

  /// The keys of the new item, which know its text only.
  private static let draft = Bindings<TextDraft, [Intent<TextReplacement, KioskCommand>]>(
    "New item"
  ) {
    Binding(.enter, hint: "add", help: "Add the item that is typed, such as tea 250.") {
      draft throws(KeyProblem) in
      guard !draft.text.isEmpty else { return nil }
      return [.command(try command(for: draft.text)), .scene(clearing(draft))]
    }
    Binding(.escape, hint: "clear", help: "Clear what is typed.") { draft in
      draft.text.isEmpty ? nil : [.scene(clearing(draft))]
    }
    Binding.editing(\.self, passing: digits.union([.text("?"), .ctrl("w")])) { _, edit in
      [.scene(edit)]
    }
  }

  /// The keys of the list.
  private static let items = Table("Items") {
    Binding(
      keys: (1...9).map { .text("\($0)") }, label: "1-9", hint: "select",
      help: "Select the item in that row, while nothing is typed."
    ) { frame, key throws(KeyProblem) in
      guard case .text(let digit) = key.code, let number = Int(digit), number <= frame.rows.count
      else {
        throw .unavailable("There is no such row.")
      }
      return selection(of: frame.rows[number - 1].id, in: frame)
    }
    Binding(keys: [.up, .down], help: "Select the item above or below.") {
      frame, key throws(KeyProblem) in
      guard let last = frame.rows.indices.last else { throw .unavailable("There are no items.") }
      let step = key == .up ? -1 : 1
      let row = frame.selectedRow.map { min(max(0, $0 + step), last) } ?? (key == .up ? last : 0)
      return selection(of: frame.rows[row].id, in: frame)
    }
    Binding(.escape, hint: "unselect", help: "Select nothing.") { frame in
      frame.window.selection == nil ? nil : selection(of: nil, in: frame)
    }
    Binding(.ctrl("s"), hint: "sell", help: "Sell one of the selected item.") {
      frame throws(KeyProblem) in
      [.command(.sell(try selected(in: frame), count: 1))]
    }
    Binding(.ctrl("o"), hint: "order", help: "Order the selected item from the supplier.") {
      frame throws(KeyProblem) in
      _ = try selected(in: frame)
      return [.scene(.window(frame.scene, .orderPressed))]
    }
  }

  /// The keys of every window.
  private static let window = Table("Window") {
    Binding(.text("?"), hint: "keys", help: "Show the keys, while nothing is typed.") { frame in
      [.scene(.window(frame.scene, .helpToggled))]
    }
    Binding(.ctrl("w"), hint: "close", help: "Close the window.") { frame in
      [.scene(.closed(frame.scene))]
    }
  }

  private static func selection(
    of item: KioskItemID?, in frame: KioskFrame
  ) -> [KioskApp.Intent] {
    [.scene(.window(frame.scene, .selected(item)))]
  }

  private static func selected(in frame: KioskFrame) throws(KeyProblem) -> KioskItemID {
    guard let row = frame.selectedRow else { throw .unavailable("Select an item first.") }
    return frame.rows[row].id
  }

  private static func clearing(_ draft: TextDraft) -> TextReplacement {
    TextReplacement(start: 0, end: Int64(draft.text.utf8.count), text: "", cursor: 0)
  }

  /// Reads a name and a price, such as `tea 250`.
  private static func command(for text: String) throws(KeyProblem) -> KioskCommand {
    let words = text.split(separator: " ")
    guard words.count > 1, let price = words.last.flatMap({ Int64($0) }) else {
      throw .unavailable("Type a name and a price in cents, such as tea 250.")
    }
    return .add(name: words.dropLast().joined(separator: " "), price: price)
  }
}

extension Mouse {
  private static var buttons: [(word: String, button: Button)] {
    [
      ("left", .left), ("middle", .middle), ("right", .right), ("back", .back),
      ("forward", .forward),
    ]
  }

  private static var directions: [(word: String, direction: Direction)] {
    [("up", .up), ("down", .down), ("left", .left), ("right", .right)]
  }

  /// The words of the actions.
  private static var actions: [(word: String, action: Action)] {
    buttons.map { ("press-" + $0.word, .pressed($0.button)) }
      + buttons.map { ("release-" + $0.word, .released($0.button)) }
      + buttons.map { ("drag-" + $0.word, .dragged($0.button)) }
      + directions.map { ("scroll-" + $0.word, .scrolled($0.direction)) } + [("move", .moved)]
  }

  /// Creates an input without modifiers from its ``name``, which is a word and the numbers of the
  /// row and of the column from 0, such as `press-left 3 10` or `scroll-down 3 10`.
  ///
  /// The result is `nil` for an unknown word and for anything else than two numbers after it.
  ///
  /// - Complexity: O(bytes of the name).
  package init?(name: String) {
    let words = name.utf8.split(separator: 0x20, omittingEmptySubsequences: false)
    guard words.count == 3,
      let known = Mouse.actions.first(where: { $0.word.utf8.elementsEqual(words[0]) }),
      let row = Int(Substring(words[1])), let column = Int(Substring(words[2])), row >= 0,
      column >= 0
    else { return nil }
    self.init(known.action, row: row, column: column)
  }

  /// The name of the input, without its modifiers, which ``init(name:)`` reads back.
  package var name: String {
    let word = Mouse.actions.first { $0.action == action }?.word ?? ""
    return "\(word) \(row) \(column)"
  }
}

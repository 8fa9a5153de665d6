import Retrace
import RetraceStorage

/// A text that an action edited, as it was after the action.
struct EditedDraft: Sendable {
  var draft: TextDraft
  var place: ValueRedactor.Place
}

/// Finds the text of a state that an action edited.
struct DraftFinder<State: RecordedState>: Sendable {
  private let codec: SchemaCodec

  /// - Complexity: O(size of the schema).
  init() throws(AvroError) {
    var composer = SchemaComposer()
    codec = try SchemaCodec(State.stateSchema(in: &composer))
  }

  /// Returns the edit in an action; `nil` if it has none.
  static func edit(in value: AvroValue) -> TextReplacement? {
    switch value {
    case .record(let name, let fields):
      guard name == TextReplacement.recordedName else {
        for field in fields { if let edit = edit(in: field.value) { return edit } }
        return nil
      }
      guard case .long(let start)? = value["start"], case .long(let end)? = value["end"],
        case .string(let text)? = value["text"], case .long(let cursor)? = value["cursor"]
      else { return nil }
      return TextReplacement(start: start, end: end, text: text, cursor: cursor)
    case .union(_, let value): return edit(in: value)
    case .array(let items):
      for item in items { if let edit = edit(in: item) { return edit } }
      return nil
    default: return nil
    }
  }

  /// Returns the draft outside tables that an edit changed between two states; `nil` if there is
  /// none.
  ///
  /// - Complexity: O(bytes outside tables).
  func draft(
    from old: State, to new: State, by edit: TextReplacement, _ redactor: ValueRedactor
  ) -> EditedDraft? {
    guard let old = scalars(of: old), let new = scalars(of: new) else { return nil }
    return find(old, new, edit, redactor.root(TextDraft.recordedName), redactor)
  }

  private func scalars(of state: State) -> AvroValue? {
    var state = state
    var emptier = TableEmptier()
    state.visitTables(&emptier)
    var writer = AvroWriter(capacity: 2_048)
    state.encodeWhole(into: &writer)
    return try? codec.decode(writer.span)
  }

  private func find(
    _ old: AvroValue, _ new: AvroValue, _ edit: TextReplacement, _ place: ValueRedactor.Place,
    _ redactor: ValueRedactor
  ) -> EditedDraft? {
    switch (old, new) {
    case (.record(let name, let before), .record(let other, let after))
    where name == other && before.count == after.count:
      if name == TextDraft.recordedName {
        return draft(old, new, edit).map { EditedDraft(draft: $0, place: place) }
      }
      for (before, after) in zip(before, after) {
        let inner = redactor.place(of: before.name, in: name, at: place, isText: false)
        if let found = find(before.value, after.value, edit, inner, redactor) { return found }
      }
    case (.union(let branch, let before), .union(let other, let after)) where branch == other:
      return find(before, after, edit, place, redactor)
    case (.array(let before), .array(let after)) where before.count == after.count:
      for (before, after) in zip(before, after) {
        if let found = find(before, after, edit, place, redactor) { return found }
      }
    case (.map(let before), .map(let after)) where before.count == after.count:
      for (before, after) in zip(before, after) {
        if let found = find(before.value, after.value, edit, place, redactor) { return found }
      }
    default: break
    }
    return nil
  }

  /// Returns the later of two drafts if they differ by the edit.
  private func draft(
    _ old: AvroValue, _ new: AvroValue, _ edit: TextReplacement
  ) -> TextDraft? {
    guard var before = Self.draft(old), let after = Self.draft(new), before != after else {
      return nil
    }
    before.apply(edit)
    return before == after ? after : nil
  }

  private static func draft(_ value: AvroValue) -> TextDraft? {
    guard case .string(let text)? = value["text"], case .long(let cursor)? = value["cursor"] else {
      return nil
    }
    return TextDraft(text, cursor: cursor)
  }
}

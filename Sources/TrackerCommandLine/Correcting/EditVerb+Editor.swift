import RetraceCommandLine
import RetraceToolSupport
import TimeTracking

/// Entries in the user's editor.
extension EditVerb {
  /// Returns the entries to edit, and their text.
  ///
  /// The state is not kept while the editor runs, because it reads pages of the store.
  private func selected() throws(ToolFailure) -> ([IdentifiedEntry], EntryDocument) {
    try performer.options.readEntries { (context) throws(ToolFailure) in
      let selection = EntrySelection(in: context)
      var (entries, rest, _) = try selection.take(from: arguments)
      if entries.isEmpty { entries = [try selection.current(by: context.now)] }
      if let word = rest.first {
        throw .usage(
          "\(word) is no id, and the editor takes the other fields.",
          advice: "Give ids only with --editor.")
      }
      return (entries, EntryDocument(entries, in: context.domain, context.rules))
    }
  }

  /// Changes the entries in the user's editor.
  func performInEditor() throws(ToolFailure) {
    let (entries, document) = try selected()
    let isChanged = try TextEditor(context: performer.options.context).edit(
      document.text, performer.what
    ) { text throws(ToolFailure) in
      let blocks = try EntryDocument(text).blocks
      // The blocks that changed, each with the entry as the user saw it.
      var changed: [(entry: IdentifiedEntry, old: EntryDocument.Block, new: EntryDocument.Block)] =
        []
      for block in blocks {
        guard let index = document.blocks.firstIndex(where: { $0.id == block.id }) else {
          throw .usage(
            "The entry \(block.id) is not one of those that are edited.",
            advice: "Keep the ids as they are.")
        }
        guard block.differs(from: document.blocks[index]) else { continue }
        changed.append((entries[index], document.blocks[index], block))
      }
      guard !blocks.isEmpty || text.allSatisfy(\.isWhitespace) else {
        throw .usage(
          "The edited text has no line with the id of an entry.",
          advice: "Keep the lines that begin with `entry:`.")
      }
      guard !changed.isEmpty else { return false }
      var performer = performer
      performer.asks = []
      try performer.perform { (context) throws(ToolFailure) in
        var commands: [TimeEntryCommand] = []
        for (entry, old, new) in changed {
          let correction = try EntryDocument.correction(
            from: old, to: new, of: entry.entry, in: context)
          commands.append(
            .correct(entry.id, correction, policy: .refuse, reason: arguments[Self.reasonOption]))
        }
        return EntryRequest(commands)
      }
      return true
    }
    guard !isChanged else { return }
    throw .refused(
      "The text was left as it was.",
      advice: "Change a field and save the file.", what: performer.what)
  }
}

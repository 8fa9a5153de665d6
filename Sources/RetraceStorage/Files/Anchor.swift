import RetraceLog
import RetraceSystem

/// The file `anchor`, which stores the end of the log at the last close by a writer.
///
/// It detects a data file that was rolled back: replaced by an older copy, which looks intact by
/// itself. A writer replaces `anchor` as a whole and never syncs it; a torn one is ignored.
enum Anchor {
  /// The name of the file.
  static let name = "anchor"

  /// Returns the name of an open's draft of the file, which is renamed to ``name`` when complete.
  ///
  /// Each open has its own draft, because several can close at once.
  ///
  /// - Parameter mark: The name of the open's mark; removing a stale mark also removes the draft.
  static func draft(of mark: String) -> String {
    "\(name).\(mark.dropFirst(OpenMark.prefix.utf8.count))"
  }

  /// Returns the head that the file stores; `nil` if the file is missing or unreadable.
  static func read(_ store: StorePath) throws(StoreError) -> Head? {
    guard let file = try store.openIfPresent(name) else { return nil }
    do {
      let bytes = try file.readWhole(limitBytes: 4096)
      return try Head(decoding: bytes.span, checksummedBy: SHA256Hasher.self)
    } catch {
      return nil
    }
  }

  /// Writes the end of the log to the file; a failure is ignored, because the older anchor still
  /// holds.
  ///
  /// - Parameter mark: The name of the mark of the writing open; `nil` if it has none.
  static func write(_ head: Head, _ store: StorePath, by mark: String?) {
    let draft = draft(of: mark ?? OpenMark.prefix + "new")
    let bytes = head.encoded(checksummedBy: SHA256Hasher.self)
    do {
      let file = try OpenFile.open(
        store.file(draft), [.write, .create, .truncate, .noFollow], mode: 0o600)
      try file.write(bytes.span, at: 0)
      try FileSystem.rename(store.file(draft), to: store.file(name))
    } catch {
      try? FileSystem.unlink(store.file(draft))
    }
  }

  /// Checks that a log contains the record that the anchor names, with the same chain digest.
  ///
  /// - Parameter anchor: The anchor, read before the view began; if it is read later, it may be
  ///   ahead of the view.
  /// - Complexity: O(bytes of one block).
  static func check(
    _ anchor: Head?, _ view: borrowing ReadView, _ store: StorePath
  ) throws(StoreError) {
    guard let anchor, anchor.sequence > 0 else { return }
    let head = view.head
    if anchor.sequence <= head.sequence {
      guard try view.chain(at: anchor.sequence) != anchor.chain else { return }
    }
    throw StoreError(
      .rolledBack(from: anchor.sequence, to: head.sequence),
      what: "The store \(store.directory) was rolled back.",
      why: anchor.sequence > head.sequence
        ? "It ended at record \(anchor.sequence) and now ends at \(head.sequence)."
        : "Its records up to \(anchor.sequence) differ from those at the last close.",
      advice: "Put the newer data file back; or remove the file anchor to continue with this one.")
  }
}

import RetraceLog
import RetraceSystem

/// The file `anchor`: where the log ended when a writer closed it last, outside the data file.
///
/// A data file that was put back to an older one is sound in itself; only something outside it
/// knows better. The file is replaced whole and never synced: one that is torn says nothing.
enum Anchor {
  /// The name of the file.
  static let name = "anchor"

  /// The name under which an open of the store writes its note before it counts: one of its own,
  /// since any number of them may close at once.
  ///
  /// - Parameter mark: The name of the open's mark, which is removed together with the draft.
  static func draft(of mark: String) -> String {
    "\(name).\(mark.dropFirst(OpenMark.prefix.utf8.count))"
  }

  /// What the file says; `nil` if there is none, or none that can be read.
  static func read(_ store: StorePath) throws(StoreError) -> Head? {
    guard let file = try store.openIfPresent(name) else { return nil }
    do {
      let bytes = try file.readWhole(limitBytes: 4096)
      return try Head(decoding: bytes.span, checksummedBy: SHA256Hasher.self)
    } catch {
      return nil
    }
  }

  /// Notes where the log ends; failing is no error, for the note before it still holds.
  ///
  /// - Parameter mark: The name of the mark of the open that notes it; `nil` for one without.
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

  /// Checks that a log goes on from where the file says that it ended.
  ///
  /// - Parameter anchor: What the file said before the snapshot began; later it may be ahead.
  /// - Complexity: O(bytes of one block).
  static func check(
    _ anchor: Head?, _ snapshot: borrowing LogSnapshot, _ store: StorePath
  ) throws(StoreError) {
    guard let anchor, anchor.sequence > 0 else { return }
    let head = snapshot.head
    if anchor.sequence <= head.sequence {
      guard try snapshot.chain(at: anchor.sequence) != anchor.chain else { return }
    }
    throw StoreError(
      .rolledBack(from: anchor.sequence, to: head.sequence),
      what: "The store \(store.directory) is not as it was left.",
      why: anchor.sequence > head.sequence
        ? "It ended at record \(anchor.sequence) and now ends at \(head.sequence)."
        : "Its records up to \(anchor.sequence) are others than they were.",
      advice: "Put the newer data file back; or remove the file anchor to go on with this one.")
  }
}

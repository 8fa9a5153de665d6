import Retrace
import RetraceSystem

/// The file `anchor`, which stores the end of the log at the last close by a writer.
///
/// It detects a data file that was rolled back: replaced by an older copy, which looks intact by
/// itself. It is never synced, and a torn one is ignored. So a writer overwrites it where it is: a
/// new file under the same name would make the file system wait for its blocks, which takes half as
/// long as a durable commit.
enum Anchor {
  static let name = "anchor"

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

  /// Writes the end of the log to the file; a failure is ignored.
  static func write(_ head: Head, _ store: StorePath) {
    let bytes = head.encoded(checksummedBy: SHA256Hasher.self)
    do throws(SystemError) {
      let file = try OpenFile.open(
        store.file(name), [.write, .create, .noFollow, .nonBlocking], mode: 0o600)
      let info = try file.info()
      guard info.isRegular else { return }
      try file.write(bytes.span, at: 0)
      if info.sizeBytes > bytes.count { try file.truncate(to: bytes.count) }
    } catch {
      // Without the file, or with a torn one, the next open cannot detect that the log was rolled
      // back.
    }
  }

  /// Checks that a log contains the record that the anchor names, with the same chain digest.
  ///
  /// The digest of the head is taken from the head, which the caller checks.
  ///
  /// - Parameter anchor: The anchor, read before the view began; if it is read later, it may be
  ///   ahead of the view.
  /// - Complexity: O(bytes of one block); O(1) if the anchor names the head.
  static func check(
    _ anchor: Head?, _ view: borrowing ReadView, _ store: StorePath
  ) throws(StoreError) {
    guard let anchor, anchor.sequence > 0 else { return }
    let head = view.head
    if anchor.sequence <= head.sequence {
      let chain =
        anchor.sequence == head.sequence ? head.chain : try view.chain(at: anchor.sequence)
      guard chain != anchor.chain else { return }
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

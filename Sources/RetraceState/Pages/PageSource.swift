public import RetraceAvro

/// Where the pages of lazily opened tables are read from.
///
/// A page that cannot be read, or is not the one its reference names, is a fault: the read answers
/// as if nothing were there, and the source keeps the first fault for good. Whoever is about to act
/// on a state looks at ``fault`` first and refolds the log if there is one.
///
/// One source serves any number of tables and readers at once.
public protocol PageSource: AnyObject, Sendable {
  /// The hash functions by which pages are verified.
  associatedtype Hasher: ByteHasher

  /// Lends the bytes stored under a key, whatever they are.
  ///
  /// A source that fails to read calls ``report(_:)`` itself and answers `false`.
  ///
  /// - Parameters:
  ///   - key: The key of the page.
  ///   - body: Called once with the bytes if there are any; they are lent for the call only.
  /// - Returns: Whether the body was called.
  func withPage(_ key: PageKey, _ body: (Span<UInt8>) -> Void) -> Bool

  /// Lends the bytes of a page that hash to what its reference says; there is a default.
  ///
  /// - Parameters:
  ///   - key: The key of the page.
  ///   - hash: The hash that the reference holds.
  ///   - body: Called once with the bytes if they are right.
  /// - Returns: Whether the body was called; if not, there is a fault.
  /// - Complexity: O(bytes of the page).
  func withVerifiedPage(_ key: PageKey, hash: Digest, _ body: (Span<UInt8>) -> Void) -> Bool

  /// The first fault that was met, if any: then what was read since cannot be relied on.
  var fault: PageFault? { get }

  /// Keeps a fault, unless one is kept already.
  func report(_ fault: PageFault)
}

extension PageSource {
  /// Lends the bytes of a page that hash to what its reference says.
  ///
  /// - Complexity: O(bytes of the page).
  @inlinable
  public func withVerifiedPage(
    _ key: PageKey, hash: Digest, _ body: (Span<UInt8>) -> Void
  ) -> Bool {
    var isRight = false
    let isThere = withPage(key) { page in
      guard PageBytes.hash(of: page, level: key.level, Hasher.self) == hash else { return }
      isRight = true
      body(page)
    }
    if !isRight { report(PageFault(isThere ? .differs : .missing, key)) }
    return isRight
  }
}

/// Where the pages of a save go.
///
/// A sink cannot answer with an error: one that fails keeps its error, ignores what comes after,
/// and whoever began the save looks at it before committing. The state that was saved is a copy
/// until the commit succeeded; see ``StatePages``.
public protocol PageSink: ~Copyable {
  /// Takes a page; keys come in ascending order, each above all of earlier snapshots.
  mutating func put(_ key: PageKey, _ page: Span<UInt8>)

  /// Takes the key of a page that the snapshot before this one needed and this one does not.
  mutating func dead(_ key: PageKey)
}

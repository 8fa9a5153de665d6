public import RetraceAvro

/// The storage from which lazily opened tables read their pages.
///
/// If a page cannot be read, or does not match its reference, the read acts as if the page were
/// empty. The source keeps the first error permanently. Before acting on a state, check
/// ``firstError``; if there is one, fold the log again.
///
/// Any number of tables and threads may use one source concurrently.
public protocol PageSource: AnyObject, Sendable {
  /// The hash functions that verify pages.
  associatedtype Hasher: ByteHasher

  /// Calls `body` with the bytes stored under a key, without verifying them.
  ///
  /// A source that fails to read calls ``report(_:)`` itself and returns `false`.
  ///
  /// - Parameters:
  ///   - key: The key of the page.
  ///   - body: Called once with the bytes, if there are any; they are valid only during the call.
  /// - Returns: Whether `body` was called.
  func withPage(_ key: PageKey, _ body: (Span<UInt8>) -> Void) -> Bool

  /// Calls `body` with the bytes of a page if they match its hash.
  ///
  /// There is a default implementation.
  ///
  /// - Parameters:
  ///   - key: The key of the page.
  ///   - hash: The hash in the reference.
  ///   - body: Called once with the bytes if the hash matches.
  /// - Returns: Whether `body` was called; if not, the source has an error.
  /// - Complexity: O(bytes of the page).
  func withVerifiedPage(_ key: PageKey, hash: Digest, _ body: (Span<UInt8>) -> Void) -> Bool

  /// Whether pages should be announced before they are read; `false` by default.
  var readsAhead: Bool { get }

  /// Announces pages that are about to be read, in this order, so that the source can read them on
  /// another thread; does nothing by default.
  ///
  /// - Parameter pages: The keys, with the hashes in the references.
  func readAhead(_ pages: [(key: PageKey, hash: Digest)])

  /// The first error, if any; everything read since then is unreliable.
  var firstError: PageError? { get }

  /// Keeps an error unless there already is one.
  func report(_ error: PageError)
}

extension PageSource {
  /// Returns `false`.
  @inlinable public var readsAhead: Bool { false }

  /// Does nothing.
  @inlinable public func readAhead(_ pages: [(key: PageKey, hash: Digest)]) {}

  /// Calls `body` with the bytes of a page if they match its hash, and reports an error otherwise.
  ///
  /// - Complexity: O(bytes of the page).
  @inlinable
  public func withVerifiedPage(
    _ key: PageKey, hash: Digest, _ body: (Span<UInt8>) -> Void
  ) -> Bool {
    verifyPage(key, hash: hash, body)
  }

  /// Reads and verifies a page as the default ``withVerifiedPage(_:hash:_:)`` does.
  ///
  /// - Complexity: O(bytes of the page).
  @inlinable
  public func verifyPage(
    _ key: PageKey, hash: Digest, _ body: (Span<UInt8>) -> Void
  ) -> Bool {
    var isVerified = false
    let isThere = withPage(key) { page in
      guard Self.matches(page, key, hash) else { return }
      isVerified = true
      body(page)
    }
    if !isVerified { report(PageError(isThere ? .hashMismatch : .missing, key)) }
    return isVerified
  }

  /// Returns whether the bytes of a page match its hash.
  ///
  /// - Complexity: O(bytes of the page).
  @inlinable
  public static func matches(_ page: Span<UInt8>, _ key: PageKey, _ hash: Digest) -> Bool {
    PageLayout.hash(of: page, level: key.level, Hasher.self) == hash
  }
}

/// The storage to which a save writes its pages.
///
/// A sink cannot return an error: a sink that fails keeps its error and ignores later calls. The
/// caller of the save checks the error before committing. The save works on a copy of the state,
/// which the live state adopts after the commit; see ``StatePages``.
public protocol PageSink: ~Copyable {
  /// Writes a page; keys come in ascending order, after all keys of earlier snapshots.
  mutating func put(_ key: PageKey, _ page: Span<UInt8>)

  /// Receives the key of a page that the previous snapshot needs and the new one does not.
  mutating func markReplaced(_ key: PageKey)
}

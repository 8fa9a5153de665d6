import LMDBFile
package import Retrace
package import RetraceSystem

/// The pages of a snapshot, read on demand.
package final class StoredPages: PageSource {
  package typealias Hasher = SHA256Hasher

  let view: SnapshotView
  private let state = Lock(State())
  private let ahead: PageReadAhead

  private struct State {
    var firstError: PageError?
    var pages = 0
    var bytes = 0
    var hasExpectedScan = false
    var kept = KeptPages(bytesMax: 2 << 20)
  }

  /// The number of pages after which the rest of the file is expected to be read too.
  private static let scanPages = 1_000
  /// The number of page reads after which announced pages are read ahead.
  ///
  /// Fewer pages are read before the thread has started.
  private static let pagesBeforeReadingAhead = 100

  init(_ view: SnapshotView) {
    self.view = view
    ahead = PageReadAhead { page in
      // Without the bytes, the caller reads the page again and gets the error.
      guard let bytes = try? view.page(page.key.encoded.span),
        Self.matches(bytes.span, page.key, page.hash)
      else { return nil }
      return bytes
    }
  }

  // Waits for the thread that reads ahead, which otherwise keeps the view alive.
  deinit { ahead.stop() }

  /// Calls `body` with a copy of the page with a key.
  ///
  /// - Complexity: O(bytes of the page), and a read of 4 KiB for each level of the file's tree that
  ///   is not cached.
  package func withPage(_ key: PageKey, _ body: (Span<UInt8>) -> Void) -> Bool {
    guard let page = read(key) else { return false }
    body(page.span)
    return true
  }

  private func read(_ key: PageKey) -> [UInt8]? {
    let name = key.encoded
    do throws(TreeFileError) {
      guard let page = try view.page(name.span) else { return nil }
      if countPage(page.count) { view.prefetch() }
      return page
    } catch {
      report(PageError(.unreadable, key, error.detail))
      return nil
    }
  }

  /// Calls `body` with the bytes of a page if they match its hash, and reports an error otherwise.
  ///
  /// - Complexity: O(bytes of the page); less if the page was announced, or is one of those that
  ///   were read last.
  package func withVerifiedPage(
    _ key: PageKey, hash: Digest, _ body: (Span<UInt8>) -> Void
  ) -> Bool {
    guard let page = verified(key, hash) else { return false }
    body(page.span)
    return true
  }

  private func verified(_ key: PageKey, _ hash: Digest) -> [UInt8]? {
    if let page = state.withLock({ $0.kept.page(key, hash) }) { return page }
    let announced = ahead.take(key)
    if let announced, countPage(announced.count) { view.prefetch() }
    guard let page = announced ?? read(key) else {
      report(PageError(.missing, key))
      return nil
    }
    guard announced != nil || Self.matches(page.span, key, hash) else {
      report(PageError(.hashMismatch, key))
      return nil
    }
    state.withLock { $0.kept.keep(page, key, hash) }
    return page
  }

  /// Whether enough pages were read that reading ahead is worthwhile.
  package var readsAhead: Bool {
    state.withLock { $0.pages >= Self.pagesBeforeReadingAhead }
  }

  /// Reads and verifies pages on another thread.
  package func readAhead(_ pages: [(key: PageKey, hash: Digest)]) {
    ahead.announce(
      state.withLock { state in pages.filter { state.kept.page($0.key, $0.hash) == nil } })
  }

  /// Counts a page; returns whether a scan has to be announced now.
  private func countPage(_ bytes: Int) -> Bool {
    state.withLock { state in
      state.pages += 1
      state.bytes += bytes
      guard state.pages == Self.scanPages, !state.hasExpectedScan else { return false }
      state.hasExpectedScan = true
      return true
    }
  }

  /// The first error; once it is set, values read before may be wrong.
  package var firstError: PageError? { state.withLock { $0.firstError } }

  /// Stores an error, unless one is already stored.
  package func report(_ error: PageError) {
    state.withLock { if $0.firstError == nil { $0.firstError = error } }
  }

  package var touched: (pages: Int, bytes: Int) { state.withLock { ($0.pages, $0.bytes) } }

  /// The number of bytes read from the file, including branch pages.
  package var bytesRead: Int { view.bytesRead }
}

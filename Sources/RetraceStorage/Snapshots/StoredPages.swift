import RetraceArchitecture
import RetraceAvro
public import RetraceState
public import RetraceSystem
import Synchronization

/// The pages of a snapshot, read when a table asks for them.
public final class StoredPages: PageSource {
  /// The hash functions by which pages are verified.
  public typealias Hasher = SHA256Hasher

  let view: SnapshotView
  private let state = Mutex(State())

  private struct State {
    var fault: PageFault?
    var pages = 0
    var bytes = 0
    var hasExpectedScan = false
  }

  /// After so many pages the rest of the file is expected to be read too.
  private static let scanPages = 1_000

  init(_ view: SnapshotView) { self.view = view }

  /// Lends a copy of the bytes stored under a key.
  ///
  /// - Complexity: O(bytes of the page), and a read of 4 KiB for each level of the file's tree that
  ///   is not in memory.
  public func withPage(_ key: PageKey, _ body: (Span<UInt8>) -> Void) -> Bool {
    let name = key.name
    let page: [UInt8]?
    do throws(TreeFault) {
      page = try view.page(name.span)
    } catch {
      report(PageFault(.unreadable, key, error.detail))
      return false
    }
    guard let page else { return false }
    if countPage(page.count) { view.expectScan() }
    body(page.span)
    return true
  }

  /// Counts a page; answers whether a scan has to be announced now.
  private func countPage(_ bytes: Int) -> Bool {
    state.withLock { state in
      state.pages += 1
      state.bytes += bytes
      guard state.pages == Self.scanPages, !state.hasExpectedScan else { return false }
      state.hasExpectedScan = true
      return true
    }
  }

  /// The first fault that was met, if any: then what was read since cannot be relied on.
  public var fault: PageFault? { state.withLock { $0.fault } }

  /// Keeps a fault, unless one is kept already.
  public func report(_ fault: PageFault) {
    state.withLock { if $0.fault == nil { $0.fault = fault } }
  }

  /// How many pages were asked for, and their bytes.
  public var touched: (pages: Int, bytes: Int) { state.withLock { ($0.pages, $0.bytes) } }

  /// How many bytes were read from the file, inner pages included.
  public var bytesRead: Int { view.bytesRead }
}

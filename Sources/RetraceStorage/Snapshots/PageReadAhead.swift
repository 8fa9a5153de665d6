import Retrace
import RetraceSystem

/// A thread that reads and verifies announced pages before they are used.
///
/// Reading and verifying a page takes about as long as decoding it, so the thread nearly halves the
/// time of a scan. A caller reads a page itself if the thread has not begun to read it, so a caller
/// never waits for more than one page.
final class PageReadAhead: Sendable {
  /// A page that is needed soon, and the hash in its reference.
  typealias Page = (key: PageKey, hash: Digest)

  private struct State {
    /// The pages to read, in order.
    var waiting: ArraySlice<Page> = []
    var current: PageKey?
    /// The page that a caller waits for.
    var awaited: PageKey?
    /// The verified pages that have not been used.
    var ready: [PageKey: [UInt8]] = [:]
    var isRunning = false
  }

  private let read: @Sendable (Page) -> [UInt8]?
  private let state = Lock(State())
  private let arrived = Semaphore()
  private let thread = WorkerThread(name: "retrace-pages")

  /// Prepares to read pages; the thread starts with the first announcement.
  ///
  /// - Parameter read: Returns the bytes of a page if they match the hash.
  init(_ read: @escaping @Sendable (Page) -> [UInt8]?) { self.read = read }

  /// Reads pages on the thread, and drops the pages that were announced before.
  ///
  /// - Parameter pages: The pages, in the order of their use.
  func announce(_ pages: [Page]) {
    let starts = state.withLock { state in
      state.waiting = pages[...]
      state.ready.removeAll(keepingCapacity: true)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if starts { thread.submit { [self] in run() } }
  }

  /// Returns an announced page; `nil` for one that the caller has to read.
  ///
  /// - Complexity: O(1), and at most the time of reading one page.
  func take(_ key: PageKey) -> [UInt8]? {
    let (page, waits) = state.withLock { state -> ([UInt8]?, Bool) in
      if let page = state.ready.removeValue(forKey: key) { return (page, false) }
      if state.current == key, state.awaited == nil {
        state.awaited = key
        return (nil, true)
      }
      if let index = state.waiting.firstIndex(where: { $0.key == key }) {
        state.waiting.remove(at: index)
      }
      return (nil, false)
    }
    guard waits else { return page }
    arrived.wait()
    return state.withLock { $0.ready.removeValue(forKey: key) }
  }

  /// Stops reading after the current page, and waits for that page.
  func stop() {
    state.withLock { $0.waiting = [] }
    thread.stop()
  }

  /// Reads the waiting pages until none is left.
  private func run() {
    while let page = next() {
      let bytes = read(page)
      let isAwaited = state.withLock { state in
        state.current = nil
        state.ready[page.key] = bytes
        guard state.awaited == page.key else { return false }
        state.awaited = nil
        return true
      }
      if isAwaited { arrived.signal() }
    }
  }

  private func next() -> Page? {
    state.withLock { state in
      guard let page = state.waiting.popFirst() else {
        state.isRunning = false
        return nil
      }
      state.current = page.key
      return page
    }
  }
}

import RetraceArchitecture
package import RetraceAvro
package import RetraceState
import RetraceSystem

/// Pages in memory: a source that records reads, and that tests can damage.
package final class MemoryPages<Hasher: ByteHasher>: PageSource {
  private struct Contents {
    var pages: [PageKey: [UInt8]] = [:]
    var firstError: PageError?
    var reads: [PageKey] = []
  }

  private let contents = Lock(Contents())

  /// Makes a source without pages.
  package init() {}

  /// Calls `body` with a copy of the bytes stored under a key, and records the read.
  package func withPage(_ key: PageKey, _ body: (Span<UInt8>) -> Void) -> Bool {
    let page = contents.withLock { contents in
      contents.reads.append(key)
      return contents.pages[key]
    }
    guard let page else { return false }
    body(page.span)
    return true
  }

  /// The first error, if any.
  package var firstError: PageError? { contents.withLock { $0.firstError } }

  /// Keeps an error unless there already is one.
  package func report(_ error: PageError) {
    contents.withLock { $0.firstError = $0.firstError ?? error }
  }

  /// The pages, which tests may inspect and damage.
  package var pages: [PageKey: [UInt8]] {
    get { contents.withLock { $0.pages } }
    set { contents.withLock { $0.pages = newValue } }
  }

  /// The keys read since the last ``forgetReads()``, in order.
  package var reads: [PageKey] { contents.withLock { $0.reads } }

  /// Removes the recorded reads.
  package func forgetReads() { contents.withLock { $0.reads = [] } }

  /// Stores the pages of a save.
  package func commit(_ save: MemorySave) {
    contents.withLock { contents in
      for (key, page) in save.pages { contents.pages[key] = page }
    }
  }

  /// Deletes pages.
  package func delete(_ keys: some Sequence<PageKey> & Sendable) {
    contents.withLock { contents in
      for key in keys { contents.pages[key] = nil }
    }
  }
}

/// A sink that collects the pages of a save until it is committed or dropped.
package struct MemorySave: PageSink {
  /// The pages, in the order in which they were written.
  package var pages: [(key: PageKey, bytes: [UInt8])] = []
  /// The keys of pages that the snapshot no longer needs.
  package var replacedKeys: [PageKey] = []

  /// Makes an empty save.
  package init() {}

  /// Collects a page.
  package mutating func put(_ key: PageKey, _ page: Span<UInt8>) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(page.count)
    for index in page.indices { bytes.append(page[index]) }
    pages.append((key, bytes))
  }

  /// Collects the key of a replaced page.
  package mutating func markReplaced(_ key: PageKey) { replacedKeys.append(key) }
}

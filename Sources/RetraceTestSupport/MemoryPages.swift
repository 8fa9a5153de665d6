import RetraceArchitecture
public import RetraceAvro
public import RetraceState
import Synchronization

/// Pages in memory: a source that counts, and into which tests put damage.
public final class MemoryPages<Hasher: ByteHasher>: PageSource {
  private struct Contents {
    var pages: [PageKey: [UInt8]] = [:]
    var fault: PageFault?
    var reads: [PageKey] = []
  }

  private let contents = Mutex(Contents())

  /// Starts without pages.
  public init() {}

  /// Lends a copy of the bytes stored under a key and notes the read.
  public func withPage(_ key: PageKey, _ body: (Span<UInt8>) -> Void) -> Bool {
    let page = contents.withLock { contents in
      contents.reads.append(key)
      return contents.pages[key]
    }
    guard let page else { return false }
    body(page.span)
    return true
  }

  /// The first fault, if any.
  public var fault: PageFault? { contents.withLock { $0.fault } }

  /// Keeps a fault, unless one is kept already.
  public func report(_ fault: PageFault) {
    contents.withLock { $0.fault = $0.fault ?? fault }
  }

  /// The pages, to look at and to damage.
  public var pages: [PageKey: [UInt8]] {
    get { contents.withLock { $0.pages } }
    set { contents.withLock { $0.pages = newValue } }
  }

  /// The keys read since the last ``forgetReads()``, in order.
  public var reads: [PageKey] { contents.withLock { $0.reads } }

  /// Starts counting reads anew.
  public func forgetReads() { contents.withLock { $0.reads = [] } }

  /// Takes what a save put.
  public func commit(_ save: MemorySave) {
    contents.withLock { contents in
      for (key, page) in save.pages { contents.pages[key] = page }
    }
  }

  /// Deletes pages.
  public func delete(_ keys: some Sequence<PageKey> & Sendable) {
    contents.withLock { contents in
      for key in keys { contents.pages[key] = nil }
    }
  }
}

/// A sink that keeps what a save puts until it is committed or dropped.
public struct MemorySave: PageSink {
  /// The pages in the order they were put.
  public var pages: [(key: PageKey, bytes: [UInt8])] = []
  /// The keys of pages that the snapshot does not need any more.
  public var deadKeys: [PageKey] = []

  /// Starts a save.
  public init() {}

  /// Keeps a page.
  public mutating func put(_ key: PageKey, _ page: Span<UInt8>) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(page.count)
    for index in page.indices { bytes.append(page[index]) }
    pages.append((key, bytes))
  }

  /// Keeps a key.
  public mutating func dead(_ key: PageKey) { deadKeys.append(key) }
}

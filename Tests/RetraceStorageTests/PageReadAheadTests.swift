import RetraceAvro
import RetraceState
import RetraceSystem
import Testing

@testable import RetraceStorage

/// The thread that reads announced pages.
@Suite struct PageReadAheadTests {
  private static func page(_ number: UInt32) -> PageReadAhead.Page {
    (PageKey(birth: 1, table: 0, lastID: number, level: 0), .zero)
  }

  private static func bytes(_ page: PageReadAhead.Page) -> [UInt8] { [UInt8(page.key.lastID)] }

  @Test func `announced pages are read in order, and each is taken once`() {
    let order = Lock<[UInt32]>([])
    let done = Semaphore()
    let pages = (0..<32).map { Self.page($0) }
    let ahead = PageReadAhead { page in
      let count = order.withLock { order in
        order.append(page.key.lastID)
        return order.count
      }
      defer { if count == 32 { done.signal() } }
      return Self.bytes(page)
    }
    ahead.announce(pages)
    done.wait()
    // Stopping waits for the page that is being read.
    ahead.stop()
    #expect(order.withLock { $0 } == Array(0..<32))
    for page in pages {
      #expect(ahead.take(page.key) == Self.bytes(page))
      #expect(ahead.take(page.key) == nil)
    }
  }

  @Test func `a caller waits for the page that is being read, and reads those after it itself`() {
    let (begun, mayEnd) = (Semaphore(), Semaphore())
    let reads = Lock<[UInt32]>([])
    let ahead = PageReadAhead { page in
      reads.withLock { $0.append(page.key.lastID) }
      if page.key.lastID == 0 {
        begun.signal()
        mayEnd.wait()
      }
      return Self.bytes(page)
    }
    ahead.announce([Self.page(0), Self.page(1), Self.page(2)])
    begun.wait()
    // The thread has not begun with it, so the caller does not wait.
    #expect(ahead.take(Self.page(1).key) == nil)
    mayEnd.signal()
    #expect(ahead.take(Self.page(0).key) == [0])
    let last = ahead.take(Self.page(2).key)
    ahead.stop()
    #expect(last == nil || last == [2])
    #expect(!reads.withLock { $0.contains(1) })
  }

  @Test func `a page that does not match its hash is left to the caller`() {
    let ahead = PageReadAhead { _ in nil }
    ahead.announce([Self.page(0)])
    ahead.stop()
    #expect(ahead.take(Self.page(0).key) == nil)
  }

  @Test func `pages that were announced before are forgotten`() {
    let (begun, mayEnd) = (Semaphore(), Semaphore())
    let ahead = PageReadAhead { page in
      begun.signal()
      mayEnd.wait()
      return Self.bytes(page)
    }
    ahead.announce([Self.page(0), Self.page(1)])
    begun.wait()
    ahead.announce([Self.page(5)])
    mayEnd.signal()
    begun.wait()
    mayEnd.signal()
    ahead.stop()
    #expect(ahead.take(Self.page(1).key) == nil)
    #expect(ahead.take(Self.page(5).key) == [5])
  }
}

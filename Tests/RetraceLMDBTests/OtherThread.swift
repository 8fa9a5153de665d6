import Foundation
import RetraceLMDB

/// Runs a closure on another thread and waits for it.
func onOtherThread<Result>(_ body: () -> Result) -> Result {
  let box = Box<Result>()
  withoutActuallyEscaping(body) { body in
    box.body = body
    let thread = Thread { box.run() }
    thread.start()
    box.done.wait()
  }
  guard let result = box.result else { fatalError("the thread left no result") }
  return result
}

/// Unchecked: the two threads take turns.
private final class Box<Result>: @unchecked Sendable {
  var body: (() -> Result)?
  var result: Result?
  let done = DispatchSemaphore(value: 0)

  func run() {
    result = body?()
    body = nil
    done.signal()
  }
}

/// Holds a write transaction so that another thread can be given it, which is what tests try.
final class Held {
  private var transaction: WriteTransaction?

  init(_ transaction: consuming WriteTransaction) {
    self.transaction = consume transaction
  }

  func commit() throws(LMDBError) {
    guard let transaction = transaction.take() else { return }
    try transaction.commit()
  }

  func drop() {
    _ = transaction.take()
  }
}

import Dispatch
import Foundation

/// Runs a body on threads of its own, all at once however many processors there are, and waits for
/// all of them.
///
/// - Parameters:
///   - count: How many threads there are.
///   - body: Gets the number of the thread, from 0.
public func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let group = DispatchGroup()
  for number in 0..<count {
    group.enter()
    let thread = Thread {
      body(number)
      group.leave()
    }
    thread.stackSize = 8 << 20
    thread.start()
  }
  group.wait()
}

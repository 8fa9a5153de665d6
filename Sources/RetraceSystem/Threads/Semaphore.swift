import CRetraceSystem
import Glibc

/// A counting semaphore.
///
/// Unchecked: C's semaphore is safe to use from many threads.
@safe
package final class Semaphore: @unchecked Sendable {
  // Unsafe: the C object must not move, so it has its own memory until deinit.
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  /// Creates a semaphore with the count 0.
  package init() {
    unsafe semaphore.initialize(to: sem_t())
    unsafe sem_init(semaphore, 0, 0)
  }

  deinit {
    unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  /// Increments the count, which wakes one waiting thread.
  package func signal() {
    unsafe sem_post(semaphore)
  }

  /// Waits until the count is above 0, and decrements it.
  package func wait() {
    while unsafe sem_wait(semaphore) != 0 {}
  }

  /// Waits until the count is above 0, and decrements it.
  ///
  /// - Parameter deadline: The time limit, in nanoseconds of the monotonic clock.
  /// - Returns: Whether the count was decremented; `false` at the deadline.
  package func wait(until deadline: Int64) -> Bool {
    unsafe retrace_sem_wait_until(semaphore, deadline) == 0
  }
}

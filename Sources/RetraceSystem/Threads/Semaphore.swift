import Glibc

/// A counter that threads wait for.
///
/// Unchecked: C's semaphore is made for many threads.
@safe
package final class Semaphore: @unchecked Sendable {
  // Unsafe: C's object must not move, so it has memory of its own until deinit.
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  /// Starts at zero.
  package init() {
    unsafe semaphore.initialize(to: sem_t())
    unsafe sem_init(semaphore, 0, 0)
  }

  deinit {
    unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  /// Lets one thread go on.
  package func signal() {
    unsafe sem_post(semaphore)
  }

  /// Blocks until there is a signal that no other thread took.
  package func wait() {
    while unsafe sem_wait(semaphore) != 0 {}
  }
}

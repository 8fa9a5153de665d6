public import Synchronization

/// A value that one thread at a time can use: a mutex that the thread sanitizer understands.
///
/// The standard library waits for a contended `Mutex` in code without instrumentation. The
/// sanitizer therefore misses that one thread's use of the value happens before the next one's,
/// and reports races that do not exist. Builds with the condition `THREAD_SANITIZER` show it that
/// order; other builds contain the mutex alone.
///
/// It is public, because Swift inlines only public functions into other modules. As a function of
/// the package it was called without specialization, and a write transaction took 4 % longer.
public struct Lock<Value: ~Copyable>: ~Copyable {
  @usableFromInline let mutex: Mutex<Value>
  #if THREAD_SANITIZER
    /// Written by each thread before it unlocks, and read by the next one after it locks.
    @usableFromInline let order = Atomic<UInt8>(0)
  #endif

  /// Creates a lock with the first value.
  @inlinable public init(_ value: consuming sending Value) { mutex = Mutex(value) }

  /// Calls `body` with the value while no other thread uses it.
  ///
  /// - Parameter body: Reads or changes the value. It must not use the same lock.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  @inlinable @inline(__always)
  public borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    #if THREAD_SANITIZER
      return try mutex.withLock { (value: inout sending Value) throws(Failure) in
        _ = order.load(ordering: .acquiring)
        defer { order.store(0, ordering: .releasing) }
        return try body(&value)
      }
    #else
      return try mutex.withLock(body)
    #endif
  }
}

extension Lock: Sendable where Value: ~Copyable {}

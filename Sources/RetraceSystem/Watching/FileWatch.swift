import Glibc
import Synchronization

/// A watch that calls a closure on its own thread after any process may have written to a file.
///
/// The system reports each write (`inotify`), so an idle watch does nothing. If the system cannot
/// watch the file, for example at its limit on watches or open files, the body is called at
/// intervals instead. Destroying the watch or calling ``stop()`` ends the calls.
package final class FileWatch: Sendable {
  package enum Mechanism: Hashable, Sendable {
    case reported
    /// The body is called at intervals, with or without a change.
    case polled
  }

  package let mechanism: Mechanism

  private let loop: WatchLoop
  private let worker = WorkerThread(name: "file-watch")

  /// The interval between two calls if changes are not reported, in milliseconds.
  package static var pollingMilliseconds: Int64 { 50 }

  /// The delays before each call of the body after a write, in milliseconds.
  ///
  /// The first delay begins with the write, and groups related writes into one call. Each further
  /// delay begins when the previous call returns. The further calls are for a writer that makes its
  /// write visible in a second step, which may come late.
  package static var delaysMilliseconds: [Int32] { [2, 50, 500] }

  /// Starts watching.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - body: Called on the watch's thread after each of the ``delaysMilliseconds`` that follow a
  ///     write; a write during a later delay starts them again. The body may release the watch.
  /// - Throws: ``SystemError`` if the system cannot create a thread.
  package init(_ path: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
    try worker.start()
    let descriptors = try? WatchDescriptors(path)
    mechanism = descriptors == nil ? .polled : .reported
    let loop = WatchLoop(descriptors)
    self.loop = loop
    worker.submit { loop.run(body) }
  }

  deinit { loop.stop() }

  /// Ends the calls; when this returns, none is running.
  ///
  /// - Precondition: The caller is not the body.
  package func stop() {
    loop.stop()
    worker.stop()
  }
}

/// The descriptors of a watch, which are closed when this object is destroyed.
private final class WatchDescriptors: Sendable {
  let events: Int32
  let read: Int32
  let write: Int32

  init(_ path: String) throws(SystemError) {
    let events = try System.call(.inotify, path, acquiresResource: true) {
      inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    }
    do throws(SystemError) {
      // Unsafe: C reads the path during the call only.
      _ = try System.call(.inotify, path) {
        unsafe inotify_add_watch(events, path, UInt32(IN_MODIFY))
      }
      (read, write) = try Pipe.make(nonBlocking: true)
    } catch {
      System.close(events)
      throw error
    }
    self.events = events
  }

  deinit {
    for descriptor in [events, read, write] { System.close(descriptor) }
  }

  /// Ends the current or the next wait.
  func wake() {
    var byte: UInt8 = 0
    // Unsafe: C reads one local byte.
    _ = unsafe Glibc.write(write, &byte, 1)
  }

  /// Discards the reports of writes so far.
  func drain() {
    // Unsafe: C writes at most the buffer's count, during the call only.
    _ = unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      while unsafe Glibc.read(events, buffer.baseAddress, buffer.count) > 0 {}
    }
  }

  /// Waits for a call of ``wake()``, and if `forWrites` is true, also for a write.
  ///
  /// - Returns: `true` after a write, `nil` after the timeout, otherwise `false`.
  func wait(forWrites: Bool, milliseconds: Int32) -> Bool? {
    var files = [pollfd(fd: read, events: Int16(POLLIN), revents: 0)]
    if forWrites { files.append(pollfd(fd: events, events: Int16(POLLIN), revents: 0)) }
    guard let ready = try? System.poll(&files, milliseconds: milliseconds) else {
      // The call can fail for lack of memory, for example. Until it succeeds again, the watch calls
      // its body at intervals, like a watch without descriptors.
      MonotonicClock.sleep(milliseconds: FileWatch.pollingMilliseconds)
      return nil
    }
    return ready ? forWrites && files[1].revents != 0 : nil
  }
}

private final class WatchLoop: Sendable {
  private let descriptors: WatchDescriptors?
  private let isStopped = Atomic(false)

  init(_ descriptors: WatchDescriptors?) { self.descriptors = descriptors }

  private var isRunning: Bool { !isStopped.load(ordering: .acquiring) }

  func stop() {
    isStopped.store(true, ordering: .releasing)
    descriptors?.wake()
  }

  func run(_ body: () -> Void) {
    if let descriptors { follow(descriptors, body) } else { poll(body) }
  }

  private func poll(_ body: () -> Void) {
    while isRunning {
      MonotonicClock.sleep(milliseconds: FileWatch.pollingMilliseconds)
      if isRunning { body() }
    }
  }

  private func follow(_ descriptors: WatchDescriptors, _ body: () -> Void) {
    let delays = FileWatch.delaysMilliseconds
    var calls = delays.count
    while isRunning {
      let wait = calls < delays.count ? delays[calls] : -1
      // Writes during the first delay are covered by the call after it.
      switch descriptors.wait(forWrites: calls != 0, milliseconds: wait) {
      case true: calls = 0
      case false: continue
      case nil:
        if calls == 0 { descriptors.drain() }
        body()
        calls += 1
      }
    }
  }
}

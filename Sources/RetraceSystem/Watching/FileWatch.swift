import Glibc
import Synchronization

/// Tells when a file may have been written to, by any process, on a thread of its own.
///
/// The system reports each write (`inotify`), so nothing is done while nothing happens. Where that
/// cannot be had, because the limits of watches or open files are reached, the body is called at
/// intervals instead. The end of its life, or ``stop()``, ends the calls.
public final class FileWatch: Sendable {
  /// How changes are noticed.
  public enum Way: Hashable, Sendable {
    /// The system reports them.
    case reported
    /// The body is called every so often, whether there was a change or not.
    case polled
  }

  /// How changes are noticed.
  public let way: Way

  private let loop: WatchLoop
  private let worker = WorkerThread(name: "file-watch")

  /// How many milliseconds pass between two calls where changes are not reported.
  public static var pollingMilliseconds: Int64 { 50 }

  /// How many milliseconds after a write the body is called.
  ///
  /// The first wait lets writes that belong together be over. The others are for a writer that
  /// makes its write known by something else right after, and is held up in between.
  public static var delaysMilliseconds: [Int32] { [2, 50, 500] }

  /// Begins to watch.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - body: Called on the watch's own thread, some milliseconds after a write, and again when
  ///     no other write followed; see ``delaysMilliseconds``. It may end the life of the watch.
  /// - Throws: ``SystemError`` if the system makes no thread.
  public init(_ path: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
    try worker.start()
    let ends = try? WatchEnds(path)
    way = ends == nil ? .polled : .reported
    let loop = WatchLoop(ends)
    self.loop = loop
    worker.submit { loop.run(body) }
  }

  deinit { loop.stop() }

  /// Ends the calls; when this returns, none is under way.
  ///
  /// - Precondition: The caller is not the body.
  public func stop() {
    loop.stop()
    worker.stop()
  }
}

/// The open files of a watch; the end of its life closes them.
private final class WatchEnds: Sendable {
  let events: Int32
  let read: Int32
  let write: Int32

  init(_ path: String) throws(SystemError) {
    let events = try System.call(.inotify, path, acquires: true) {
      inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    }
    do throws(SystemError) {
      // Unsafe: C reads the path for the one call.
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

  /// Ends a wait, now or when it begins.
  func wake() {
    var byte: UInt8 = 0
    // Unsafe: C reads one local byte.
    _ = unsafe Glibc.write(write, &byte, 1)
  }

  /// Forgets the writes reported so far.
  func drain() {
    // Unsafe: C writes at most so many bytes into the buffer that is lent for the call.
    _ = unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      while unsafe Glibc.read(events, buffer.baseAddress, buffer.count) > 0 {}
    }
  }

  /// Waits for a write, or for the end of the watch only.
  ///
  /// - Returns: Whether there was a write; `nil` if the time is over.
  func wait(forWrites: Bool, milliseconds: Int32) -> Bool? {
    var files = [pollfd(fd: read, events: Int16(POLLIN), revents: 0)]
    if forWrites { files.append(pollfd(fd: events, events: Int16(POLLIN), revents: 0)) }
    guard let ready = try? System.poll(&files, milliseconds: milliseconds) else { return false }
    return ready ? forWrites && files[1].revents != 0 : nil
  }
}

/// What the thread of a watch does.
private final class WatchLoop: Sendable {
  private let ends: WatchEnds?
  private let isStopped = Atomic(false)

  init(_ ends: WatchEnds?) { self.ends = ends }

  private var goesOn: Bool { !isStopped.load(ordering: .acquiring) }

  func stop() {
    isStopped.store(true, ordering: .releasing)
    ends?.wake()
  }

  func run(_ body: () -> Void) {
    if let ends { follow(ends, body) } else { poll(body) }
  }

  private func poll(_ body: () -> Void) {
    while goesOn {
      MonotonicClock.sleep(milliseconds: FileWatch.pollingMilliseconds)
      if goesOn { body() }
    }
  }

  private func follow(_ ends: WatchEnds, _ body: () -> Void) {
    let delays = FileWatch.delaysMilliseconds
    var calls = delays.count
    while goesOn {
      let wait = calls < delays.count ? delays[calls] : -1
      // Writes that come during the first wait are part of what it waits for.
      switch ends.wait(forWrites: calls != 0, milliseconds: wait) {
      case true: calls = 0
      case false: continue
      case nil:
        if calls == 0 { ends.drain() }
        body()
        calls += 1
      }
    }
  }
}

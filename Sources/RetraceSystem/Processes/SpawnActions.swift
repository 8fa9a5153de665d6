import CRetraceSystem
import Glibc

/// The actions between creating a process and running a program in it.
///
/// Unsafe inside: this object owns the memory of the C objects.
@safe
final class SpawnActions {
  let actions = UnsafeMutablePointer<posix_spawn_file_actions_t>.allocate(capacity: 1)
  let attributes = UnsafeMutablePointer<posix_spawnattr_t>.allocate(capacity: 1)
  private var parentEnds: [Int32: Int32] = [:]
  private var childEnds: [Int32] = []

  init(_ options: ChildProcess.Options) throws(SystemError) {
    unsafe actions.initialize(to: posix_spawn_file_actions_t())
    unsafe attributes.initialize(to: posix_spawnattr_t())
    unsafe posix_spawn_file_actions_init(actions)
    unsafe posix_spawnattr_init(attributes)
    if let terminal = options.terminal {
      // The first terminal that a session leader opens becomes the controlling terminal.
      for number: Int32 in 0...2 { try open(terminal, number, O_RDWR) }
    } else {
      try add(options.input, 0)
      try add(options.output, 1)
      try add(options.error, 2)
    }
    reset(ownSession: options.terminal != nil, ownGroup: options.ownGroup)
  }

  deinit {
    unsafe posix_spawn_file_actions_destroy(actions)
    unsafe posix_spawnattr_destroy(attributes)
    unsafe actions.deallocate()
    unsafe attributes.deallocate()
    for end in childEnds { System.close(end) }
    for end in parentEnds.values { System.close(end) }
  }

  /// Returns this process's end of a pipe and gives up its ownership.
  func takeParentEnd(_ number: Int32) -> Int32? {
    parentEnds.removeValue(forKey: number)
  }

  private func add(_ stream: ChildProcess.Stream, _ number: Int32) throws(SystemError) {
    switch stream {
    case .inherit: break
    case .discard: try open("/dev/null", number, O_RDWR)
    case .file(let path):
      try open(path, number, number == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC)
    case .descriptor(let descriptor): try duplicate(descriptor, number)
    case .pipe:
      let ends = try Pipe.make()
      let (ours, theirs) = number == 0 ? (ends.write, ends.read) : (ends.read, ends.write)
      parentEnds[number] = ours
      childEnds.append(theirs)
      try duplicate(theirs, number)
    }
  }

  private func duplicate(_ descriptor: Int32, _ number: Int32) throws(SystemError) {
    try System.callReturningError(.spawn) {
      unsafe posix_spawn_file_actions_adddup2(actions, descriptor, number)
    }
  }

  private func open(_ path: String, _ number: Int32, _ flags: Int32) throws(SystemError) {
    try System.callReturningError(.spawn, path) {
      unsafe posix_spawn_file_actions_addopen(actions, number, path, flags, 0o600)
    }
  }

  /// Restores the default actions of `SIGPIPE` and `SIGXFSZ`, which this process may ignore, and
  /// unblocks all signals.
  ///
  /// Threads of Swift's concurrency runtime block most signals, and the program would inherit the
  /// set of blocked signals.
  private func reset(ownSession: Bool, ownGroup: Bool) {
    let flags =
      Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (ownGroup ? POSIX_SPAWN_SETPGROUP : 0))
      | (ownSession ? retrace_POSIX_SPAWN_SETSID : 0)
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe sigaddset(&signals, SIGXFSZ)
    unsafe posix_spawnattr_setsigdefault(attributes, &signals)
    var blocked = sigset_t()
    unsafe sigemptyset(&blocked)
    unsafe posix_spawnattr_setsigmask(attributes, &blocked)
    unsafe posix_spawnattr_setflags(attributes, flags)
  }
}

import Glibc

/// The process that runs.
public enum ThisProcess {
  /// The number of the process; the C function is `getpid`.
  public static var identifier: Int32 { getpid() }

  /// The number of the user whose rights the process has; the C function is `geteuid`.
  public static var userIdentifier: UInt32 { geteuid() }

  /// The words of the command line, the program's name first.
  public static var arguments: [String] { CommandLine.arguments }

  /// A variable of the environment, or `nil`; the C function is `getenv`.
  public static func environment(_ name: String) -> String? {
    // Unsafe: C answers a text that lives while nobody changes the environment; nobody here does.
    guard let text = unsafe getenv(name) else { return nil }
    return unsafe String(cString: text)
  }

  /// The name of the user: of the account in `/etc/passwd`, else `USER`, else the number.
  ///
  /// The C library is not asked: in a program that is linked statically it could not load the
  /// modules by which it finds accounts that are kept elsewhere.
  ///
  /// - Complexity: O(bytes of `/etc/passwd`).
  public static var loginName: String {
    accountName ?? environment("USER") ?? String(userIdentifier)
  }

  private static var accountName: String? {
    guard let bytes = try? FileSystem.readWhole("/etc/passwd", limitBytes: 1 << 24) else {
      return nil
    }
    let number = Array(String(userIdentifier).utf8)
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(
        separator: UInt8(ascii: ":"), maxSplits: 3, omittingEmptySubsequences: false)
      guard fields.count == 4, fields[2].elementsEqual(number), !fields[0].isEmpty else { continue }
      return String(decoding: fields[0], as: UTF8.self)
    }
    return nil
  }

  /// Ends the process; nothing after it runs.
  ///
  /// - Parameter code: What the parent process is told, 0 to 255.
  public static func exit(_ code: Int32) -> Never {
    Glibc.exit(code)
  }

  /// How many bytes of memory the process has to itself; `nil` where the system does not tell.
  ///
  /// Pages of files that it has mapped do not count.
  ///
  /// - Complexity: A read of `/proc/self/statm`.
  public static var memoryBytes: Int? {
    guard let bytes = try? FileSystem.readWhole("/proc/self/statm", limitBytes: 4_096) else {
      return nil
    }
    // In pages: the whole size, what is in memory, and what of that is shared.
    let fields = bytes.split(separator: UInt8(ascii: " "), maxSplits: 3).prefix(3)
    let pages = fields.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    guard pages.count == 3 else { return nil }
    return (pages[1] - pages[2]) * sysconf(Int32(_SC_PAGESIZE))
  }

  /// Random bytes that cannot be predicted; the C function is `getentropy`, at most 256 a call.
  ///
  /// - Parameter count: How many.
  public static func randomBytes(_ count: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    // Unsafe: C writes into the array during the closure, at most what is left of it.
    try unsafe bytes.withUnsafeMutableBufferPointer { buffer throws(SystemError) in
      for start in stride(from: 0, to: count, by: 256) {
        let part = unsafe UnsafeMutableBufferPointer(
          rebasing: buffer[start..<min(start + 256, count)])
        _ = try System.call(.getentropy, nil) {
          unsafe getentropy(part.baseAddress, part.count)
        }
      }
    }
    return bytes
  }

  /// Makes sure that the standard input and outputs are open; done first of all.
  ///
  /// A process can be started without them. The next file that it opened would then stand in for
  /// one of them, and what is meant for a person would be written into that file. One that was
  /// closed still answers an error to whoever writes to it.
  public static func holdStandardDescriptors() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest free number is taken, which is this one; it stays open across everything.
      _ = try? System.open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY, 0)
    }
  }

  /// Lets writing to a pipe that nobody reads answer an error; otherwise it ends the process.
  public static func ignoreBrokenPipes() {
    // Unsafe: `SIG_IGN` is a constant, not a function to call.
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// The most bytes that a file can grow to by the limit of this process; `nil` without a limit.
  public static var fileSizeLimitBytes: Int? {
    var limit = rlimit()
    // Unsafe: C writes to a local variable.
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else {
      return nil
    }
    return Int(exactly: limit.rlim_cur)
  }

  /// Lets writing beyond the limit on file sizes answer an error; otherwise it ends the process.
  ///
  /// A program that handles the signal itself goes on doing so.
  public static func ignoreFileSizeSignals() {
    var action = sigaction()
    // Unsafe: C writes to a local variable; nobody is called through it.
    guard unsafe sigaction(SIGXFSZ, nil, &action) == 0,
      unsafe action.__sigaction_handler.sa_handler == nil
    else { return }
    // Unsafe: as above.
    _ = signal(SIGXFSZ, SIG_IGN)
  }
}

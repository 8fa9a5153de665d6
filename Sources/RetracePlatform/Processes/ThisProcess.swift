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

  /// The name of the user: of the account, else `USER`, else the number.
  public static var loginName: String {
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16384)
    // Unsafe: C fills the local entry with pointers into the buffer, which is in place meanwhile.
    let name: String? = unsafe buffer.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let result = unsafe getpwuid_r(geteuid(), &entry, start, buffer.count, &found)
      guard result == 0, unsafe found != nil, let name = unsafe entry.pw_name else { return nil }
      return unsafe String(cString: name)
    }
    return name ?? environment("USER") ?? String(userIdentifier)
  }

  /// The path of the program that runs.
  public static func executablePath() throws(PlatformError) -> String {
    try FileSystem.readLink("/proc/self/exe")
  }

  /// Ends the process; nothing after it runs.
  ///
  /// - Parameter code: What the parent process is told, 0 to 255.
  public static func exit(_ code: Int32) -> Never {
    Glibc.exit(code)
  }

  /// Random bytes that cannot be predicted; the C function is `getentropy`, at most 256 a call.
  ///
  /// - Parameter count: How many.
  public static func randomBytes(_ count: Int) throws(PlatformError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    // Unsafe: C writes into the array during the closure, at most what is left of it.
    try unsafe bytes.withUnsafeMutableBufferPointer { buffer throws(PlatformError) in
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

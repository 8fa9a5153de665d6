import CRetraceSystem
import Glibc

package enum ThisProcess {
  package static var identifier: Int32 { getpid() }

  /// The effective user identifier; the C function is `geteuid`.
  package static var userIdentifier: UInt32 { geteuid() }

  /// The command line, starting with the program's name.
  package static var arguments: [String] { CommandLine.arguments }

  /// Returns an environment variable, or `nil`; the C function is `getenv`.
  package static func environment(_ name: String) -> String? {
    // Unsafe: C's string is valid until the environment changes, which this program never does.
    guard let text = unsafe getenv(name) else { return nil }
    return unsafe String(cString: text)
  }

  /// The name of the user: of the account in `/etc/passwd`, else `USER`, else the number.
  ///
  /// `getpwuid` is not used, because a statically linked program cannot load the NSS modules that
  /// it needs.
  ///
  /// - Complexity: O(bytes of `/etc/passwd`).
  package static var loginName: String {
    accountName ?? environment("USER") ?? String(userIdentifier)
  }

  private static var accountName: String? {
    guard let bytes = try? FileSystem.readWhole("/etc/passwd", limitBytes: 1 << 24) else {
      return nil
    }
    let number = String(userIdentifier).utf8
    // Does not split into an array of fields, whose type would be instantiated at run time.
    var lines = bytes[...]
    while !lines.isEmpty {
      var line = take(from: &lines, until: UInt8(ascii: "\n"))
      let name = take(from: &line, until: UInt8(ascii: ":"))
      _ = take(from: &line, until: UInt8(ascii: ":"))
      let identifier = take(from: &line, until: UInt8(ascii: ":"))
      if !name.isEmpty, !line.isEmpty, identifier.elementsEqual(number) {
        return String(decoding: name, as: UTF8.self)
      }
    }
    return nil
  }

  /// Removes and returns the bytes before a separator, and removes the separator.
  private static func take(
    from bytes: inout ArraySlice<UInt8>, until separator: UInt8
  ) -> ArraySlice<UInt8> {
    let taken = bytes.prefix { $0 != separator }
    bytes = bytes[min(taken.endIndex + 1, bytes.endIndex)...]
    return taken
  }

  /// The concatenated build IDs of the program and its libraries; `nil` if one is missing, or if
  /// they take more than 4,096 bytes.
  ///
  /// The linker computes them, and they differ if any byte of the program or of a library differs.
  package static let buildIDs: [UInt8]? = {
    var count = 0
    // Unsafe: C writes at most the capacity.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4_096) { buffer, initialized in
      count = unsafe retrace_build_ids(buffer.baseAddress, buffer.count)
      initialized = max(count, 0)
    }
    return count > 0 ? bytes : nil
  }()

  /// Ends the process.
  ///
  /// - Parameter code: The exit code, 0 to 255.
  package static func exit(_ code: Int32) -> Never {
    Glibc.exit(code)
  }

  /// The private memory of the process in bytes; `nil` if the system does not report it.
  ///
  /// Mapped pages of files do not count.
  ///
  /// - Complexity: A read of `/proc/self/statm`.
  package static var privateMemoryBytes: Int? {
    guard let bytes = try? FileSystem.readWhole("/proc/self/statm", limitBytes: 4_096) else {
      return nil
    }
    // In pages: the total size, the resident size, and the shared part of the latter.
    let fields = bytes.split(separator: UInt8(ascii: " "), maxSplits: 3).prefix(3)
    let pages = fields.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    guard pages.count == 3 else { return nil }
    return (pages[1] - pages[2]) * sysconf(Int32(_SC_PAGESIZE))
  }

  /// Makes sure that the standard streams are open; call it before opening any file.
  ///
  /// A process can be started without them. The next file that it opens would then take the place
  /// of a standard stream, and messages would be written into that file. A missing stream is opened
  /// in the opposite direction (the input for writing, an output for reading), so that using it
  /// still fails.
  package static func openMissingStandardDescriptors() -> [Int32] {
    (0...2).filter { descriptor in
      guard fcntl(descriptor, F_GETFD) == -1 else { return false }
      // The system uses the lowest free number, which is this one. It stays open across `exec`.
      _ = try? System.open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY, 0)
      return true
    }
  }

  /// Makes a write to a pipe without a reader fail instead of raising `SIGPIPE`.
  package static func ignoreBrokenPipes() {
    // Unsafe: `SIG_IGN` is a constant that is never called.
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// Ignores `SIGINT`, which the interrupt key of a terminal sends, such as while waiting for a
  /// program that handles the key itself.
  ///
  /// Programs that are started afterwards ignore the signal too.
  package static func ignoreInterrupts() {
    // Unsafe: `SIG_IGN` is a constant that is never called.
    _ = signal(SIGINT, SIG_IGN)
  }

  /// The limit of this process on the size of a file, in bytes; `nil` if unlimited.
  package static var fileSizeLimitBytes: Int? {
    var limit = rlimit()
    // Unsafe: C writes to a local variable.
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else {
      return nil
    }
    return Int(exactly: limit.rlim_cur)
  }

  /// Makes a write beyond the limit on file sizes fail instead of raising `SIGXFSZ`.
  ///
  /// A handler that the program has installed stays.
  package static func ignoreFileSizeSignals() {
    var action = sigaction()
    // Unsafe: C writes to a local variable; nothing is called through it.
    guard unsafe sigaction(SIGXFSZ, nil, &action) == 0,
      unsafe action.__sigaction_handler.sa_handler == nil
    else { return }
    // Unsafe: as above.
    _ = signal(SIGXFSZ, SIG_IGN)
  }
}

import Glibc

extension ChildProcess {
  /// Starts a program; the C function is `posix_spawn`.
  ///
  /// - Parameters:
  ///   - executable: The path of the program.
  ///   - arguments: The arguments after the program's name.
  ///   - options: The streams, the environment, and the user.
  /// - Returns: The running program.
  /// - Throws: ``SystemError``, such as `.noSuchFile` or `.accessDenied`. If the options set a user
  ///   or a directory, there is no error for a program that cannot be started: the returned process
  ///   then exits with a code above 0.
  package static func spawn(
    _ executable: String, _ arguments: [String] = [], options: Options = Options()
  ) throws(SystemError) -> ChildProcess {
    var argumentVector = [executable] + arguments
    if let user = options.userIdentifier {
      argumentVector =
        ["/usr/bin/setpriv", "--reuid", "\(user)", "--regid", "\(user)", "--clear-groups", "--"]
        + argumentVector
    }
    if let directory = options.workingDirectory {
      argumentVector = ["/usr/bin/env", "-C", directory] + argumentVector
    }
    let path = argumentVector[0]
    // The own program keeps the name with which this process was started, for its messages.
    if path == "/proc/self/exe", let name = ThisProcess.arguments.first { argumentVector[0] = name }
    let actions = try SpawnActions(options)
    let identifier = try start(path, argumentVector, environment(options), actions)
    return ChildProcess(
      identifier, input: actions.takeParentEnd(0), output: actions.takeParentEnd(1),
      error: actions.takeParentEnd(2))
  }

  /// Reads both outputs to their ends, concurrently.
  ///
  /// - Parameter limitBytes: The largest size of each output.
  /// - Throws: ``SystemError``, `.aboveLimit` for a longer output, whose rest is not read.
  package func readAll(
    limitBytes: Int = 1 << 30
  ) throws(SystemError) -> (output: [UInt8], error: [UInt8]) {
    try exchange(nil, limitBytes: limitBytes)
  }

  private static func environment(_ options: Options) -> [String] {
    var variables: [String] = []
    if let chosen = options.environment {
      variables = chosen.map { "\($0.key)=\($0.value)" }
    } else {
      // Unsafe: C's list ends with a null pointer, and this program never changes it.
      var next = unsafe environ
      while let text = unsafe next.pointee {
        unsafe variables.append(String(cString: text))
        unsafe next += 1
      }
    }
    variables.removeAll { entry in
      options.variables.keys.contains { entry.hasPrefix($0 + "=") }
    }
    return variables + options.variables.map { "\($0.key)=\($0.value)" }
  }

  private static func start(
    _ path: String, _ argumentVector: [String], _ environment: [String], _ actions: SpawnActions
  ) throws(SystemError) -> Int32 {
    let (arguments, variables) = (CStrings(argumentVector), CStrings(environment))
    var identifier: pid_t = 0
    // Unsafe: C reads lists that end with a null pointer and live until this function returns, and
    // writes to a local variable.
    try System.callReturningError(.spawn, path) {
      unsafe posix_spawn(
        &identifier, path, actions.actions, actions.attributes, arguments.pointers,
        variables.pointers)
    }
    withExtendedLifetime((arguments, variables)) {}
    return identifier
  }
}

/// A null-terminated list of C strings.
@safe
private final class CStrings {
  // Unsafe: this object owns the strings and the list, and frees them.
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ texts: [String]) {
    count = texts.count
    unsafe pointers = .allocate(capacity: texts.count + 1)
    for (index, text) in texts.enumerated() {
      unsafe (pointers + index).initialize(to: strdup(text))
    }
    unsafe (pointers + count).initialize(to: nil)
  }

  deinit {
    for index in 0..<count { unsafe free(pointers[index]) }
    unsafe pointers.deallocate()
  }
}

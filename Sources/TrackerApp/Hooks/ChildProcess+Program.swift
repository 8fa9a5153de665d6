package import RetraceSystem

extension ChildProcess {
  /// Starts a program, or runs a script without a first line such as `#!/bin/sh` with the shell, as
  /// shells do.
  ///
  /// - Throws: As ``spawn(_:_:options:)``.
  package static func spawn(
    program path: String, options: Options
  ) throws(SystemError) -> ChildProcess {
    do throws(SystemError) {
      return try spawn(path, options: options)
    } catch {
      guard error.code == .notAProgram else { throw error }
      return try spawn("/bin/sh", [path], options: options)
    }
  }
}

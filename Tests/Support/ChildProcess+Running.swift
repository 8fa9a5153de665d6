import Foundation
package import RetraceSystem

extension ChildProcess {
  /// Starts a program, passes it an input, and waits for its end and its output.
  ///
  /// - Parameters:
  ///   - options: The environment and the user; the streams are pipes.
  ///   - limitBytes: The largest size of each output.
  /// - Throws: As `spawn`; `.aboveLimit` for a longer output, after which the program is killed.
  package static func run(
    _ executable: String, _ arguments: [String] = [], input: [UInt8] = [],
    options: Options = Options(), limitBytes: Int = 1 << 30
  ) throws(SystemError) -> (exit: Exit, output: [UInt8], error: [UInt8]) {
    var options = options
    (options.input, options.output, options.error) = (.pipe, .pipe, .pipe)
    let child = try spawn(executable, arguments, options: options)
    let (output, error) = try child.exchange(input, limitBytes: limitBytes)
    return (try child.wait(), output, error)
  }
}

extension FileSystem {
  /// Changes the permissions of a file.
  package static func setMode(_ path: String, _ mode: UInt32) throws {
    try FileManager.default.setAttributes([.posixPermissions: Int(mode)], ofItemAtPath: path)
  }
}

import RetraceSystem
import RetraceToolSupport

/// The creation of an output file.
enum NewFile {
  /// Creates a file that did not exist.
  ///
  /// - Parameters:
  ///   - output: The path.
  ///   - body: Calls its argument with the parts of the file, in order.
  /// - Returns: The number of bytes.
  /// - Throws: A failure; no incomplete file is left.
  static func write(
    to output: String,
    _ body: (_ append: ([UInt8]) throws(SystemError) -> Void) throws(SystemError) -> Void
  ) throws(ToolFailure) -> Int {
    do throws(SystemError) {
      return try create(output, mode: 0o600, body)
    } catch {
      let exists = error.code == .fileExists
      throw ToolFailure(
        what: "Nothing was written to \(output).",
        why: exists ? "The file exists already." : "\(error).",
        advice: exists
          ? "Give another file with --output, or remove that one."
          : "Check the folder, its permissions and the free space, and try again.",
        exitCode: exists ? ToolExit.usage : ToolExit.storage)
    }
  }

  /// Creates a file that did not exist, and removes it if it cannot be written to its end.
  ///
  /// - Returns: The number of bytes.
  /// - Throws: `SystemError`, `.fileExists` if it exists.
  static func create(
    _ path: String, mode: UInt32,
    _ body: (_ append: ([UInt8]) throws(SystemError) -> Void) throws(SystemError) -> Void
  ) throws(SystemError) -> Int {
    let file = try OpenFile.open(path, [.write, .create, .exclusive, .noFollow], mode: mode)
    var count = 0
    do throws(SystemError) {
      try body { (part) throws(SystemError) in
        try file.write(part.span, at: count)
        count += part.count
      }
      try file.synchronize()
    } catch {
      // An incomplete file is removed, so that it cannot be taken for a whole one.
      try? FileSystem.unlink(path)
      throw error
    }
    return count
  }
}

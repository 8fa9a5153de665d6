package import RetraceSystem

/// The creation of an output file.
package enum NewFile {
  package typealias Failure = SystemError
  /// Appends a part to the file.
  package typealias Append = ([UInt8]) throws(Failure) -> Void

  /// Creates a file that did not exist.
  ///
  /// - Parameters:
  ///   - output: The path.
  ///   - body: Calls its argument with the parts of the file, in order.
  /// - Returns: The number of bytes.
  /// - Throws: A failure; no incomplete file is left.
  package static func write(
    to output: String,
    _ body: (_ append: Append) throws(Failure) -> Void
  ) throws(ToolFailure) -> Int {
    do throws(SystemError) {
      return try create(output, mode: 0o600, body)
    } catch {
      guard error.code != .fileExists else { throw .existing(output) }
      throw ToolFailure(
        what: "Nothing was written to \(output).", why: "\(error).",
        advice: "Check the folder, its permissions and the free space, and try again.",
        exitCode: ToolExit.storage)
    }
  }

  /// Creates a file that did not exist, and removes it if it cannot be written to its end.
  ///
  /// - Returns: The number of bytes.
  /// - Throws: `SystemError`, `.fileExists` if it exists.
  package static func create(
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

extension ToolFailure {
  /// Creates the failure of a file that was to be created and exists already.
  package static func existing(_ path: String) -> ToolFailure {
    ToolFailure(
      what: "Nothing was written to \(path).", why: "The file exists already.",
      advice: "Give another file, or remove that one.", exitCode: ToolExit.usage)
  }
}

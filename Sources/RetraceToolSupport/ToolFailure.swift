package import Retrace
package import RetraceStorage

/// The exit codes of the tools; the same in every tool.
package enum ToolExit {
  package static var success: Int32 { 0 }
  /// The domain refused the command, such as a stop with nothing running.
  package static var refused: Int32 { 1 }
  /// A replay diverges from the recording.
  package static var divergence: Int32 { 2 }
  /// The store is damaged: its bytes are not those that were written.
  package static var damaged: Int32 { 3 }
  /// The store was written by an incompatible build.
  package static var incompatible: Int32 { 4 }
  /// Another process is using the store.
  package static var inUse: Int32 { 5 }
  package static var storage: Int32 { 6 }
  /// The log has nothing with the number or the id that was given.
  package static var notFound: Int32 { 7 }
  package static var usage: Int32 { 64 }
}

/// A failure in four parts, as the user of a tool sees it.
package struct ToolFailure: Error, Hashable, Sendable {
  package var what: String
  package var why: String
  package var advice: String
  package var exitCode: Int32

  /// The name of a store failure's code, for scripts; see `StoreError.Code.name`.
  package var code: String?
  package var isMissingStore = false
  /// The possible readings of an ambiguous text; empty for other failures.
  package var readings: [String] = []

  package init(what: String, why: String, advice: String, exitCode: Int32) {
    self.what = what
    self.why = why
    self.advice = advice
    self.exitCode = exitCode
  }

  package init(_ error: StoreError) {
    var why = error.why
    // Names the failed system call, so that an administrator can look it up.
    if let call = error.underlying {
      why = (why.last == "." ? String(why.dropLast()) : why) + " (\(call))."
    }
    self.init(
      what: error.what, why: why, advice: error.toolAdvice, exitCode: ToolExit.code(of: error))
    code = error.code.name
    if case .storeMissing(.directory) = error.code { isMissingStore = true }
  }

  /// The failure for programs: an object with the four parts.
  package var json: JSONValue {
    var parts = [
      JSONValue.Member("what", .string(what)), .init("why", .string(why)),
      .init("do", .string(advice)), .init("exitCode", .integer(Int64(exitCode))),
    ]
    if let code { parts.append(.init("code", .string(code))) }
    return ["error": .object(parts)]
  }

  package static func usage(_ why: String, advice: String) -> ToolFailure {
    ToolFailure(
      what: "The command line was not understood.", why: why, advice: advice,
      exitCode: ToolExit.usage)
  }

  /// Creates a failure for a record, an entity or a scene that the log does not have.
  ///
  /// - Parameters:
  ///   - what: The kind of entity that was not found, as in `record`.
  ///   - why: The reason, which names the thing.
  ///   - advice: The advice to the user.
  package static func notFound(_ what: String, why: String, advice: String) -> ToolFailure {
    ToolFailure(
      what: "The \(what) was not found.", why: why, advice: advice, exitCode: ToolExit.notFound)
  }

  /// Creates a failure for a record that the log does not have.
  ///
  /// - Parameters:
  ///   - sequence: The record.
  ///   - first: The first record that can be given.
  ///   - last: The last one.
  ///   - option: The option by which the record is given, for the advice.
  package static func noRecord(
    _ sequence: UInt64, first: UInt64 = 0, last: UInt64, option: String = " with --at"
  ) -> ToolFailure {
    last < max(first, 1)
      ? .notFound(
        "record", why: "There is no record \(sequence); the log is empty.",
        advice: "Record something first, or check the directory of the store.")
      : .notFound(
        "record", why: "There is no record \(sequence); the last one is \(last).",
        advice: "Give a record from \(first) to \(last)\(option).")
  }
}

/// Returns the value of an expression that uses a store.
///
/// - Throws: The failure of the store's error.
package func orFail<Value: ~Copyable>(
  _ value: @autoclosure () throws(StoreError) -> Value
) throws(ToolFailure) -> Value {
  do throws(StoreError) { return try value() } catch { throw ToolFailure(error) }
}

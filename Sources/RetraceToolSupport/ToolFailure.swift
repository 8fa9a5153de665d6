public import RetraceStorage

/// The exit codes of the tools; the same in every tool.
public enum ToolExit {
  /// Success.
  public static var fine: Int32 { 0 }
  /// The domain refused the command, such as a stop with nothing running.
  public static var refused: Int32 { 1 }
  /// A replay diverges from the recording.
  public static var divergence: Int32 { 2 }
  /// The store is damaged: it differs from what was written.
  public static var damaged: Int32 { 3 }
  /// The store was written by an incompatible build.
  public static var incompatible: Int32 { 4 }
  /// Another process is using the store.
  public static var inUse: Int32 { 5 }
  /// The storage or the disk failed.
  public static var storage: Int32 { 6 }
  /// The command line is invalid.
  public static var usage: Int32 { 64 }
}

/// A failure in four parts, as the user of a tool sees it.
public struct ToolFailure: Error, Hashable, Sendable {
  /// The operation that failed.
  public var what: String
  /// The reason why it failed.
  public var why: String
  /// The advice to the user.
  public var advice: String
  /// The exit code of the process; see ``ToolExit``.
  public var exitCode: Int32

  /// The name of a store failure's code, for scripts; see `StoreError.Code.name`.
  public var code: String?
  /// Whether the failure is a missing store.
  public var isMissingStore = false

  /// Creates a failure.
  public init(what: String, why: String, advice: String, exitCode: Int32) {
    self.what = what
    self.why = why
    self.advice = advice
    self.exitCode = exitCode
  }

  /// Creates a failure from a store's error.
  public init(_ error: StoreError) {
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

  /// Creates a failure for an invalid command line.
  public static func usage(_ why: String, advice: String) -> ToolFailure {
    ToolFailure(
      what: "The command line was not understood.", why: why, advice: advice,
      exitCode: ToolExit.usage)
  }
}

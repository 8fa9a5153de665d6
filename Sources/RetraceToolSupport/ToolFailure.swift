public import RetraceStorage

/// What a tool's process answers to whoever called it; the same in every tool.
public enum ToolExit {
  /// Everything went well.
  public static var fine: Int32 { 0 }
  /// The domain refused, such as a stop with nothing running.
  public static var refused: Int32 { 1 }
  /// A replay does not reproduce what was recorded.
  public static var divergence: Int32 { 2 }
  /// The store is not what was written.
  public static var damaged: Int32 { 3 }
  /// The store was written by a build that this one cannot follow.
  public static var incompatible: Int32 { 4 }
  /// Another process holds the store.
  public static var inUse: Int32 { 5 }
  /// The storage or the disk failed.
  public static var storage: Int32 { 6 }
  /// The command line was not understood.
  public static var usage: Int32 { 64 }
}

/// A failure as the user of a tool reads it, in four parts.
public struct ToolFailure: Error, Hashable, Sendable {
  /// What failed.
  public var what: String
  /// Why it failed.
  public var why: String
  /// What to do about it.
  public var advice: String
  /// The exit code of the process; see ``ToolExit``.
  public var exitCode: Int32

  /// One word for scripts, of a failure of the store; see `StoreError.Code.name`.
  public var code: String?
  /// Whether the failure is that there is no store at the place named.
  public var isMissingStore = false

  /// Makes a failure.
  public init(what: String, why: String, advice: String, exitCode: Int32) {
    self.what = what
    self.why = why
    self.advice = advice
    self.exitCode = exitCode
  }

  /// Makes a failure of the store's own words.
  public init(_ error: StoreError) {
    var why = error.why
    // The call that failed, for who asks the system's administrator or its handbook.
    if let call = error.underlying {
      why = (why.last == "." ? String(why.dropLast()) : why) + " (\(call))."
    }
    self.init(
      what: error.what, why: why, advice: error.toolAdvice, exitCode: ToolExit.code(of: error))
    code = error.code.name
    if case .storeMissing(.directory) = error.code { isMissingStore = true }
  }

  /// Makes a failure of a command line that cannot be carried out as it stands.
  public static func usage(_ why: String, advice: String) -> ToolFailure {
    ToolFailure(
      what: "The command line was not understood.", why: why, advice: advice,
      exitCode: ToolExit.usage)
  }
}

import RetraceSystem
package import RetraceStorage

/// The environment variable with which a user accepts a network file system.
private let anyFileSystem = "RETRACE_ANY_FILE_SYSTEM"

extension ToolExit {
  package static func code(of error: StoreError) -> Int32 {
    switch error.code {
    case .recordTooLarge, .invalidRecord, .keyReused, .invalidConfiguration: refused
    case .destinationExists: usage
    case .rolledBack, .damaged: damaged
    case .incompatible, .reducerTrapped: incompatible
    case .inUse, .alreadyOpen, .writerStalled, .overloaded, .reentrant, .cancelled: inUse
    case .storeMissing, .notAStore, .storageFailed, .diskFull, .mapFull, .filesReplaced: storage
    case .fileSystemUnsupported, .commitOutcomeUnknown, .notPlainFile, .permissionDenied: storage
    case .readOnly, .closed: storage
    }
  }
}

extension StoreError {
  /// The advice about the failure, for the user of a shell.
  var toolAdvice: String {
    switch remedy {
    case nil: advice
    case .restrictWriting(let directory): "Run: chmod go-w \(shellWord(directory))."
    case .raiseFileSizeLimit: "\(advice) `ulimit -f` shows and sets the limit."
    case .resume(let pids):
      pids.isEmpty
        ? advice : "\(advice) Resume a stopped process with: kill -CONT \(Self.list(pids))."
    case .acceptAnyFileSystem:
      "\(advice) Or set \(anyFileSystem)=1 if only one machine uses the store."
    case .salvage(let directory): advice(with: "salvage", directory)
    case .migrate(let directory): advice(with: "migrate", directory)
    }
  }

  /// Returns the advice with the command of the replay tool that makes a copy.
  private func advice(with command: String, _ directory: String) -> String {
    let words = "\(ToolProcess.replay) \(command) NEW --store \(commandWord(directory))"
    return "\(advice.last == "." ? String(advice.dropLast()) : advice): \(words)."
  }

  private static func list(_ pids: [Int32]) -> String {
    pids.map { "\($0)" }.joined(separator: " ")
  }
}

extension ToolProcess {
  static func prepareForStores() {
    // Exceeding the limit on file sizes then gives an error instead of a signal.
    ThisProcess.ignoreFileSizeSignals()
    if ThisProcess.environment(anyFileSystem) == "1" { LogStorage.acceptAnyFileSystem() }
  }
}

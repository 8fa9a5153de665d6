import RetraceSystem
public import RetraceStorage

/// The variable of the environment by which a user accepts a file system over a network.
private let anyFileSystem = "RETRACE_ANY_FILE_SYSTEM"

extension ToolExit {
  /// The exit code for a failure of a store.
  public static func code(of error: StoreError) -> Int32 {
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
  /// What to do about the failure, as the user of a shell does it.
  var toolAdvice: String {
    switch remedy {
    case nil: advice
    case .restrictWriting(let directory): "Run: chmod go-w '\(directory)'."
    case .raiseFileSizeLimit: "\(advice) `ulimit -f` shows and sets the limit."
    case .resume(let pids):
      pids.isEmpty ? advice : "\(advice) A stopped one goes on by: kill -CONT \(Self.list(pids))."
    case .acceptAnyFileSystem:
      "\(advice) Or set \(anyFileSystem)=1 if only one machine uses it."
    }
  }

  private static func list(_ pids: [Int32]) -> String {
    pids.map { "\($0)" }.joined(separator: " ")
  }
}

extension ToolMain {
  /// What a tool decides for its process before it opens a store.
  static func prepareForStores() {
    // Writing beyond the limit on the size of files is then an error, and does not end the process.
    ThisProcess.ignoreFileSizeSignals()
    if ThisProcess.environment(anyFileSystem) == "1" { LogStorage.acceptAnyFileSystem() }
  }
}

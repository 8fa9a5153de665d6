/// Why a store could not do what was asked: a code, and what a person is told.
public struct StoreError: Error, Hashable, Sendable {
  /// What kind of failure it is, for code.
  public var code: Code
  /// What failed, for a person: one sentence.
  public var what: String
  /// Why it failed: one sentence.
  public var why: String
  /// What to do about it: one sentence.
  public var advice: String
  /// The code of the call underneath, if there was one.
  public var underlying: String?
  /// What outside the program would help, if that is known.
  public var remedy: Remedy?

  /// Makes an error.
  public init(
    _ code: Code, what: String, why: String, advice: String, underlying: String? = nil,
    remedy: Remedy? = nil
  ) {
    self.code = code
    self.what = what
    self.why = why
    self.advice = advice
    self.underlying = underlying
    self.remedy = remedy
  }
}

extension StoreError {
  /// What outside the program would help; how that is done depends on the system.
  public enum Remedy: Hashable, Sendable {
    /// Nobody but the owner may write to a directory.
    case restrictWriting(directory: String)
    /// The limit on the size of files is raised.
    case raiseFileSizeLimit
    /// Processes that were stopped go on.
    case resume(pids: [Int32])
    /// This program may use any file system; see ``LogStorage/acceptAnyFileSystem()``.
    case acceptAnyFileSystem
  }
}

extension StoreError {
  /// The kinds of failure.
  public enum Code: Hashable, Sendable {
    /// There is no store, or its data is gone.
    case storeMissing(Missing)
    /// What is there is something else.
    case notAStore
    /// Another process has the store open in a way that excludes this one.
    case inUse(pids: [Int32])
    /// This process has the store open already.
    case alreadyOpen
    /// The store is older than it once was.
    case rolledBack(from: UInt64, to: UInt64)
    /// Bytes are not what was written; the first record that cannot be trusted.
    case damaged(sequence: UInt64)
    /// The system refused a call on the store's files.
    case storageFailed
    /// There is no room left on the disk, or under a quota or limit.
    case diskFull
    /// The log is larger than the address space set aside for it.
    case mapFull
    /// The store was written by a version that this one cannot stand in for.
    case incompatible
    /// The reducer ends the program at a record of the log.
    case reducerTrapped(sequence: UInt64)
    /// A commit failed, and the records may be there or not.
    case commitOutcomeUnknown
    /// The data or lock file is no longer the one that was opened.
    case filesReplaced
    /// The store lies on a file system that does not keep what LMDB needs.
    case fileSystemUnsupported
    /// A link, or something that is no plain file, is where a file should be.
    case notPlainFile
    /// The user may not read or write the files.
    case permissionDenied
    /// The store was opened for reading only, or lies on a file system that is.
    case readOnly
    /// A record or batch is larger than the log takes.
    case recordTooLarge
    /// A record was given that no log may hold.
    case invalidRecord
    /// An idempotency key was used before for something else.
    case keyReused
    /// The process whose turn it is to write does not go on.
    case writerStalled(pids: [Int32])
    /// What was asked of a store does not go together.
    case invalidConfiguration
    /// What was to be made is there already.
    case destinationExists
    /// The store was closed.
    case closed
    /// Too much is waiting already.
    case overloaded
    /// A call that waits was made from where it would wait for itself.
    case reentrant
    /// The task that made the call was cancelled before anything was done.
    case cancelled

    /// The part of a store that is missing.
    public enum Missing: Hashable, Sendable {
      /// The directory.
      case directory
      /// The data file, of a directory that is a store's.
      case dataFile
      /// The content of the data file.
      case dataFileEmpty
    }

    /// One word for scripts.
    public var name: String {
      switch self {
      case .storeMissing(.directory): "storeMissing"
      case .storeMissing(.dataFile): "storeMissing.dataFile"
      case .storeMissing(.dataFileEmpty): "storeMissing.dataFileEmpty"
      case .notAStore: "notAStore"
      case .inUse: "inUse"
      case .alreadyOpen: "alreadyOpen"
      case .rolledBack: "rolledBack"
      case .damaged: "damaged"
      case .storageFailed: "storageFailed"
      case .diskFull: "diskFull"
      case .mapFull: "mapFull"
      case .incompatible: "incompatible"
      case .reducerTrapped: "reducerTrapped"
      case .commitOutcomeUnknown: "commitOutcomeUnknown"
      case .filesReplaced: "filesReplaced"
      case .fileSystemUnsupported: "fileSystemUnsupported"
      case .notPlainFile: "notPlainFile"
      case .permissionDenied: "permissionDenied"
      case .readOnly: "readOnly"
      case .recordTooLarge: "recordTooLarge"
      case .invalidRecord: "invalidRecord"
      case .keyReused: "keyReused"
      case .writerStalled: "writerStalled"
      case .invalidConfiguration: "invalidConfiguration"
      case .destinationExists: "destinationExists"
      case .closed: "closed"
      case .overloaded: "overloaded"
      case .reentrant: "reentrant"
      case .cancelled: "cancelled"
      }
    }
  }
}

extension StoreError: CustomStringConvertible {
  /// What failed, why and what to do, a line each.
  public var description: String {
    let cause = underlying.map { " (\($0))" } ?? ""
    return "\(what)\nwhy: \(why)\(cause)\nwhat to do: \(advice)"
  }
}

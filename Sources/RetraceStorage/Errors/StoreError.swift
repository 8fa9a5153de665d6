/// A failed operation on a store: a code for programs, and sentences for people.
///
/// ```swift
/// func isWorthRetrying(_ error: StoreError) -> Bool {
///   switch error.code {
///   case .inUse, .writerStalled, .overloaded: true
///   default: false
///   }
/// }
/// ```
public struct StoreError: Error, Hashable, Sendable {
  /// The kind of failure, for programs.
  public var code: Code
  /// What failed, in one sentence for people.
  public var what: String
  /// Why it failed, in one sentence.
  public var why: String
  /// What to do about it, in one sentence.
  public var advice: String
  /// The underlying error code, if a call failed.
  public var underlying: String?
  /// A remedy outside the program, if one is known.
  public var remedy: Remedy?

  package init(
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
  /// A remedy outside the program; how to apply it depends on the system.
  public enum Remedy: Hashable, Sendable {
    /// Restrict writing to a directory to its owner.
    case restrictWriting(directory: String)
    /// Raise the limit on the size of files.
    case raiseFileSizeLimit
    /// Resume stopped processes.
    case resume(pids: [Int32])
    /// Allow any file system in this program; see ``LogStorage/acceptAnyFileSystem()``.
    case acceptAnyFileSystem
    /// Copy what can be verified of a store with the app's replay tool.
    case salvage(directory: String)
    /// Copy a store to the current version with the app's replay tool.
    case migrate(directory: String)
  }
}

extension StoreError {
  /// The kinds of failure.
  public enum Code: Hashable, Sendable {
    /// The store or its data is missing.
    case storeMissing(Missing)
    /// The path is not the directory of a store.
    case notAStore
    /// Another process has the store open and excludes this one.
    case inUse(pids: [Int32])
    /// This process already has the store open.
    case alreadyOpen
    /// The data file was replaced by an older one, or by one with another history.
    case rolledBack(from: UInt64, to: UInt64)
    /// Bytes differ from those written; no record from this sequence on can be trusted.
    case damaged(sequence: UInt64)
    /// The system refused a call on the store's files.
    case storageFailed
    /// The disk, a quota or a limit leaves no room.
    case diskFull
    /// The log is larger than its map.
    case mapFull
    /// This version cannot read or write the store's format.
    case incompatible
    /// The reducer crashes the program at a record of the log.
    case reducerTrapped(sequence: UInt64)
    /// A commit failed, and the records may or may not be stored.
    case commitOutcomeUnknown
    /// The data or lock file was replaced while it was open.
    case filesReplaced
    /// The store is on a network or FUSE file system, which need not share memory and locks.
    case fileSystemUnsupported
    /// A file or directory of the store is a link, has several hard links, or is of the wrong kind.
    case notPlainFile
    /// The user may not read or write the files.
    case permissionDenied
    /// The store was opened for reading, or is on a read-only file system.
    case readOnly
    /// A record or batch exceeds the log's limit.
    case recordTooLarge
    /// A record violates the log's format.
    case invalidRecord
    /// An idempotency key was already used for another batch.
    case keyReused
    /// The process that holds the write lock makes no progress.
    case writerStalled(pids: [Int32])
    /// The options contradict each other.
    case invalidConfiguration
    /// The destination already exists.
    case destinationExists
    /// The store was closed.
    case closed
    /// Too much work is queued.
    case overloaded
    /// A blocking call was made from a place where it would wait for itself.
    case reentrant
    /// The calling task was cancelled before anything was done.
    case cancelled

    /// The part of a store that is missing.
    public enum Missing: Hashable, Sendable {
      /// The directory.
      case directory
      /// The data file of an existing store.
      case dataFile
      /// The contents of the data file.
      case dataFileEmpty
    }

    /// A word for scripts: the name of the case, and of the missing part if that is a file.
    public var name: String {
      switch self {
      case .storeMissing(.dataFile): "storeMissing.dataFile"
      case .storeMissing(.dataFileEmpty): "storeMissing.dataFileEmpty"
      default: String("\(self)".prefix { $0 != "(" })
      }
    }
  }
}

extension StoreError: CustomStringConvertible {
  /// What failed, why, and what to do, one line each.
  public var description: String {
    let cause = underlying.map { " (\($0))" } ?? ""
    return "\(what)\nwhy: \(why)\(cause)\nwhat to do: \(advice)"
  }
}

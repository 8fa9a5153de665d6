import RetraceBundle
import RetraceSystem

extension LogStorage {
  /// The largest file that is read as a bundle, in bytes.
  private static var bundleBytesMax: Int { 4 << 30 }

  /// Returns whether a path leads to a regular file that begins as a bundle does.
  ///
  /// - Complexity: O(1).
  package static func isBundle(_ path: String) -> Bool {
    guard let file = try? OpenFile.open(path, [.read, .nonBlocking]),
      (try? file.isRegular) == true, let start = try? file.readNext(16)
    else { return false }
    return Bundle.isContainer(start.span)
  }

  /// Opens a bundle: the log of an app in one file.
  ///
  /// The file is read into memory and never reaches LMDB. The log is read as that of a store; it
  /// accepts no records and has no snapshots.
  ///
  /// - Parameter path: The path of the file.
  /// - Complexity: O(bytes of the file), each hashed once.
  /// - Throws: ``StoreError/Code/notAStore`` if the file is not a bundle, `incompatible` if it has
  ///   another version, `damaged` if its bytes are not those that were written; storage failures.
  public static func open(bundle path: String) throws(StoreError) -> LogStorage {
    let bytes = try StoreError.system(
      try FileSystem.readWhole(path, limitBytes: bundleBytesMax), in: path, doing: "be read")
    return try open(bundle: bytes, named: path)
  }

  /// Opens a bundle, as ``open(bundle:)`` does, and notes how far it is folded, as the directory of
  /// a store does.
  ///
  /// After a crash, `UncleanShutdown.find(by:in:)` finds in the directory what the process noted.
  /// If an earlier process crashed while it folded a bundle, each record is noted.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - folder: An existing directory of the caller, for the notes alone.
  /// - Complexity: As ``open(bundle:)``, and O(names in the directory).
  /// - Throws: The errors of ``open(bundle:)``, and of writing into the directory.
  package static func open(
    bundle path: String, notingIn folder: String
  ) throws(StoreError) -> LogStorage {
    let storage = try open(bundle: path)
    guard let bundle = storage.bundle else { return storage }
    let marks = StorePath(folder)
    _ = try StoreError.system(
      try OpenFile.open(marks.file(StoreLocks.name), [.read, .write, .create], mode: 0o600),
      in: folder, doing: "be created")
    let lock = try OpeningLock(marks, timeoutMilliseconds: OpeningLock.timeoutMilliseconds)
    let (mark, report) = try OpenMark.begin(marks, writing: false, under: lock)
    return LogStorage(
      bundle, at: path, notes: FoldNotes(mark, report.uncleanShutdowns, in: marks), mark: mark)
  }

  /// Opens the bytes of a bundle, as ``open(bundle:)`` opens a file.
  package static func open(
    bundle bytes: [UInt8], named path: String
  ) throws(StoreError) -> LogStorage {
    do throws(BundleError) {
      return LogStorage(try Bundle(bytes, hashing: SHA256Hasher.self), at: path)
    } catch {
      throw StoreError(error, at: path)
    }
  }
}

extension StoreError {
  fileprivate init(_ error: BundleError, at path: String) {
    let what = "The file \(path) could not be opened."
    switch error {
    case .notABundle:
      self.init(
        .notAStore, what: what, why: "It is not a bundle.",
        advice: "Name the directory of a store, or a file that `replay bundle` wrote.")
    case .unknownVersion, .otherSchema:
      self.init(
        .incompatible, what: what, why: Self.sentence("\(error)"),
        advice: "Use the version of the tools that wrote it, or a newer one.")
    case .damaged, .tooLarge:
      self.init(
        .damaged(sequence: 1), what: what, why: Self.sentence("\(error)"),
        advice: "Get the file again from where it came from.")
    }
  }
}

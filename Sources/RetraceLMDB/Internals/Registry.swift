import Synchronization

/// The data files that this process has open in environments.
///
/// LMDB keeps its locks per process: a second environment on the same files would, when closed,
/// silently take the first one's locks away. So a second one is refused. Opening and closing hold
/// the registry's lock, so that no two of them cross.
enum Registry {
  private static let openFiles = Mutex<Set<LMDBFileIdentity>>([])

  /// Opens an environment while no other is opened or closed, and notes its data file.
  static func open(
    _ path: String, _ calls: Calls, _ body: () throws(LMDBError) -> LMDBEnvironment
  ) throws(LMDBError) -> LMDBEnvironment {
    try openFiles.withLock { files throws(LMDBError) in
      if let status = try calls.status(ofPlainFile: path), files.contains(status.identity) {
        throw LMDBError(.alreadyOpen, during: .openEnvironment)
      }
      let environment = try body()
      files.insert(environment.fileIdentity)
      return environment
    }
  }

  /// Closes an environment and forgets its data file.
  static func close(_ identity: LMDBFileIdentity, _ body: () -> Void) {
    openFiles.withLock { files in
      body()
      files.remove(identity)
    }
  }
}

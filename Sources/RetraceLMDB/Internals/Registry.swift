import RetraceSystem

/// The data files of the environments that this process has open.
///
/// LMDB's locks belong to the process: closing a second environment on the same files would
/// silently release the locks of the first. So a second one is refused. Opening and closing hold
/// the registry's lock, so that they never overlap.
enum Registry {
  private static let openFiles = Lock<Set<FileIdentity>>([])

  /// Opens an environment while no other is being opened or closed, and registers its data file.
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

  /// Closes an environment and unregisters its data file.
  static func close(_ identity: FileIdentity, _ body: () -> Void) {
    openFiles.withLock { files in
      body()
      files.remove(identity)
    }
  }
}

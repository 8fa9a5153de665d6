import RetracePlatform

extension LogStorage {
  /// The variable of the environment by which a user takes the risk.
  static let anyFileSystem = "RETRACE_ANY_FILE_SYSTEM"

  /// Refuses a store on a file system over a network, or of a program.
  ///
  /// LMDB needs a map of the file that all processes share, and locks that all of them see.
  static func requireLocal(_ store: StorePath, _ info: FileInfo) throws(StoreError) {
    guard let kind = FileSystem.kindWithoutDisk(info.identity), isRemote(kind),
      ThisProcess.environment(anyFileSystem) != "1"
    else { return }
    throw StoreError(
      .fileSystemUnsupported, what: "The store \(store.directory) could not be opened.",
      why: "It lies on a file system of the kind \(kind), which does not share memory and locks"
        + " between all who use it.",
      advice: "Put it on a local disk; or set \(anyFileSystem)=1 if only one machine uses it.")
  }

  /// Whether a kind of file system, by the system's name, lies behind a network or a program.
  package static func isRemote(_ kind: String) -> Bool {
    let remote: Set<String> = [
      "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "coda", "lustre", "gfs2",
      "ocfs2", "ncpfs", "fuse",
    ]
    return remote.contains(kind) || kind.hasPrefix("fuse.")
  }
}

import RetraceSystem
import Synchronization

extension LogStorage {
  private static let acceptsAnyFileSystem = Atomic(false)

  /// Lets this process open stores on file systems over a network, or of a program.
  ///
  /// That is safe only while one machine uses such a store: file systems of this kind do not share
  /// memory and locks between machines.
  public static func acceptAnyFileSystem() {
    acceptsAnyFileSystem.store(true, ordering: .relaxed)
  }

  /// Refuses a store on a file system over a network, or of a program.
  ///
  /// LMDB needs a map of the file that all processes share, and locks that all of them see.
  static func requireLocal(_ store: StorePath, _ info: FileInfo) throws(StoreError) {
    guard let kind = FileSystem.kindWithoutDisk(info.identity), isRemote(kind),
      !acceptsAnyFileSystem.load(ordering: .relaxed)
    else { return }
    throw StoreError(
      .fileSystemUnsupported, what: "The store \(store.directory) could not be opened.",
      why: "It lies on a file system of the kind \(kind), which does not share memory and locks"
        + " between all who use it.",
      advice: "Put it on a local disk.", remedy: .acceptAnyFileSystem)
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

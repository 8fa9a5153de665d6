import RetraceSystem
import Synchronization

extension LogStorage {
  private static let acceptsAnyFileSystem = Atomic(false)

  /// Allows this process to open stores on network and FUSE file systems.
  ///
  /// This is safe only while one machine uses such a store, because these file systems do not share
  /// memory and locks between machines.
  package static func acceptAnyFileSystem() {
    acceptsAnyFileSystem.store(true, ordering: .relaxed)
  }

  /// Refuses a store on a network or FUSE file system.
  ///
  /// LMDB needs a map and locks that all processes share.
  static func requireLocal(_ store: StorePath, _ info: FileInfo) throws(StoreError) {
    guard let kind = FileSystem.nonDiskFileSystemType(of: info.identity), isRemote(kind),
      !acceptsAnyFileSystem.load(ordering: .relaxed)
    else { return }
    throw StoreError(
      .fileSystemUnsupported, what: "The store \(store.directory) could not be opened.",
      why: "It is on a file system of type \(kind), which does not share memory and locks between "
        + "all processes that use it.",
      advice: "Put it on a local disk.", remedy: .acceptAnyFileSystem)
  }

  /// Returns whether a kind of file system, by the system's name, is a network or FUSE file system.
  package static func isRemote(_ kind: String) -> Bool {
    let remote: Set<String> = [
      "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "coda", "lustre", "gfs2",
      "ocfs2", "ncpfs", "fuse",
    ]
    return remote.contains(kind) || kind.hasPrefix("fuse.")
  }
}

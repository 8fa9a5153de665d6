package import RetraceLMDB
import RetraceSystem

extension LogStorage {
  /// Creates an empty store that does not outlive the process.
  ///
  /// Transactions, snapshots, the chain and errors work as in a store on disk. The files are
  /// unlinked before this returns, so the system frees them when the store is closed or the process
  /// exits, however it exits. They are in `/dev/shm`, which is memory, or else in the directory for
  /// temporary files.
  ///
  /// A process that is killed inside this call may leave an empty store of 100 kB, whose name
  /// begins with `retrace-`.
  ///
  /// - Parameter mapBytes: The largest size of the store in bytes.
  /// - Returns: The open store; ``isInMemory`` is true.
  /// - Complexity: O(1), without waiting for a disk if there is `/dev/shm`.
  /// - Throws: ``StoreError/Code/storageFailed``, ``StoreError/Code/diskFull`` if there is no room,
  ///   ``StoreError/Code/permissionDenied``.
  public static func inMemory(mapBytes: Int = defaultMapBytes) throws(StoreError) -> LogStorage {
    try inMemory(mapBytes: mapBytes, in: nil, faults: nil)
  }

  /// Creates a store in memory; tests can pass a plan according to which LMDB calls fail.
  ///
  /// - Parameter place: The directory for the files; `nil` for `/dev/shm`.
  package static func inMemory(
    mapBytes: Int = defaultMapBytes, in place: String?, faults: LMDBFaultPlan?
  ) throws(StoreError) -> LogStorage {
    let folder = try StoreError.system(
      try privateFolder(in: place), in: place ?? FileSystem.temporaryDirectory,
      doing: "be created")
    let storage: LogStorage
    do {
      storage = try open(
        at: "\(folder)/store", access: .create, mapBytes: mapBytes, faults: faults)
    } catch {
      try? FileSystem.removeTree(folder)
      throw error
    }
    storage.markUnlinked()
    // The directory is about to be removed.
    storage.snapshots.close()
    do {
      try FileSystem.removeTree(folder)
    } catch {
      storage.close()
      throw StoreError(error, in: storage.path, doing: "be created")
    }
    return storage
  }

  /// Creates a private directory, in memory if possible.
  private static func privateFolder(in place: String?) throws(SystemError) -> String {
    let prefix = "retrace-"
    if place == nil, let folder = try? FileSystem.makeTemporaryDirectory(prefix, in: "/dev/shm") {
      return folder
    }
    return try FileSystem.makeTemporaryDirectory(prefix, in: place)
  }
}

package import RetraceLMDB
import RetraceSystem
import Synchronization

extension LogStorage {
  /// Makes an empty store of which nothing survives the process.
  ///
  /// Everything else works as with a store on disk: transactions, snapshots, the chain, errors. Its
  /// files lose their names before this returns, so that they are gone when the store is closed or
  /// the process ends, however it ends. They lie in `/dev/shm`, which is memory; where there is no
  /// such place, in the directory for temporary files.
  ///
  /// A process that is killed inside this call may leave an empty store of 100 kB with a name that
  /// begins with `retrace-`.
  ///
  /// - Parameter mapBytes: The most bytes that the store can grow to.
  /// - Returns: The open store; ``isInMemory`` is true.
  /// - Complexity: O(1), without waiting for a disk where there is `/dev/shm`.
  /// - Throws: ``StoreError/Code/storageFailed``, ``StoreError/Code/diskFull`` if there is no room,
  ///   ``StoreError/Code/permissionDenied``.
  public static func inMemory(mapBytes: Int = defaultMapBytes) throws(StoreError) -> LogStorage {
    try inMemory(mapBytes: mapBytes, in: nil, faults: nil)
  }

  /// Makes a store in memory whose calls fail by a plan, for tests.
  ///
  /// - Parameter place: The directory in which the files are made; `nil` for memory.
  package static func inMemory(
    mapBytes: Int = defaultMapBytes, in place: String?, faults: LMDBFaultPlan?
  ) throws(StoreError) -> LogStorage {
    let folder: String
    do {
      folder = try privateFolder(in: place)
    } catch {
      throw StoreError(error, in: place ?? FileSystem.temporaryDirectory, doing: "be created")
    }
    let storage: LogStorage
    do {
      storage = try open(
        at: "\(folder)/store", access: .create, mapBytes: mapBytes, faults: faults)
    } catch {
      try? FileSystem.removeTree(folder)
      throw error
    }
    storage.becomeInMemory()
    // There is no directory any more.
    storage.snapshots.close()
    do {
      try FileSystem.removeTree(folder)
    } catch {
      storage.close()
      throw StoreError(error, in: storage.path, doing: "be created")
    }
    return storage
  }

  /// A new directory whose files are in memory, if there is a place for such.
  private static func privateFolder(in place: String?) throws(SystemError) -> String {
    let prefix = "retrace-"
    if place == nil, let folder = try? FileSystem.makeTemporaryDirectory(prefix, in: "/dev/shm") {
      return folder
    }
    return try FileSystem.makeTemporaryDirectory(prefix, in: place)
  }
}

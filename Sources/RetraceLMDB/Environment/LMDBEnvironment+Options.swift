import CLMDB
import Glibc

extension LMDBEnvironment {
  /// The sizes and limits of an environment.
  ///
  /// No option disables locks, synchronous commits or the clearing of new pages.
  public struct Options: Sendable {
    /// The size of the map in bytes: a limit for the data, rounded up to whole pages.
    ///
    /// The map takes address space, not memory or disk, so a large one costs nothing. If the
    /// address space is limited (`ulimit -v`), the map is made smaller.
    package var mapSizeBytes: Int
    package var maxDatabases: UInt32
    /// The largest number of concurrent read transactions of all processes.
    ///
    /// The first process that opens the environment determines it.
    package var maxReaders: UInt32
    package var isReadOnly: Bool
    /// Whether the system may read ahead at each page that is not in memory, often by some MiB.
    ///
    /// Disable it for programs that read few pages; scans then announce their reads with
    /// ``LMDBCursor/prefetchValue()``.
    package var readahead: Bool
    /// A lock that keeps other processes from opening or closing the environment concurrently.
    package var openingLock: (any EnvironmentOpeningLock)?
    package var faults: LMDBFaultPlan?

    /// Creates options.
    public init(
      mapSizeBytes: Int = 64 << 30, maxDatabases: UInt32 = 16, maxReaders: UInt32 = 126,
      isReadOnly: Bool = false, readahead: Bool = true
    ) {
      self.mapSizeBytes = mapSizeBytes
      self.maxDatabases = maxDatabases
      self.maxReaders = maxReaders
      self.isReadOnly = isReadOnly
      self.readahead = readahead
    }

    /// The size of the map in bytes, rounded up to whole pages.
    ///
    /// - Throws: `.invalidArgument` for an impossible size.
    var mapSizeRoundedToPages: Int {
      get throws(LMDBError) {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        guard mapSizeBytes > 0, mapSizeBytes <= Int.max - page else {
          throw LMDBError(.invalidArgument, during: .setMapSize)
        }
        return (mapSizeBytes + page - 1) / page * page
      }
    }

    /// The flags for `mdb_env_open`; no other code sets flags of an environment.
    ///
    /// `MDB_NOTLS` is always set: reader slots belong to transactions, not to threads.
    var flags: UInt32 {
      var flags = UInt32(MDB_NOTLS)
      if isReadOnly { flags |= UInt32(MDB_RDONLY) }
      if !readahead { flags |= UInt32(MDB_NORDAHEAD) }
      return flags
    }
  }
}

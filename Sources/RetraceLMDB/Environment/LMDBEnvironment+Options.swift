import CLMDB
import Glibc

extension LMDBEnvironment {
  /// Sizes and limits of an environment.
  ///
  /// Nothing here can switch off locks, synchronous commits or the clearing of new pages.
  public struct Options: Sendable {
    /// The size of the map: an upper limit for the data, rounded up to whole pages.
    ///
    /// The map is address space, not memory or disk: a large one costs nothing. Where that is
    /// limited (`ulimit -v`), the map is as small as it has to be.
    public var mapSizeBytes: Int
    /// The highest number of named databases.
    public var maxDatabases: UInt32
    /// The highest number of read transactions at one time, over all processes.
    ///
    /// The process that opens the environment first decides.
    public var maxReaders: UInt32
    /// Whether only read transactions are allowed.
    public var isReadOnly: Bool
    /// Whether the system may read ahead at each page that is not in memory, often some MiB.
    ///
    /// Off helps who reads few pages; walks then announce what they read by
    /// ``LMDBCursor/expectValue()``.
    public var readahead: Bool
    /// What keeps other processes from opening or closing the environment at the same time.
    package var gate: (any EnvironmentGate)?
    /// Calls that are to fail, for tests.
    package var faults: LMDBFaultPlan?

    /// Makes options.
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

    /// The map's size in whole pages, in bytes.
    ///
    /// - Throws: `.invalidArgument` for a size that no map has.
    var mapSizeInPages: Int {
      get throws(LMDBError) {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        guard mapSizeBytes > 0, mapSizeBytes <= Int.max - page else {
          throw LMDBError(.invalidArgument, during: .setMapSize)
        }
        return (mapSizeBytes + page - 1) / page * page
      }
    }

    /// The only place where flags of `mdb_env_open` are put together.
    ///
    /// `MDB_NOTLS` always: reader slots belong to transactions, not to threads.
    var flags: UInt32 {
      var flags = UInt32(MDB_NOTLS)
      if isReadOnly { flags |= UInt32(MDB_RDONLY) }
      if !readahead { flags |= UInt32(MDB_NORDAHEAD) }
      return flags
    }
  }
}

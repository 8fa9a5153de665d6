import CLMDB

package struct LMDBVersion: Hashable, Sendable {
  package var major: Int32
  package var minor: Int32
  package var patch: Int32

  /// The version of the header that the program was built with.
  package static let header = LMDBVersion(
    major: MDB_VERSION_MAJOR, minor: MDB_VERSION_MINOR, patch: MDB_VERSION_PATCH)

  /// The version of the library that the program runs with; the C function is `mdb_version`.
  package static let library: LMDBVersion = {
    var version = LMDBVersion(major: 0, minor: 0, patch: 0)
    // Unsafe: C writes to the numbers during the call only, and the text that it returns is static.
    _ = unsafe mdb_version(&version.major, &version.minor, &version.patch)
    return version
  }()
}

extension LMDBVersion: CustomStringConvertible {
  package var description: String { "\(major).\(minor).\(patch)" }
}

import CLMDB

/// A version of LMDB.
package struct LMDBVersion: Hashable, Sendable {
  /// The major version, which is 0 or 1.
  package var major: Int32
  /// The minor version.
  package var minor: Int32
  /// The patch version.
  package var patch: Int32

  /// Creates a version.
  package init(major: Int32, minor: Int32, patch: Int32) {
    self.major = major
    self.minor = minor
    self.patch = patch
  }

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
  /// The version as text, such as `0.9.24`.
  package var description: String { "\(major).\(minor).\(patch)" }
}

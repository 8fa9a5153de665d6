import Glibc

/// The identity of a file, independent of its name: its device and its inode.
package struct FileIdentity: Hashable, Sendable {
  package var device: UInt64
  package var inode: UInt64

  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }
}

package struct FileInfo: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case regular
    case directory
    case symbolicLink
    /// A pipe, a socket or a device.
    case other
  }

  package var identity: FileIdentity
  package var kind: Kind
  package var sizeBytes: Int
  /// The number of names; 0 for a file that was unlinked while it was open.
  package var linkCount: Int
  package var owner: UInt32
  /// The permission bits, such as 0600.
  package var mode: UInt32
  /// The time of the last change of the contents, in microseconds since 1970.
  package var modified: Int64

  package var isRegular: Bool { kind == .regular }
  package var isDirectory: Bool { kind == .directory }

  /// Returns a file's time in microseconds; clamped, because programs can set it to any value.
  package static func microseconds(_ seconds: Int64, nanoseconds: Int64) -> Int64 {
    let whole = seconds.multipliedReportingOverflow(by: 1_000_000)
    let sum = whole.partialValue.addingReportingOverflow(nanoseconds / 1_000)
    guard !whole.overflow, !sum.overflow else { return seconds < 0 ? .min : .max }
    return sum.partialValue
  }

  init(_ status: stat) {
    identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      default: .other
      }
    sizeBytes = Int(status.st_size)
    linkCount = Int(status.st_nlink)
    owner = status.st_uid
    mode = UInt32(status.st_mode) & 0o7777
    modified = FileInfo.microseconds(
      Int64(status.st_mtim.tv_sec), nanoseconds: Int64(status.st_mtim.tv_nsec))
  }
}

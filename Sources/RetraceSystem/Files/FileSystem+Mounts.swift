extension FileSystem {
  /// Returns the type of the file system that holds a file, if it is not on a block device.
  ///
  /// Examples are `nfs4`, `tmpfs` and `fuse.sshfs`. Returns `nil` for a file on a block device, and
  /// if the type is unknown.
  ///
  /// - Complexity: O(1) on a block device, else O(mounts).
  package static func nonDiskFileSystemType(of identity: FileIdentity) -> String? {
    guard major(identity.device) == 0,
      let table = try? readWhole("/proc/self/mountinfo", limitBytes: 1 << 22)
    else { return nil }
    return fileSystemType(of: identity.device, in: String(decoding: table, as: UTF8.self))
  }

  /// Returns the type of a device's file system from the system's table of mounts.
  package static func fileSystemType(of device: UInt64, in table: String) -> String? {
    let number = "\(major(device)):\(minor(device))"
    for line in table.split(separator: "\n") {
      // The fields: id, parent, device, root, mount point, options, any number of others, a hyphen,
      // kind.
      let words = line.split(separator: " ")
      guard words.count > 6, words[2] == number, let hyphen = words[6...].firstIndex(of: "-"),
        hyphen + 1 < words.endIndex
      else { continue }
      return String(words[hyphen + 1])
    }
    return nil
  }

  private static func major(_ device: UInt64) -> UInt64 {
    device >> 8 & 0xfff | device >> 32 & ~0xfff
  }

  private static func minor(_ device: UInt64) -> UInt64 {
    device & 0xff | device >> 12 & 0xffff_ff00
  }
}

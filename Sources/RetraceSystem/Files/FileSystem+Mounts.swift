extension FileSystem {
  /// The name of the kind of file system that a device number of no disk belongs to, such as
  /// `nfs4`, `tmpfs`, `fuse.sshfs`; `nil` for a file on a disk and where that cannot be told.
  ///
  /// - Complexity: O(1) on a disk, else O(mounts).
  public static func kindWithoutDisk(_ identity: FileIdentity) -> String? {
    guard major(identity.device) == 0,
      let table = try? readWhole("/proc/self/mountinfo", limitBytes: 1 << 22)
    else { return nil }
    return kind(of: identity.device, in: String(decoding: table, as: UTF8.self))
  }

  /// The kind of file system of a device by the system's table of mounts.
  package static func kind(of device: UInt64, in table: String) -> String? {
    let number = "\(major(device)):\(minor(device))"
    for line in table.split(separator: "\n") {
      // Number, parent, device, root, place, options, any number of others, a hyphen, the kind.
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

extension RangeLock {
  /// The processes of this user that hold any lock on the file, this one included.
  ///
  /// Found by looking through `/proc`: processes of other users, or in other namespaces, are not
  /// seen. For a message to a person, not for a decision.
  ///
  /// - Parameter offset: A byte, to find only those that hold a lock on it.
  /// - Complexity: O(open files of all processes of this user).
  /// - Returns: The process identifiers, ascending.
  public func holders(at offset: Int? = nil) throws(SystemError) -> [Int32] {
    let identity = try file.identity
    var found: [Int32] = []
    for name in try FileSystem.list("/proc") {
      guard let process = Int32(name) else { continue }
      // A process that ended meanwhile, or is not ours to look at, holds nothing that we can name.
      guard let descriptors = try? FileSystem.list("/proc/\(name)/fd") else { continue }
      let holds = descriptors.contains { descriptor in
        guard let info = try? FileSystem.info("/proc/\(name)/fd/\(descriptor)"),
          info.identity == identity,
          let text = try? FileSystem.readWhole(
            "/proc/\(name)/fdinfo/\(descriptor)", limitBytes: 1 << 20)
        else { return false }
        return String(decoding: text, as: UTF8.self).split(separator: "\n").contains {
          $0.contains("OFDLCK") && (offset.map(Self.range(of: $0).contains) ?? true)
        }
      }
      if holds { found.append(process) }
    }
    return found.sorted()
  }

  /// The bytes that a line of `fdinfo` is about: its last two words are the first and the last.
  private static func range(of line: Substring) -> ClosedRange<Int> {
    let words = line.split(separator: " ").suffix(2)
    guard words.count == 2, let first = words.first.flatMap({ Int($0) }), let end = words.last
    else { return 0...0 }
    return first...max(first, Int(end) ?? .max)
  }
}

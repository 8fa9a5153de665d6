extension ByteRangeLock {
  /// Returns the processes of this user that hold any lock on the file, including this one.
  ///
  /// It searches `/proc`, so it misses processes of other users and in other namespaces. Use it for
  /// messages, not for decisions.
  ///
  /// - Parameter offset: The byte whose lock holders are returned; `nil` for all bytes.
  /// - Complexity: O(open files of all processes of this user).
  /// - Returns: The process identifiers, in ascending order.
  package func holders(at offset: Int? = nil) throws(SystemError) -> [Int32] {
    let identity = try file.identity
    var found: [Int32] = []
    for name in try FileSystem.list("/proc") {
      guard let process = Int32(name) else { continue }
      // Skip processes that have ended or are not accessible.
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

  /// Returns the locked range of a line of `fdinfo`.
  ///
  /// The last two words of the line are the offsets of the range's first and last byte.
  private static func range(of line: Substring) -> ClosedRange<Int> {
    let words = line.split(separator: " ").suffix(2)
    guard words.count == 2, let first = words.first.flatMap({ Int($0) }), let end = words.last
    else { return 0...0 }
    return first...max(first, Int(end) ?? .max)
  }
}

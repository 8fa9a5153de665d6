import Foundation

/// Returns the marks of a store that are not free: of processes that have it open, and of processes
/// that ended.
public func marksInUse(of store: String) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: store).filter { name in
    guard name.hasPrefix("open.") else { return false }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(store)/\(name)"))
    return !bytes.starts(with: Array("RTFREE1\n".utf8))
  }
}

/// Returns the sessions that left the group they were about to append: in a file, or in the mark of
/// their process.
public func attemptedSessions(in store: String) throws -> [UInt64] {
  var sessions: [UInt64] = []
  for name in try FileManager.default.contentsOfDirectory(atPath: store) {
    if name.hasPrefix("attempt.") {
      // The rest of a file that a process was moving is not a mark.
      sessions.append(UInt64(name.dropFirst(8)) ?? 0)
    } else if name.hasPrefix("open.") {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(store)/\(name)"))
      // After the 64 bytes of the mark, the number of the session and its group follow.
      guard bytes.count >= 72 else { continue }
      sessions.append(bytes[64..<72].reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }
  }
  return sessions.sorted()
}

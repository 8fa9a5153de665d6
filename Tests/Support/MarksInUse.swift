import Foundation

/// Returns the marks of a store that are not free: those of processes that have it open, and those
/// that ended processes left.
public func marksInUse(of store: String) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: store).filter { name in
    guard name.hasPrefix("open.") else { return false }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(store)/\(name)"))
    return !bytes.starts(with: Array("RTFREE1\n".utf8))
  }
}

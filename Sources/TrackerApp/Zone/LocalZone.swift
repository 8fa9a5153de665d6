public import CivilTime
import RetraceSystem
public import TimeTracking

/// Where the rules of time zones come from: the files of the system, read at the edge.
public enum LocalZone {
  /// The folders in which the system keeps its time zone files.
  static var folders: [String] {
    ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo"]
  }

  /// The most bytes that a time zone file may have.
  static var fileSizeMax: Int { 1 << 20 }

  /// The rules of a zone by its id, such as `Europe/Berlin`; `nil` if there are none.
  ///
  /// The id is no path: components that lead out of the folder are refused.
  public static func rules(id: String) -> ZoneRules? {
    if id == "UTC" { return .utc }
    let parts = id.split(separator: "/", omittingEmptySubsequences: false)
    let isSafe = parts.allSatisfy { part in
      !part.isEmpty && part.utf8.first != 0x2e
        && part.utf8.allSatisfy { byte in
          (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte)
            || (0x61...0x7a).contains(byte) || byte == 0x2b || byte == 0x2d || byte == 0x5f
        }
    }
    guard isSafe, id.utf8.count <= 64 else { return nil }
    for folder in folders {
      guard let bytes = try? FileSystem.readWhole("\(folder)/\(id)", limitBytes: fileSizeMax),
        let rules = try? ZoneRules(id: id, tzif: bytes.span)
      else { continue }
      return rules
    }
    return nil
  }

  /// The rules of the process's own zone: `TZ`, else `/etc/localtime`, else UTC.
  public static func current() -> ZoneRules {
    if let name = ThisProcess.environment("TZ"), !name.isEmpty {
      let id = name.hasPrefix(":") ? String(name.dropFirst()) : name
      return rules(id: id) ?? .utc
    }
    guard let target = try? FileSystem.realPath("/etc/localtime") else { return .utc }
    for folder in folders where target.hasPrefix(folder + "/") {
      if let rules = rules(id: String(target.dropFirst(folder.count + 1))) { return rules }
    }
    return .utc
  }

  /// The version of the system's time zone database; empty when it does not say.
  public static func databaseVersion() -> String {
    for folder in folders {
      for name in ["+VERSION", "version", "tzdata.zi"] {
        // The version is the file's first line; the database itself has a hundred kilobytes.
        guard let file = try? OpenFile.open("\(folder)/\(name)", [.read]),
          let bytes = try? file.readNext(40)
        else { continue }
        let line = String(decoding: bytes.prefix { $0 != 0x0a }, as: UTF8.self)
        return line.hasPrefix("# version ") ? String(line.dropFirst(10)) : line
      }
    }
    return ""
  }
}

/// The environment in which the tracker's effects run.
public struct LiveTrackerEnvironment: TrackerEnvironment {
  /// Makes the environment of this process.
  public init() {}

  /// The rules of a zone by its id, from the files of the system.
  public func zoneRules(id: String) -> ZoneRules? { LocalZone.rules(id: id) }
}

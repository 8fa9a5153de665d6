package import Retrace
import RetraceSystem

/// The time zones of this system: the rules of the process's own zone, and of any zone by its id.
package enum LocalZone {
  /// The failure to read the rules of the process's own zone, in words for the user.
  package struct Failure: Error, Hashable, Sendable {
    /// The operation that failed.
    package var what: String
    /// The reason why it failed.
    package var why: String
    /// The advice to the user.
    package var advice: String
    /// Whether the environment variable `TZ` is wrong, rather than a file of the system.
    package var isEnvironment: Bool
  }

  /// Returns the rules of a zone by its id, such as `Europe/Berlin`, if any.
  ///
  /// The id is a name in the tz database or a rule such as `CET-1CEST,M3.5.0,M10.5.0/3`, never a
  /// path.
  package static func rules(id: String) -> ZoneRules? {
    try? ZoneSystem.live.rules(id: id)
  }

  /// Returns the bytes of the file of a zone by its id; `nil` if this system has none.
  package static func file(id: String) -> [UInt8]? { ZoneSystem.live.file(id: id) }

  /// Returns the ids of the zones of this system, sorted, to correct a misspelled one.
  ///
  /// - Complexity: O(files of the time zone database).
  package static func ids() -> [String] {
    for folder in ZoneSystem.live.folders {
      let names = ZoneSystem.live.names(in: folder)
      if !names.isEmpty { return names }
    }
    return []
  }

  /// Returns the rules of the process's own zone: of `TZ`, else of `/etc/localtime`.
  ///
  /// An empty `TZ` means UTC; so does the absence of `/etc/localtime`, as for all programs.
  ///
  /// - Parameter variable: The value of `TZ`; `nil` if it is not set.
  /// - Throws: ``Failure`` if `TZ` is no zone, or if the zone's file cannot be read.
  package static func current(variable: String?) throws(Failure) -> ZoneRules {
    guard let variable else {
      return try ZoneSystem.live.localtimeRules()
    }
    return try ZoneSystem.live.rules(variable: variable)
  }

  /// The rules of the process's own zone, in which tools of any app show and read times; UTC if
  /// they cannot be read, as for the C library.
  package static var shown: ZoneRules {
    (try? current(variable: ThisProcess.environment("TZ"))) ?? .utc
  }

  /// The version of the system's time zone database; empty if it is unknown.
  package static func databaseVersion() -> String {
    for folder in ZoneSystem.live.folders {
      for name in ["tzdata.zi", "+VERSION", "version"] {
        // The version is the file's first line; the database itself has a hundred kilobytes.
        guard let file = try? OpenFile.open("\(folder)/\(name)", [.read, .nonBlocking]),
          (try? file.isRegular) == true, let bytes = try? file.readNext(40)
        else { continue }
        let line = String(decoding: bytes.prefix { $0 != 0x0a }, as: UTF8.self)
        return line.hasPrefix("# version ") ? String(line.dropFirst(10)) : line
      }
    }
    return ""
  }
}

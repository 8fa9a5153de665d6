public import CivilTime
import Foundation
public import RetraceState

/// The time zones of this machine, for tests.
public enum ZoneFiles {
  /// Whether the tz database is installed.
  public static var exist: Bool {
    FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/Europe/Berlin")
  }

  /// Reads the rules of a zone.
  public static func load(_ id: String) throws -> ZoneRules {
    let data = try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/\(id)"))
    return try ZoneRules(id: id, tzif: [UInt8](data).span)
  }

  /// Returns the moment of a time in UTC, such as `2026-11-21 09:30:00`.
  public static func moment(_ text: String) throws -> Moment {
    let local = try DateFormat("yyyy-MM-dd HH:mm:ss").parse(text)
    return Moment(microseconds: local.secondsSince1970 * 1_000_000)
  }
}

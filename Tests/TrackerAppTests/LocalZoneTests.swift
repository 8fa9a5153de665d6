import CivilTime
import RetraceState
import Foundation
import RetraceArchitecture
import RetraceSystem
import Testing
import TimeTracking

@testable import TrackerApp

@Suite struct LocalZoneTests {
  private static var hasZones: Bool {
    FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/Europe/Berlin")
  }

  @Test(
    arguments: [
      "", "/etc/passwd", "../../../etc/localtime", "Europe/../Europe/Berlin", "Europe//Berlin",
      "Europe/Berlin/", "./UTC", ".", "..", "Europe/Ber lin", "Europe/Berlin\u{0}", "Zürich",
      String(repeating: "a", count: 65), "Europe", "No/Such_Zone",
    ])
  func `an id that is a path or none at all has no rules`(id: String) {
    #expect(LocalZone.rules(id: id) == nil)
  }

  @Test func `UTC needs no files`() {
    #expect(LocalZone.rules(id: "UTC") == .utc)
  }

  @Test(.enabled(if: hasZones))
  func `a zone is read from the system's files`() throws {
    let berlin = try #require(LocalZone.rules(id: "Europe/Berlin"))
    #expect(berlin.id == "Europe/Berlin")
    // Half a year apart: winter and summer.
    #expect(berlin.offset(at: Moment(microseconds: 1_767_225_600_000_000)) == 3_600)
    #expect(berlin.offset(at: Moment(microseconds: 1_782_864_000_000_000)) == 7_200)
    #expect(!LocalZone.databaseVersion().isEmpty)
    #expect(LiveTrackerEnvironment().zoneRules(id: "Europe/Berlin") == berlin)
  }
}

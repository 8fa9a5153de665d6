import CivilTime
import RetraceState
import Foundation
import RetraceArchitecture
import RetraceSystem
import Testing

@testable import RetraceToolSupport

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
  }

  // MARK: The zone of the process

  private static let berlin = "/usr/share/zoneinfo/Europe/Berlin"

  @Test(
    .enabled(if: hasZones),
    arguments: ["Europe/Berlin", ":Europe/Berlin", berlin, ":" + berlin, "/./\(berlin)"])
  func `a zone in TZ is found by its name and by its path, not taken for UTC`(variable: String)
    throws
  {
    let rules = try ZoneSystem.live.rules(variable: variable)
    #expect(rules.id == "Europe/Berlin")
    #expect(rules == LocalZone.rules(id: "Europe/Berlin"))
  }

  @Test(arguments: [
    ("CET-1CEST", "CET-1CEST,M3.2.0,M11.1.0"), (":CET-1CEST", "CET-1CEST,M3.2.0,M11.1.0"),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "CET-1CEST,M3.5.0,M10.5.0/3"), ("<+0530>-5:30", "<+0530>-5:30"),
    ("", "UTC"), (":", "UTC"), ("UTC", "UTC"), ("UTC0", "UTC0"),
  ])
  func `a rule in TZ is a zone, not taken for UTC, and its id gives the rules again`(
    variable: String, id: String
  ) throws {
    let rules = try ZoneSystem.live.rules(variable: variable)
    #expect(rules.id == id)
    #expect(LocalZone.rules(id: id) == rules)
    let summer = Moment(microseconds: 1_782_864_000_000_000)
    let offset: Int32 = id.hasPrefix("CET") ? 7_200 : id.hasPrefix("<") ? 19_800 : 0
    #expect(rules.offset(at: summer) == offset)
  }

  @Test(arguments: [
    "Europe/Berln", "Berlin", "../../../etc/passwd", "CET-1CEST,M3.5.0", "\u{1b}[2J", "Zürich",
    "/nonexistent", "/etc/passwd", "/usr/share", "/dev/zero", ":/dev/null",
    String(repeating: "x", count: 5_000), "/" + String(repeating: "x", count: 5_000), "a\nb",
  ])
  func `a TZ that is no zone is an error, never UTC`(variable: String) throws {
    let error = try #require(throws: LocalZone.Failure.self) {
      try ZoneSystem.live.rules(variable: variable)
    }
    #expect(error.isEnvironment && error.what.contains("TZ") && error.advice.contains("tzdata"))
    for part in [error.what, error.why, error.advice] {
      #expect(part.last == "." && part.utf8.count < 600)
      #expect(part.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }
  }

  /// Calls a body with a system of its own, in which there are two zones.
  private func withSystem(_ body: (ZoneSystem, String) throws -> Void) throws {
    let directory = try FileSystem.makeTemporaryDirectory("retrace-zones-")
    defer { try? FileSystem.removeTree(directory) }
    let folder = directory + "/zoneinfo"
    try FileSystem.makeDirectories(folder + "/Europe")
    try FileSystem.makeDirectories(folder + "/Arctic")
    for id in ["Europe/Berlin", "Europe/London"] {
      try copy("/usr/share/zoneinfo/\(id)", to: "\(folder)/\(id)")
    }
    try body(
      ZoneSystem(
        folders: [folder], localtime: directory + "/localtime", timezone: directory + "/timezone"),
      directory)
  }

  private func copy(_ path: String, to copy: String) throws {
    try Data(contentsOf: URL(fileURLWithPath: path)).write(to: URL(fileURLWithPath: copy))
  }

  private func link(_ path: String, to target: String) throws {
    try? FileSystem.unlink(path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
  }

  @Test(.enabled(if: hasZones))
  func `the system's zone is the file that localtime links to`() throws {
    try withSystem { system, directory in
      let berlin = try system.rules(id: "Europe/Berlin")
      for target in ["zoneinfo/Europe/Berlin", system.folders[0] + "/Europe/Berlin"] {
        try link(system.localtime, to: target)
        #expect(try system.localtimeRules() == berlin)
      }
      // The link of the user's choice has a name, not the file that it leads to.
      try link(system.folders[0] + "/Arctic/Longyearbyen", to: "../Europe/Berlin")
      try link(system.localtime, to: "zoneinfo/Arctic/Longyearbyen")
      #expect(try system.localtimeRules().id == "Arctic/Longyearbyen")
      // A link to a link elsewhere.
      try link(directory + "/chosen", to: "zoneinfo/Europe/London")
      try link(system.localtime, to: "chosen")
      #expect(try system.localtimeRules() == system.rules(id: "Europe/London"))
    }
  }

  @Test(.enabled(if: hasZones))
  func `the system's zone may be a regular file, not taken for UTC`() throws {
    try withSystem { system, directory in
      let berlin = try system.rules(id: "Europe/Berlin")
      let path = system.folders[0] + "/Europe/Berlin"
      try copy(path, to: system.localtime)
      // The name is found by comparing the bytes.
      #expect(try system.localtimeRules() == berlin)
      // If the rules have two names, the system's file with the name decides, unless it is wrong.
      try copy(path, to: system.folders[0] + "/Arctic/Longyearbyen")
      for (text, id) in [
        ("Europe/Berlin\n", "Europe/Berlin"), ("Arctic/Longyearbyen", "Arctic/Longyearbyen"),
        ("Europe/London\n", "Arctic/Longyearbyen"), ("../Europe/Berlin\n", "Arctic/Longyearbyen"),
        (String(repeating: "x", count: 10_000), "Arctic/Longyearbyen"),
      ] {
        try Data(text.utf8).write(to: URL(fileURLWithPath: system.timezone))
        #expect(try system.localtimeRules().id == id)
      }
      // The table of main names decides next.
      let table = "# comment\nDE,DK\t+5230+01322\tEurope/Berlin\tmost of Germany\n"
      try Data(table.utf8).write(
        to: URL(fileURLWithPath: system.folders[0] + "/zone1970.tab"))
      try FileSystem.unlink(system.timezone)
      #expect(try system.localtimeRules() == berlin)
    }
  }

  @Test(.enabled(if: hasZones))
  func `a zone of no name keeps its rules and has an id that gives none`() throws {
    try withSystem { system, directory in
      let path = "/usr/share/zoneinfo/Asia/Kolkata"
      try copy(path, to: system.localtime)
      for rules in [
        try system.localtimeRules(), try system.rules(variable: system.localtime),
      ] {
        #expect(rules.id == "unnamed")
        #expect(rules.offset(at: Moment(microseconds: 0)) == 19_800)
        #expect(throws: ZoneSystem.Problem.unknown) { try system.rules(id: rules.id) }
      }
    }
  }

  @Test(.enabled(if: hasZones))
  func `a system's zone that cannot be read is an error, none at all is UTC`() throws {
    try withSystem { system, directory in
      #expect(try system.localtimeRules() == .utc)
      // Without the database, a link to UTC is enough.
      try link(system.localtime, to: "/nonexistent/zoneinfo/Etc/UTC")
      #expect(try system.localtimeRules() == ZoneRules(id: "Etc/UTC", offsetSeconds: 0))
      func expectFailure(
        _ words: String, sourceLocation: SourceLocation = #_sourceLocation
      ) throws {
        let error = try #require(
          throws: LocalZone.Failure.self, sourceLocation: sourceLocation
        ) { try system.localtimeRules() }
        #expect(error.why.contains(words) && !error.isEnvironment, sourceLocation: sourceLocation)
        #expect(error.why.utf8.count < 600 && !error.why.utf8.contains(0x1b))
        #expect(error.why.last == "." && error.advice.last == ".", sourceLocation: sourceLocation)
      }
      try link(system.localtime, to: "zoneinfo/Europe/Vienna")
      try expectFailure("there is no file")
      try link(system.localtime, to: "localtime")
      try expectFailure("cannot be read")
      try link(system.localtime, to: "zoneinfo")
      try expectFailure("cannot be read")
      try FileSystem.unlink(system.localtime)
      for (bytes, words) in [
        (Array("no zone".utf8), "is no time zone file"), (Array("TZif2".utf8), "ends too early"),
        ([UInt8](repeating: 0, count: 2 << 20), "larger"),
      ] {
        try Data(bytes).write(to: URL(fileURLWithPath: system.localtime))
        try expectFailure(words)
      }
      // A rule that cannot be read is quoted in part, and safely for a terminal.
      let block = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15 + 4 * 4)
      let counts: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 1]
      let half = block + counts + [UInt8](repeating: 0, count: 7)
      let rule = Array("\n\u{1b}[2J".utf8) + [UInt8](repeating: 0x61, count: 10_000) + [0x0a]
      try Data(half + half + rule).write(to: URL(fileURLWithPath: system.localtime))
      try expectFailure("is invalid: the rule `\u{fffd}[2Jaaa")
      // A damaged file in the folder is an error, although its name can also be read as a rule.
      try Data("TZif2".utf8).write(to: URL(fileURLWithPath: system.folders[0] + "/EST5EDT"))
      #expect(throws: LocalZone.Failure.self) { try system.rules(variable: "EST5EDT") }
    }
  }
}

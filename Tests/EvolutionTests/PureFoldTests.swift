import Foundation
import Testing
import ToolTestSupport

/// A log gives the same in each process, zone and tz database; in each build, too, because the
/// hashes, effects and decisions in the log are compared.
@Suite struct PureFoldTests {
  @Test(arguments: ["tracker-6", "tracker-11"])
  func `a log has one state, and its effects and decisions, in every process [R8]`(
    log: String
  ) throws {
    try GoldenLog(name: log).withCopy { store in
      let swapped = try Self.swappedZones(beside: store)
      // Each process hashes with a seed of its own.
      let environments =
        ["UTC", "America/New_York", "Asia/Kolkata"].map { ["TZ": $0] }
        + ["UTC", "America/New_York"].map { ["TZ": $0, "TZDIR": swapped] }
      let results = try environments.map { environment in
        try [["verify", "--decide"], ["state"], ["show"]].map {
          try Self.run($0 + ["--json", "--store", store], environment)
        }
      }
      for result in results { #expect(result == results[0]) }
      let verified = try object(results[0][0])
      #expect(verified["records"] as? Int ?? 0 > 400)
      let decisions = try #require(verified["decisions"] as? [String: Any])
      #expect(decisions["decided"] as? Int ?? 0 > 100)
      #expect(results[0][1].count > 1_000 && results[0][2].count > 1_000)
    }
  }

  private static func run(
    _ arguments: [String], _ environment: [String: String]
  ) throws -> String {
    let result = try RunningTool("replay", arguments, environment: environment).finish()
    #expect(result.status == 0, "\(environment): \(result.errors)")
    return result.output
  }

  /// Makes a tz database in which some zones have the rules of others.
  private static func swappedZones(beside store: String) throws -> String {
    let folder = URL(filePath: store + "-zones")
    let system = URL(filePath: "/usr/share/zoneinfo")
    for (zone, rules) in [
      ("UTC", "Asia/Tokyo"), ("Etc/UTC", "Asia/Tokyo"), ("America/New_York", "Europe/Berlin"),
      ("Europe/Berlin", "America/New_York"), ("Asia/Kolkata", "Pacific/Apia"),
    ] {
      let file = folder.appending(path: zone)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: system.appending(path: rules), to: file)
    }
    return folder.path
  }
}

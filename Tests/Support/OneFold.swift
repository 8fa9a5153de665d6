import Foundation
public import Testing

/// Expects that a replay tool says the same of a log in five processes: in three zones, and in two
/// tz databases.
///
/// Each process hashes with a seed of its own. The hashes, effects and decisions in the log are
/// compared, so the build that recorded them gives the same, too.
///
/// - Parameters:
///   - store: The store of the log.
///   - tool: The replay tool, and the words that choose it if it is a part of a program.
/// - Returns: What `verify --decide`, `state` and `show` say, as JSON.
public func expectOneFold(
  of store: String, by tool: [String], location: SourceLocation = #_sourceLocation
) throws -> [String] {
  let variables = ProcessInfo.processInfo.environment
  try #require(variables["SWIFT_DETERMINISTIC_HASHING"] == nil, sourceLocation: location)
  let swapped = try swappedZones(beside: store)
  let environments =
    ["UTC", "America/New_York", "Asia/Kolkata"].map { ["TZ": $0] }
    + ["UTC", "America/New_York"].map { ["TZ": $0, "TZDIR": swapped] }
  let results = try environments.map { environment in
    try [["verify", "--decide"], ["state"], ["show"]].map { words in
      let arguments = tool.dropFirst() + words + ["--json", "--store", store]
      let result = try RunningTool(tool[0], Array(arguments), environment: environment).finish()
      let problem = "\(tool) \(words) \(environment): \(result.errors)"
      #expect(result.status == 0, "\(problem)", sourceLocation: location)
      return result.output
    }
  }
  for (result, environment) in zip(results, environments) {
    #expect(result == results[0], "\(tool) \(environment)", sourceLocation: location)
  }
  return results[0]
}

/// Makes a tz database in which some zones have the rules of others.
private func swappedZones(beside store: String) throws -> String {
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

import Figures
import Foundation

/// Registers the check of many bundles by two processes, beside the same check by one.
///
/// Both start `replay ci`, which starts its processes once and gives them one bundle after another.
func registerBundleRows() {
  let bundles = ManyBundles()
  compare(
    Row(
      "replay ci --jobs 2", input: "release tool, \(ManyBundles.input)", unit: .milliseconds,
      isWhole: true),
    setUp: { _ = try bundles.folder.get() }, tearDown: bundles.remove,
    ours: { try bundles.check(jobs: 2) },
    yardsticks: [
      Yardstick("replay ci --jobs 1", .fasterThanYardstick(atLeast: 1.8)) {
        try bundles.check(jobs: 1)
      }
    ])
}

/// Copies of one bundle in a folder, made once.
private final class ManyBundles {
  static let count = 200
  static let commands = 2_000
  static let input = "200 bundles of 2,000 commands of the tracker each"

  lazy var folder: Result<String, any Error> = Result {
    let folder = try scratch("bundles")
    let (store, bundle) = (folder + "/store", folder + "/0.bundle")
    let batch = """
      seq \(Self.commands) | sed 's/^/start work /' | "$1" batch --store "$2" \
        --now 2026-03-02T09:00:00Z
      """
    let track = try ToolRun.tool("track")
    _ = try Program.run("/bin/sh", ["-c", batch, "sh", track, store])
    _ = try Program.run(
      try ToolRun.tool("replay"), ["bundle", "--plain", "--store", store, "--output", bundle])
    for number in 1..<Self.count {
      try FileManager.default.copyItem(atPath: bundle, toPath: "\(folder)/\(number).bundle")
    }
    return folder
  }

  func check(jobs: Int) throws -> Measured {
    let words = ["ci", try folder.get(), "--jobs", "\(jobs)", "--json"]
    let run = try Program.run(try ToolRun.tool("replay"), words)
    guard run.output.contains("\"passed\":\(Self.count),\"failed\":0") else {
      throw FiguresError("replay ci printed: \(run.output.suffix(400))")
    }
    return Measured(nanoseconds: run.nanoseconds, operations: 1, checksum: 0)
  }

  func remove() {
    if let path = try? folder.get() { removeScratch(path) }
  }
}

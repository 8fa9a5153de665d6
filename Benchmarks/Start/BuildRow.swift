import Figures
import Foundation

/// A clean build of the libraries and the tools on two cores, which takes minutes;
/// `RETRACE_FIGURES_BUILD=0` leaves it out.
///
/// The yardstick is a clean build of a library that others wrote, in the same clone by the same
/// compiler on the same cores: the argument parser, in the version of `Package.resolved`.
func registerBuildRow() {
  guard ProcessInfo.processInfo.environment["RETRACE_FIGURES_BUILD"] != "0" else { return }
  let builds = Builds()
  compare(
    Row(
      "clean release build of libraries and tools",
      input: "Tools/build in a fresh clone, dependencies fetched before, cores 0 and 1",
      unit: .seconds, rounds: 1),
    tearDown: builds.remove,
    ours: { try builds.ours() },
    yardsticks: [
      Yardstick("the argument parser", .timesYardstick(atMost: 8)) { try builds.argumentParser() }
    ])
}

/// A clone and the times of the builds in it.
///
/// Each is built once, in the warm-up round, and the next round returns the same time.
private final class Builds {
  private var clone: String?
  private var times: [String: Measured] = [:]

  func ours() throws -> Measured {
    try once("ours") { clone in ["taskset", "-c", "0,1", clone + "/Tools/build"] }
  }

  func argumentParser() throws -> Measured {
    try once("parser") { clone in
      let package = ["--package-path", clone, "--scratch-path", clone + "/.build-parser"]
      try run(["swift", "package"] + package + ["resolve"])
      return ["taskset", "-c", "0,1", "swift", "build"] + package
        + ["-c", "release", "--target", "ArgumentParser"]
    }
  }

  func remove() {
    if let clone { removeScratch(clone) }
    clone = nil
  }

  private func once(
    _ name: String, _ words: (String) throws -> [String]
  ) throws -> Measured {
    if let measured = times[name] { return measured }
    let clone = try clone ?? makeClone()
    self.clone = clone
    let nanoseconds = try run(try words(clone)).nanoseconds
    let measured = Measured(nanoseconds: nanoseconds, operations: 1, checksum: 0)
    times[name] = measured
    return measured
  }

  private func makeClone() throws -> String {
    let clone = try scratch("clone")
    let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    try run(["git", "clone", "--quiet", root, clone])
    try run(["swift", "package", "--package-path", clone, "resolve"])
    return clone
  }
}

@discardableResult
private func run(_ words: [String]) throws -> ToolRun {
  let run = try ToolRun.run("/usr/bin/env", words)
  guard run.status == 0 else {
    throw FiguresError("\(words.joined(separator: " ")) ended with \(run.status)")
  }
  return run
}

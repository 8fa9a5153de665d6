import Figures
import Foundation

/// A clean build of the libraries and the tools on two cores, which takes minutes;
/// `RETRACE_FIGURES_BUILD=0` leaves it out.
func registerBuildRow() {
  guard ProcessInfo.processInfo.environment["RETRACE_FIGURES_BUILD"] != "0" else { return }
  var seconds: Double?
  figure(
    Row(
      "clean release build of libraries and tools",
      input: "Tools/build in a fresh clone, dependencies fetched before, cores 0 and 1",
      unit: .counted("s"), target: .atMost(240), rounds: 1)
  ) {
    // What warms up other rows is enough here.
    if let seconds { return Counted(seconds) }
    let clone = try scratch("clone")
    defer { removeScratch(clone) }
    let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    try run("git", "clone", "--quiet", root, clone + "/retrace")
    try run("swift", "package", "--package-path", clone + "/retrace", "resolve")
    let built = try ToolRun.run(
      "/usr/bin/env", ["taskset", "-c", "0,1", clone + "/retrace/Tools/build"])
    guard built.status == 0 else { throw FiguresError("Tools/build ended with \(built.status)") }
    let time = Double(built.nanoseconds) / 1e9
    seconds = time
    return Counted(time)
  }
}

private func run(_ words: String...) throws {
  let run = try ToolRun.run("/usr/bin/env", words)
  guard run.status == 0 else {
    throw FiguresError("\(words.joined(separator: " ")) ended with \(run.status)")
  }
}

import Foundation

/// The lint of folded code, run on the modules of this package that are folded.
enum FoldLint {
  /// The modules whose reducers, deciders and recorded types are checked.
  ///
  /// The check `examples` of `.ci/run` checks those of the tests' app, whose debug build takes as
  /// long as that of all these.
  static let modules = [
    "RetraceArchitecture", "RetraceScreen", "RetraceState", "RetraceFixtures", "TimeTracking",
    "TrackerFeatures",
  ]

  /// The modules and types of which every function is checked: a fold runs them, or reducers do.
  static let whole = [
    "RetraceState", "RetraceScreen.TextDraft", "RetraceScreen.TextReplacement",
    "RetraceArchitecture.Fold", "RetraceArchitecture.Effect",
    "RetraceArchitecture.EffectsInFlight", "RetraceArchitecture.EffectScope",
    "RetraceArchitecture.CancellationID", "RetraceArchitecture.BackStack",
    "RetraceArchitecture.TabStacks", "RetraceArchitecture.DeepLink",
    "RetraceArchitecture.DeepLinkReader", "RetraceArchitecture.Restore",
  ]

  /// Returns what the lint prints: a line for each finding, and lines about it.
  static func findings() throws -> [Substring] {
    var root = URL(filePath: #filePath)
    for _ in 1...5 { root.deleteLastPathComponent() }
    let options = whole.flatMap { ["--all", $0] }
    // With exit code 1, the output has the findings; another one is an error.
    let script = #"cd "$1" && shift && { Tools/lint/run --no-build "$@" || [ $? = 1 ]; }"#
    let printed = try output(of: ["bash", "-c", script, "lint", root.path] + options + modules)
    return String(decoding: printed, as: UTF8.self).split(separator: "\n")
  }
}

import Foundation
import RetraceTestSupport
import Testing
import ToolTestSupport

/// The verbs of `track` against those of Debian's timewarrior.
@Suite struct TimewarriorTests {
  /// 2,000 commands with `RETRACE_FULL=1`, else 200; the intervals are compared after each.
  @Test func `a random script gives the intervals that timewarrior has`() throws {
    try withSeed("the script for timewarrior") { generator in
      var script = TimewarriorScript(generator)
      try withTemporaryDirectory { folder in
        var both = try TimewarriorComparison(try PairedTrackers(in: folder))
        let count = repetitions(2_000)
        var window = -1
        for number in 0..<count {
          let next = number * TimewarriorScript.windows.count / count
          if next != window {
            window = next
            if both.spans.last.map({ $0.end == nil }) ?? false {
              try both.perform(TimewarriorCommand(action: .delete([1])))
            }
          }
          try both.perform(script.next(both.spans, day: TimewarriorScript.windows[window]))
        }
        report(both)
      }
    }
  }

  private func report(_ both: TimewarriorComparison) {
    for verb in TimewarriorCommand.Verb.allCases {
      let count = both.counts[verb] ?? TimewarriorComparison.Count()
      print(
        "\(verb.rawValue): \(count.accepted) accepted, \(count.refused) refused, "
          + "\(count.different) different by design")
      #expect(count.accepted > 0, "\(verb.rawValue) was never accepted")
    }
    for difference in TimewarriorDifference.allCases {
      print("\(both.differences[difference] ?? 0) times: \(difference.rawValue)")
    }
    print("\(both.adjusted) accepted commands with :adjust; \(both.spans.count) intervals left")
    let refused = both.counts.values.reduce(0) { $0 + $1.refused }
    #expect(refused > 0 && both.adjusted > 0)
  }

  @Test(arguments: TimewarriorDifference.allCases)
  func `each difference by design is listed with the words of track`(
    difference: TimewarriorDifference
  ) throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = root.appendingPathComponent(
      "Sources/Retrace/Retrace.docc/Decisions/27-words-of-track.md")
    let words = try String(contentsOf: page, encoding: .utf8).split(whereSeparator: \.isWhitespace)
    let isListed = words.joined(separator: " ").contains(difference.rawValue)
    #expect(isListed, "\(difference.rawValue)")
  }
}

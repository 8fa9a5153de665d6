import Foundation
import RetraceTesting
import Testing
import ToolTestSupport

/// The verbs of `track` against Debian's timewarrior.
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

  @Test func `cases that a random script seldom meets are compared, too`() throws {
    try withTemporaryDirectory { folder in
      var both = try TimewarriorComparison(try PairedTrackers(in: folder))
      func perform(_ action: TimewarriorCommand.Action, adjusts: Bool = false) throws {
        try both.perform(TimewarriorCommand(action: action, adjusts: adjusts))
      }
      // Nothing to undo.
      try perform(.undo)
      #expect(both.differences == [.noChange: 1])
      let day = LocalStamp.day(2026, 2, 2) * 86_400
      func clock(_ hour: Int, _ second: Int = 0) -> LocalStamp {
        LocalStamp(wall: day + hour * 3_600 + second)
      }
      try perform(.track(clock(9), clock(9, 1), ["alpha"]))
      try perform(.split(1))
      #expect(both.differences[.shortSplit] == 1)
      try perform(.start(clock(10), ["alpha"]))
      try perform(.start(clock(10), ["beta"]))
      try perform(.start(clock(10), ["beta"]), adjusts: true)
      #expect(both.spans.last?.tags == ["beta"] && both.spans.count == 2)
      try perform(.undo)
      #expect(both.differences[.undoAlways] == 1)
      #expect(both.spans.last?.tags == ["alpha"])
      try perform(.delete([1]))
      // An interval without a duration, in another one and alone, and what is left of none.
      try perform(.track(clock(12), clock(14), ["gamma"]))
      for (hour, adjusts) in [(13, true), (12, true), (14, false), (15, false)] {
        try perform(.track(clock(hour), clock(hour), ["beta"]), adjusts: adjusts)
      }
      try perform(.shorten(1, minutes: 120))
      #expect(both.differences[.noDuration] == 5)
      try perform(.track(clock(13), clock(13), ["beta"]))
      #expect(both.counts[.track]?.refused == 1)
      // A continue without an id, while another entry runs and at a time in the past.
      for adjusts in [true, false] {
        try perform(.resume(.newest, clock(13)), adjusts: adjusts)
        try perform(.resume(.newest, clock(11)), adjusts: adjusts)
      }
      try perform(.start(clock(15), ["beta"]))
      for hour in [16, 14] { try perform(.resume(.newest, clock(hour)), adjusts: true) }
      #expect(both.differences[.otherContinued] == 4)
      try perform(.delete([1]))
      // The middle of the running interval depends on the clock of the machine.
      let now = Int(Date().timeIntervalSince1970)
      let times = [1_200, 10_800].map { LocalStamp(instant: now - $0) }
      try perform(.start(times.first { $0.instants.count == 1 }, []))
      try perform(.split(1))
      #expect(both.counts[.split]?.accepted == 1 && both.counts[.start]?.refused == 1)
    }
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

import RetraceCommandLine
import Testing

@testable import TrackerCommandLine

/// The options that every verb takes, so that a script can give them to each.
@Suite struct CommonOptionTests {
  /// The verbs that lack an option which others have, with the reason.
  private static let lacking: [String: [String: String]] = [
    "dry-run": [
      "status": "reads", "log": "reads", "search": "reads", "history": "reads", "day": "reads",
      "week": "reads", "month": "reads", "report": "reads", "gaps": "reads", "route": "reads",
      "schema": "reads", "completions": "reads", "man": "reads",
      "batch": "each line has its own", "app": "a screen shows what a key does",
      "extension": "the program decides what it writes",
    ]
  ]

  @Test(arguments: ["store", "json", "explain", "now", "tz", "user", "dry-run"])
  func `every verb takes an option, or there is a reason`(name: String) {
    let reasons = Self.lacking[name, default: [:]]
    let lacking = Track.verbs.filter { verb in
      !verb.syntax.options.contains { $0.name == name }
    }
    #expect(lacking.map { $0.name }.sorted() == reasons.keys.sorted())
  }

  @Test func `options of time and user may stand before every verb`() throws {
    for verb in Track.verbs {
      for option in TrackerOptions.ofUser {
        let found = verb.syntax.options.filter { $0.name == option.name }
        #expect(found.count == 1, "\(verb.name) --\(option.name)")
        #expect(found.first?.value == option.value, "\(verb.name) --\(option.name)")
      }
    }
  }

  @Test func `a verb that cuts times to minutes shows them with seconds on demand`() {
    let verbs = Track.verbs.filter { verb in
      verb.syntax.options.contains { $0.name == ShownTimes.secondsOption.name }
    }
    #expect(
      verbs.map { $0.name } == ["log", "search", "day", "week", "month", "report", "gaps"])
  }
}

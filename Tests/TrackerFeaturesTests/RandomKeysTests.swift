import RetraceArchitecture
import RetraceScreen
import RetraceState
import RetraceTesting
import Testing
import TimeTracking
import TrackerFeatures

/// Random keys in two scenes: no trap, no broken rule, and no time that disappears silently.
@Suite struct RandomKeysTests {
  private static let keys = [
    "text:n", "text:s", "text:e", "text:d", "text:u", "text:?", "text:anna", "text:ben",
    "text: ", "text:@ac", "text:#t", "text:9:00", "text:10min ago", "text:1.5", "text:23:00",
    "text:写e\u{301}", "enter", "enter", "enter", "escape", "tab", "tab", "backtab", "up", "down",
    "page-up", "page-down", "home", "left", "right", "backspace", "delete", "ctrl-u", "ctrl-r",
    "ctrl-n", "ctrl-o", "ctrl-x", "text:l", "text:h",
  ]

  /// The pairs of visible entries of one user that overlap.
  private static func overlaps(_ tracking: Tracking) -> Int {
    let entries = tracking.entries
    var count = 0
    for (index, left) in entries.enumerated() {
      for right in entries[(index + 1)...] where left.user == right.user {
        guard left.start != left.end, right.start != right.end else { continue }
        let startsBefore = right.end.map { left.start < $0 } ?? true
        if startsBefore, left.end.map({ right.start < $0 }) ?? true { count += 1 }
      }
    }
    return count
  }

  @Test func `random keys keep the rules, and overlap only where it was allowed`() throws {
    try withSeed { random in
      for _ in 0..<repetitions(200, few: 20) {
        var tracking = try Tracking(user: nil)
        try tracking.send(.opened(SceneID(value: 1)))
        var isAllowed = false
        for number in 0..<150 {
          tracking.scene = SceneID(value: Int64.random(in: 0...1, using: &random))
          if Int.random(in: 0..<4, using: &random) == 0 {
            tracking.wait(.seconds(Int64.random(in: 0..<20_000, using: &random)))
          }
          let key = Self.keys[Int.random(in: 0..<Self.keys.count, using: &random)]
          try tracking.press(key)
          if key == "ctrl-o", tracking.commands.last.map(Self.isAllowing) == true {
            isAllowed = true
          }
          let lines = tracking.lines
          #expect(lines.count == 24)
          // A frame shows the same with any memo.
          if number % 4 == 0 { #expect(lines == tracking.freshLines) }
          if case .unavailable? = tracking.notice { Issue.record("a text after \(key)") }
          // Nothing on a screen reaches the domain without a command.
          if !isAllowed { #expect(Self.overlaps(tracking) == 0) }
        }
        #expect(tracking.store.state.missing == nil)
      }
    }
  }

  private static func isAllowing(_ command: DomainCommand) -> Bool {
    guard case .entry(let command) = command else { return false }
    switch command {
    case .start(_, _, policy: .allow, _), .add(_, _, _, policy: .allow, _),
      .resume(_, _, _, policy: .allow, _), .stop(_, _, policy: .allow),
      .correct(_, _, policy: .allow, _, _):
      return true
    default: return false
    }
  }
}

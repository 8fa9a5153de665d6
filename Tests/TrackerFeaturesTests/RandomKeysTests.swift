import RetraceArchitecture
import RetraceAvro
import RetraceFixtures
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
    "ctrl-n", "ctrl-o", "ctrl-x", "text:l", "text:h", "ctrl-y", "ctrl-g", "alt-up", "alt-down",
    "ctrl-s", "text:130", "text:r", "text:r", "text:m", "text:a", "text:g", "text:b", "end",
    "text:z", "text:p", "text:p", "text:A", "text:/", "text:j", "text:acme",
    "text:acme/task", "text:mail 1h each day", "text:f", "text:f", "text:1", "text:2", "alt-k",
    "alt-x", "alt-e", "alt-s", "text:S", "text:S", "text:EUR", "text:7h30", "text:#t or (@a",
    "text:H", "text:Z", "text::", "ctrl-p", "text:go to", "text:@acme or 写", "text:(", "text:c",
    "text:c", "text:w", "text:+", "text:[", "text:t", "text:m", "text:K", "text:x", "text:i",
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
          if Int.random(in: 0..<12, using: &random) == 0 {
            try Self.sleep(&tracking, Int64.random(in: 50..<20_000, using: &random))
          }
          let key = Self.keys[Int.random(in: 0..<Self.keys.count, using: &random)]
          try tracking.press(key)
          if key == "ctrl-o" || Self.prefersToAllow(tracking),
            tracking.commands.last.map(Self.isAllowing) == true
          {
            isAllowed = true
          }
          let lines = tracking.lines
          #expect(lines.count == 24)
          // A frame shows the same with any memo.
          if number % 4 == 0 { #expect(lines == tracking.freshLines) }
          // What comes back after a restart is the same, drafts included.
          if number % 10 == 0 { try Self.expectRestored(tracking) }
          if case .unavailable? = tracking.notice { Issue.record("a text after \(key)") }
          // Nothing on a screen reaches the domain without a command.
          if !isAllowed { #expect(Self.overlaps(tracking) == 0) }
        }
        #expect(tracking.store.state.missing == nil)
      }
    }
  }

  private static func expectRestored(_ tracking: Tracking) throws {
    for (_, scene) in tracking.store.state.scenes {
      let bytes = scene.encoded()
      var reader = AvroReader(bytes.span)
      #expect(try Scene(decoding: &reader) == scene)
    }
  }

  @Test func `after each of random keys a router shows the stack of the state [N4, N5, N9]`()
    async throws
  {
    var random = withSeed { $0 }
    var dismissals = 0
    for _ in 0..<repetitions(200, few: 20) {
      var tracking = try Tracking(user: nil)
      try tracking.send(.opened(SceneID(value: 1)))
      let shown = (0..<2).map { _ in RouteList<TrackerRoute>.Shown() }
      let routers = shown.map { Router<TrackerRoute>(RouteList($0)) }
      for _ in 0..<150 {
        let index = Int.random(in: 0...1, using: &random)
        tracking.scene = SceneID(value: Int64(index))
        if Int.random(in: 0..<12, using: &random) == 0 {
          // The user closes a screen on the medium itself: an action follows, and no step.
          let top = shown[index].entries.randomElement(using: &random)?.id
          guard let id = routers[index].userDismissed(top) else { continue }
          shown[index].entries.removeAll { $0.id >= id }
          let count = shown[index].entries.count
          try tracking.send(.scene(tracking.scene, .popped(id)))
          #expect(tracking.stack?.entries.count == count)
          dismissals += 1
        } else {
          try tracking.press(Self.keys[Int.random(in: 0..<Self.keys.count, using: &random)])
        }
        let stack = try #require(tracking.stack)
        await routers[index].show(stack)
        #expect(routers[index].entries == stack.entries)
        #expect(shown[index].entries == stack.entries)
      }
    }
    #expect(dismissals > 20)
  }

  /// Lets the machine sleep, and asks about it as a driver does.
  private static func sleep(_ tracking: inout Tracking, _ seconds: Int64) throws {
    let from = tracking.now
    tracking.wait(.seconds(seconds))
    guard let scene = tracking.store.state.scenes[tracking.scene], let user = scene.stack.top.user,
      let (id, entry) = tracking.domain.runningEntry(of: user),
      let sleep = Forgotten(
        of: IdentifiedEntry(id: id, entry: entry), from: from, to: tracking.now,
        for: .seconds(seconds))
    else { return }
    let asked = scene.asking(about: sleep, in: tracking.domain)
    try tracking.send(.scene(tracking.scene, .forgot(asked)))
  }

  /// Whether a user has chosen in the settings that overlaps are allowed.
  private static func prefersToAllow(_ tracking: Tracking) -> Bool {
    var prefers = false
    tracking.domain.preferenceSets.forEach { _, set in
      if set.policy == .allow { prefers = true }
    }
    return prefers
  }

  private static func isAllowing(_ command: DomainCommand) -> Bool {
    if case .entry(let command) = command { isAllowing(command) } else { false }
  }

  private static func isAllowing(_ command: TimeEntryCommand) -> Bool {
    switch command {
    case .start(_, _, policy: .allow, _), .add(_, _, _, policy: .allow, _),
      .resume(_, _, _, policy: .allow, _), .stop(_, _, policy: .allow),
      .correct(_, _, policy: .allow, _, _):
      true
    case .several(let commands): commands.contains(where: isAllowing)
    default: false
    }
  }
}

import RetracePlayer
import RetraceScreen
import RetraceState
import RetraceTesting
import TrackerFeatures

/// Chooses what a user does, with the keys that a frame binds.
struct InputGenerator {
  var random: SeededGenerator
  var coverage = SessionCoverage()
  /// What is typed and pasted.
  private let texts: [String]
  /// The keys that are pressed next.
  private var phrase: [Key] = []
  /// How often each phrase was begun.
  private var uses = InputGenerator.phrases.map { _ in 0 }

  /// Words of work, times, names, and letters of several scalars.
  static let words = [
    "review", "émile", "写作 plan", "👩🏽‍🚀 orbit", "a", "mail", "call #4", "@website", "#deep",
    "@new #other",
    "anna", "ben", "cleo", "9:00", "8:00 - 8:30 read", "10min ago", "1.5h", "23:00", "13h ago",
    "yesterday 17:00", "130", "acme", "acme/plan", "mail 1h each day", "last month", "#2a9d8f",
    "45 EUR", "x y z", "2026-02-01 to today", "40h", "anna@example.org", "ben@example.org",
  ]

  /// Keys by which the app asks, or a form gets what it keeps.
  private static let phrases: [[String]] = [
    ["text:n", "text:1:00 - 8:59 long", "enter"], ["text:n", "text:23:10 - 23:20 later", "enter"],
    ["text:n", "text:yesterday 1:00 - 23:30 whole", "enter"],
    ["text:n", "text:14h ago old", "enter"],
    ["text:n", "text:now @unknown #fresh", "enter"], ["down", "text:d"], ["text:s"],
    ["text:p", "down", "text: ", "down", "text:m"], ["text:p", "down", "delete"],
    ["text:p", "down", "enter", "tab", "tab"],
    ["text:n", "text:draft", "escape", "text:n", "ctrl-y"], ["text:n", "text:work", "enter"],
    ["text:/", "text:mail", "enter"], ["text:f", "text:1"], ["down", "enter", "down"],
    ["text:c", "tab", "enter"], ["text:c", "tab", "text:+"], ["text:c", "text:g"], ["text:w"],
    ["text:r", "text:s", "enter"], ["text:r", "down", "text:c"], ["text:r", "text:/"],
    ["text:r", "text:r"], ["text:H", "down", "text:z"], ["text:H", "down", "text:f"],
    ["text:H", "down", "enter"], ["text:S", "enter"], ["text:S", "down", "down", "enter"],
    ["text:S", "end", "enter"], ["text:p", "text:n"], ["text:p", "tab", "text:n", "text:fresh"],
    ["text:p", "text:/"],
    ["ctrl-p", "text:go to"], ["ctrl-t"], ["text:?"],
  ]

  init(_ random: SeededGenerator, texts: [String] = InputGenerator.words) {
    (self.random, self.texts) = (random, texts)
  }

  private mutating func chance(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &random) == 0
  }

  /// Takes note that the app was opened at a screen of the onboarding, from which an account's form
  /// is often filled in.
  mutating func begin(at link: String) {
    guard chance(2) else { return }
    let keys = (link == "welcome" ? ["text:e"] : []) + ["text:anna@example.org", "enter"]
    phrase = keys.compactMap { Key(name: $0) }
  }

  /// Begins one of the phrases that were begun the fewest times; a screen is left twice before.
  private mutating func beginPhrase() {
    let least = uses.min() ?? 0
    let rare = uses.indices.filter { uses[$0] == least }
    guard let index = rare.randomElement(using: &random) else { return }
    uses[index] += 1
    phrase = [.escape] + Self.phrases[index].compactMap { Key(name: $0) }
  }

  private mutating func text() -> String { texts.randomElement(using: &random) ?? "a" }

  /// Returns the next input on a frame; one that leaves the app is seldom.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - size: The size of its screen.
  ///   - now: The moment of the input.
  ///   - mayLeave: Whether it may leave the app.
  mutating func next(
    on frame: SceneFrame, size: Screen.Size, at now: Moment, mayLeave: Bool
  ) -> Input {
    coverage.offer(frame.bound)
    while true {
      let input = candidate(on: frame, size, at: now)
      let leaves = Self.leaves(input, frame, now)
      guard leaves, !mayLeave || !chance(60) else { return noted(input, frame, now) }
    }
  }

  /// Returns the next input while the rail is open.
  mutating func nextInRail(size: Screen.Size) -> Input {
    phrase = []
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return .key(.text(text()))
    case 1...2: return .mouse(mouse(in: size))
    case 3: return .key(.enter)
    default: return .key(Self.railKeys.randomElement(using: &random) ?? .enter)
    }
  }

  /// The keys of the rail, of a line below it, and of its list of keys.
  private static let railKeys = [PlayerKeys.rail, PlayerKeys.railPrompt, PlayerKeys.railHelp]
    .flatMap { $0.bound.flatMap(\.keys) }

  private static func leaves(_ input: Input, _ frame: SceneFrame, _ now: Moment) -> Bool {
    switch input {
    case .key(let key): frame.interpret(key, at: now) == .leave
    case .mouse(let mouse): frame.interpret(mouse, at: now) == .leave
    default: false
    }
  }

  private mutating func noted(_ input: Input, _ frame: SceneFrame, _ now: Moment) -> Input {
    if case .key(let key) = input, let taker = frame.taker(of: key, at: now) {
      coverage.take(taker)
    }
    return input
  }

  private mutating func candidate(
    on frame: SceneFrame, _ size: Screen.Size, at now: Moment
  ) -> Input {
    if !phrase.isEmpty { return .key(phrase.removeFirst()) }
    switch Int.random(in: 0..<42, using: &random) {
    case 0...23: return .key(boundKey(on: frame, at: now))
    case 24...27: return .key(.text(text()))
    case 28...29:
      return .key(
        .paste(text() + [" ", "\n", "\t"][Int.random(in: 0..<3, using: &random)] + text()))
    case 30...35: return .mouse(mouse(in: size))
    case 36: return .key(Key.named.randomElement(using: &random)?.key ?? .enter)
    case 37...40:
      beginPhrase()
      return .key(.escape)
    default: return .key(.ctrl(["a", "k", "w", "y", "z"].randomElement(using: &random) ?? "a"))
    }
  }

  /// A key of a binding that takes it now, mostly of one that took the fewest.
  private mutating func boundKey(on frame: SceneFrame, at now: Moment) -> Key {
    let keys = frame.bound.compactMap { binding -> (binding: BoundKeys, key: Key)? in
      let key = binding.keys.randomElement(using: &random) ?? .text(text())
      return frame.taker(of: key, at: now) == binding ? (binding, key) : nil
    }
    let least = keys.map { coverage.taken[$0.binding] ?? 0 }.min() ?? 0
    let rare = keys.filter { coverage.taken[$0.binding] ?? 0 == least }
    return (chance(3) ? keys : rare).randomElement(using: &random)?.key ?? .enter
  }

  private mutating func mouse(in size: Screen.Size) -> Mouse {
    var row = Int.random(in: 0..<size.rows, using: &random)
    if chance(4) { row = size.rows - 1 }
    let column = Int.random(
      in: 0..<(chance(3) ? size.columns : min(40, size.columns)), using: &random)
    let action: Mouse.Action =
      switch Int.random(in: 0..<12, using: &random) {
      case 0...6: .pressed(.left)
      case 7: .scrolled(.down)
      case 8: .scrolled(.up)
      case 9: .released(.left)
      case 10: .dragged(.left)
      default: chance(2) ? .moved : .pressed(.right)
      }
    return Mouse(action, row: row, column: column)
  }
}

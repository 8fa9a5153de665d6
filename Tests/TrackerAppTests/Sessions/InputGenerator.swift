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

  /// Words of work, times, names, and letters of several scalars.
  static let words = [
    "review", "émile", "写作 plan", "👩🏽‍🚀 orbit", "a", "mail", "call #4", "@website", "#deep",
    "@new #other",
    "anna", "ben", "cleo", "9:00", "8:00 - 8:30 read", "10min ago", "1.5h", "23:00", "13h ago",
    "yesterday 17:00", "130", "acme", "acme/plan", "mail 1h each day", "last month", "#2a9d8f",
    "45 EUR", "x y z", "2026-02-01 to today", "40h",
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
  ]

  init(_ random: SeededGenerator, texts: [String] = InputGenerator.words) {
    (self.random, self.texts) = (random, texts)
  }

  private mutating func chance(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &random) == 0
  }

  private mutating func text() -> String { texts.randomElement(using: &random) ?? "a" }

  /// Returns the next input on a frame; one that leaves the app is seldom.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - screen: Its screen.
  ///   - now: The moment of the input.
  ///   - mayLeave: Whether it may leave the app.
  mutating func next(
    on frame: SceneFrame, showing screen: Screen, at now: Moment, mayLeave: Bool
  ) -> Input {
    coverage.offer(frame.bound)
    while true {
      let input = candidate(on: frame, screen, at: now)
      let leaves = Self.leaves(input, frame, now)
      guard leaves, !mayLeave || !chance(60) else { return noted(input, frame, now) }
    }
  }

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
    on frame: SceneFrame, _ screen: Screen, at now: Moment
  ) -> Input {
    if !phrase.isEmpty { return .key(phrase.removeFirst()) }
    switch Int.random(in: 0..<40, using: &random) {
    case 0...23: return .key(boundKey(on: frame, at: now))
    case 24...27: return .key(.text(text()))
    case 28...29:
      return .key(
        .paste(text() + [" ", "\n", "\t"][Int.random(in: 0..<3, using: &random)] + text()))
    case 30...35: return .mouse(mouse(on: screen))
    case 36: return .key(Key.named.randomElement(using: &random)?.key ?? .enter)
    case 37...38:
      phrase = (Self.phrases.randomElement(using: &random) ?? []).compactMap { Key(name: $0) }
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

  private mutating func mouse(on screen: Screen) -> Mouse {
    let size = screen.canvas.size
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

import RetraceTesting

/// Makes random commands that are accepted more often than not.
struct TimewarriorScript {
  /// The first days of three days in which the clocks change on the second, as days since 1970.
  static let windows = [
    LocalStamp.day(2024, 3, 30), LocalStamp.day(2024, 10, 26), LocalStamp.day(2025, 3, 29),
    LocalStamp.day(2025, 10, 25), LocalStamp.day(2026, 3, 28),
  ]
  private static let tags = ["alpha", "beta", "gamma", "größe", "deep work"]

  private var generator: SeededGenerator
  private var deck: [TimewarriorCommand.Verb] = []

  init(_ generator: SeededGenerator) { self.generator = generator }

  /// Returns the next command.
  ///
  /// - Parameters:
  ///   - spans: The intervals before it.
  ///   - day: The first day of the window.
  mutating func next(_ spans: [TrackedSpan], day: Int) -> TimewarriorCommand {
    if deck.isEmpty { deck = makeDeck() }
    var command = TimewarriorCommand(action: .undo)
    let isSensible = chance(80)
    command.action = action(deck.removeLast(), spans, day: day, isSensible)
    command.idStyle = Int.random(in: 0...2, using: &generator)
    command.omitsVerb = chance(50)
    switch command.verb {
    case .start, .track, .continue, .move, .lengthen, .join:
      command.adjusts = chance(40)
    default: break
    }
    if command.verb == .start, let running = spans.last, running.end == nil, chance(10) {
      command.action = .start(LocalStamp(instant: running.start), someTags())
    }
    return command
  }

  private mutating func makeDeck() -> [TimewarriorCommand.Verb] {
    let counts: [(TimewarriorCommand.Verb, Int)] = [
      (.start, 5), (.stop, 5), (.track, 6), (.continue, 4), (.move, 3), (.lengthen, 3),
      (.shorten, 3), (.split, 2), (.join, 3), (.tag, 3), (.untag, 3), (.annotate, 3), (.delete, 3),
      (.undo, 4),
    ]
    return counts.flatMap { Array(repeating: $0.0, count: $0.1) }.shuffled(using: &generator)
  }

  private mutating func action(
    _ verb: TimewarriorCommand.Verb, _ spans: [TrackedSpan], day: Int, _ isSensible: Bool
  ) -> TimewarriorCommand.Action {
    let running = spans.last.flatMap { $0.end == nil ? $0 : nil }
    switch verb {
    case .start:
      // A start without a time begins now.
      if running == nil, chance(8) { return .start(nil, someTags()) }
      let isSame = running.map { !$0.tags.isEmpty } ?? false && chance(10)
      return .start(
        startStamp(spans, day, isSensible), isSame ? running?.tags.sorted() ?? [] : someTags())
    case .stop:
      guard let running else { return .stop(stamp(spans, day), []) }
      var ended: [String] = []
      if chance(30) {
        ended = running.tags.filter { _ in true }.sorted().filter { _ in chance(60) }
      }
      if chance(5) { ended.append("unknown") }
      let time = isSensible ? after(running.start, 1...30) : stamp(spans, day)
      return .stop(time, ended)
    case .track:
      let start = isSensible ? freeStamp(spans, day) : stamp(spans, day)
      if chance(2) {
        let future = LocalStamp(wall: start.wall + 50 * 365 * 86_400)
        return .track(future, LocalStamp(wall: future.wall + 3_600), someTags())
      }
      let minutes = chance(3) ? 0 : 5 * Int.random(in: 1...24, using: &generator)
      return .track(start, LocalStamp(wall: start.wall + minutes * 60), someTags())
    case .continue:
      let time: LocalStamp? =
        running == nil && chance(8) ? nil : startStamp(spans, day, isSensible)
      if chance(30) { return .resume(.newest, time) }
      if chance(60) { return .resume(.position(position(spans, day)), time) }
      return .resume(.tags(Array(Self.tags.prefix(4).shuffled(using: &generator).prefix(1))), time)
    case .move:
      let number = position(spans, day)
      guard isSensible, let span = span(number, spans) else {
        return .move(number, stamp(spans, day))
      }
      return .move(number, after(span.start, -12...12))
    case .lengthen: return .lengthen(position(spans, day), minutes: minutes(isSensible ? 6 : 36))
    case .shorten: return .shorten(position(spans, day), minutes: minutes(isSensible ? 6 : 24))
    case .split: return .split(position(spans, day))
    case .join:
      let number = position(spans, day)
      if chance(50) { return .join(number, number + 1) }
      return .join(number, isSensible ? number + 1 : position(spans, day))
    case .tag: return .tag(positions(spans, day), someTags())
    case .untag:
      let numbers = positions(spans, day)
      let own = numbers.first.flatMap { span($0, spans) }?.tags ?? running?.tags ?? []
      let chosen = own.sorted().filter { _ in chance(60) }
      return .untag(numbers, isSensible && !chosen.isEmpty ? chosen : someTags())
    case .annotate:
      let text = ["see the minutes", "three \"new\" ideas", "", "größer"]
      return .annotate(positions(spans, day), text.randomElement(using: &generator) ?? "")
    case .delete:
      let numbers = positions(spans, day)
      return .delete(numbers.isEmpty ? [position(spans, day)] : numbers)
    case .undo: return .undo
    }
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &generator) < percent
  }

  private mutating func someTags() -> [String] {
    let count = [0, 1, 1, 1, 2, 2, 3].randomElement(using: &generator) ?? 1
    return Array(Self.tags.shuffled(using: &generator).prefix(count))
  }

  private mutating func minutes(_ most: Int) -> Int {
    5 * Int.random(in: 1...most, using: &generator)
  }

  private func span(_ position: Int, _ spans: [TrackedSpan]) -> TrackedSpan? {
    spans.indices.contains(spans.count - position) ? spans[spans.count - position] : nil
  }

  /// Returns a position, mostly one in the window, and seldom one that does not exist.
  private mutating func position(_ spans: [TrackedSpan], _ day: Int) -> Int {
    if chance(5) { return spans.count + Int.random(in: 1...9, using: &generator) }
    let count = spans.count { LocalStamp(instant: $0.start).wall >= day * 86_400 }
    return Int.random(in: 1...max(1, count), using: &generator)
  }

  /// Returns some positions, without the open interval.
  private mutating func positions(_ spans: [TrackedSpan], _ day: Int) -> [Int] {
    if chance(25) { return [] }
    let count = chance(70) ? 1 : Int.random(in: 2...3, using: &generator)
    var chosen: [Int] = []
    for _ in 0..<count {
      let number = position(spans, day)
      if !chosen.contains(number) { chosen.append(number) }
    }
    return chosen
  }

  /// Returns a time after an instant by a number of steps of five minutes.
  private mutating func after(_ instant: Int, _ steps: ClosedRange<Int>) -> LocalStamp {
    LocalStamp(instant: instant + 300 * Int.random(in: steps, using: &generator))
  }

  /// Returns any time of the window, often one where an interval begins or ends.
  private mutating func stamp(_ spans: [TrackedSpan], _ day: Int) -> LocalStamp {
    if chance(4) {
      // An hour that clocks skip or show twice.
      let minute = 120 + 5 * Int.random(in: 0..<12, using: &generator)
      return LocalStamp(wall: (day + 1) * 86_400 + minute * 60)
    }
    let near = spans.suffix(20).flatMap { [$0.start] + ($0.end.map { [$0] } ?? []) }
      .filter { LocalStamp(instant: $0).wall >= day * 86_400 }
    if chance(40), let instant = near.randomElement(using: &generator) {
      return after(instant, -2...2)
    }
    let seconds = chance(10) ? Int.random(in: 0..<60, using: &generator) : 0
    let minute = 5 * Int.random(in: 0..<864, using: &generator)
    return LocalStamp(wall: day * 86_400 + minute * 60 + seconds)
  }

  /// Returns a time after all intervals of the window, if there is one.
  private mutating func startStamp(
    _ spans: [TrackedSpan], _ day: Int, _ isSensible: Bool
  ) -> LocalStamp {
    guard isSensible else { return stamp(spans, day) }
    let last = spans.last.map { $0.end ?? $0.start + 300 } ?? 0
    let time = after(last, 0...18)
    let window = day * 86_400..<(day + 3) * 86_400
    if window.contains(time.wall) { return time }
    return time.wall < window.lowerBound
      ? LocalStamp(wall: window.lowerBound + minutes(36) * 60) : stamp(spans, day)
  }

  /// Returns a time at which no interval is.
  private mutating func freeStamp(_ spans: [TrackedSpan], _ day: Int) -> LocalStamp {
    for _ in 0..<8 {
      let found = stamp(spans, day)
      guard let instant = found.instants.first else { continue }
      if !spans.contains(where: { $0.start <= instant && instant < $0.end ?? .max }) {
        return found
      }
    }
    return stamp(spans, day)
  }
}

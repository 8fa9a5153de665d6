import RetraceRandom

/// The made-up entries and ids, the same in every run.
enum Input {
  /// The seeds, as rows print them.
  static let seeds = "entries seed 1, ids seed 7"

  private static let words = [
    "review", "standup", "fix", "login", "report", "design", "export", "budget", "call",
    "refactor", "notes", "plan",
  ]

  /// Returns a random entry; consecutive numbers start about five minutes apart.
  static func entry(_ number: Int, _ generator: inout SeededGenerator) -> Entry {
    let length = 14 + generator.below(8)
    var description = ""
    while description.utf8.count < length {
      if !description.isEmpty { description += " " }
      description += words[generator.below(words.count)]
    }
    var tags: [Int64] = []
    if generator.below(3) == 0 {
      for _ in 0...generator.below(2) { tags.append(Int64(1 + generator.below(40))) }
    }
    return Entry(
      start: 1_483_228_800_000 + Int64(number) * 300_000 + Int64(generator.below(100_000)),
      duration: Int64(60 + generator.below(7_000)),
      project: generator.below(10) == 0 ? nil : Int64(1 + generator.below(60)),
      description: description, tags: tags, isBillable: generator.below(2) == 0)
  }

  static func entries(_ count: Int) -> [Entry] {
    var generator = SeededGenerator(seed: 1)
    return (0..<count).map { entry($0, &generator) }
  }

  /// Returns random ids below `limit`.
  static func ids(_ count: Int, below limit: Int) -> [Int] {
    var generator = SeededGenerator(seed: 7)
    return (0..<count).map { _ in generator.below(limit) }
  }
}

extension SeededGenerator {
  /// A number below a limit that is less than 2^32.
  @inline(__always)
  mutating func below(_ limit: Int) -> Int {
    Int(truncatingIfNeeded: ((next() >> 32) &* UInt64(limit)) >> 32)
  }
}

/// The ids of the live entries, which the generator tracks without a state.
struct LivingEntries {
  private var alive: [Bool] = []
  private(set) var oldest = 0
  private(set) var count = 0
  let limit: Int

  init(limit: Int) { self.limit = limit }

  /// The id that the next entry will get.
  var next: Int { alive.count }

  mutating func insert() {
    alive.append(true)
    count += 1
    while count > limit {
      if alive[oldest] { count -= 1 }
      alive[oldest] = false
      oldest += 1
    }
  }

  mutating func remove(_ id: Int) {
    guard alive[id] else { return }
    alive[id] = false
    count -= 1
  }

  /// Returns a random live entry, if any.
  func any(_ random: inout Random) -> Int? {
    guard count > 0 else { return nil }
    while true {
      let id = oldest + random.below(alive.count - oldest)
      if alive[id] { return id }
    }
  }
}

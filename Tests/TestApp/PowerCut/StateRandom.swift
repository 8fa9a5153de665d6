/// Random numbers that depend on a seed and on which state they are for: SplitMix64.
struct StateRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64, cut: Int, variant: Int) {
    state = seed
    for part in [cut, variant] { state = next() ^ UInt64(part) }
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Whether something happens that happens in one of so many cases.
  mutating func isOne(in cases: Int) -> Bool { Int.random(in: 0..<cases, using: &self) == 0 }
}

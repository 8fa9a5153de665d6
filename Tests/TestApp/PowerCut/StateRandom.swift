/// Random numbers for one state, by SplitMix64 from the seed and the number of the state.
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

  /// Returns `true` in one of `cases` calls on average.
  mutating func isOne(in cases: Int) -> Bool { Int.random(in: 0..<cases, using: &self) == 0 }
}

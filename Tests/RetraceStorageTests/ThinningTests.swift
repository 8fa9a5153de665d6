import RetraceTesting
import Testing

@testable import RetraceStorage

@Suite struct ThinningTests {
  @Test(arguments: [(isLarge: false, gap: 100_000, most: 100), (true, 250_000, 60)])
  func `however snapshots come, gaps stay bounded and their number small`(
    isLarge: Bool, gap: UInt64, most bound: Int
  ) {
    withSeed("Thinning") { random in
      for _ in 0..<repetitions(50) {
        var sequences: [UInt64] = []
        var most = 0
        let step = UInt64.random(in: 1_000...20_000, using: &random)
        while (sequences.last ?? 0) < 3_000_000 {
          sequences.append((sequences.last ?? 0) + UInt64.random(in: 1_000...step, using: &random))
          for _ in 0..<Thinning.removalsMax {
            let index =
              Thinning.removable(sequences)
              ?? (isLarge ? Thinning.removableIfLarge(sequences).first : nil)
            guard let index else { break }
            sequences.remove(at: index)
          }
          most = max(most, sequences.count)
        }
        let gaps = zip([0] + sequences, sequences).map { $1 - $0 }
        #expect(gaps.allSatisfy { $0 <= gap }, "\(sequences)")
        // Two for each such gap, and the younger ones.
        #expect(most <= bound, "\(most) at steps of up to \(step)")
        // The youngest records are the ones that are looked at most.
        #expect(gaps.suffix(2).allSatisfy { $0 <= 2 * step }, "\(sequences.suffix(4))")
      }
    }
  }

  @Test func `the newest snapshot is never removed, and the first not if many records precede it`()
  {
    #expect(Thinning.removable([]) == nil)
    #expect(Thinning.removable([5_000]) == nil)
    #expect(Thinning.removable([90_000, 110_000]) == nil)
    #expect(Thinning.removable([1_000, 2_000, 900_000]) == 0)
    #expect(Thinning.removable([60_000, 110_000, 900_000]) == nil)
  }

  @Test func `a snapshot whose neighbours lie far apart is removed only if it is large`() {
    #expect(Thinning.removableIfLarge([]).isEmpty)
    #expect(Thinning.removableIfLarge([60_000, 240_000, 900_000]) == [0])
    #expect(Thinning.removableIfLarge([60_000, 260_000, 900_000]).isEmpty)
    // Looked at when it was younger.
    #expect(Thinning.removableIfLarge([60_000, 240_000, 1_900_000]).isEmpty)
    #expect(!Thinning.isLarge(pages: 3_000, gap: 200_000))
    #expect(Thinning.isLarge(pages: 3_200, gap: 200_000))
  }
}

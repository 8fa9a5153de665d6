import RetraceTestSupport
import Testing

@testable import RetraceStorage

@Suite struct ThinningTests {
  @Test func `however snapshots come, gaps stay bounded and their number small`() {
    withSeed("Thinning") { random in
      for _ in 0..<repetitions(50) {
        var sequences: [UInt64] = []
        var most = 0
        let step = UInt64.random(in: 1_000...20_000, using: &random)
        while (sequences.last ?? 0) < 3_000_000 {
          sequences.append((sequences.last ?? 0) + UInt64.random(in: 1_000...step, using: &random))
          for _ in 0..<Thinning.removedMax {
            guard let index = Thinning.removable(sequences) else { break }
            sequences.remove(at: index)
          }
          most = max(most, sequences.count)
        }
        let gaps = zip([0] + sequences, sequences).map { $1 - $0 }
        #expect(gaps.allSatisfy { $0 <= Thinning.gapMax }, "\(sequences)")
        // Two for each 250,000 records, and the younger ones.
        #expect(most <= 60, "\(most) at steps of up to \(step)")
        // The youngest records are the ones that are looked at most.
        #expect(gaps.suffix(2).allSatisfy { $0 <= 2 * step }, "\(sequences.suffix(4))")
      }
    }
  }

  @Test func `the newest is never removed, and the first not while much lies before it`() {
    #expect(Thinning.removable([]) == nil)
    #expect(Thinning.removable([5_000]) == nil)
    #expect(Thinning.removable([240_000, 300_000]) == nil)
    #expect(Thinning.removable([1_000, 2_000, 900_000]) == 0)
    #expect(Thinning.removable([200_000, 300_000, 900_000]) == nil)
  }
}

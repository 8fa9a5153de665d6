import RetraceStorage
import Testing

/// The reports about snapshots that could not be used.
@Suite struct SnapshotUseTests {
  @Test func `snapshots of another build are not reported as damaged`() {
    var use = SnapshotUse()
    #expect(!use.isOfOtherBuild && use.notice == nil)
    use.note(.otherReducer, at: 9)
    #expect(use.isOfOtherBuild && use.notice?.contains("another build") == true)
    use.note(.used, at: 7)
    #expect(use.isOfOtherBuild)
    var damaged = use
    damaged.markDamaged("page 3")
    #expect(!damaged.isOfOtherBuild)
    use.failure = "no such file"
    #expect(!use.isOfOtherBuild)
  }
}

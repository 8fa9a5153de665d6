import Foundation
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceRecording
import RetraceReplay
import RetraceState
import RetraceStorage
import RetraceFixtures
import RetraceTesting
import Testing

/// A replay has in flight what the live store had, also where sessions ended with effects in
/// flight; faults planted in the log are found.
@Suite struct LiveEffectsTests {
  /// What was in flight after a record, as the live store said.
  private struct Sighting {
    var sequence: UInt64
    var inFlight: EffectsInFlight
  }

  @Test func `effects in flight at the end of a session are those of the store`() async throws {
    let folder = NSTemporaryDirectory() + "retrace-effects-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let live = folder + "/live"
    var random = withSeed("effects in flight") { $0 }
    let clock = VirtualClock()
    var sightings: [Sighting] = []
    for _ in 0..<repetitions(50) {
      sightings += try await record(at: live, clock, &random)
      clock.advance(by: .seconds(Int64.random(in: 0...20, using: &random)))
    }
    #expect(sightings.contains { $0.inFlight.leaves.count > 3 })
    #expect(try differences(sightings, at: live) == 0)
    let verified = try effects(at: live)
    #expect(verified.actions > 0 && verified.ends > 0)
    #expect(verified.divergences == 0, "\(String(describing: verified.firstDivergence))")
    for mutant in [
      MutantRecorder.losesEffectMarks, .marksEffectsWithLeavesOnly, .losesEffectEnds,
    ] {
      let path = "\(folder)/\(mutant.rawValue)"
      try mutant.copy(live, to: path)
      let found = try differences(sightings, at: path)
      print("effects in flight: \(mutant.rawValue) caught by \(found) differences")
      #expect(found > 0, "\(mutant.rawValue) was not caught")
      // A leaf that never ended contradicts nothing in the log.
      let divergences = try effects(at: path).divergences
      #expect((divergences > 0) == (mutant != .losesEffectEnds), "\(mutant.rawValue)")
    }
  }

  /// Records one session of random actions, whose errands end when the test says so or never.
  private func record(
    at path: String, _ clock: VirtualClock, _ random: inout SeededGenerator
  ) async throws -> [Sighting] {
    let desk = HouseDesk(default: .waits)
    var configuration = StoreConfiguration(hashInterval: 20, clock: { clock.moment })
    configuration.effectClock = clock
    let store = try Store<HouseApp>.openBlocking(
      at: path, configuration: configuration, environment: desk)
    var sightings: [Sighting] = []
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let receipt = try await store.send(action(&random))
      sightings.append(
        Sighting(sequence: receipt.sequence, inFlight: receipt.effectsInFlight))
      guard Bool.random(using: &random), let name = desk.started.randomElement(using: &random)
      else { continue }
      desk.release(name)
    }
    try store.closeBlocking()
    sightings.append(Sighting(sequence: store.sequence, inFlight: store.effectsInFlight))
    return sightings
  }

  private func action(_ random: inout SeededGenerator) -> HouseAction {
    let errands = (0..<3).map { _ in
      Errand(
        "e\(UInt16.random(in: 0...999, using: &random))",
        ended: [.drop, .run, .send].randomElement(using: &random) ?? .drop)
    }
    let id = ["", "x", "y"].randomElement(using: &random) ?? ""
    return switch Int.random(in: 0..<7, using: &random) {
    case 0: .started(errands[0], after: .zero, id: id)
    case 1: .started(errands[0], after: .seconds(10), id: id)
    case 2: .restarted(errands[0], id: "x")
    case 3: .together(errands)
    case 4: .inOrder(errands, after: .zero)
    case 5: .stopped(id: id)
    default: .noted("n")
    }
  }

  /// What a verification finds of effects.
  private func effects(at path: String) throws -> Verification.Effects {
    let storage = try LogStorage.open(at: path, access: .read)
    defer { storage.close() }
    return try Verifier<HouseApp>.verify(storage).effects
  }

  private func differences(_ sightings: [Sighting], at path: String) throws -> Int {
    let storage = try LogStorage.open(at: path, access: .read)
    defer { storage.close() }
    var replayer = try Replayer<HouseApp>(storage)
    return try sightings.count { sighting in
      try replayer.seek(to: sighting.sequence)
      return replayer.effectsInFlight != sighting.inFlight
    }
  }
}

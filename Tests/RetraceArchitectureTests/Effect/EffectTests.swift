import RetraceArchitecture
import RetraceAvro
import RetraceState
import RetraceTestSupport
import Testing

/// Effects are values: they compare, list their leaves, and carry their answers to the parent.
struct EffectTests {
  typealias Tally = Effect<TallyAction, Desktop>

  @Test("An effect is one word")
  func size() {
    #expect(MemoryLayout<Tally>.size == MemoryLayout<Int>.size)
    #expect(MemoryLayout<Tally?>.size <= 2 * MemoryLayout<Int>.size)
  }

  @Test("Effects are equal when they are made alike, and differ in every part", arguments: 1...20)
  func equality(seed: UInt64) {
    withSeed(default: seed) { generator in
      var twin = generator
      let effect = random(&generator, depth: 3)
      #expect(effect == random(&twin, depth: 3))
    }
    let different: [Tally] = [
      .none, .send(.add), .send(.double), .run(Note("a")), .run(Note("b")), .cancel("x"),
      .cancel("y"), Tally.send(.add).delayed(by: .seconds(1)),
      Tally.send(.add).delayed(by: .seconds(2)), .merge([.send(.add), .send(.double)]),
      .merge([.send(.double), .send(.add)]), .concatenate([.send(.add), .send(.double)]),
      Tally.send(.add).cancellable("x"), Tally.send(.add).cancellable("y"),
      Tally.send(.add).cancellable("x", cancelInFlight: true),
    ]
    for (first, left) in different.enumerated() {
      for (second, right) in different.enumerated() {
        #expect((left == right) == (first == second), "\(left) and \(right)")
      }
    }
  }

  @Test("Merging and concatenating are associative, with none as identity", arguments: 1...20)
  func monoid(seed: UInt64) {
    withSeed(default: seed) { generator in
      let parts = (0..<3).map { _ in random(&generator, depth: 2) }
      let (one, two, three) = (parts[0], parts[1], parts[2])
      #expect(
        one.merged(with: two).merged(with: three) == one.merged(with: two.merged(with: three)))
      #expect(
        Tally.concatenate([.concatenate([one, two]), three])
          == .concatenate([one, .concatenate([two, three])]))
      #expect(Tally.merge([.none, one, .none]) == one)
      #expect(one.merged(with: .none) == one)
      #expect(Tally.none.merged(with: one) == one)
      #expect(Tally.concatenate([.none, one]) == one)
      #expect(Tally.merge([]) == .none)
    }
  }

  @Test("An empty effect is not delayed, and only cancels what runs")
  func emptyParts() {
    #expect(Tally.none.delayed(by: .seconds(3)) == .none)
    #expect(Tally.none.cancellable("x") == .none)
    #expect(Tally.none.cancellable("x", cancelInFlight: true) == .cancel("x"))
    #expect(Tally.none.map(Twice(by: 1)) == .none)
  }

  @Test("Mapping twice sends what the composed embeddings send", arguments: 1...20)
  func mapComposes(seed: UInt64) async throws {
    let effect = withSeed(default: seed) { random(&$0, depth: 3) }
    let mapped = effect.map(Twice(by: 3)).map(Shifted(by: 4))
    #expect(mapped.leaves.count == effect.leaves.count)
    for (before, after) in zip(effect.leaves, mapped.leaves) {
      #expect(after.delay == before.delay)
      #expect(after.cancellations == before.cancellations)
      let sent = try await before.leaf.run(in: Desktop())
      let expected = sent.map { Shifted(by: 4).embed(Twice(by: 3).embed($0)) }
      let answers = try await after.leaf.run(in: Desktop())
      #expect(answers == expected)
      #expect(
        after.leaf.interruptionPolicy
          == before.leaf.interruptionPolicy.map(Twice(by: 3)).map(Shifted(by: 4)))
      #expect(after.leaf.name == before.leaf.name)
    }
    #expect(mapped == effect.map(Twice(by: 3)).map(Shifted(by: 4)))
    if !effect.leaves.isEmpty {
      #expect(mapped != effect.map(Twice(by: 2)).map(Shifted(by: 4)))
      #expect(mapped != effect.map(Twice(by: 3)).map(Shifted(by: 5)))
    }
  }

  @Test("Leaves are listed from left to right with the delays and cancellations around them")
  func leaves() {
    let effect = Tally.merge([
      .concatenate([.send(.add), .run(Note("n")), .cancel("z")]),
      Tally.send(.double).delayed(by: .seconds(2)).cancellable("x").delayed(by: .seconds(1)),
    ])
    let leaves = effect.leaves
    #expect(leaves.map(\.ordinal) == [0, 1, 2])
    #expect(effect.leafCount == 3)
    #expect(leaves.map(\.leaf.name) == ["Send__TallyAction", "Note", "Send__TallyAction"])
    #expect(leaves.map(\.delay) == [.zero, .zero, .seconds(3)])
    #expect(leaves.map(\.cancellations) == [[], [], ["x"]])
    #expect(leaves[1].leaf.base as? Note<TallyAction> == Note("n"))
    #expect(leaves[1].leaf.interruptionPolicy == .drop)
    #expect(leaves[2].leaf.interruptionPolicy == .send(.double))
    #expect(effect.description.hasPrefix("merge(concatenate("))
    #expect(effect.description.contains("cancel(z)"))
    #expect(effect.description.contains("delay(1000000 us, cancellable(x, delay(2000000 us, "))
  }

  @Test("Delays add up without overflow")
  func longDelays() {
    let forever = ElapsedTime(microseconds: .max)
    let effect = Tally.send(.add).delayed(by: forever).delayed(by: .seconds(1))
    #expect(effect.leaves.first?.delay == forever)
  }

  @Test("A leaf's id and what it sends are read back from their bytes")
  func recorded() throws {
    let id = EffectLeafID(cause: 81_234, ordinal: 3)
    #expect(try EffectLeafID(encoded: id.encoded().span) == id)
    let leaf = SendLeaf<TallyAction, Desktop>(action: .double)
    #expect(try SendLeaf<TallyAction, Desktop>(encoded: leaf.encoded().span) == leaf)
  }

  private func random(_ generator: inout SeededGenerator, depth: Int) -> Tally {
    let kinds = depth == 0 ? 3 : 8
    func inner(_ generator: inout SeededGenerator) -> Tally { random(&generator, depth: depth - 1) }
    let number = Int64.random(in: 0..<3, using: &generator)
    switch Int.random(in: 0..<kinds, using: &generator) {
    case 0: return .none
    case 1: return .send(TallyAction.allCases[Int(number)])
    case 2: return .run(Note("\(number)"))
    case 3: return inner(&generator).delayed(by: .seconds(number))
    case 4: return .merge([inner(&generator), inner(&generator)])
    case 5: return .concatenate([inner(&generator), inner(&generator), inner(&generator)])
    case 6: return inner(&generator).cancellable(CancellationID("\(number)"))
    default: return .cancel(CancellationID("\(number)"))
    }
  }
}

private struct Twice: ActionEmbedding {
  var by: Int64
  func embed(_ action: TallyAction) -> Int64 { action.rawValue * by + 1 }
}

private struct Shifted: ActionEmbedding {
  var by: Int64
  func embed(_ action: Int64) -> String { "\(action + by)" }
}

import RetraceArchitecture
import RetraceAvro
import RetraceState
import RetraceTesting
import Testing

/// Effects are values: they compare, list their leaves, and carry their answers to the parent.
struct EffectTests {
  typealias Tally = Effect<TallyAction, Desktop>
  typealias Work = EffectWork<TallyAction, Desktop>

  @Test("An effect is one word")
  func size() {
    #expect(MemoryLayout<Tally>.size == MemoryLayout<Int>.size)
    #expect(MemoryLayout<Tally?>.size <= 2 * MemoryLayout<Int>.size)
  }

  @Test(
    "Effects made alike are equal, and a difference in any part makes them unequal",
    arguments: 1...20)
  func equality(seed: UInt64) {
    withSeed(default: seed) { generator in
      var twin = generator
      let effect = random(&generator, depth: 3)
      #expect(effect == random(&twin, depth: 3))
    }
    let different: [Tally] = [
      .none, .send(.add), .send(.double), .run(Note("a")), .run(Note("b")), .cancel("x"),
      .cancel("y"), .cancelAll, .send(.add).delayed(by: .seconds(1)),
      .send(.add).delayed(by: .seconds(2)), .merge([.send(.add), .send(.double)]),
      .merge([.send(.double), .send(.add)]), .concatenate([.send(.add), .send(.double)]),
      .send(.add).cancellable("x"), .send(.add).cancellable("y"),
      .send(.add).cancellable("x", cancelInFlight: true),
      .send(.add).debounced("x", for: .seconds(1)),
      .send(.add).throttled("x", for: .seconds(1), latest: true),
      .send(.add).throttled("x", for: .seconds(1), latest: false),
      Tally.send(.add).map(Renamed(id: 0)), Tally.send(.add).map(Renamed(id: 1)),
    ]
    for (first, left) in different.enumerated() {
      for (second, right) in different.enumerated() {
        #expect((left == right) == (first == second), "\(left) and \(right)")
      }
    }
  }

  @Test("Merging and concatenating are associative, with none as identity [E4]", arguments: 1...20)
  func monoid(seed: UInt64) {
    withSeed(default: seed) { generator in
      let parts = (0..<3).map { _ in random(&generator, depth: 2) }
      let (one, two, three) = (parts[0], parts[1], parts[2])
      #expect(
        one.merged(with: two).merged(with: three) == one.merged(with: two.merged(with: three)))
      #expect(Tally.merge([.none, one, .none]) == one)
      #expect(one.merged(with: .none) == one)
      #expect(Tally.none.merged(with: one) == one)
      #expect(Tally.merge([]) == .none)
      let work = (0..<3).map { _ in randomWork(&generator, depth: 2) }
      for join in [Work.concatenate, Work.merge] {
        #expect(
          join([join([work[0], work[1]]), work[2]]) == join([work[0], join([work[1], work[2]])]))
        #expect(join([.none, work[0]]) == work[0])
        #expect(join([]) == .none)
      }
    }
  }

  @Test("An empty effect is not delayed, and only cancels what runs [E1] [i3]")
  func emptyParts() {
    #expect(Work.none.delayed(by: .seconds(3)) == Work.none)
    #expect(Work.none.cancellable("x") == Tally.none)
    #expect(Work.none.cancellable("x", cancelInFlight: true) == .cancel("x"))
    #expect(Work.none.debounced("x", for: .seconds(3)) == .cancel("x"))
    #expect(Work.none.throttled("x", for: .seconds(3), latest: true) == .none)
    #expect(Tally(.none) == .none)
    #expect(Tally.none.map(Twice(by: 1)) == .none)
  }

  @Test("Mapping twice sends what the composed embeddings send [E2]", arguments: 1...20)
  func mapComposes(seed: UInt64) async throws {
    let effect = withSeed(default: seed) { random(&$0, depth: 3) }
    let mapped = effect.map(Twice(by: 3)).map(Shifted(by: 4))
    #expect(mapped.leaves.count == effect.leaves.count)
    for (before, after) in zip(effect.leaves, mapped.leaves) {
      #expect(after.delay == before.delay)
      #expect(after.cancellations == before.cancellations)
      let sent = try await before.leaf.run(in: Desktop(), send: .refusing)
      let expected = sent.map { Shifted(by: 4).embed(Twice(by: 3).embed($0)) }
      let answers = try await after.leaf.run(in: Desktop(), send: .refusing)
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
      .concatenate([.send(.add), .run(Note("n"))]), .cancel("z"),
      .send(.double).delayed(by: .seconds(2)).cancellable("x").delayed(by: .seconds(1)),
    ])
    let leaves = effect.leaves
    #expect(leaves.map(\.ordinal) == [0, 1, 2])
    #expect(effect.leafCount == 3)
    #expect(leaves.map(\.leaf.name) == ["Send__TallyAction", "Note", "Send__TallyAction"])
    #expect(leaves.map(\.delay) == [.zero, .zero, .seconds(3)])
    #expect(leaves.map(\.cancellations) == [[], [], [CancellationID("x")]])
    #expect(leaves[1].leaf.base as? Note<TallyAction> == Note("n"))
    #expect(leaves[1].leaf.interruptionPolicy == .drop)
    #expect(leaves[2].leaf.interruptionPolicy == .send(.double))
    #expect(effect.description.hasPrefix("steps(concatenate("))
    #expect(effect.description.contains("cancel(z)"))
    #expect(effect.description.contains("delay(1000000 us, cancellable(x, delay(2000000 us, "))
  }

  @Test("Delays add up without overflow")
  func longDelays() {
    let forever = ElapsedTime(microseconds: .max)
    let effect: Tally = .send(.add).delayed(by: forever).delayed(by: .seconds(1))
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
    let number = Int.random(in: 0..<3, using: &generator)
    let time = ElapsedTime.seconds(Int64(number))
    func work(_ generator: inout SeededGenerator) -> Work {
      randomWork(&generator, depth: depth - 1)
    }
    switch depth == 0 ? 0 : Int.random(in: 0..<7, using: &generator) {
    case 0: return Tally(randomWork(&generator, depth: depth))
    case 1: return .merge([random(&generator, depth: depth - 1), .cancel("\(number)")])
    case 2: return .cancelAll
    case 3: return work(&generator).cancellable("\(number)", cancelInFlight: true)
    case 4: return work(&generator).debounced("\(number)", for: time)
    case 5: return work(&generator).throttled("\(number)", for: time, latest: number == 1)
    default: return Tally(randomWork(&generator, depth: depth))
    }
  }

  private func randomWork(_ generator: inout SeededGenerator, depth: Int) -> Work {
    let kinds = depth == 0 ? 3 : 7
    func inner(_ generator: inout SeededGenerator) -> Work {
      randomWork(&generator, depth: depth - 1)
    }
    let number = Int64.random(in: 0..<3, using: &generator)
    switch Int.random(in: 0..<kinds, using: &generator) {
    case 0: return .none
    case 1: return .send(TallyAction.allCases[Int(number)])
    case 2: return .run(Note("\(number)"))
    case 3: return inner(&generator).delayed(by: .seconds(number))
    case 4: return .merge([inner(&generator), inner(&generator)])
    case 5: return .concatenate([inner(&generator), inner(&generator), inner(&generator)])
    default: return inner(&generator).cancellable("\(number)")
    }
  }
}

extension EffectSender {
  /// A sender for leaves that send nothing while they run.
  static var refusing: EffectSender {
    EffectSender { _ in Issue.record("the leaf sent something while it ran") }
  }
}

private struct Twice: ActionEmbedding, NamedType {
  var by: Int64
  var scope: EffectScope.Component { EffectScope.Component(Twice.self, id: by) }
  func embed(_ action: TallyAction) -> Int64 { action.rawValue * by + 1 }
}

/// An embedding that changes only the scope.
private struct Renamed: ActionEmbedding, NamedType {
  var id: Int64
  var scope: EffectScope.Component { EffectScope.Component(Renamed.self, id: id) }
  func embed(_ action: TallyAction) -> TallyAction { action }
}

private struct Shifted: ActionEmbedding, NamedType {
  var by: Int64
  var scope: EffectScope.Component { EffectScope.Component(Shifted.self, id: by) }
  func embed(_ action: Int64) -> String { "\(action + by)" }
}

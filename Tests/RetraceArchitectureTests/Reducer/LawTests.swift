import RetraceArchitecture
import RetraceAvro
import RetraceState
import RetraceFixtures
import RetraceTesting
import Testing

/// The laws of the names by which features get their part of a state and of the actions.
@Suite struct LawTests {
  @Test(arguments: 1...20)
  func `each part of a state is got as it was put, and nothing else changes [R7] [i5]`(
    seed: UInt64
  ) {
    withSeed(default: seed) { generator in
      let states = (0..<4).map { _ in HouseState.random(&generator) }
      typealias Names = HouseState.Parts
      #expect(isLens(Names._lamps.self, states) && isLens(Names._guest.self, states))
      #expect(isLens(Names._porch.self, states) && isLens(Names._scenes.self, states))
      #expect(isLens(Names._hall.self, states) && isLens(Names._missing.self, states))
      #expect(isLens(Itself<HouseState>.self, states))
      let lamps = states.map(\.hall)
      #expect(isLens(Lamp.Parts._seen.self, lamps) && isLens(Lamp.Parts._bulb.self, lamps))
    }
  }

  @Test func `a part that is projected without the laws is found`() {
    withSeed { generator in
      let states = (0..<4).map { _ in HouseState.random(&generator) }
      #expect(isLens(HouseState.Parts._hall.self, states))
      #expect(!isLens(CountedHall.self, states) && !isLens(KeptHall.self, states))
    }
  }

  /// A projection that changes something beside its part.
  private enum CountedHall: StatePart {
    static func with<Result>(
      _ whole: inout HouseState, _ body: (inout Lamp) -> Result
    ) -> Result {
      whole.missing += 1
      return body(&whole.hall)
    }

    static func read<Result, Failure: Error>(
      _ whole: borrowing HouseState, _ body: (borrowing Lamp) throws(Failure) -> Result
    ) throws(Failure) -> Result { try body(whole.hall) }
  }

  /// A projection that forgets to write its part back.
  private enum KeptHall: StatePart {
    static func with<Result>(
      _ whole: inout HouseState, _ body: (inout Lamp) -> Result
    ) -> Result {
      var hall = whole.hall
      return body(&hall)
    }

    static func read<Result, Failure: Error>(
      _ whole: borrowing HouseState, _ body: (borrowing Lamp) throws(Failure) -> Result
    ) throws(Failure) -> Result { try body(whole.hall) }
  }

  /// Returns whether a part keeps the laws on states: to put what was got changes nothing, what was
  /// put is got, and of two values that are put the last one counts.
  private func isLens<Part: StatePart>(_ part: Part.Type, _ states: [Part.Whole]) -> Bool
  where Part.Whole: Equatable, Part.Value: Equatable {
    var isLens = true
    for state in states {
      var same = state
      let own = Part.with(&same) { $0 }
      Part.with(&same) { $0 = own }
      var last = state
      for other in states {
        var other = other
        let value = Part.with(&other) { $0 }
        var once = state
        Part.with(&once) { $0 = value }
        Part.with(&last) { $0 = value }
        let isPut = Part.read(once) { $0 == value } && Part.with(&once) { $0 == value }
        isLens = isLens && isPut && last == once
      }
      Part.with(&last) { $0 = own }
      isLens = isLens && same == state && last == state
    }
    return isLens
  }

  @Test(arguments: 1...20)
  func `each action is read back, and one case takes it apart and puts it together [R9]`(
    seed: UInt64
  ) throws {
    try withSeed(default: seed) { (generator: inout SeededGenerator) throws in
      for _ in 0..<200 {
        let action = HouseAction.random(&generator)
        #expect(try HouseAction(encoded: action.encoded().span) == action)
        typealias Names = HouseAction.Parts
        let again = [
          again(Names._lamp.self, action), again(Names._guest.self, action),
          again(Names._porch.self, action), again(Names._scene.self, action),
          again(Names._hall.self, action), again(Names._sold.self, action),
          again(Names._hadGuest.self, action), again(Names._hadPorch.self, action),
          again(Names._hadScene.self, action),
        ].compactMap { $0 }
        // A case without a payload carries nothing that a child could take.
        #expect(again == (action == .bought ? [] : [action]))
      }
    }
  }

  private func again<Case: EnumCase>(_ name: Case.Type, _ whole: Case.Whole) -> Case.Whole? {
    Case.extract(whole).map(Case.embed)
  }

  private func again<Case: IdentifiedCase>(_ name: Case.Type, _ whole: Case.Whole) -> Case.Whole? {
    Case.extract(whole).map { Case.embed($0.value, for: $0.id) }
  }
}

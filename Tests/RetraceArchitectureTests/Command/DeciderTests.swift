import RetraceArchitecture
import RetraceState
import Testing

/// The composition of deciders, and of their commands.
@Suite struct DeciderTests {
  private static let moment = Moment(microseconds: 5)

  private let shelf = ShelfDecider()

  @Test func `a child may decide on all of its parent's state`() throws {
    let moment = Moment(microseconds: 5)
    let facts = try SumDecider().decide(.third(13), on: Shelf(), at: moment)
    #expect(facts == [.second(13), .second(5)])
    #expect(throws: ShelfRefusal.second(TooLarge(by: 1))) {
      try SumDecider().decide(.third(14), on: Shelf(), at: moment)
    }
    #expect(try LooseSumDecider().decide(.third(13), on: Shelf(), at: moment) == [13, 5])
    #expect(!SumDecider().handles(.first(1)))
  }

  @Test func `a combined decider asks the child whose command it is, on the child's state`() throws
  {
    let state = Shelf()
    let (first, second) = (ShelfCommand.first(3), ShelfCommand.second(4))
    #expect(try shelf.decide(first, on: state, at: Self.moment) == [.first(3), .first(5)])
    #expect(try shelf.decide(second, on: state, at: Self.moment) == [.second(4), .second(5)])
    #expect(throws: ShelfRefusal.first(TooLarge(by: 1))) {
      try shelf.decide(.first(4), on: state, at: Self.moment)
    }
    #expect(throws: ShelfRefusal.second(TooLarge(by: 5))) {
      try shelf.decide(.second(15), on: state, at: Self.moment)
    }
  }

  @Test func `a combined decider handles what one of its children handles`() {
    #expect(shelf.handles(.first(100)) && shelf.handles(.second(0)) && !shelf.handles(.neither))
  }

  @Test func `a child may have the facts and refusals of its parent`() throws {
    let (shelf, state) = (LooseShelfDecider(), Shelf())
    #expect(try shelf.decide(.second(4), on: state, at: Self.moment) == [4, 5])
    #expect(throws: TooLarge(by: 1)) { try shelf.decide(.first(4), on: state, at: Self.moment) }
    #expect(!shelf.handles(.third(1)))
  }

  /// A decider and a reducer of sums, for commands that are decided together.
  private struct Sum: Decider, Reducer {
    func decide(
      _ command: Int, on state: borrowing Int, at moment: Moment
    ) throws(TooLarge) -> [Int] {
      guard state + command <= 10 else { throw TooLarge(by: state + command - 10) }
      return [command]
    }

    func reduce(_ state: inout Int, _ action: Int, at moment: Moment) -> Effect<Int, Never> {
      state += action
      return .none
    }
  }

  @Test func `commands decided together see earlier facts, and all or none are accepted`() throws {
    let sum = Sum()
    let facts = try sum.decideTogether([4, 3, 3], on: 0, at: Self.moment, reducingWith: sum)
    #expect(facts == [4, 3, 3])
    #expect(throws: TooLarge(by: 1)) {
      try sum.decideTogether([4, 3, 4, 1], on: 0, at: Self.moment, reducingWith: sum)
    }
    #expect(try sum.decideTogether([], on: 0, at: Self.moment, reducingWith: sum) == [])
  }
}

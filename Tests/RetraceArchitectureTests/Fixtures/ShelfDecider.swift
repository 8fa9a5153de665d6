import RetraceArchitecture
import RetraceState

/// A decider that accepts numbers up to the state, and refuses larger ones.
struct Limit: Decider {
  func decide(
    _ command: Int, on state: borrowing Int, at moment: Moment
  ) throws(TooLarge) -> [Int64] {
    guard command <= state else { throw TooLarge(by: command - state) }
    return [Int64(command), moment.microseconds]
  }
}

struct TooLarge: Error, Equatable { var by: Int }

/// A parent with two limits, whose commands, facts and refusals wrap its children's.
struct Shelf: Composed {
  var first: Int = 3
  var second: Int = 10
}

enum ShelfCommand: Equatable, Composed { case first(Int), second(Int), third(Int), neither }
enum ShelfAction: Equatable, Composed { case first(Int64), second(Int64) }
enum ShelfRefusal: Error, Equatable, Composed { case first(TooLarge), second(TooLarge) }

struct ShelfDecider: Decider {
  var body: some Decider<ShelfCommand, Shelf, ShelfAction, ShelfRefusal> {
    DeciderScope(\.first, command: \.first, fact: \.first, refusal: \.first) { Limit() }
    DeciderScope(\.second, command: \.second, fact: \.second, refusal: \.second) { Limit() }
  }
}

/// The children with the refusals, or also with the facts, of their parent.
struct LooseShelfDecider: Decider {
  var body: some Decider<ShelfCommand, Shelf, Int64, TooLarge> {
    DeciderScope(\.first, command: \.first) { Limit() }
    DeciderScope(\.second, command: \.second) { Limit() }
  }
}

/// A decider that accepts numbers up to the sum of both limits.
struct SumLimit: Decider {
  func decide(
    _ command: Int, on state: borrowing Shelf, at moment: Moment
  ) throws(TooLarge) -> [Int64] {
    try Limit().decide(command, on: state.first + state.second, at: moment)
  }
}

/// A rule about all of the parent's state, with the facts and refusals of a case or of the parent.
struct SumDecider: Decider {
  var body: some Decider<ShelfCommand, Shelf, ShelfAction, ShelfRefusal> {
    DeciderScope(command: \.third, fact: \.second, refusal: \.second) { SumLimit() }
  }
}

struct LooseSumDecider: Decider {
  var body: some Decider<ShelfCommand, Shelf, Int64, TooLarge> {
    DeciderScope(command: \.third) { SumLimit() }
  }
}

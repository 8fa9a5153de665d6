import RetraceSystem
import RetraceTesting
import Testing

/// Random values that a seed determines.
@Suite struct SeededGeneratorTests {
  /// The first numbers of SplitMix64 with the seed 1234567, which Rosetta Code lists.
  @Test func `the numbers are those of SplitMix64`() {
    var generator = SeededGenerator(seed: 1_234_567)
    #expect(
      (0..<5).map { _ in generator.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }

  @Test func `a body gets the generator of its seed, and its result and its error are returned`() {
    struct Failure: Error {}
    var generator = SeededGenerator(seed: 7)
    let first = generator.next()
    // `RETRACE_SEED` replaces the seed of every test, so that it is not known here.
    let numbers = (0..<2).map { _ in withSeed(default: 7) { $0.next() } }
    #expect(numbers[0] == numbers[1] && (numbers[0] == first || isSeedChosen))
    #expect(throws: Failure.self) { try withSeed { _ throws in throw Failure() } }
  }

  private var isSeedChosen: Bool { ThisProcess.environment("RETRACE_SEED") != nil }

  @Test func `a random test has all rounds only if they are asked for`() {
    let isFull = ThisProcess.environment("RETRACE_FULL") == "1"
    #expect(repetitions(50) == (isFull ? 50 : 5))
    #expect(repetitions(5) == (isFull ? 5 : 1))
    #expect(repetitions(50, few: 20) == (isFull ? 50 : 20))
  }
}

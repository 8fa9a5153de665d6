import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceFixtures
import RetraceTesting
import Testing

@testable import RetraceReplay

/// Two processes that perform conflicting commands on one store.
///
/// Each performs 1,000 random commands, 10,000 with `RETRACE_FULL=1`.
@Suite(.serialized) struct SharedCommandsTests {
  /// A refused command, as its sender notes it: with the record after which it was decided.
  private struct Refused {
    var sequence: UInt64
    var command: KioskCommand
    var refusal: KioskRefusal

    static func append(
      _ command: KioskCommand, _ refusal: KioskRefusal, after sequence: UInt64,
      to notes: inout AvroWriter
    ) {
      notes.long(Int64(sequence))
      command.encode(into: &notes)
      refusal.encode(into: &notes)
    }

    static func read(_ path: String) throws -> [Refused] {
      let bytes = try FileSystem.readWhole(path, limitBytes: 1 << 28)
      var reader = AvroReader(bytes.span)
      var notes: [Refused] = []
      while !reader.isAtEnd {
        notes.append(
          Refused(
            sequence: UInt64(try reader.long()), command: try KioskCommand(decoding: &reader),
            refusal: try KioskRefusal(decoding: &reader)))
      }
      return notes
    }
  }

  /// Performs random commands, and writes the refused ones to a file.
  private static func send(
    _ count: Int, seed: UInt64, to path: String, notes name: String
  ) throws {
    var random = SeededGenerator(seed: seed)
    var notes = AvroWriter(capacity: 1 << 16)
    let store = try Store<KioskApp>.openBlocking(at: path, configuration: StoreConfiguration())
    for _ in 0..<count {
      let command = KioskCommand.random(using: &random)
      do throws(CommandError<KioskApp>) {
        try store.performBlocking(command, from: Bool.random(using: &random) ? .scene : .program)
      } catch {
        guard case .refused(let refusal, let sequence) = error else { throw error }
        Refused.append(command, refusal, after: sequence, to: &notes)
      }
    }
    try store.closeBlocking()
    try OpenFile.open(name, [.write, .create]).write(notes.span, at: 0)
  }

  @Test func `every decision holds at the record after which it was made`() async throws {
    let count = repetitions(10_000)
    let seed = withSeed("SharedCommandsTests") { random in random.next() }
    let folder = try FileSystem.makeTemporaryDirectory("retrace-commands")
    let path = folder + "/store"
    try LogStorage.open(at: path, access: .create).close()
    await withTaskGroup { group in
      for process in 0..<2 as Range<UInt64> {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [
              count = count as Int, seed = (seed &+ process) as UInt64, path = path as String,
              notes = "\(folder)/refused.\(process)" as String
            ] in
            try SharedCommandsTests.send(count, seed: seed, to: path, notes: notes)
          }
        }
      }
    }
    let refused = try (0..<2).flatMap { try Refused.read("\(folder)/refused.\($0)") }
    #expect(refused.count > count / 10)
    let storage = try LogStorage.open(at: path, access: .read)
    let verification = try Verifier<KioskApp>.verify(storage, decidingCommands: true)
    let decisions = try #require(verification.decisions)
    #expect(decisions.firstDivergence == nil && decisions.notComparable == 0)
    #expect(decisions.decided + refused.count >= 2 * count)

    let bySequence = Dictionary(grouping: refused, by: \.sequence)
    var replayer = try Replayer<KioskApp>(storage)
    var justified = 0
    repeat {
      let violations = KioskApp.violations(of: replayer.state)
      #expect(violations == [], "after record \(replayer.sequence)")
      for note in bySequence[replayer.sequence] ?? [] {
        do throws(KioskRefusal) {
          let moment = Moment(microseconds: 0)
          let facts = try KioskApp.decider.decide(note.command, on: replayer.state, at: moment)
          Issue.record("\(note.command) after \(note.sequence): \(facts), not \(note.refusal)")
        } catch {
          #expect(error == note.refusal)
          justified += 1
        }
      }
    } while try replayer.stepForward()
    #expect(justified == refused.count)
    storage.close()
    try FileSystem.removeTree(folder)
    print("\(refused.count) of \(2 * count) commands refused, \(replayer.last) records")
  }
}

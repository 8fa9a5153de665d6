import Foundation
import RetraceSystem
import Testing
import ToolTestSupport

/// A process that sends batches until it is killed.
final class Victim {
  let name: String
  let sender: SenderProcess
  /// The batches acknowledged, and the time of the last acknowledgement.
  private(set) var acknowledged = 0
  private(set) var last: Int64 = 0

  init(
    _ name: String, _ store: String, size: Int, environment: [String: String] = [:]
  ) throws {
    self.name = name
    sender = try SenderProcess(store, environment: environment)
    sender.process.send("stream 1000000 \(size) \(name)")
  }

  /// Reads one acknowledgement; `false` at the end of the output.
  func next() throws -> Bool {
    guard let line = sender.process.readLine() else { return false }
    let words = line.split(separator: " ")
    // A line that the signal cut off acknowledges nothing.
    guard words.count == 4, words[0] == "ack" else { return false }
    try #require(words[1] == "\(acknowledged)", "\(line)")
    acknowledged += 1
    last = Int64(words[3]) ?? last
    return true
  }

  /// Kills the process, and returns the time.
  func kill() throws -> Int64 {
    let time = MonotonicClock.nanoseconds()
    #expect(sender.process.kill())
    while try next() {}
    return time
  }
}

/// A store whose senders were all killed.
struct KilledStore {
  let path: String

  /// Opens the store again, and compares what is there with what was acknowledged.
  func check(_ victims: [Victim], size: Int) throws -> (kept: Int, crashed: Int) {
    let store = path
    let finder = try SenderProcess(store)
    #expect(finder.recovered.count <= victims.count)
    let second = try SenderProcess(store)
    #expect(second.recovered == [])
    finder.close()
    second.close()
    let report = StoreReport(store: store)
    try report.verify()
    let crashed = try report.crashed()
    // A survivor whose session got the number of a dead one recorded that one's crash before.
    #expect(Set(finder.recovered).isSubset(of: crashed.map(\.sequence)))
    let notes = try Notes(report.notes())
    notes.expectWhole(size: size)
    var kept = 0
    for victim in victims {
      let batches = notes.batches(of: victim.name)
      // One batch may have been durable when its sender was killed before it could say so.
      #expect(batches == victim.acknowledged || batches == victim.acknowledged + 1)
      kept += batches
      // The crashed batch is the one after the last that was kept, and no batch crashed twice.
      let own = crashed.filter { $0.actions.contains { $0.contains("\"\(victim.name).") } }
      #expect(own.count <= 1)
      for record in own {
        #expect(record.actions.count == size)
        #expect(record.actions[0].contains("\"\(victim.name).\(batches).0\""))
      }
    }
    #expect(try attemptedSessions(in: store) == [])
    return (kept, crashed.count)
  }
}

import CivilTime
import RetraceState
import RetraceSchema
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceStorage
import RetraceFixtures
import RetraceTesting
import Testing

@testable import RetraceReplay

@Suite struct StateDifferTests {
  /// The difference of two states by a plain walk over all counters.
  private func expected(_ old: CounterState, _ new: CounterState) -> [String] {
    var found: [String] = []
    if old.total != new.total { found.append("total \(old.total) \(new.total)") }
    if old.lastMoment != new.lastMoment {
      found.append("lastMoment \"\(old.lastMoment.timestamp)\" \"\(new.lastMoment.timestamp)\"")
    }
    if old.refused != new.refused { found.append("refused \(old.refused) \(new.refused)") }
    for id in 0..<max(old.counters.nextID.value, new.counters.nextID.value) {
      let place = "counters[\(id)]"
      switch (old.counters[CounterID(value: id)], new.counters[CounterID(value: id)]) {
      case (nil, nil): break
      case (nil, let new?):
        found += ["\(place).name - \"\(new.name)\"", "\(place).count - \(new.count)"]
      case (let old?, nil):
        found += ["\(place).name \"\(old.name)\" -", "\(place).count \(old.count) -"]
      case (let old?, let new?):
        if old.name != new.name { found.append("\(place).name \"\(old.name)\" \"\(new.name)\"") }
        if old.count != new.count { found.append("\(place).count \(old.count) \(new.count)") }
      }
    }
    return found
  }

  private func lines(_ difference: StateDifference) -> [String] {
    difference.changes.flatMap { change in
      change.fields.map { field in
        let path = change.entity.map { "\($0.path).\(field.path)" } ?? field.path
        return "\(path) \(field.before?.text() ?? "-") \(field.after?.text() ?? "-")"
      }
    }
  }

  @Test func `any number is accepted as the limit of changes`() throws {
    var new = CounterState()
    new.total = 7
    for (limit, count) in [(Int.max, 1), (1, 1), (0, 0), (-1, 0), (.min, 0)] {
      let differ = try StateDiffer(like: CounterState(), limit: limit)
      #expect(try differ.difference(from: CounterState(), to: new).changes.count == count)
    }
  }

  @Test
  func `every step and every jump differs as a plain walk over the states says [L5]`() throws {
    try withSeed("StateDiffer") { random in
      try CounterLog.withDirectory { path in
        _ = try CounterLog.record(600, in: 2, at: path, &random)
        try CounterLog.reading(path) { storage in
          let states = try CounterLog.states(of: storage)
          var replayer = try Replayer<CounterApp>(storage)
          let differ = try StateDiffer(like: replayer.state, limit: .max - 1)
          var steps: UInt64 = 0
          try replayer.forEachStep(through: replayer.last) { step throws(StoreError) in
            steps += 1
            #expect(step.envelope.sequence == steps)
            let difference = try differ.difference(from: step.before, to: step.after)
            let plain = expected(states[Int(steps) - 1], states[Int(steps)])
            #expect(lines(difference) == plain, "at \(steps)")
            return true
          }
          #expect(steps == replayer.last && replayer.sequence == steps)
          for _ in 0..<repetitions(300) {
            let old = states[Int.random(in: 0..<states.count, using: &random)]
            let new = states[Int.random(in: 0..<states.count, using: &random)]
            let difference = try differ.difference(from: old, to: new)
            let plain = expected(old, new)
            // An entity that came and went shows in the id that is next.
            let told = lines(difference).filter { !$0.contains("nextID") }
            #expect(told == plain)
            #expect(difference.isEmpty == (old.hash == new.hash))
          }
        }
      }
    }
  }

  @Test func `a limit on the number of changes is kept and reported`() throws {
    var state = CounterState()
    for number in 0..<100 {
      _ = state.counters.insert(CounterEntity(name: "\(number)", count: 0))
    }
    var differ = try StateDiffer(like: state, limit: 7)
    let cut = try differ.difference(from: CounterState(), to: state)
    #expect(cut.changes.count == 7 && cut.isTruncated)
    differ.limit = 100
    let whole = try differ.difference(from: CounterState(), to: state)
    #expect(whole.changes.count == 100 && !whole.isTruncated)
    // The change outside tables counts, too.
    state.total = 1
    let more = try differ.difference(from: CounterState(), to: state)
    #expect(more.changes.count == 100 && more.isTruncated)
    #expect(more.changes.first?.entity == nil)
  }

  @Test func `the values in a change are limited for every kind of change`() throws {
    let (empty, id) = (CounterState(), CounterID(value: 0))
    var old = empty
    _ = old.counters.insert(CounterEntity(name: "a", count: 1))
    var new = old
    new.counters.modify(id) { $0 = CounterEntity(name: "b", count: 2) }
    for (from, to) in [(empty, old), (old, new), (new, empty)] {
      var differ = try StateDiffer(like: empty, limit: 1)
      let cut = try differ.difference(from: from, to: to)
      #expect(cut.changes.map(\.fields.count) == [1] && cut.isTruncated)
      differ.limit = 2
      let whole = try differ.difference(from: from, to: to)
      #expect(whole.changes.map(\.fields.count) == [2] && !whole.isTruncated)
    }
  }

  @Test func `an entity that came and went leaves the id that is next`() throws {
    var state = CounterState()
    state.counters.remove(state.counters.insert(CounterEntity(name: "", count: 0)))
    let difference = try StateDiffer(like: state).difference(from: CounterState(), to: state)
    #expect(lines(difference) == ["counters.nextID 0 1"])
  }
}

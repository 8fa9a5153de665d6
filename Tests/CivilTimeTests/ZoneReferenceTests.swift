import CivilTime
import RetraceState
import RetraceTesting
import Testing
import ToolTestSupport

/// Civil time compared with Python's zoneinfo, over all zones of the tz database.
@Suite(.enabled(if: ZoneFiles.exist))
struct ZoneReferenceTests {
  /// A zone with the changes of its offset as the reference knows them.
  private struct Zone: Sendable {
    var rules: ZoneRules
    var changes: [Change]
  }

  private struct Change: Hashable, Sendable {
    var second: Int64
    var before: Int64
    var after: Int64

    init(_ second: Int64, _ before: Int64, _ after: Int64) {
      (self.second, self.before, self.after) = (second, before, after)
    }

    init(_ change: ZoneChange) {
      self.init(
        change.moment.microseconds / 1_000_000, Int64(change.offsetBefore),
        Int64(change.offsetAfter))
    }
  }

  /// Asked for once, because the reference takes seconds for them.
  private static let zones = Result { () throws -> [Zone] in
    let lines = try ZoneReference.run(["changes", ZoneReference.folder])
    return try lines.map { line in
      let numbers = line.numbers
      let changes = stride(from: 1, to: numbers.count, by: 3).map {
        Change(numbers[$0], numbers[$0 + 1], numbers[$0 + 2])
      }
      return Zone(rules: try ZoneFiles.load(line.name), changes: changes)
    }
  }

  private func moment(_ second: Int64) -> Moment { Moment(microseconds: second * 1_000_000) }

  @Test
  func `Every change of the offset in every zone is one of the reference's`() throws {
    let zones = try Self.zones.get()
    #expect(zones.count > 400)
    let horizon = try ZoneFiles.moment("2060-01-01 00:00:00")
    var count = 0
    for zone in zones {
      var found: [Change] = []
      var next = zone.rules.change(after: moment(-5_000_000_000))
      while let change = next, change.moment < horizon {
        found.append(Change(change))
        next = zone.rules.change(after: change.moment)
      }
      let expected = zone.changes.filter { moment($0.second) < horizon }
      #expect(found == expected, "\(zone.rules.id)")
      count += found.count
    }
    print("compared \(count) changes of \(zones.count) zones")
  }

  @Test
  func `Instants, local times and days of all zones agree with zoneinfo`() throws {
    let zones = try Self.zones.get()
    try withSeed { random in
      let count = repetitions(1_000_000, few: 100_000)
      var questions: [UInt8] = []
      var asked: [(zone: Int, kind: Character, number: Int64)] = []
      for index in zones.indices {
        let zone = zones[index]
        questions += Array("Z \(zone.rules.id)\n".utf8)
        for number in 0..<(count + zones.count - 1) / zones.count {
          for kind in number % 5 == 0 ? "ILD" : "IL" {
            var value = Int64.random(in: -4_100_000_000...5_700_000_000, using: &random)
            // Every other question is about the time around a change.
            if number % 2 == 0, let change = zone.changes.randomElement(using: &random) {
              let near = [0, 1, -1, Int64.random(in: -7_200...7_200, using: &random)]
              let edge = Bool.random(using: &random) ? change.before : change.after
              value =
                change.second + (kind == "I" ? 0 : edge) + (near.randomElement(using: &random) ?? 0)
              let range = [change.before, change.after].sorted()
              if kind == "L", number % 4 == 0 {
                value = change.second + Int64.random(in: range[0]..<range[1], using: &random)
              }
            }
            // The first moments of a zone's second day are far from any limit of datetime.
            if kind == "D" { value = (value + 5_000_000_000) / 86_400 - 57_870 }
            questions += Array("\(kind) \(value)\n".utf8)
            asked.append((index, kind, value))
          }
        }
      }
      let answers = try ZoneReference.run(["answer", ZoneReference.folder], input: questions)
      try #require(answers.count == asked.count)
      var counts: [String: Int] = [:]
      for (question, answer) in zip(asked, answers) {
        let rules = zones[question.zone].rules
        let (expected, found, kind) = compared(
          question.kind, question.number, with: answer.numbers, in: rules)
        if expected != found {
          Issue.record(
            "\(rules.id) \(question.kind) \(question.number): \(found), zoneinfo \(expected)")
        }
        counts[kind, default: 0] += 1
      }
      #expect(counts["instants", default: 0] >= count && counts["gaps", default: 0] > count / 20)
      #expect(counts["folds", default: 0] > count / 20)
      let text = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      print("compared \(zones.count) zones: \(text.joined(separator: ", "))")
    }
  }

  /// Returns the reference's answer, ours in the same form, and what was asked.
  private func compared(
    _ kind: Character, _ number: Int64, with answer: [Int64], in rules: ZoneRules
  ) -> (expected: [Int64], found: [Int64], kind: String) {
    switch kind {
    case "I":
      return (answer, [Int64(rules.offset(at: moment(number)))], "instants")
    case "D":
      let start = rules.startOfDay(CivilDate(daysSince1970: Int(number)))
      return (answer, [start.microseconds / 1_000_000], "days")
    default:
      let local = LocalTime(secondsSince1970: number)
      switch rules.resolve(local) {
      case .existing(let moment, let offset):
        let same = rules.offset(at: moment) == offset
        return (answer, [1, same ? moment.microseconds / 1_000_000 : -1], "local times shown once")
      case .skipped(let change):
        let here = Change(change)
        let isBetween = change.localBefore < local && local < change.localAfter
        return (
          answer, isBetween ? [0, here.second, here.before, here.after] : [0], "gaps"
        )
      case .ambiguous(let earlier, let later, let change):
        let isBetween = earlier < change.moment && change.moment <= later
        let seconds = [earlier, later].map { $0.microseconds / 1_000_000 }
        return (answer, isBetween ? [2] + seconds : [2], "folds")
      }
    }
  }

  @Test
  func `The length of each day is that from zoneinfo's first moment of it to that of the next`()
    throws
  {
    let zones = try Self.zones.get()
    try withSeed { random in
      var questions: [UInt8] = []
      var asked: [(zone: Int, day: Int64)] = []
      for index in zones.indices {
        questions += Array("Z \(zones[index].rules.id)\n".utf8)
        // Half of the days begin or end near a change.
        for number in 0..<20 {
          var day = Int64.random(in: -40_000...60_000, using: &random)
          if number % 2 == 0, let change = zones[index].changes.randomElement(using: &random) {
            day = (change.second + change.before + 5_000_000_000) / 86_400 - 57_870
            day += Int64.random(in: -1...1, using: &random)
          }
          asked.append((index, day))
          questions += Array("D \(day)\nD \(day + 1)\n".utf8)
        }
      }
      let answers = try ZoneReference.run(["answer", ZoneReference.folder], input: questions)
      try #require(answers.count == asked.count * 2)
      var unusual = 0
      for (index, question) in asked.enumerated() {
        let rules = zones[question.zone].rules
        let day = rules.day(CivilDate(daysSince1970: Int(question.day)))
        let length = answers[index * 2 + 1].numbers[0] - answers[index * 2].numbers[0]
        #expect(day.lengthSeconds == length, "\(rules.id) on \(day.date)")
        if length != 86_400 {
          unusual += 1
          #expect(day.explanation != nil, "\(rules.id) on \(day.date)")
        }
        // Unless a change skips its first midnight or its last, its changes make the difference.
        let ends = [day.moments.lowerBound, day.moments.upperBound].map { rules.local(at: $0) }
        if ends.allSatisfy({ $0.secondOfDay == 0 }) {
          let difference = day.changes.reduce(0) { $0 + Int64($1.offsetBefore - $1.offsetAfter) }
          #expect(length == 86_400 + difference, "\(rules.id) on \(day.date)")
        }
      }
      #expect(unusual > asked.count / 20)
      print("compared \(asked.count) days, \(unusual) of them of an unusual length")
    }
  }

  @Test
  func `Rules in all forms agree with zoneinfo, the C library and a list of changes`() throws {
    try withSeed { random in
      let seed = UInt32.random(in: 0...UInt32.max, using: &random)
      let lines = try ZoneReference.run(["rules", "\(seed)", "\(repetitions(10_000, few: 2_000))"])
      for line in lines {
        let rules = try #require(ZoneRules(posixRule: line.name), "\(line.name)")
        #expect(rules.id == line.name)
        for index in stride(from: 1, to: line.numbers.count, by: 2) {
          let second = line.numbers[index]
          #expect(
            Int64(rules.offset(at: moment(second))) == line.numbers[index + 1],
            "\(line.name) at \(second)")
        }
        for _ in 0..<10 {
          let instant = moment(Int64.random(in: 0...2_000_000_000, using: &random))
          #expect(
            rules.resolve(rules.local(at: instant)).moments.contains(instant),
            "\(line.name) at \(instant)")
        }
      }
    }
  }
}

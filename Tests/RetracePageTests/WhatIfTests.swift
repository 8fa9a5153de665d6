import Foundation
import Retrace
import RetraceBundle
import RetraceFixtures
import RetracePage
import RetraceRandom
import RetraceTesting
import Testing

@Suite struct WhatIfTests {
  private typealias Program = PageProgram<KioskApp>

  private static func ask(_ program: inout Program, _ request: JSONValue) throws -> JSONValue {
    try JSONValue(parsing: program.answer(Array(request.text().utf8)))
  }

  private static func opened(_ sample: KioskSample) throws -> Program {
    var program = Program()
    #expect(try JSONValue(parsing: program.open(sample.bundle))["records"] != nil)
    return program
  }

  /// Decides a log with changes, in steps, and returns what came of it.
  private static func decide(
    _ changes: [JSONValue], in program: inout Program, step: Int64 = 7
  ) throws -> JSONValue {
    var progress = try ask(&program, ["change": .array(changes)])
    while progress["isComplete"] == false {
      progress = try ask(&program, ["decide": .integer(step)])
    }
    return progress
  }

  private static func verdict(
    _ program: inout Program, isChanged: Bool = true
  ) throws -> JSONValue {
    while true {
      let verdict = try ask(&program, ["verify": 1_000, "isChanged": .bool(isChanged)])
      if verdict["isComplete"] != false { return verdict }
    }
  }

  /// Compares the changed log of a program with the outcome of commands.
  private static func compare(
    _ program: inout Program, with steps: [KioskSample.Step]
  ) throws {
    let wanted = try KioskSample.outcome(of: steps)
    let verdict = try verdict(&program)
    #expect(verdict["failure"] == .null)
    #expect(verdict["firstDivergence"] == .null)
    #expect(verdict["stateHash"]?.stringValue == wanted.hash.hex)
    #expect(verdict["records"]?.integerValue == Int64(wanted.records) + 1)
    #expect(verdict["reducers"] == .array([.string(KioskApp.reducerFingerprint.hex)]))
  }

  @Test func `without a change, every command has the recorded outcome`() throws {
    try withSeed { random throws in
      let sample = try KioskSample(commands: 120, using: &random)
      var program = try Self.opened(sample)
      let progress = try Self.decide([], in: &program)
      #expect(progress["decided"] == 120 && progress["differences"] == 0)
      try Self.compare(&program, with: sample.steps)
      let outcome = try Self.ask(&program, ["outcome": true])
      #expect(outcome["differences"] == .array([]))
      #expect(outcome["changes"]?["list"] == .array([]))
    }
  }

  @Test func `commands that are left out or moved are not decided, or at another place`() throws {
    try withSeed { random throws in
      for _ in 0..<20 {
        let sample = try KioskSample(commands: 60, using: &random)
        var program = try Self.opened(sample)
        var steps = sample.steps
        var changes: [JSONValue] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let index = Int.random(in: 1..<steps.count, using: &random)
          let step = steps.remove(at: index)
          var change: [JSONValue.Member] = [.init("record", .integer(Int64(step.record)))]
          if Bool.random(using: &random), index < steps.count {
            let target = Int.random(in: 1..<steps.count, using: &random)
            change += [
              .init("kind", "move"), .init("before", .integer(Int64(steps[target].record))),
            ]
            steps.insert(step, at: target)
            steps[target].moment = steps[target - 1].moment
          } else {
            change.append(.init("kind", "omit"))
          }
          changes.append(.object(change))
        }
        _ = try Self.decide(changes, in: &program, step: 1)
        try Self.compare(&program, with: steps)
      }
    }
  }

  @Test func `an edited command is decided with its new values`() throws {
    try withSeed { random throws in
      let sample = try KioskSample(commands: 100, using: &random)
      var program = try Self.opened(sample)
      let index = try #require(
        sample.steps.firstIndex { if case .restock = $0.command { true } else { false } })
      guard case .restock(let id, let count) = sample.steps[index].command else { return }
      let record = JSONValue.integer(Int64(sample.steps[index].record))
      let batch = try Self.ask(&program, ["batch": record])
      let leaf = try #require(
        batch["values"]?.arrayValue?.first { $0["name"]?.stringValue == "restock.count" })
      #expect(leaf["value"] == .integer(count))
      let change: JSONValue = [
        "kind": "edit", "record": record, "path": leaf["path"] ?? .null, "text": "77",
      ]
      _ = try Self.decide([change], in: &program)
      var steps = sample.steps
      steps[index].command = .restock(id, count: 77)
      try Self.compare(&program, with: steps)
      let wrong: JSONValue = [
        "kind": "edit", "record": record, "path": leaf["path"] ?? .null, "text": "many",
      ]
      _ = try Self.ask(&program, ["change": .array([wrong])])
      #expect(try Self.ask(&program, ["decide": 1_000])["failure"] != nil)
    }
  }

  @Test func `the changed log is a bundle of its own, and the original stays as it is`() throws {
    try withSeed { random throws in
      let sample = try KioskSample(commands: 80, using: &random)
      var program = try Self.opened(sample)
      let before = try Self.verdict(&program, isChanged: false)
      let change: JSONValue = [
        "kind": "omit", "record": .integer(Int64(sample.steps[0].record)),
      ]
      _ = try Self.decide([change], in: &program)
      let text = try #require(try Self.ask(&program, ["bundle": true]).stringValue)
      let bytes = [UInt8](try #require(Data(base64Encoded: text)))
      let bundle = try Bundle(bytes, hashing: SwiftHasher.self)
      #expect(bundle.verify(with: SwiftHasher.self).damage == nil)
      #expect(bundle.header.contents == .anonymous)
      var other = Program()
      _ = other.open(bytes)
      let verdict = try Self.verdict(&other, isChanged: false)
      #expect(try verdict["chain"] == Self.verdict(&program)["chain"])
      #expect(verdict["chain"] != before["chain"])
      #expect(try Self.ask(&program, ["verify": 1]) == before)
    }
  }

  @Test func `what cannot be changed is told`() throws {
    try withSeed { random throws in
      let sample = try KioskSample(commands: 10, using: &random)
      var program = try Self.opened(sample)
      for change in [
        ["kind": "omit", "record": 1], ["kind": "omit", "record": 999], ["kind": "more"],
        ["kind": "move", "record": 2, "before": 0],
      ] as [JSONValue] {
        #expect(try Self.ask(&program, ["change": .array([change])])["failure"] != nil)
      }
      #expect(try Self.ask(&program, ["outcome": true])["failure"] != nil)
      let first: JSONValue = ["kind": "move", "record": 3, "before": 1]
      _ = try Self.ask(&program, ["change": .array([first])])
      #expect(try Self.ask(&program, ["decide": 1_000])["failure"] != nil)
    }
  }

  @Test func `the reducer of the log is told from that of the module`() throws {
    try withSeed { random throws in
      let other = SwiftHasher.digest(of: [1, 2, 3].span)
      for reducer in [KioskApp.reducerFingerprint, other] {
        let sample = try KioskSample(commands: 5, reducer: reducer, using: &random)
        var program = try Self.opened(sample)
        let verdict = try Self.verdict(&program, isChanged: false)
        #expect(verdict["reducers"] == .array([.string(reducer.hex)]))
        #expect(verdict["reducer"]?.stringValue == KioskApp.reducerFingerprint.hex)
      }
      #expect(KioskApp.reducerFingerprint != .zero)
    }
  }
}

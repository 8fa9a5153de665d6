import RetraceAvro
import RetraceSchema
import RetraceState
import RetraceFixtures
import Testing

@testable import RetraceLog
@testable import RetraceReplay

/// Fields that only one of two builds has.
@Suite struct OmittedFieldsTests {
  private func schema(_ fields: [Schema.Field]) -> Schema {
    .record(name: "State", fields: fields)
  }

  private func omitted(_ here: [Schema.Field], _ there: [Schema.Field]) -> [String] {
    let names = OmittedFields(between: [schema(here)], and: [schema(there)]).names
    #expect(OmittedFields(between: [schema(there)], and: [schema(here)]).names == names)
    return names
  }

  @Test func `fields of one build, and fields of other types, are left out`() {
    let egg = Schema.record(name: "Egg", fields: [Schema.Field("name", .string)])
    let sized = Schema.record(
      name: "Egg", fields: [Schema.Field("name", .string), Schema.Field("size", .long)])
    #expect(omitted([Schema.Field("a", .long)], [Schema.Field("a", .long)]) == [])
    #expect(omitted([Schema.Field("a", .long)], []) == ["State.a"])
    #expect(omitted([Schema.Field("a", .long)], [Schema.Field("a", .string)]) == ["State.a"])
    #expect(
      omitted([Schema.Field("a", .long)], [Schema.Field("b", .long)]) == ["State.a", "State.b"])
    #expect(
      omitted([Schema.Field("eggs", .array(egg))], [Schema.Field("eggs", .array(sized))])
        == ["Egg.size"])
    let other = Schema.record(name: "Duck", fields: [Schema.Field("name", .string)])
    #expect(
      omitted([Schema.Field("eggs", .array(egg))], [Schema.Field("eggs", .array(other))])
        == ["State.eggs"])
    let instant = Schema.logical("timestamp-micros", .long)
    #expect(omitted([Schema.Field("a", .long)], [Schema.Field("a", instant)]) == ["State.a"])
  }

  @Test func `wider numbers, optionals and more cases are compared`() {
    let two = Schema.union([.record(name: "E_a", fields: []), .record(name: "E_b", fields: [])])
    let three = Schema.union([
      .record(name: "E_a", fields: []), .record(name: "E_b", fields: []),
      .record(name: "E_c", fields: []),
    ])
    for (left, right) in [
      (Schema.int, Schema.long), (.string, .union([.null, .string])),
      (.union([.null, .int]), .union([.null, .long])), (two, three),
      (.ruled("set", .array(.long)), .array(.long)),
    ] {
      #expect(omitted([Schema.Field("a", left)], [Schema.Field("a", right)]) == [])
    }
    #expect(
      omitted([Schema.Field("a", .union([.null, .int]))], [Schema.Field("a", .string)])
        == ["State.a"])
  }

  @Test func `a type whose first use is left out is read where it is used next`() throws {
    let egg = Schema.record(
      name: "Egg", fields: [Schema.Field("name", .string), Schema.Field("size", .long)])
    let whole = schema([
      Schema.Field("first", egg), Schema.Field("second", .reference("Egg")),
      Schema.Field("third", .array(.reference("Egg"))),
    ])
    let codec = try SelectiveCodec(whole, omitting: OmittedFields(["State.first", "Egg.size"]))
    var writer = AvroWriter(capacity: 64)
    for (name, size) in [("a", 1), ("b", 2)] as [(String, Int64)] {
      writer.string(name)
      writer.long(size)
    }
    writer.long(0)
    let json = codec.json(try codec.decode(writer.span)) { _, _ in nil }
    #expect(json == ["second": ["name": "b"], "third": []])
    #expect(codec.contains(path: "second") && codec.contains(path: "second.name"))
    #expect(!codec.contains(path: "first") && !codec.contains(path: "second.size"))
  }

  @Test func `states that differ in fields that are left out do not differ`() throws {
    var old = CounterState()
    let id = old.counters.insert(CounterEntity(name: "a", count: 1))
    var new = old
    _ = new.counters.modify(id) { $0.count = 2 }
    new.total = 7
    func paths(_ names: [String]) throws -> [String] {
      let differ = try StateDiffer(like: old, omitting: OmittedFields(names))
      return try differ.difference(from: old, to: new).changes.flatMap { change in
        change.fields.map { "\(change.entity?.path ?? "") \($0.path)" }
      }
    }
    #expect(try paths([]) == [" total", "counters[0] count"])
    #expect(try paths(["CounterState.total"]) == ["counters[0] count"])
    #expect(try paths(["CounterEntity.count"]) == [" total"])
    #expect(try paths(["CounterState.counters"]) == [" total"])
    #expect(try paths(["CounterState.counters", "CounterState.total"]) == [])
    let differ = try StateDiffer(like: old, omitting: OmittedFields(["CounterEntity.count"]))
    let json = try differ.json(of: new)
    #expect(json["total"] == 7 && json["counters"]?.arrayValue?.count == 1)
    #expect(!json.text().contains("count\":2"))
  }
}

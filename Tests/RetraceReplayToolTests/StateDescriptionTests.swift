import RetraceSchema
import RetraceState
import RetraceArchitecture
import RetraceAvro
import RetraceSystem
import RetraceFixtures
import RetraceToolSupport
import Testing

@testable import RetraceReplayTool

@Suite struct StateDescriptionTests {
  private var state: CounterState {
    var state = CounterState()
    for name in ["a", "gone", "ü"] {
      _ = state.counters.insert(CounterEntity(name: name, count: 7))
    }
    _ = state.counters.remove(CounterID(value: 1))
    state.total = -3
    state.lastMoment = Moment(microseconds: 5_000_000)
    return state
  }

  @Test func `a state is shown whole, its table as rows of id and value`() throws {
    let json = try StateDescription.json(of: state)
    #expect(
      json == [
        "counters": [
          ["id": 0, "value": ["name": "a", "count": 7]],
          ["id": 2, "value": ["name": "ü", "count": 7]],
        ],
        "total": -3, "lastMoment": 5_000_000, "refused": 0,
      ])
  }

  @Test func `the state hash is that of the scalars and of the tables as they are printed`() throws
  {
    var state = self.state
    var writer = AvroWriter(capacity: 64)
    writer.byte(0x02)
    state.encodeScalars(into: &writer)
    guard case .array(let tables) = StateDescription.tables(of: state) else {
      Issue.record("the tables are no array")
      return
    }
    #expect(tables.count == 1)
    for table in tables {
      guard case .integer(let number) = table["number"], case .integer(let next) = table["nextID"],
        case .string(let hash) = table["hash"]
      else {
        Issue.record("\(table)")
        return
      }
      #expect(number == 0 && next == 3)
      writer.byte(UInt8(number))
      writer.littleEndian(UInt64(next))
      for start in stride(from: 0, to: hash.count, by: 2) {
        let byte = hash.dropFirst(start).prefix(2)
        writer.byte(try #require(UInt8(byte, radix: 16)))
      }
    }
    let bytes = writer.bytes
    #expect(
      SHA256Hasher.digest(of: bytes.span) == StateHasher.hash(&state, with: SHA256Hasher.self))
  }

  @Test func `the schema of the state reads what the state is shown from`() throws {
    let text = StateDescription.schema(of: CounterState.self).text()
    let codec = try SchemaCodec(try Schema(parsing: text))
    var writer = AvroWriter(capacity: 64)
    state.encodeWhole(into: &writer)
    let bytes = writer.bytes
    #expect(codec.json(try codec.decode(bytes.span)) == (try StateDescription.json(of: state)))
  }

  @Test func `a scene that is not there is refused with the ones that are`() throws {
    do throws(ToolFailure) {
      _ = try SceneView<CounterApp>(in: CounterState(), after: 7, scene: 9)
      Issue.record("scene 9 was found")
    } catch {
      #expect(error.exitCode == ToolExit.notFound)
      #expect(error.why.contains("9"))
      #expect(error.advice.contains("0"))
    }
    let lowest = try SceneView<CounterApp>(in: CounterState(), after: 7, scene: nil).route()
    #expect(lowest.json["scene"] == 0 && lowest.json["sequence"] == 7)
    #expect(lowest.json["path"] == "all")
  }
}

import RetraceArchitecture
import RetraceAvro
import RetraceState
import RetraceTesting
import Testing

/// Typed back stacks with an id for each entry.
@Suite struct BackStackTests {
  @Test func `a stack holds routes with their drafts, each under its id [N2]`() {
    var stack = BackStack("a")
    let second = stack.push(Place("b"))
    let third = stack.push(Place("c"))
    #expect(stack.names == ["a", "b", "c"] && stack.topID == third)
    #expect(stack.root == Place("a") && stack.top == Place("c"))
    stack.modify(second) { $0.draft = "typed" }
    stack.top.draft = "new"
    #expect(stack[second]?.draft == "typed" && stack[third]?.draft == "new")
    #expect(stack.entries.map(\.id.value) == [0, 1, 2] && stack.topID == third)
    let missing = stack.modify(RouteID(value: 7)) { $0.draft }
    #expect(missing == nil)
  }

  @Test func `a pop never removes the root [N3]`() {
    var stack = BackStack("a", "b")
    let popped = [stack.pop(), stack.pop()]
    #expect(popped == [Place("b"), nil] && stack.names == ["a"])
    let dismissed = stack.pop(through: RouteID(value: 0))
    stack.popToRoot()
    #expect(!dismissed)
    #expect(stack.names == ["a"])
  }

  @Test func `routes are popped to an id and through an id, once [N3]`() {
    var stack = BackStack("a", "b", "c", "d")
    func expect(_ popped: Bool, _ expected: Bool, _ names: [String]) {
      #expect(popped == expected && stack.names == names)
    }
    expect(stack.pop(to: RouteID(value: 2)), true, ["a", "b", "c"])
    expect(stack.pop(through: RouteID(value: 1)), true, ["a"])
    // Dismissed twice, or after it was popped: nothing else goes.
    stack.push(Place("e"))
    expect(stack.pop(through: RouteID(value: 1)), false, ["a", "e"])
    expect(stack.pop(to: RouteID(value: 2)), false, ["a", "e"])
    expect(stack.pop(to: RouteID(value: 0)), true, ["a"])
  }

  @Test func `a replaced route is another entry [N3]`() {
    var stack = BackStack("a", "b")
    let old = stack.topID
    let new = stack.replaceTop(with: Place("b"))
    #expect(stack.names == ["a", "b"] && new != old && stack[old] == nil)
    stack.replaceAll(with: Place("c"), pushed: [Place("d")])
    #expect(stack.names == ["c", "d"] && stack.entries.map(\.id.value) == [3, 4])
    stack.popToRoot()
    let newest = stack.replaceTop(with: Place("e"))
    #expect(newest.value == 5 && stack.names == ["e"])
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `an id means one entry for ever, and random changes keep the stack's rules [N3]`(
    seed: UInt64
  ) throws {
    try withSeed(default: seed) { generator in
      var stack = BackStack("0")
      // The names of all entries there ever were, by their ids, and the expected stack.
      var known: [RouteID: String] = [stack.topID: "0"]
      var model = ["0"]
      for number in 1...200 {
        let place = Place("\(number)")
        let entries = stack.entries
        let index = Int.random(in: 0..<entries.count, using: &generator)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0...2:
          known[stack.push(place)] = place.name
          model.append(place.name)
        case 3:
          let popped = stack.pop()
          let expected = model.count > 1 ? model.removeLast() : nil
          #expect(popped?.name == expected)
        case 4:
          let isThere = stack.pop(to: entries[index].id)
          #expect(isThere)
          model.removeSubrange((index + 1)...)
        case 5:
          let isGone = stack.pop(through: entries[index].id)
          #expect(isGone == (index > 0))
          if index > 0 { model.removeSubrange(index...) }
        case 6:
          known[stack.replaceTop(with: place)] = place.name
          model[model.count - 1] = place.name
        default:
          if Bool.random(using: &generator) { continue }
          stack.replaceAll(with: place, pushed: [place])
          for entry in stack.entries {
            let old = known.updateValue(place.name, forKey: entry.id)
            #expect(old == nil)
          }
          model = [place.name, place.name]
        }
        #expect(stack.names == model)
        for entry in stack.entries { #expect(known[entry.id] == entry.route.name) }
        for (id, name) in known { #expect([nil, name].contains(stack[id]?.name)) }
        let decoded = try BackStack<Place>(encoded: stack.encoded().span)
        #expect(decoded == stack)
      }
      // One entry for each id that was assigned.
      #expect(Int64(known.count) == (known.keys.max()?.value ?? 0) + 1)
    }
  }
}

/// The recorded form of back stacks.
@Suite struct BackStackCodingTests {
  @Test func `a stack is recorded as its counter and its entries [N2]`() throws {
    var stack = BackStack("a", "b", "c")
    stack.pop()
    let entries = stack.entries.flatMap { $0.id.encoded() + $0.route.encoded() }
    #expect(stack.encoded() == Int64(3).encoded() + Int64(2).encoded() + entries + [0])
    #expect(BackStack<Place>.recordedName == "BackStack__Place")
    let place = Schema.record(
      name: "Place",
      fields: [Schema.Field("name", .string), Schema.Field("draft", .string, default: "")])
    let entry = Schema.record(
      name: "BackStack_Entry__Place",
      fields: [Schema.Field("id", RouteID.schema), Schema.Field("route", place)])
    #expect(
      BackStack<Place>.schema
        == .record(
          name: "BackStack__Place",
          fields: [Schema.Field("nextID", .long), Schema.Field("entries", .array(entry))]))
  }

  /// Each entry is an id; the route takes no byte.
  @Test(
    arguments: [
      (3, []), (3, [-1]), (3, [0, 0]), (3, [1, 0]), (3, [0, 3]), (0, [0]),
      (.max, [0]), (-1, [0]),
    ] as [(Int64, [Int64])])
  func `bytes that are no stack are refused`(next: Int64, ids: [Int64]) {
    let count = ids.isEmpty ? [] : Int64(ids.count).encoded()
    let bytes = next.encoded() + count + ids.flatMap { $0.encoded() } + [0]
    do throws(AvroError) {
      let stack = try BackStack<Nowhere>(encoded: bytes.span)
      Issue.record("read \(stack)")
    } catch {
      #expect(error.kind == .outOfRange)
    }
  }

  @Test func `a large count without as many bytes is refused before memory is reserved`() throws {
    let bytes = Int64(1_000_001).encoded() + Int64(1_000_000).encoded() + [0, 0]
    do throws(AvroError) {
      _ = try BackStack<Nowhere>(encoded: bytes.span)
      Issue.record("a million routes were read from \(bytes.count) bytes")
    } catch {
      #expect(error.kind == .truncated)
    }
    let stack = BackStack(root: Nowhere(), pushed: [Nowhere(), Nowhere()])
    #expect(try BackStack<Nowhere>(encoded: stack.encoded().span) == stack)
  }
}

/// A route of zero bytes.
private struct Nowhere {
  var path: String { "nowhere" }
  init() {}
  static var recordedName: String { "Nowhere" }
  static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { _ in .record(name: recordedName, fields: []) }
  }
  func encode(into writer: inout AvroWriter) {}
  init(decoding reader: inout AvroReader) throws(AvroError) {}
}

// In an extension, so that the generator leaves it alone.
extension Nowhere: NavigationRoute {}

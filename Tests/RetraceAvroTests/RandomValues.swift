import RetraceArchitecture
import RetraceAvro
import RetraceScreen
import RetraceState
import RetraceTesting

/// A type of which random values can be made, the edges more often than chance would.
protocol RandomValue: Recordable {
  static func random(using random: inout SeededGenerator, _ depth: Int) -> Self
}

extension SeededGenerator {
  mutating func chance(_ sides: Int) -> Bool { Int.random(in: 0..<sides, using: &self) == 0 }
  mutating func count(_ depth: Int) -> Int {
    if chance(4) { return 0 }
    return Int.random(in: 0...(depth > 2 ? 1 : chance(20) ? 70 : 3), using: &self)
  }
}

extension FixedWidthInteger {
  static func randomEdge(using random: inout SeededGenerator) -> Self {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return [.min, .max, 0, 1, ~0, 63, 64].randomElement(using: &random) ?? 0
    case 1: return Self(truncatingIfNeeded: Int.random(in: -100...100, using: &random))
    default:
      let wide = Self.random(in: .min ... .max, using: &random)
      return wide >> Self(Int.random(in: 0..<Self.bitWidth, using: &random))
    }
  }
}

extension Int64: RandomValue {
  static func random(using random: inout SeededGenerator, _ depth: Int) -> Int64 {
    .randomEdge(using: &random)
  }
}
extension Int: RandomValue {
  static func random(using random: inout SeededGenerator, _ depth: Int) -> Int {
    .randomEdge(using: &random)
  }
}
extension Int32: RandomValue {
  static func random(using random: inout SeededGenerator, _ depth: Int) -> Int32 {
    .randomEdge(using: &random)
  }
}
extension UInt8: RandomValue {
  static func random(using random: inout SeededGenerator, _ depth: Int) -> UInt8 {
    .random(in: 0...255, using: &random)
  }
}
extension Bool: RandomValue {
  static func random(using random: inout SeededGenerator, _ depth: Int) -> Bool {
    .random(using: &random)
  }
}
extension Double: RandomValue {
  static func random(using random: inout SeededGenerator, _ depth: Int) -> Double {
    if random.chance(4) {
      return [0, -0.0, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, .pi]
        .randomElement(using: &random) ?? 0
    }
    return Double(bitPattern: .random(in: 0 ... .max, using: &random))
  }
}
extension Float: RandomValue {
  static func random(using random: inout SeededGenerator, _ depth: Int) -> Float {
    if random.chance(4) {
      return [0, -0.0, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, 0.1]
        .randomElement(using: &random) ?? 0
    }
    return Float(bitPattern: .random(in: 0 ... .max, using: &random))
  }
}
extension String: RandomValue {
  static func random(using random: inout SeededGenerator, _ depth: Int) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...(random.chance(10) ? 80 : 12), using: &random) {
      let limit: UInt32 = random.chance(3) ? 0x10ffff : random.chance(3) ? 0x250 : 0x7f
      text.append(Unicode.Scalar(UInt32.random(in: 0...limit, using: &random)) ?? "x")
    }
    return String(text)
  }
}
extension Digest: RandomValue {
  static func random(using random: inout SeededGenerator, _ depth: Int) -> Digest {
    let bytes = (0..<32).map { _ in UInt8.random(using: &random, depth) }
    return Digest(bytes.span) ?? .zero
  }
}
extension Optional: RandomValue where Wrapped: RandomValue {
  static func random(using random: inout SeededGenerator, _ depth: Int) -> Wrapped? {
    random.chance(3) ? nil : Wrapped.random(using: &random, depth + 1)
  }
}
extension Array: RandomValue where Element: RandomValue {
  static func random(using random: inout SeededGenerator, _ depth: Int) -> [Element] {
    (0..<random.count(depth)).map { _ in Element.random(using: &random, depth + 1) }
  }
}
extension Set: RandomValue where Element: RandomValue {
  static func random(using random: inout SeededGenerator, _ depth: Int) -> Set<Element> {
    Set((0..<random.count(depth)).map { _ in Element.random(using: &random, depth + 1) })
  }
}
extension Dictionary: RandomValue where Key: RandomValue, Value: RandomValue {
  static func random(using random: inout SeededGenerator, _ depth: Int) -> [Key: Value] {
    let pairs = (0..<random.count(depth)).map { _ in
      (Key.random(using: &random, depth + 1), Value.random(using: &random, depth + 1))
    }
    return Dictionary(pairs) { first, _ in first }
  }
}
extension Moment: RandomValue {
  static func random(using random: inout SeededGenerator, _ depth: Int) -> Moment {
    Moment(microseconds: .random(using: &random, depth))
  }
}
/// A moment that Python's dates can hold.
struct CivilMoment: RandomValue {
  var moment: Moment

  static var recordedName: String { "CivilMoment" }
  static func schema(in composer: inout SchemaComposer) -> Schema { Moment.schema(in: &composer) }
  func encode(into writer: inout AvroWriter) { moment.encode(into: &writer) }
  init(decoding reader: inout AvroReader) throws(AvroError) { moment = try reader.read() }
  init(moment: Moment) { self.moment = moment }

  static func random(using random: inout SeededGenerator, _ depth: Int) -> CivilMoment {
    let year: Int64 = 31_556_952_000_000
    let number = Int64.random(in: -1_900 * year...8_000 * year, using: &random)
    return CivilMoment(moment: Moment(microseconds: number))
  }
}
extension ElapsedTime: RandomValue {
  static func random(using random: inout SeededGenerator, _ depth: Int) -> ElapsedTime {
    ElapsedTime(microseconds: .random(using: &random, depth))
  }
}
extension SceneID: RandomValue {
  static func random(using random: inout SeededGenerator, _ depth: Int) -> SceneID {
    SceneID(value: .random(using: &random, depth))
  }
}

extension Shop.Color: RandomValue {
  static func random(using random: inout SeededGenerator, _ depth: Int) -> Shop.Color {
    allCases.randomElement(using: &random) ?? .red
  }
}
extension Shop.Item: RandomValue {
  static func random(using random: inout SeededGenerator, _ depth: Int) -> Shop.Item {
    Shop.Item(
      name: .random(using: &random, depth), price: .random(using: &random, depth),
      tags: .random(using: &random, depth + 1), related: .random(using: &random, depth + 2),
      note: .random(using: &random, depth), code: .random(using: &random, depth))
  }
}
extension Shop.Action: RandomValue {
  static func random(using random: inout SeededGenerator, _ depth: Int) -> Shop.Action {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: .add(.random(using: &random, depth), at: .random(using: &random, depth))
    case 1: .paint(color: .random(using: &random, depth), .random(using: &random, depth))
    case 2: .clear
    default: .nested(.random(using: &random, depth))
    }
  }
}
extension Shop.Action.Nested: RandomValue {
  static func random(using random: inout SeededGenerator, _ depth: Int) -> Shop.Action.Nested {
    .only(value: .random(using: &random, depth))
  }
}
extension Expression: RandomValue {
  static func random(using random: inout SeededGenerator, _ depth: Int) -> Expression {
    switch Int.random(in: 0..<(depth > 5 ? 1 : 3), using: &random) {
    case 0: .number(.random(using: &random, depth))
    case 1: .sum(.random(using: &random, depth + 1), .random(using: &random, depth + 1))
    default: .product(of: .random(using: &random, depth + 1))
    }
  }
}
extension Loadable: RandomValue where Value: RandomValue {
  static func random(using random: inout SeededGenerator, _ depth: Int) -> Loadable<Value> {
    random.chance(3) ? .idle : .loaded(.random(using: &random, depth + 1))
  }
}
extension Empty: RandomValue {
  static func random(using random: inout SeededGenerator, _ depth: Int) -> Empty { Empty() }
}
extension Everything: RandomValue {
  static func random(using random: inout SeededGenerator, _ depth: Int) -> Everything {
    Everything(
      bool: .random(using: &random, depth), int: .random(using: &random, depth),
      int32: .random(using: &random, depth), int64: .random(using: &random, depth),
      float: .random(using: &random, depth), double: .random(using: &random, depth),
      string: .random(using: &random, depth), bytes: .random(using: &random, depth),
      digest: .random(using: &random, depth), color: .random(using: &random, depth),
      optional: .random(using: &random, depth), twice: .random(using: &random, depth),
      array: .random(using: &random, depth), byName: .random(using: &random, depth),
      byNumber: .random(using: &random, depth), byColor: .random(using: &random, depth),
      set: .random(using: &random, depth), item: .random(using: &random, depth + 2),
      number: .random(using: &random, depth), actions: .random(using: &random, depth + 2),
      empty: Empty(), empties: .random(using: &random, depth))
  }
}

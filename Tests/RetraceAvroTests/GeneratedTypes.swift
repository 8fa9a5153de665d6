import RetraceAvro
import RetraceState

/// Types whose conformances are generated: one of every shape that the generator knows.
enum Shop {
  struct Item: Recordable, Hashable {
    var name: String
    var price = 0
    var tags: Set<String>
    var related: [Item]
    var note: String?  // recorded: was remark
    let code: [UInt8]
    var title: String { name.uppercased() }
    static let none = 0
  }

  enum Color: Recordable, Hashable, CaseIterable {
    case red, green
    case blue  // recorded: azure
  }

  enum Action: Recordable, Hashable {
    case add(Item, at: Int64)
    case paint(color: Color, Color?)
    case clear
    case nested(Nested)

    enum Nested: Recordable, Hashable {
      case only(value: Bool)
    }
  }
}

indirect enum Expression: Recordable, Hashable {
  case number(Double)
  case sum(Expression, Expression)
  case product(of: [Expression])
}

enum Loadable<Value: Recordable & Hashable>: Recordable, Hashable {
  case idle
  case loaded(Value)
}

struct Everything: Recordable, Hashable {
  var bool: Bool
  var int: Int
  var int32: Int32
  var int64: Int64
  var float: Float
  var double: Double
  var string: String
  var bytes: [UInt8]
  var digest: Digest
  var color: Shop.Color
  var optional: Int64?
  var twice: Bool??
  var array: [String]
  var byName: [String: Int64]
  var byNumber: [Int64: [String]]
  var byColor: [Shop.Color: Double]
  var set: Set<Int32>
  var item: Loadable<Shop.Item>
  var number: Loadable<Int64>
  var actions: [Shop.Action]
  var empty: Empty
  var empties: [Empty]
}

struct Empty: Recordable, Hashable {}

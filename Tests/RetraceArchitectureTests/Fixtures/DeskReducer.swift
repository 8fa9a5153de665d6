import RetraceArchitecture
import RetraceAvro
import RetraceState

/// A parent state with one part of each kind that combinators reach.
struct Desk: Equatable, ReportsMissingTarget, Composed {
  var tally: Int64 = 0
  var items: Items = Items()
  var drawer: Drawer?
  var scenes: [SceneID: Drawer] = [:]
  var missing: [MissingTarget] = []
  var names: [String] = []

  mutating func targetWasMissing(_ target: MissingTarget) { missing.append(target) }
}

struct ItemID: EntityID { var value: Int64 }

struct Item: TableEntity, Hashable {
  var name: String
  var start: Int64

  var sortKey: Int64 { start }

  init(_ name: String, start: Int64) {
    self.name = name
    self.start = start
  }
}

typealias Items = EntityTable<ItemID, Item>

/// A part with a reference inside, which shows whether it was copied.
struct Drawer: Recordable, Equatable {
  var box = Box(0)
  var wasShared = false

  init() {}
  static func == (left: Drawer, right: Drawer) -> Bool { left.box.value == right.box.value }
  static var recordedName: String { "Drawer" }
  static func schema(in composer: inout SchemaComposer) -> Schema { .long }
  func encode(into writer: inout AvroWriter) { writer.long(box.value) }
  init(decoding reader: inout AvroReader) throws(AvroError) { box = Box(try reader.long()) }
}

enum DeskAction: Equatable, Sendable, Composed {
  case tally(TallyAction)
  case item(ItemID, ItemAction)
  case drawer(DrawerAction)
  case scene(SceneID, DrawerAction)
  case noted(String)
}

enum TallyAction: Int64, Recordable, CaseIterable {
  case add, double, negate
  static var recordedName: String { "TallyAction" }
  static func schema(in composer: inout SchemaComposer) -> Schema { .long }
  func encode(into writer: inout AvroWriter) { writer.long(rawValue) }
  init(decoding reader: inout AvroReader) throws(AvroError) {
    self = TallyAction.allCases[try reader.branch(count: 3)]
  }
}

enum ItemAction: Equatable, Sendable { case rename(String), noted(String) }
enum DrawerAction: Equatable, Sendable { case set(Int64), noted(String) }

/// The environment of effects.
struct Desktop: Sendable { var greeting = "hello" }

/// A leaf that answers with its text, as an action of the feature that runs it.
struct Note<Action: Sendable>: EffectLeaf {
  typealias Environment = Desktop
  var text: String

  init(_ text: String) { self.text = text }
  static var recordedName: String { "Note" }
  static func schema(in composer: inout SchemaComposer) -> Schema { .string }
  func encode(into writer: inout AvroWriter) { writer.string(text) }
  init(decoding reader: inout AvroReader) throws(AvroError) { text = try reader.string() }

  func run(in environment: Desktop) async throws -> [Action] {
    let said = environment.greeting + " " + text
    if let action = ItemAction.noted(said) as? Action { return [action] }
    if let action = DrawerAction.noted(said) as? Action { return [action] }
    if let action = DeskAction.noted(said) as? Action { return [action] }
    return []
  }
}

/// A parent state with a part in one of its cases.
enum Room: Equatable, ReportsMissingTarget, Composed {
  case empty(missing: [MissingTarget])
  case furnished(Drawer)

  mutating func targetWasMissing(_ target: MissingTarget) {
    if case .empty(let missing) = self { self = .empty(missing: missing + [target]) }
  }
}

/// Does not commute with others of its kind, so that the order of a combination shows.
struct TallyReducer: Reducer {
  var step: Int64 = 1

  func reduce(
    _ state: inout Int64, _ action: TallyAction, at moment: Moment
  ) -> Effect<TallyAction, Desktop> {
    switch action {
    case .add: state &+= step
    case .double: state = state &* 2 &+ step
    case .negate:
      state = 0 &- state
      return .send(.add)
    }
    return step % 2 == 0 ? .none : Effect.send(.double).delayed(by: .seconds(step))
  }
}

struct ItemReducer: Reducer {
  func reduce(
    _ state: inout Item, _ action: ItemAction, at moment: Moment
  ) -> Effect<ItemAction, Desktop> {
    switch action {
    case .rename(let name):
      state.name = name
      return .run(Note(name))
    case .noted: return .none
    }
  }
}

struct DrawerReducer: Reducer {
  func reduce(
    _ state: inout Drawer, _ action: DrawerAction, at moment: Moment
  ) -> Effect<DrawerAction, Desktop> {
    switch action {
    case .set(let value):
      state.wasShared = !isKnownUniquelyReferenced(&state.box)
      state.box = Box(value)
      return .run(Note("\(value)"))
    case .noted: return .none
    }
  }
}

/// The reducers of all parts of a desk.
struct DeskReducer: Reducer {
  var body: some Reducer<Desk, DeskAction, Desktop> {
    Scope(\.tally, action: \.tally) { TallyReducer() }
    ForEachEntity(\.items, action: \.item) { ItemReducer() }
    IfLet(\.drawer, action: \.drawer) { DrawerReducer() }
    ForEachValue(\.scenes, action: \.scene) { DrawerReducer() }
  }
}

/// A number in a class, so that a test can see whether its holder was copied.
final class Box: Sendable {
  let value: Int64
  init(_ value: Int64) { self.value = value }
}

import RetraceArchitecture
import RetraceAvro
import RetraceState

/// A parent state with one part of each kind that combinators reach.
struct Desk: Equatable, ReportsMissingTarget {
  var tally: Int64 = 0
  var items = Items()
  var drawer: Drawer?
  var scenes: [SceneID: Drawer] = [:]
  var missing: [MissingTarget] = []
  var names: [String] = []

  mutating func targetWasMissing(_ target: MissingTarget) { missing.append(target) }
}

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

enum DeskAction: Equatable, Sendable {
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

enum TallyScope: Scope {
  static func extract(_ action: DeskAction) -> TallyAction? {
    if case .tally(let inner) = action { return inner }
    return nil
  }
  static func embed(_ action: TallyAction) -> DeskAction { .tally(action) }
  static func with<R>(_ parent: inout Desk, _ body: (inout Int64) -> R) -> R { body(&parent.tally) }
}

enum DrawerScope: Scope {
  static func extract(_ action: DeskAction) -> DrawerAction? {
    if case .drawer(let inner) = action { return inner }
    return nil
  }
  static func embed(_ action: DrawerAction) -> DeskAction { .drawer(action) }
  static func with<R>(_ parent: inout Desk, _ body: (inout Drawer?) -> R) -> R {
    body(&parent.drawer)
  }
}

enum ItemScope: EntityScope {
  static func extract(_ action: DeskAction) -> (id: ItemID, action: ItemAction)? {
    if case .item(let id, let inner) = action { return (id, inner) }
    return nil
  }
  static func embed(_ action: ItemAction, for id: ItemID) -> DeskAction { .item(id, action) }
  static func with<R>(_ parent: inout Desk, _ body: (inout Items) -> R) -> R { body(&parent.items) }
}

enum SceneScope: ValueScope {
  static func extract(_ action: DeskAction) -> (id: SceneID, action: DrawerAction)? {
    if case .scene(let id, let inner) = action { return (id, inner) }
    return nil
  }
  static func embed(_ action: DrawerAction, for id: SceneID) -> DeskAction { .scene(id, action) }
  static func with<R>(_ parent: inout Desk, _ body: (inout [SceneID: Drawer]) -> R) -> R {
    body(&parent.scenes)
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

/// A number in a class, so that a test can see whether its holder was copied.
final class Box: Sendable {
  let value: Int64
  init(_ value: Int64) { self.value = value }
}

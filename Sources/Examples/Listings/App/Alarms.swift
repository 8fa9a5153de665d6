import Retrace

struct AlarmID: EntityID { var value: Int64 }

/// An alarm of a kitchen, which rings once.
struct Alarm: TableEntity {
  var due: Moment
  var hasRung: Bool = false
}

enum AlarmCommand: Recordable, Equatable {
  case set(after: ElapsedTime)
  case ring(AlarmID)
  case remove(AlarmID)

  /// Returns the command for a time that the user typed, such as `1h 30min`.
  static func reading(_ text: String) throws(ExpressionError) -> AlarmCommand {
    .set(after: try DurationExpression(text).time)
  }
}

enum AlarmRefusal: Recordable, Error, Hashable { case isGone(AlarmID) }

enum Alarms: EntityModule {
  typealias ID = AlarmID

  static func decide(
    _ command: AlarmCommand, in editor: inout EntityEditor<KitchenEdit>
  ) throws(AlarmRefusal) {
    switch command {
    case .set(let time): editor.insert(Alarm(due: editor.moment.adding(time)), of: Alarms.self)
    case .ring(let id):
      guard editor.entity(id, of: Alarms.self) != nil else { throw .isGone(id) }
      editor.change(id, of: Alarms.self) { $0.hasRung = true }
    case .remove(let id):
      guard let alarm = editor.entity(id, of: Alarms.self) else { throw .isGone(id) }
      editor.append(.alarm(.removed(id, Removal(alarm))))
    }
  }
}

enum KitchenEntities: EntityList {
  typealias State = KitchenDomain
  case alarm(Alarms)
}

struct KitchenDomain: EntityState, RecordedState {
  var alarms: EntityTable<AlarmID, Alarm> = EntityTable()
  var undoableFacts: Int64 = 0
}

struct KitchenState: RecordedState, Composed, SingleScene {
  var domain: KitchenDomain = KitchenDomain()
}

/// The window has no actions yet.
enum KitchenSceneAction: Recordable, Equatable { case opened }

typealias KitchenAction = EntityAction<KitchenSceneAction, KitchenEntities>

struct KitchenBell: Sendable {
  var ring: @Sendable () async -> Void
}

struct Ring: EffectLeaf, Hashable {
  var alarm: AlarmID
  var due: Moment

  func run(in bell: KitchenBell) async throws -> [KitchenAction] {
    await bell.ring()
    return [.request(.alarm(.ring(alarm)))]
  }

  var interruptionPolicy: InterruptionPolicy<KitchenAction> { .run }
}

struct RingHandler: ChangeHandler {
  func value(of state: borrowing KitchenState) -> [Ring] {
    state.domain.alarms.rows.filter { !$0.entity.hasRung }
      .map { Ring(alarm: $0.id, due: $0.entity.due) }
  }

  func changed(
    from old: [Ring], to new: [Ring], in state: inout KitchenState, at moment: Moment
  ) -> Effect<KitchenAction, KitchenBell> {
    .run(new, insteadOf: old) { $0.due.elapsed(since: moment) }
  }
}

enum KitchenApp: EntityApp {
  typealias Entities = KitchenEntities
  typealias SceneAction = KitchenSceneAction
  typealias Domain = KitchenState.Parts._domain
  typealias Environment = KitchenBell
  typealias Route = OnlyRoute

  static var name: String { "kitchen" }
  static var build: String { "1" }
  static var initialState: KitchenState { KitchenState() }
  static var reducer: some Reducer<KitchenState, KitchenAction, KitchenBell> {
    Scope({ $0.domain }, action: { $0.fact }) { EntityReducer(KitchenEntities.self) }
      .onChange(RingHandler())
  }
  static func screen(
    of scene: SceneID, in state: KitchenState, at moment: Moment, size: Screen.Size
  ) -> Screen { Screen([Screen.Line("\(state.domain.alarms.count) alarms")], size: size) }
}

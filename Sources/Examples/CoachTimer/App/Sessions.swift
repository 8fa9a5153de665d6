package import Retrace

/// The id of a session.
package struct SessionID: EntityID { var number: Int64 }

/// A stopwatch as a value: it counts by the moments of the facts, and nothing ticks.
package struct Stopwatch: Recordable, Equatable {
  /// The time until it was stopped last.
  package var counted: ElapsedTime = .zero
  /// The moment of the last start; `nil` while it stands still.
  package var since: Moment?

  /// Returns the time that it shows.
  package func elapsed(at moment: Moment) -> ElapsedTime {
    since.map { counted.adding(moment.elapsed(since: $0)) } ?? counted
  }
}

/// A session of one user, whose laps have the same distance.
package struct Session: TableEntity {
  /// The user.
  package var user: UserID
  /// The name of the user when the session began, for after a purge.
  package var name: String
  /// The distance of a lap in metres.
  package var distance: Int64
  /// The times of the laps.
  package var laps: [ElapsedTime] = []
  /// The stopwatch.
  package var watch: Stopwatch
  /// When the session was saved; `nil` while it is open.
  package var saved: Moment?

  /// Returns the time since the last lap.
  package func lap(at moment: Moment) -> ElapsedTime {
    let before = laps.reduce(0) { $0 &+ $1.microseconds }
    return ElapsedTime(microseconds: watch.elapsed(at: moment).microseconds &- before)
  }
}

/// All sessions; at most one of them is open.
package struct SessionsState: RecordedState, Composed, ReportsMissingTarget {
  /// The sessions.
  package var list: EntityTable<SessionID, Session> = EntityTable()
  /// The open session.
  package var current: SessionID?
  /// The session that a fact named and that does not exist.
  package var missing: MissingTarget?

  /// Records the missing session.
  package mutating func targetWasMissing(_ target: MissingTarget) { missing = target }
}

/// A request about sessions, which names the session that the user saw.
package enum SessionCommand: Recordable, Equatable {
  case begin(UserID, distance: Int64)
  case start(SessionID)
  case stop(SessionID)
  case lap(SessionID)
  case save(SessionID)
  case discard(SessionID)
}

/// The reason why a command was refused.
package enum SessionRefusal: Recordable, Error, Equatable {
  case noUser
  case wrongDistance(limit: Int64)
  case anotherIsOpen(name: String)
  case notOpen
  case isRunning
  case isStopped
  case noTime
  case noLaps
  case tooManyLaps(limit: Int64)

  /// What the user is told.
  package var text: String {
    switch self {
    case .noUser: "This user was removed. Choose another one."
    case .wrongDistance(let limit): "A lap has 1 to \(limit) metres."
    case .anotherIsOpen(let name): "The session of \(name) is open. Save or discard it first."
    case .notOpen: "This session is not open."
    case .isRunning: "The stopwatch is running."
    case .isStopped: "Start the stopwatch first."
    case .noTime: "No time has passed since the last lap."
    case .noLaps: "There is no lap to save. Take one, or discard the session."
    case .tooManyLaps(let limit): "A session has at most \(limit) laps. Save it."
    }
  }
}

/// What happened to sessions.
package enum SessionsFact: Recordable, Equatable, Composed {
  case begun(Session)
  case session(SessionID, SessionFact)
  case discarded(SessionID, Session)
}

/// What happened to one session.
package enum SessionFact: Recordable, Equatable {
  case started
  case stopped(counted: ElapsedTime)
  case lapped(ElapsedTime)
  case saved(counted: ElapsedTime)
}

/// The rules of sessions.
package struct SessionDecider: Decider {
  static var distanceMax: Int64 { 100_000 }
  static var lapsMax: Int64 { 500 }

  /// Decides a command.
  package func decide(
    _ command: SessionCommand, on state: borrowing CoachState, at moment: Moment
  ) throws(SessionRefusal) -> [CoachAction] {
    switch command {
    case .begin(let id, let distance):
      guard let user = state.users.list[id] else { throw .noUser }
      if let open = state.sessions.current.flatMap({ state.sessions.list[$0] }) {
        throw .anotherIsOpen(name: open.name)
      }
      guard 1...Self.distanceMax ~= distance else { throw .wrongDistance(limit: Self.distanceMax) }
      let session = Session(
        user: id, name: user.fullName, distance: distance, watch: Stopwatch(since: nil))
      return [.fact(.begun(session))]
    case .start(let id):
      if try open(id, state).watch.since != nil { throw .isRunning }
      return [.fact(.session(id, .started))]
    case .stop(let id):
      let counted = try running(id, state).watch.elapsed(at: moment)
      return [.fact(.session(id, .stopped(counted: counted)))]
    case .lap(let id):
      let session = try running(id, state)
      guard session.laps.count < Self.lapsMax else { throw .tooManyLaps(limit: Self.lapsMax) }
      let lap = session.lap(at: moment)
      guard lap > .zero else { throw .noTime }
      return [.fact(.session(id, .lapped(lap)))]
    case .save(let id):
      let session = try open(id, state)
      guard !session.laps.isEmpty else { throw .noLaps }
      return [.fact(.session(id, .saved(counted: session.watch.elapsed(at: moment))))]
    case .discard(let id): return [.fact(.discarded(id, try open(id, state)))]
    }
  }

  private func open(
    _ id: SessionID, _ state: borrowing CoachState
  ) throws(SessionRefusal) -> Session {
    guard state.sessions.current == id, let session = state.sessions.list[id] else {
      throw .notOpen
    }
    return session
  }

  private func running(
    _ id: SessionID, _ state: borrowing CoachState
  ) throws(SessionRefusal) -> Session {
    let session = try open(id, state)
    guard session.watch.since != nil else { throw .isStopped }
    return session
  }
}

struct SessionsReducer: UpdatingReducer {
  var body: some Reducer<SessionsState, SessionsFact, CoachEnvironment> {
    ForEachEntity({ $0.list }, action: { $0.session }) { SessionReducer() }
    Update(self)
  }

  func update(
    _ state: inout SessionsState, _ fact: SessionsFact, at moment: Moment
  ) -> EffectOf<Self> {
    switch fact {
    case .begun(let session): state.current = state.list.insert(session)
    case .session(_, .saved): state.current = nil
    case .session: break
    case .discarded(let id, _):
      state.list.remove(id)
      state.current = nil
    }
    return .none
  }
}

struct SessionReducer: Reducer {
  func reduce(
    _ session: inout Session, _ fact: SessionFact, at moment: Moment
  ) -> Effect<SessionFact, CoachEnvironment> {
    switch fact {
    case .started: session.watch.since = moment
    case .stopped(let counted): session.watch = Stopwatch(counted: counted, since: nil)
    case .lapped(let time): session.laps.append(time)
    case .saved(let counted):
      session.watch = Stopwatch(counted: counted, since: nil)
      session.saved = moment
    }
    return .none
  }
}

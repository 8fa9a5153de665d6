import Retrace
import RetraceTesting
import Testing

@testable import Listings

/// Work that the state lists, and texts that a user types for a time.
@Suite struct AlarmTests {
  private let id = AlarmID(value: 0)
  private let alarm = Alarm(due: Moment(microseconds: 60_000_000))
  private let quiet = KitchenBell {}

  private var ring: Ring { Ring(alarm: id, due: alarm.due) }

  /// Returns a store with an alarm that rings in a minute.
  private func store(environment: KitchenBell? = nil) -> TestStore<KitchenApp> {
    var store = TestStore<KitchenApp>(
      environment: environment, clock: VirtualClock(at: Moment(microseconds: 0)))
    store.perform(
      .alarm(.set(after: .seconds(60))),
      facts: [.fact(.edited(.alarm(.inserted(id, Insertion(alarm)))))], starting: [ring]
    ) {
      $0.domain.alarms.insert(alarm)
      $0.domain.undoableFacts = 1
    }
    return store
  }

  @Test func `an undo cancels the work that the state listed, and a redo starts it again`() {
    var store = store()
    store.clock.advance(by: .seconds(20))
    store.undo {
      $0.domain.alarms.remove(id)
      $0.domain.undoableFacts = 2
    }
    #expect(store.inFlight.isEmpty)
    store.redo {
      $0.domain.alarms.reinsert(alarm, at: id)
      $0.domain.undoableFacts = 3
    }
    #expect(store.inFlight.leaves.map(\.due) == [alarm.due])
    store.perform(.alarm(.remove(id))) {
      $0.domain.alarms.remove(id)
      $0.domain.undoableFacts = 4
    }
    store.finish()
  }

  @Test func `work that the state lists goes on after a restart, and ends with its fact`() async {
    var store = store(environment: quiet)
    store.restart()
    await store.receive(.request(.alarm(.ring(id))), after: .seconds(60)) {
      $0.domain.alarms.modify(id) { $0.hasRung = true }
      $0.domain.undoableFacts = 2
    }
    store.finish()
  }

  @Test func `a duration that the user types becomes a command, or an error says what to write`() {
    #expect(throws: Never.self) {
      let command = try AlarmCommand.reading("1h 30min")
      #expect(command == .set(after: .seconds(5_400)))
    }
    #expect(throws: ExpressionError.self) { try AlarmCommand.reading("15") }
  }

  @Test func `a time that the user types is read in a zone`() throws {
    let berlin = ZoneRules(id: "Europe/Berlin", offsetSeconds: 3_600)
    let now = Moment(microseconds: 1_795_448_340_000_000)
    let context = ExpressionContext(zone: berlin, now: now, firstWeekday: 1)
    let time = try TimeExpression("yesterday 17:30", in: context)
    #expect(time.description == "2026-11-22 17:30 +01:00")
  }
}

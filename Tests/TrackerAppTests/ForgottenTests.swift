import CivilTime
import RetraceRecording
import RetraceScreen
import RetraceState
import RetraceStorage
import RetraceSystem
import Testing
import TimeTracking
import TrackerApp
import TrackerFeatures

/// A machine that sleeps while the app is open, or while it is not.
@Suite struct ForgottenTests {
  /// A machine whose clocks a test moves.
  private final class Machine: Sendable {
    private let time = Lock(TrackerFixture.morning)
    private let slept = Lock(MachineSleep.milliseconds())

    var now: Moment { time.withLock { $0 } }

    /// What the clocks say; the machine was started before all tests.
    var clock: SleepClock {
      SleepClock(
        slept: ElapsedTime(microseconds: slept.withLock { $0 } * 1_000),
        start: Moment(microseconds: 0), host: RetraceSystem.Machine.name)
    }

    func work(minutes: Int64) { time.withLock { $0 = $0.adding(.seconds(minutes * 60)) } }

    func sleep(minutes: Int64) {
      work(minutes: minutes)
      slept.withLock { $0 += minutes * 60_000 }
    }
  }

  /// Opens the app on a machine while the body runs.
  private func app(
    _ fixture: TrackerFixture, on machine: Machine, _ body: (SceneDriver) throws -> Void
  ) throws {
    let tracker = try TrackerStore.open(
      at: fixture.store, zone: .utc, login: "anna", clock: { machine.now }, isClockFixed: true)
    defer { try? tracker.store.closeBlocking() }
    try body(
      try SceneDriver.attach(
        to: tracker, size: Screen.Size(columns: 72, rows: 20), readingClock: { machine.clock }))
  }

  /// Starts an entry at nine, works for an hour, and sleeps for two, which the open app sees.
  private func sleep(_ driver: SceneDriver, on machine: Machine) throws {
    try driver.press([.text("anna"), .enter, .text("n"), .text("work"), .enter])
    machine.work(minutes: 60)
    try driver.askAboutSleep()
    machine.sleep(minutes: 120)
    try driver.askAboutSleep()
  }

  private func lines(_ driver: SceneDriver) throws -> [String] {
    try #require(driver.frame()).screen.canvas.lines
  }

  private func isAsking(_ driver: SceneDriver) throws -> Bool {
    try lines(driver).contains { $0.contains("alt-k: keep") }
  }

  private func times(_ driver: SceneDriver) -> [String] {
    var times: [String] = []
    driver.tracker.domain.timeEntries.forEach { _, entry in
      let end = entry.localEnd?.clock ?? "now"
      if entry.deleted == nil { times.append("\(entry.localStart.clock)-\(end)") }
    }
    return times.sorted()
  }

  @Test func `a sleep is asked about once, and still after the process has ended`() throws {
    let machine = Machine()
    try TrackerFixture.with { fixture in
      try app(fixture, on: machine) { driver in
        try sleep(driver, on: machine)
        let text = try lines(driver).joined(separator: "\n")
        #expect(text.contains("Slept 10:00-12:00 (2:00:00) while \"work\" ran."), "\(text)")
        #expect(try isAsking(driver))
        let sequence = driver.tracker.store.sequence
        machine.work(minutes: 1)
        try driver.askAboutSleep()
        #expect(driver.tracker.store.sequence == sequence)
        // Nothing waits for the answer.
        try driver.press([.text("n"), .text("x")])
        #expect(try isAsking(driver))
      }
      try app(fixture, on: machine) { driver in
        let asks = try isAsking(driver)
        #expect(asks)
      }
    }
  }

  @Test(
    arguments: [
      ("alt-k", ["09:00-now"]), ("alt-e", ["09:00-10:00"]),
      ("alt-x", ["09:00-10:00", "12:00-now"]),
      ("alt-s", ["09:00-10:00", "10:00-12:00", "12:00-now"]),
    ] as [(String, [String])])
  func `an answer is one change, which one undo takes back with the question`(
    key: String, after: [String]
  ) throws {
    let machine = Machine()
    try TrackerFixture.with { fixture in
      try app(fixture, on: machine) { driver in
        try sleep(driver, on: machine)
        try driver.press([try #require(Key(name: key))])
        #expect(times(driver) == after)
        #expect(try !isAsking(driver))
        try driver.press([.text("z")])
        #expect(times(driver) == ["09:00-now"])
        #expect(try isAsking(driver))
        try driver.press([.text("Z")])
        #expect(times(driver) == after)
        #expect(try !isAsking(driver))
      }
      // The log knows of the sleep, too, and of the answer.
      try app(fixture, on: machine) { driver in
        let asks = try isAsking(driver)
        #expect(!asks)
      }
    }
  }

  @Test func `the answer in one window ends the question in the other`() throws {
    let machine = Machine()
    try TrackerFixture.with { fixture in
      try app(fixture, on: machine) { driver in
        try sleep(driver, on: machine)
        let (store, other) = (driver.tracker.store, SceneID(value: 1))
        let forgotten = try #require(store.state.scenes[driver.scene]?.forgotten)
        try store.sendBlocking([
          .opened(other), .scene(other, .userOpened(Name("anna"))),
          .scene(other, .forgot(forgotten)),
        ])
        func isOtherAsking() throws -> Bool {
          let frame = SceneFrame(
            of: other, in: store.state, at: machine.now, by: .utc, size: driver.size)
          return try #require(frame).screen.canvas.lines.contains { $0.contains("cut out") }
        }
        #expect(try isAsking(driver) && isOtherAsking())
        for key in ["alt-k", "alt-e", "alt-x", "alt-s"] {
          try driver.press([try #require(Key(name: key))])
          #expect(try !isAsking(driver) && !isOtherAsking())
          try driver.press([.text("z")])
          #expect(try isAsking(driver) && isOtherAsking())
        }
      }
    }
  }

  @Test func `a sleep that no app saw is known from the log, and can be cut off the end`() throws {
    let machine = Machine()
    try TrackerFixture.with { fixture in
      try app(fixture, on: machine) { driver in
        try driver.press([.text("anna"), .enter, .text("n"), .text("work"), .enter])
      }
      machine.work(minutes: 60)
      machine.sleep(minutes: 120)
      machine.work(minutes: 30)
      try app(fixture, on: machine) { driver in
        let text = try lines(driver).joined(separator: " ")
        #expect(text.contains("Slept 2:00:00 while \"work\" ran"), "\(text)")
        try driver.press([.alt("e")])
        #expect(times(driver) == ["09:00-now"])
        try driver.press([.alt("x")])
        #expect(times(driver) == ["09:00-10:30"])
        #expect(try !isAsking(driver))
        try driver.press([.text("z")])
        try driver.press([.alt("k")])
      }
      try app(fixture, on: machine) { driver in
        let asks = try isAsking(driver)
        #expect(!asks)
      }
    }
  }

  @Test func `short sleeps, sleeps without an entry and a clock that was set ask nothing`() throws {
    let machine = Machine()
    try TrackerFixture.with { fixture in
      try app(fixture, on: machine) { driver in
        machine.sleep(minutes: 120)
        try driver.askAboutSleep()
        try driver.press([.text("anna"), .enter])
        machine.sleep(minutes: 120)
        try driver.askAboutSleep()
        try driver.press([.text("n"), .text("work"), .enter])
        machine.sleep(minutes: 1)
        try driver.askAboutSleep()
        #expect(try !isAsking(driver))
        // The wall clock was set back by an hour while the machine slept.
        machine.sleep(minutes: 120)
        machine.work(minutes: -60)
        try driver.askAboutSleep()
        #expect(try !isAsking(driver))
        #expect(driver.tracker.store.state.scenes[driver.scene]?.forgotten == nil)
      }
    }
  }

  @Test func `sleeps with a short wake between them are one, others add up`() throws {
    for (minutes, text) in [(4, "Slept 10:00-14:04"), (6, "Slept 4:00:00")] {
      let machine = Machine()
      try TrackerFixture.with { fixture in
        try app(fixture, on: machine) { driver in
          try sleep(driver, on: machine)
          machine.work(minutes: Int64(minutes))
          try driver.askAboutSleep()
          machine.sleep(minutes: 120)
          try driver.askAboutSleep()
          let shown = try lines(driver).joined(separator: " ")
          #expect(shown.contains(text), "\(shown)")
        }
      }
    }
  }

  @Test func `a process that was stopped does not know when the machine slept`() throws {
    let machine = Machine()
    try TrackerFixture.with { fixture in
      try app(fixture, on: machine) { driver in
        try driver.press([.text("anna"), .enter, .text("n"), .text("work"), .enter])
        try driver.askAboutSleep()
        machine.work(minutes: 30)
        machine.sleep(minutes: 120)
        try driver.askAboutSleep()
        let shown = try lines(driver).joined(separator: " ")
        #expect(shown.contains("Slept 2:00:00"), "\(shown)")
      }
    }
  }

  @Test func `sessions of other machines and of an earlier start say nothing`() throws {
    let machine = Machine()
    try TrackerFixture.with { fixture in
      try app(fixture, on: machine) { driver in
        try driver.press([.text("anna"), .enter, .text("n"), .text("work"), .enter])
      }
      machine.sleep(minutes: 120)
      let before = TrackerFixture.morning.adding(.seconds(-1))
      func slept(since moment: Moment, _ clock: SleepClock) throws -> Int64 {
        try TrackerStore.slept(since: moment, at: fixture.store, by: clock).seconds
      }
      #expect(try slept(since: before, machine.clock) == 7_200)
      #expect(try slept(since: TrackerFixture.morning, machine.clock) == 7_200)
      // The machine may have slept between the session and the moment.
      let later = TrackerFixture.morning.adding(.seconds(5_000))
      #expect(try slept(since: later, machine.clock) == 2_200)
      #expect(try slept(since: later.adding(.seconds(9_000)), machine.clock) == 0)
      var other = machine.clock
      other.host = "another"
      #expect(try slept(since: before, other) == 0)
      other = machine.clock
      other.start = Moment(microseconds: WallClock.now() + 1_000_000)
      #expect(try slept(since: before, other) == 0)
    }
  }
}

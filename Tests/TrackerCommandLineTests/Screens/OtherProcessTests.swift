import Retrace
import RetraceRecording
import RetraceSystem
import Testing
import TimeTracking
import ToolTestSupport
import TrackerApp
import TrackerFeatures

/// What is typed in a shell while the app is open.
@Suite struct OtherProcessTests {
  private static var deadline: Int64 { MonotonicClock.deadline(inMilliseconds: 60_000) }

  @Test func `a start in a shell wakes the open app, which shows it without a call or a tick`()
    throws
  {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      let tracker = try TrackerStore.open(at: store, zone: .utc, login: "anna")
      defer { try? tracker.close() }
      let driver = try SceneDriver.attach(to: tracker, size: Screen.Size(columns: 60, rows: 12))
      try driver.press([.text("anna"), .enter])
      let (woken, isShown) = (Semaphore(), Semaphore())
      let observation = driver.observeOthers {
        woken.signal()
        // The frame that a terminal paints when it is woken.
        let lines = driver.frame()?.screen.canvas.lines ?? []
        if lines.contains(where: { $0.contains("from a shell") }) { isShown.signal() }
      }
      defer { observation?.cancel() }
      // An observer is called at once with the state that there is.
      #expect(woken.wait(until: Self.deadline))
      try expectFine(
        ["track", "start", "--store", store, "--user", "anna", "from a shell"], by: .process)
      // Nothing here reads the log: the watch of the file does, and announces the new state.
      #expect(isShown.wait(until: Self.deadline))
    }
  }

  @Test func `the waits between a commit and the screen add up to less than 100 ms`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      let tracker = try TrackerStore.open(at: store, zone: .utc, login: "anna")
      defer { try? tracker.close() }
      let watch = try FileWatch("\(store)/data.mdb") {}
      defer { watch.stop() }
      #expect(watch.mechanism == .reported)
      // The second call is for a commit that becomes visible after it was reported.
      #expect(FileWatch.delaysMilliseconds.prefix(2).reduce(0, +) < 100)
      #expect(FileWatch.pollingMilliseconds < 100)
    }
  }
}

import Foundation
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceTestSupport
import Testing
import TimeTracking

/// How the committed logs were made.
///
/// `RETRACE_GOLDEN=write swift test --filter GoldenWriting` writes those that are missing, with the
/// code of today, and the list of all sums.
///
/// A log that is there is never replaced. A new release adds a folder. `tracker-1-long` was
/// recorded by the command line and the app of version 0.1.0; one of its processes was killed.
/// `testapp-1` was recorded by the test app of that version.
@Suite struct GoldenWriting {
  @Test(.enabled(if: environmentValue("RETRACE_GOLDEN") == "write"))
  func `logs that are missing are written`() throws {
    let (dune, ulysses, emma) = (BookID(value: 0), BookID(value: 1), BookID(value: 2))
    try GoldenLog(name: "shelf-1").write(
      ShelfV1.self,
      [
        [
          [.placed(title: "Dune", pages: 412)], [.placed(title: "Ulysses", pages: 730)],
          [.lent(dune, to: "Ada"), .described(ulysses, remark: "long")], [.returned(dune)],
        ],
        [
          [.placed(title: "Emma", pages: 474), .lent(emma, to: "Bob")], [.lent(ulysses, to: "Cy")],
        ],
      ])
    try GoldenLog(name: "shelf-2").write(
      ShelfV2.self,
      [
        [
          [.placed(name: "Dune", pages: 412)], [.placed(name: "Ulysses", pages: 730)],
          [.described(dune, remark: "sand")],
        ], [[.lent(ulysses, to: "Cy")]],
      ])
    try GoldenLog(name: "shelf-3").write(
      ShelfV3.self,
      [
        [
          [.placed(name: "Dune", pages: 412, language: "en")],
          [.placed(name: "Ulysse", pages: 800, language: "fr"), .described(ulysses, remark: "ü")],
        ], [[.lent(dune, to: "Ada")], [.lent(ulysses, to: "Bob")], [.returned(ulysses)]],
      ])
    try GoldenLog(name: "shelf-4").write(
      ShelfV4.self,
      [
        [[.placed(name: "Archive", pages: 5_000_000_000, language: "la")]],
        [[.lent(dune, to: "Ada")]],
      ])
    try GoldenLog(name: "shelf-5").write(
      ShelfV5.self,
      [
        [
          [.placed(name: "Dune", pages: 412, language: "en")],
          [.left(dune), .borrowed(dune, by: "Ada")],
        ], [[.returned(dune)]],
      ])
    try writeTrackerLog()
    try writeLogOfEveryKind()
    let lines = try GoldenLog.all.flatMap { log in
      try GoldenLog.files.map { "\(try log.digest(of: $0))  \(log.name)/\($0)\n" }
    }
    try Data(lines.joined().utf8).write(to: GoldenLog.folder.appending(path: "SHA256SUMS"))
  }
}

extension GoldenWriting {
  /// A little of everything that the tracker records.
  private func writeTrackerLog() throws {
    let berlin = RecordedZone(id: "Europe/Berlin", offsetSeconds: 3600)
    let scene = SceneID(value: 0)
    let user = UserID(value: 0)
    let project = ProjectID(value: 0)
    let start = Moment(microseconds: 1_767_225_600_000_000)
    let closed = ClosedEntry(
      user: user, details: EntryDetails(description: "imported"), start: start,
      duration: ElapsedTime(microseconds: 90_000_000), zone: berlin, externalID: "77")
    let changes: [EntryChange] = [
      .description("Prüfung"), .project(nil), .tags([]), .start(start, berlin),
      .duration(ElapsedTime(microseconds: 3_600_000_000)), .billable(true),
    ]
    try GoldenLog(name: "tracker-1").write(
      TimeTrackerApp.self,
      [
        [
          [
            .library(.userCreated(name: "me")), .library(.workspaceCreated(name: "home")),
            .library(.projectCreated(name: "Retrace", workspace: WorkspaceID(value: 0))),
            .library(.tagCreated(name: "deep", workspace: nil)),
            .timeline(
              .started(
                EntryDetails(description: "design", project: project, tags: [TagID(value: 0)]),
                user: user, zone: berlin, start: nil)),
          ],
          [.timeline(.stopped(user: user))], [.timeline(.created(closed))],
          [.timeline(.edited(TimeEntryID(value: 1), changes))],
          [.timeline(.continued(TimeEntryID(value: 0), user: user, zone: berlin))],
          [.timeline(.deleted(TimeEntryID(value: 1)))],
        ],
        [
          [.sceneOpened(berlin)], [.scene(scene, .pathOpened("timer"))],
          [.scene(scene, .helpToggled), .scene(scene, .helpToggled)],
          [.scene(scene, .zoneChanged(RecordedZone(id: "UTC", offsetSeconds: 0)))],
          [.scene(scene, .wentBack)],
        ],
      ])
  }

  /// Every kind of record that version 2 of the format has, and every way in which a session ends.
  private func writeLogOfEveryKind() throws {
    let berlin = RecordedZone(id: "Europe/Berlin", offsetSeconds: 3600)
    try GoldenLog(name: "tracker-2").write { path, configuration in
      var store = try Store<TimeTrackerApp>.openBlocking(at: path, configuration: configuration)
      try store.sendBlocking([
        .library(.userCreated(name: "me")), .library(.workspaceCreated(name: "home")),
        .timeline(
          .started(
            EntryDetails(description: "design"), user: UserID(value: 0), zone: berlin, start: nil)),
      ])
      try store.closeBlocking(after: 15)
      store = try Store<TimeTrackerApp>.openBlocking(at: path, configuration: configuration)
      try store.sendBlocking([.sceneOpened(berlin)])
      store.abandon()
      store = try Store<TimeTrackerApp>.openBlocking(at: path, configuration: configuration)
      try store.sendBlocking([.timeline(.stopped(user: UserID(value: 0)))], key: "stop-1")
      try store.closeBlocking()
      try appendOtherKinds(at: path)
    }
  }

  private func appendOtherKinds(at path: String) throws {
    let storage = try LogStorage.open(at: path, access: .write)
    defer { storage.close() }
    try storage.append { appender throws(StoreError) in
      let action = AppAction.timeline(.stopped(user: UserID(value: 0))).encoded()
      func envelope(startingBatch startsBatch: Bool = true) -> Envelope {
        Envelope(
          session: 1, moment: Moment(microseconds: 1_767_229_200_000_000), schema: 1,
          startsBatch: startsBatch)
      }
      let refusal = Schema.string
      let request = AppAction.schema
      let named = [
        NamedSchema(
          number: try appender.commandSchemaNumber(json: request.text),
          fingerprint: request.fingerprint(with: SHA256Hasher.self)),
        NamedSchema(
          number: try appender.commandSchemaNumber(json: refusal.text),
          fingerprint: refusal.fingerprint(with: SHA256Hasher.self)),
      ]
      let session = appender.nextSequence
      try appender.append(
        SessionOpened(
          app: "track", build: "0.1.0",
          actionSchema: AppAction.schema.fingerprint(with: SHA256Hasher.self), stateSchema: .zero,
          reducer: .zero, scene: nil, zone: "UTC", zoneDatabase: "",
          schemas: named),
        Envelope(
          session: session, moment: Moment(microseconds: 1_767_229_200_000_000), schema: 1))
      try appender.append(
        RecordedCommand(origin: .commandLine, command: .init(schema: 1, bytes: action)), envelope())
      try appender.append(envelope(startingBatch: false), payload: action.span)
      try appender.append(
        RecordedCommand(
          origin: .scene, command: .init(schema: 1, bytes: action),
          refusal: .init(schema: 2, bytes: "no entry runs".encoded())), envelope())
      try appender.append(
        Crashed(
          session: 1, moment: Moment(microseconds: 1_767_229_200_000_000), schema: 1, batch: 0,
          actions: [action]), envelope())
      try appender.append(
        ClockJumped(
          expected: Moment(microseconds: 1_767_229_200_000_000),
          observed: Moment(microseconds: 1_767_225_600_000_000)), envelope())
      try appender.append(
        EffectFinished(
          id: EffectLeafID(cause: 2, ordinal: 0), outcome: .failed, error: "no answer"),
        envelope())
    }
  }
}

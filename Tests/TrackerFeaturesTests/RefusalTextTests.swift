import CivilTime
import RetraceArchitecture
import RetraceState
import Testing
import TimeTracking
import TrackerFeatures

/// The texts of refusals, which screens and the command line share.
@Suite struct RefusalTextTests {
  @Test func `a workspace in use names what is in it`() throws {
    var tracking = try Tracking()
    try tracking.perform(.workspace(.create(Workspace(name: Name("studio")))))
    let studio = WorkspaceID(value: 0)
    try tracking.perform(.client(.create(Client(name: Name("ACME"), workspace: studio))))
    let refusal = try #require(try tracking.perform(.workspace(.delete(studio, reason: nil))))
    #expect(
      refusal.text(in: tracking.domain).line
        == "The client ACME is in it. Change that first.")
  }

  @Test func `an entity of any type is named if it has a name`() throws {
    var tracking = try Tracking()
    try tracking.perform(.workspace(.create(Workspace(name: Name("studio")))))
    try tracking.perform(.project(.create(Project(name: Name("web")))))
    try tracking.perform(
      .task(.create(ProjectTask(name: Name("code"), project: ProjectID(value: 0)))))
    func named(_ type: String, _ id: Int64 = 0) -> String? {
      tracking.domain.named(type, id).map { "\($0.noun) \($0.name)" }
    }
    #expect(named(WorkspaceID.recordedName) == "workspace studio")
    #expect(named(ProjectID.recordedName) == "project web")
    #expect(named(TaskID.recordedName) == "task code")
    #expect(named(TaskID.recordedName, 1) == nil && named(TimeEntryID.recordedName) == nil)
  }

  @Test func `a refusal because of a running entry names the entry`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "text:a", "enter")
    let refusal = try #require(try tracking.perform(.user(.delete(tracking.user, reason: nil))))
    #expect(
      refusal.text(in: tracking.domain).line
        == "The entry #0 of this user is running. Stop it first.")
  }

  @Test func `entries that overlap are named with their times where ids are shown`() throws {
    var tracking = try Tracking()
    for (title, hours) in [("a", 1), ("", 3), ("c", 2), ("d", 0)] as [(String, Int)] {
      try tracking.press("text:n", "text:\(title)x", "enter")
      if hours > 0 {
        tracking.wait(.seconds(hours * 3_600))
        try tracking.press("text:s")
      }
    }
    let ids = (0...3).map { TimeEntryID(value: Int64($0)) }
    let refusal = DomainRefusal.entry(.overlaps(ids))
    #expect(
      refusal.text(in: tracking.domain).reason
        == "It overlaps \"ax\", \"x\", \"cx\" and 1 more.")
    #expect(
      refusal.text(in: tracking.domain, showsIDs: true).reason
        == "It overlaps #0 \"ax\" (2026-11-23 09:00 - 10:00), "
        + "#1 \"x\" (2026-11-23 10:00 - 13:00), "
        + "#2 \"cx\" (2026-11-23 13:00 - 15:00) and 1 more.")
    #expect(
      DomainRefusal.entry(.overlaps([ids[3]])).text(in: tracking.domain, showsIDs: true).reason
        == "It overlaps #3 \"dx\" (2026-11-23 15:00, which runs).")
  }

  @Test func `a closed period refuses what a screen changes, and says who closed it`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "text:work", "enter")
    tracking.wait(.seconds(3_600))
    try tracking.press("text:s")
    tracking.wait(.seconds(3_600))
    let (start, end) = (
      Tracking.morning.adding(.seconds(-3_600)), Tracking.morning.adding(.seconds(5_400))
    )
    let closing = Closing(.all, from: start, to: end, login: "ann", reason: "billed")
    #expect(try tracking.perform(.closing(.close(closing))) == nil)
    try tracking.press("down", "text:e", "text: more", "enter")
    #expect(tracking.entry(0)?.description == "work")
    #expect(tracking.text.contains("! The period 2026-11-23 08:00 - 2026-11-23 10:30 for all"))
    guard case .refused(let refusal)? = tracking.notice else {
      Issue.record("no refusal: \(tracking.text)")
      return
    }
    #expect(
      refusal.text(in: tracking.domain).line
        == "The period 2026-11-23 08:00 - 2026-11-23 10:30 for all is closed by ann on "
        + "2026-11-23 11:00, because: billed. It has a part of \"work\". "
        + "Reopen it first: `track reopen 0`.")
    // The undo of the entry is refused, too.
    let facts = tracking.facts.filter { fact in
      fact.undoableEdits.contains { if case .entry = $0 { true } else { false } }
    }
    try tracking.restore(facts)
    #expect(tracking.entry(0)?.deleted == nil && tracking.entry(0)?.end != nil)
  }

  @Test(
    arguments: [
      (
        DomainRefusal.client(
          .shareNames(type: ProjectID.recordedName, names: [Name("web"), Name("shop")])),
        "Both clients have a project of one name: web, shop. Merge or rename these projects first."
      ),
      (
        .project(.shareNames(type: TaskID.recordedName, names: [Name("test")])),
        "Both projects have a task of one name: test. Give one of them another name first."
      ),
      (
        .workspace(.changesCurrency(entries: 1, from: "EUR", to: "USD")),
        "1 entry has a rate in EUR, and would have the same number in USD. "
          + "Create another workspace for entries in another currency."
      ),
      (
        .user(.changesCurrency(entries: 2, from: "EUR", to: nil)),
        "2 entries have a rate in EUR, and would have the same number without a currency. "
          + "Create another workspace for entries in another currency."
      ),
      (
        .entry(.apart(TimeEntryID(value: 1), TimeEntryID(value: 4), .rate)),
        "#1 and #4 are billed at different rates. Make them alike first."
      ),
      (
        .entry(.runsSince(Moment(microseconds: 0))),
        "It would run since 1970-01-01T00:00:00Z, for more than 12 hours."
      ),
      (
        .entry(.notBillable),
        "An entry that is not billable has no rate. Make it billable, or leave out the rate."
      ),
      (
        .entry(.entity(.inOtherWorkspace(type: TagID.recordedName, id: 7))),
        "The tag 7 is not one of that workspace. Choose one of the workspace, or remove it."
      ),
    ] as [(DomainRefusal, String)])
  func `a refusal says what is in the way and what to do`(
    refusal: DomainRefusal, text: String
  ) {
    #expect(refusal.text(in: DomainState()).line == text)
  }

  @Test func `the refusal of a value beyond a limit names the limit`() {
    for (field, limits) in [
      ("description", ["65536"]), ("annotations", ["100", "65536"]), ("tags", ["100"]),
      ("commands", ["1000"]), ("zone", ["500"]), ("email", ["500"]), ("id", ["500"]),
      ("externalIDs", ["500"]),
    ] {
      for refusal in [
        DomainRefusal.entry(.invalid(field: field)), .user(.invalid(field: field)),
        .importRun(.row(0, .invalid(field: field))),
      ] {
        let text = refusal.text(in: DomainState())
        for limit in limits { #expect(text.reason.contains(limit), "\(field): \(text.reason)") }
        #expect(text.advice != nil)
      }
    }
    let overlaps = DomainRefusal.entry(.tooManyOverlaps(1_001)).text(in: DomainState()).reason
    #expect(overlaps.contains("1001 entries, more than the 1000 "))
    #expect(
      DomainRefusal.importRun(.fileNameTooLong).text(in: DomainState()).reason.contains("4096"))
  }
}

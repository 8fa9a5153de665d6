import CivilTime
import RetraceCommandLine
import RetraceScreen
import RetraceState
import RetraceTesting
import RetraceToolSupport
import Testing
import TimeTracking

@testable import TrackerCommandLine
@testable import TrackerFeatures

/// Words mean the same to `track start` and in the description of the form.
@Suite struct SameWordsTests {
  private static let words = [
    "write", "the", "report", "Übung", "5", "+5", "a@b.c", "C#", "@", "#", "\\@text", "\\9:00",
    "@thesis", "@Thesis", "@web", "@acme/web", "@beta/web", "@acme/new", "@other/new", "@/thesis",
    "@/web", "@web/design", "@acme/web/design", "@new", "@überbau", "#focus", "+focus", "+Focus",
    "#new", "+new", "9:00", "at", "10min", "ago", "yesterday", "17:30", "now", "noon", "half",
    "an", "hour", "23:30", "9.30", "monday", "today",
  ]

  /// Returns entities of some workspaces, with names in use several times.
  private func domain(
    by random: inout SeededGenerator, at now: Moment
  ) throws(DomainRefusal) -> DomainState {
    var domain = DomainState()
    func perform(_ command: DomainCommand) throws(DomainRefusal) {
      for fact in try DomainDecider().decide(command, on: domain, at: now) {
        _ = DomainReducer().reduce(&domain, fact, at: now)
      }
    }
    let studio = WorkspaceID(value: 0)
    try perform(.workspace(.create(Workspace(name: Name("studio")))))
    var anna = User(name: Name("anna"))
    if Bool.random(using: &random) { anna.workspace = studio }
    try perform(.user(.create(anna)))
    for (number, place) in [nil, studio].enumerated()
    where number == 0 || Bool.random(using: &random) {
      try perform(.project(.create(Project(name: Name("thesis"), workspace: place))))
      try perform(.tag(.create(Tag(name: Name("focus"), workspace: place))))
    }
    try perform(.project(.create(Project(name: Name("Überbau"), workspace: studio))))
    for name in ["acme", "beta"] {
      let client = domain.clients.nextID
      try perform(.client(.create(Client(name: Name(name), workspace: nil))))
      var web = Project(name: Name("web"), workspace: nil)
      web.client = client
      let project = domain.projects.nextID
      try perform(.project(.create(web)))
      if Bool.random(using: &random) {
        try perform(.task(.create(ProjectTask(name: Name("design"), project: project))))
      }
      if Bool.random(using: &random) { break }
    }
    if Bool.random(using: &random) {
      let start = now.adding(.seconds(-Int64.random(in: 0...30_000, using: &random)))
      let draft = TimeEntryDraft(
        user: .id(UserID(value: 0)), description: "earlier", zone: ZoneRules.utc.recorded(at: now))
      try perform(.entry(.start(draft, at: start, policy: .allow)))
    }
    return domain
  }

  private func started(
    _ words: [String], in domain: DomainState, at now: Moment
  ) throws -> TimeEntryCommand? {
    let context = VerbContext(words, in: Environment([:]), foldTrial: { _ in nil })
    let verb = StartVerb(try CommandArguments(words[...], for: StartVerb.syntax), in: context)
    do throws(ToolFailure) {
      let request = try verb.draft.start(
        StartVerb.name, verb.performer.times,
        in: EntryContext(
          domain: domain, userName: "anna", user: domain.user(named: Name("anna")),
          calendar: ReportCalendar(.utc), now: now,
          savedFilters: context.settings.savedFilters))
      return request.commands.first
    } catch {
      return nil
    }
  }

  private func typed(
    _ words: [String], in domain: DomainState, at now: Moment
  ) -> Result<TimeEntryCommand?, KeyObstacle> {
    var form = EntryEditorRoute(user: UserID(value: 0))
    form.description = TextDraft(words.joined(separator: " "))
    return Result { () throws(KeyObstacle) in
      try FormCommand(form, in: domain, at: Edge(rules: .utc, now: now)).command()
    }
  }

  @Test func `words that track start takes give the same command in the form`() throws {
    try withSeed { random in
      var (taken, named) = (0, 0)
      let count = repetitions(20_000, few: 2_000)
      for _ in 0..<count {
        // Between midnight and two o'clock, times may be on the day before.
        let second = Int64.random(in: 0...86_399, using: &random)
        let now = Moment(
          microseconds: (1_772_409_600 + (Bool.random(using: &random) ? second : second / 12))
            * 1_000_000 + 314)
        let domain = try domain(by: &random, at: now)
        let words = (0..<Int.random(in: 1...6, using: &random)).map { _ in
          Self.words[Int.random(in: 0..<Self.words.count, using: &random)]
        }
        guard let command = try started(words, in: domain, at: now) else { continue }
        taken += 1
        if case .start(let draft, _, _, _) = command, draft.project != nil { named += 1 }
        #expect(
          typed(words, in: domain, at: now) == .success(command),
          "\(words) at \(now.timestamp)")
      }
      // Most words are taken, so the comparison is not empty.
      #expect(taken > count / 3 && named > count / 20, "\(taken) and \(named) of \(count)")
    }
  }
}

import RetraceState
import RetraceTesting
import TimeTracking

/// Commands of other programs for random sessions: some entities of each kind, and what makes the
/// app ask.
enum SessionCommands {
  private static let anna = UserID(value: 0)

  /// Returns the commands that make two users, entities of each list and the entries of some days.
  static func first(_ random: inout SeededGenerator, at now: Moment) -> [DomainCommand] {
    var commands: [DomainCommand] = [
      .user(.create(User(name: Name("anna")))), .user(.create(User(name: Name("ben")))),
      .client(.create(Client(name: Name("Big Bank")))),
      .client(.create(Client(name: Name("ACME")))),
    ]
    for (number, name) in ["website", "shop", "thesis"].enumerated() {
      var project = Project(name: Name(name))
      project.client = number == 2 ? nil : ClientID(value: Int64(number))
      project.color = Project.colors[number]
      project.rate = number == 0 ? 9_000 : nil
      project.isBillable = number == 0
      commands.append(.project(.create(project)))
      let task = ProjectTask(name: Name("plan"), project: ProjectID(value: Int64(number)))
      commands.append(.task(.create(task)))
      commands.append(.tag(.create(Tag(name: Name(["deep", "mail", "call"][number])))))
    }
    commands.append(
      .goal(.create(Goal(name: Name("mail"), user: anna, target: .seconds(7_200)))))
    var set = PreferenceSet(user: anna)
    set.asksAfter = .seconds(Int64.random(in: 4...11, using: &random) * 3_600)
    commands.append(.preferences(.create(set)))
    return commands + entries(&random, at: now)
  }

  /// Entries of the last days, several of which are similar, each of less than an hour.
  private static func entries(
    _ random: inout SeededGenerator, at now: Moment
  ) -> [DomainCommand] {
    let words = ["mail", "plan", "review the chapter", "standup", "写作"]
    let count = Int64.random(in: 1...40, using: &random)
    return (0..<count).map { number in
      let hours = (count - number) * 2
      let start = now.adding(.seconds(-hours * 3_600))
      let minutes = Int64.random(in: 1...59, using: &random)
      let end = start.adding(.seconds(minutes * 60))
      return .entry(.add(draft(&random, words), start: start, end: end, policy: .allow))
    }
  }

  private static func draft(
    _ random: inout SeededGenerator, _ words: [String]
  ) -> TimeEntryDraft {
    // Entries of one description are similar.
    let word = Int.random(in: 0..<words.count, using: &random)
    var draft = TimeEntryDraft(user: .id(anna), description: words[word], zone: .utc)
    let project = Int64(word % 4)
    if project < 3 { draft.project = .id(ProjectID(value: project)) }
    if project == 0 { draft.task = .id(TaskID(value: 0)) }
    if word % 2 == 0 { draft.tags = [.id(TagID(value: 0))] }
    return draft
  }

  /// Returns a command of another program while the app is closed.
  static func later(_ random: inout SeededGenerator, at now: Moment) -> DomainCommand {
    let entry = TimeEntryID(value: Int64.random(in: 0..<40, using: &random))
    switch Int.random(in: 0..<6, using: &random) {
    case 0...2:
      let start = now.adding(.seconds(-Int64.random(in: 60...30_000, using: &random)))
      return .entry(.start(draft(&random, ["started elsewhere"]), at: start, policy: .allow))
    case 3: return .entry(.delete(entry, reason: nil))
    case 4: return .entry(.stop(anna, at: nil, policy: .allow))
    default: return .tag(.delete(TagID(value: 1), reason: nil))
    }
  }
}

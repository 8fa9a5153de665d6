import Retrace
import TimeTracking

extension ListsFrame {
  /// Returns the command of a typed name; `nil` if the name is the one that the user saw.
  ///
  /// - Throws: The obstacle, such as a task without a project.
  func command(of naming: ListNaming) throws(KeyObstacle) -> DomainCommand? {
    let text = naming.name.text
    if let id = naming.id, let seen = naming.seen {
      if text.hasBytes(of: seen.text) { return nil }
      if route.kind == .goals, let before = try? GoalText(seen.text, of: route.user, in: domain) {
        let after = try GoalText(text, of: route.user, in: domain)
        return before.command(changing: GoalID(value: id), to: after)
      }
      return entities.renaming(id, from: seen, to: Name(text))
    }
    let workspace = domain.users[route.user]?.workspace
    switch route.kind {
    case .projects:
      return .project(.create(Project.new(named: Name(text), in: workspace, of: domain)))
    case .clients:
      return .client(.create(Client(name: Name(text, in: domain.clients), workspace: workspace)))
    case .tags: return .tag(.create(Tag(name: Name(text, in: domain.tags), workspace: workspace)))
    case .tasks: return .task(.create(try task(named: text, in: workspace)))
    case .goals: return .goal(.create(try GoalText(text, of: route.user, in: domain).goal))
    }
  }

  /// Returns the new task of a text, PROJECT/TASK; the project may be CLIENT/PROJECT.
  private func task(
    named text: String, in workspace: WorkspaceID?
  ) throws(KeyObstacle) -> ProjectTask {
    guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")) else { throw .taskWithoutProject }
    let project = String(Substring(text.utf8[..<slash]))
    let name = String(Substring(text.utf8[text.utf8.index(after: slash)...]))
    if Name(project).isEmpty || Name(name).isEmpty { throw .taskWithoutProject }
    let found: Reference<ProjectID>
    do throws(ProjectNameError) {
      found = try domain.project(for: project, in: workspace, orElsewhere: true)
    } catch {
      throw .project(error)
    }
    guard case .id(let id) = found else {
      throw .projectIsUnknown(Name(SafeText.line(project, bytesMax: Name.bytesMax)))
    }
    return ProjectTask(name: Name(name, in: domain.tasks), project: id)
  }
}

/// A new goal as a user types it: `mail at most 1h each day @site #inbox`.
struct GoalText {
  private let user: UserID
  private let name: String
  private let target: ElapsedTime
  private let period: GoalPeriod
  private let isLimit: Bool
  private let project: ProjectID?
  private let tag: TagID?

  /// Reads a text: a name, `at most` for a limit, a duration, and a period, which is a week unless
  /// one is written.
  ///
  /// A project and a tag, each with its sign, are anywhere between.
  ///
  /// - Complexity: O(words), O(projects + tags).
  init(_ text: String, of user: UserID, in domain: DomainState) throws(KeyObstacle) {
    let named: EntryWords
    do throws(EntryWords.TwoProjects) {
      named = try EntryWords(text: text, in: domain)
    } catch {
      throw .twoProjects(error.first, error.second)
    }
    self.user = user
    project = try domain.project(ofGoal: named, of: user)
    tag = try domain.tag(ofGoal: named, of: user)
    var words = named.description.utf8.split { $0 == UInt8(ascii: " ") }.map {
      String(Substring($0))
    }
    func take(_ other: String) -> Bool {
      guard let last = words.last, last.lowercased().hasBytes(of: other) else { return false }
      words.removeLast()
      return true
    }
    if take("day") {
      period = .day
    } else if take("month") {
      period = .month
    } else {
      _ = take("week")
      period = .week
    }
    // `20h per week` and `20h a week` mean the same.
    _ = take("each") || take("per") || take("a")
    guard let duration = words.popLast() else { throw .goalWithoutTarget }
    do throws(ExpressionError) {
      target = try DurationExpression(duration).time
    } catch {
      throw .goalWithoutTarget
    }
    if words.count > 1, words[words.count - 2].lowercased().hasBytes(of: "at"), take("most") {
      words.removeLast()
      isLimit = true
    } else {
      isLimit = false
    }
    name = words.joined(separator: " ")
    if Name(name).isEmpty { throw .goalWithoutTarget }
  }

  /// Returns the text of a goal, as it is typed.
  ///
  /// - Parameters:
  ///   - goal: The goal.
  ///   - domain: The entities, for their names.
  ///   - longNames: The long names of projects that share their names.
  static func text(
    of goal: Goal, in domain: DomainState, _ longNames: [ProjectID: String]
  ) -> String {
    func word(_ sign: String, _ name: String?) -> String {
      // A name with a quote cannot be typed here, and stays as it is.
      guard let name, !name.utf8.contains(UInt8(ascii: "\"")) else { return "" }
      return name.utf8.contains(UInt8(ascii: " ")) ? " \(sign)\"\(name)\"" : " \(sign)\(name)"
    }
    let time = goal.target.seconds % 60 == 0 ? goal.target.hoursAndMinutes : goal.target.clock
    let project = goal.project.flatMap { domain.projects.resolve($0) }
    let tag = goal.tag.flatMap { domain.tags.resolve($0) }
    return EntryWords.text(ofDescription: goal.name.text)
      + "\(goal.isLimit ? " at most" : "") \(time) each \(goal.period)"
      + word("@", project.flatMap { domain.shownName(of: $0, longNames) })
      + word("#", tag.flatMap { domain.tags.read($0) { $0.name.text } })
  }

  /// Returns the command that changes the goal of this text to that of another one; `nil` if both
  /// mean the same.
  func command(changing id: GoalID, to other: GoalText) -> DomainCommand? {
    var changes = GoalChanges()
    if Name(name) != Name(other.name) {
      changes.name = Change(from: Name(name), to: Name(other.name))
    }
    if target != other.target { changes.target = Change(from: target, to: other.target) }
    if period != other.period { changes.period = Change(from: period, to: other.period) }
    if isLimit != other.isLimit { changes.isLimit = Change(from: isLimit, to: other.isLimit) }
    if project != other.project { changes.project = Change(from: project, to: other.project) }
    if tag != other.tag { changes.tag = Change(from: tag, to: other.tag) }
    return changes.isEmpty ? nil : .goal(.change(id, changes, reason: nil))
  }

  /// The goal.
  var goal: Goal {
    var goal = Goal(name: Name(name), user: user, target: target)
    (goal.period, goal.isLimit) = (period, isLimit)
    (goal.project, goal.tag) = (project, tag)
    return goal
  }
}

extension DomainState {
  /// Returns the project of the words of a goal, if they name one.
  fileprivate func project(
    ofGoal words: EntryWords, of user: UserID
  ) throws(KeyObstacle) -> ProjectID? {
    guard let name = words.project else { return nil }
    let text = words.task.map { "\(name)/\($0)" } ?? name
    let found: Reference<ProjectID>
    do throws(ProjectNameError) {
      found = try project(for: text, in: users[user]?.workspace, orElsewhere: true)
    } catch {
      throw .project(error)
    }
    guard case .id(let id) = found else {
      throw .projectIsUnknown(Name(SafeText.line(text, bytesMax: Name.bytesMax)))
    }
    return id
  }

  /// Returns the tag of the words of a goal, if they name one: of the user's workspace, or else of
  /// another one.
  fileprivate func tag(ofGoal words: EntryWords, of user: UserID) throws(KeyObstacle) -> TagID? {
    guard let text = words.tags.first else { return nil }
    if words.tags.count > 1 { throw .goalOfSeveralTags }
    let (name, workspace) = (Name(text, in: tags), users[user]?.workspace)
    var (own, other): (TagID?, TagID?) = (nil, nil)
    tags.forEach { id, tag in
      guard tag.deleted == nil, tag.name == name, let id = tags.resolve(id) else { return }
      if tag.workspace == workspace { own = own ?? id } else { other = other ?? id }
    }
    guard let found = own ?? other else {
      throw .tagIsUnknown(Name(SafeText.line(text, bytesMax: Name.bytesMax)))
    }
    return found
  }
}

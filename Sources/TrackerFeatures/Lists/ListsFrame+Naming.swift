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
      if route.kind == .goals, let before = try? GoalText(seen.text) {
        return before.command(changing: GoalID(value: id), to: try GoalText(text))
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
    case .goals: return .goal(.create(try GoalText(text).goal(of: route.user)))
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

/// A new goal as a user types it: `mail at most 1h each day`.
struct GoalText {
  private let name: String
  private let target: ElapsedTime
  private let period: GoalPeriod
  private let isLimit: Bool

  /// Reads a text: a name, `at most` for a limit, a duration, and a period, which is a week unless
  /// one is written.
  init(_ text: String) throws(KeyObstacle) {
    var words = text.utf8.split { $0 == UInt8(ascii: " ") }.map { String(Substring($0)) }
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
    _ = take("each")
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
  static func text(of goal: Goal) -> String {
    let time = goal.target.seconds % 60 == 0 ? goal.target.hoursAndMinutes : goal.target.clock
    return "\(goal.name.text)\(goal.isLimit ? " at most" : "") \(time) each \(goal.period)"
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
    return changes.isEmpty ? nil : .goal(.change(id, changes, reason: nil))
  }

  /// Returns the goal.
  func goal(of user: UserID) -> Goal {
    var goal = Goal(name: Name(name), user: user, target: target)
    (goal.period, goal.isLimit) = (period, isLimit)
    return goal
  }
}

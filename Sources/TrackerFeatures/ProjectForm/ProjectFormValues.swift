import Retrace
import TimeTracking

/// The values that the texts of a form mean, and the command that saves them.
///
/// An unchanged text means the value that the form showed.
struct ProjectFormValues {
  private let route: ProjectFormRoute
  private let domain: DomainState
  private let workspace: WorkspaceID?

  init(_ route: ProjectFormRoute, in domain: DomainState) {
    self.route = route
    self.domain = domain
    workspace = route.workspace(in: domain)
  }

  /// Returns the client; `nil` for none.
  ///
  /// - Complexity: O(clients).
  func client() throws(KeyObstacle) -> ClientID? {
    if let seen = route.seen, route.client.text.hasBytes(of: seen.clientText) { return seen.client }
    let name = Name(route.client.text, in: domain.clients)
    if name.isEmpty { return nil }
    let wanted = Client(name: name, workspace: workspace)
    if let id = domain.clients.rival(of: wanted).flatMap({ domain.clients.resolve($0) }) {
      return id
    }
    throw .clientIsUnknown(Name(SafeText.line(name.text, bytesMax: Name.bytesMax)))
  }

  /// Returns the rate, in hundredths of the currency; `nil` for none.
  func rate() throws(KeyObstacle) -> Int64? {
    let text = route.rate.text
    if let seen = route.seen, text.hasBytes(of: seen.rateText) { return seen.rate }
    if text.isEmpty { return nil }
    let own = route.currency(in: domain)
    do throws(RateText.Problem) {
      return try RateText(text, in: own).rate
    } catch {
      switch error {
      case .notAnAmount(let text): throw .notAnAmount(SafeText.line(text, bytesMax: 80))
      case .inOtherCurrency(let code): throw .inOtherCurrency(code, own: own)
      }
    }
  }

  /// Returns the estimated time; `nil` for none.
  func estimate() throws(KeyObstacle) -> ElapsedTime? {
    let text = route.estimate.text
    if let seen = route.seen, text.hasBytes(of: seen.estimateText) { return seen.estimate }
    if text.isEmpty { return nil }
    do throws(ExpressionError) {
      return try DurationExpression(text).time
    } catch {
      throw .unreadableField(TimeTextProblem(error))
    }
  }

  /// Returns the color; `nil` for an empty text.
  func color() throws(KeyObstacle) -> Int32? {
    let text = route.color.text
    if let seen = route.seen, text.hasBytes(of: seen.colorText) { return seen.color }
    if text.isEmpty { return nil }
    guard let color = Project.color(text) else {
      throw .notAColor(SafeText.line(text, bytesMax: 80))
    }
    return color
  }

  /// Whether new entries will be billable: as the user said, or else as before, and with a first
  /// rate; see `Project.setRate(_:)`.
  var isBillable: Bool {
    if let isBillable = route.isBillable { return isBillable }
    var project =
      route.project.flatMap { domain.projects[$0] }
      ?? Project.new(named: Name(""), in: workspace, of: domain)
    if let seen = route.seen { (project.rate, project.isBillable) = (seen.rate, seen.isBillable) }
    if let rate = try? rate() { project.setRate(rate) }
    return project.isBillable
  }

  /// Returns the command that saves the form; `nil` if the user changed nothing.
  ///
  /// - Throws: The obstacle, such as a text that cannot be read.
  func command() throws(KeyObstacle) -> DomainCommand? {
    guard let id = route.project else { return .project(.create(try newProject())) }
    guard let seen = route.seen else { throw .formEmpty }
    let changes = try changes(since: seen)
    return changes == ProjectChanges() ? nil : .project(.change(id, changes, reason: nil))
  }

  private func newProject() throws(KeyObstacle) -> Project {
    let name = Name(route.name.text, in: domain.projects)
    var project = Project.new(named: name, in: workspace, of: domain)
    project.client = try client()
    project.color = try color() ?? domain.suggestedColor(in: workspace)
    project.setRate(try rate())
    project.estimate = try estimate()
    if let isBillable = route.isBillable { project.isBillable = isBillable }
    return project
  }

  /// Returns the user's changes of the values that the form was made from.
  private func changes(since seen: SeenProject) throws(KeyObstacle) -> ProjectChanges {
    var changes = ProjectChanges()
    if !route.name.text.hasBytes(of: seen.name.text) {
      changes.name = Change(from: seen.name, to: Name(route.name.text))
    }
    let client = try client()
    if client != seen.client { changes.client = Change(from: seen.client, to: client) }
    let rate = try rate()
    if rate != seen.rate { changes.rate = Change(from: seen.rate, to: rate) }
    let estimate = try estimate()
    if estimate != seen.estimate { changes.estimate = Change(from: seen.estimate, to: estimate) }
    if let color = try color(), color != seen.color {
      changes.color = Change(from: seen.color, to: color)
    }
    if isBillable != seen.isBillable {
      changes.isBillable = Change(from: seen.isBillable, to: isBillable)
    }
    return changes
  }
}

import Retrace
import TimeTracking

/// The remarks on the texts of a form, which a command line prints, too.
struct FormNotes {
  /// The remarks without those on new names; none for texts that cannot be read.
  private(set) var texts: [String] = []
  /// The names that saving creates, or keeps as text.
  private(set) var names = NewNames()
  /// The project, if one is typed and can be read.
  private(set) var project: Reference<ProjectID>?

  /// Makes the remarks.
  ///
  /// - Parameters:
  ///   - route: The form.
  ///   - rest: The description of a new entry after the times at its beginning; `nil` if it has
  ///     none.
  ///   - problem: Why the times at its beginning cannot be saved; `nil` if they can.
  ///   - domain: The entities.
  /// - Complexity: O(bytes of the texts), and for each new name as its remark.
  init(
    _ route: EntryEditorRoute, afterTimes rest: String?, problem: String? = nil,
    in domain: DomainState
  ) {
    let names = FormNames(route, in: domain)
    let project: Reference<ProjectID>?
    var task: Reference<TaskID>?
    let tags: [Reference<TagID>]
    if route.entry == nil {
      let fields = [route.start, route.end, route.duration]
      let isAfterTime = rest != nil || fields.contains { !Name($0.text).isEmpty }
      guard
        let words = try? names.words(in: rest ?? route.description.text, isAfterTime: isAfterTime),
        let draft = try? names.draft(of: words, zone: .utc)
      else { return }
      texts = problem.map { [$0] } ?? words.timeRemarks
      (project, task, tags) = (draft.project, draft.task, draft.tags)
    } else {
      project = try? names.project()
      tags = names.tags()
      self.names.text = Self.textName(of: route, names)
    }
    self.project = project
    switch (project, task) {
    case (.name(let name)?, _): self.names.project = name
    case (.id(let id)?, .name(let name)?)
    where domain.tasks.rival(of: ProjectTask(name: name, project: id)) == nil:
      (self.names.task, self.names.taskProject) = (name, id)
    default: break
    }
    let workspace = route.workspace(in: domain)
    for case .name(let name) in tags
    where domain.tags.rival(of: Tag(name: name, workspace: workspace)) == nil {
      self.names.tags.append(name)
    }
  }

  /// Returns the first project or tag that the user wrote into the description of a recorded entry,
  /// where it stays text; `nil` for none.
  private static func textName(of route: EntryEditorRoute, _ names: FormNames) -> Name? {
    guard let seen = route.seen?.description, !route.description.text.hasBytes(of: seen),
      let words = try? names.words(in: route.description.text)
    else { return nil }
    let before = try? names.words(in: seen)
    func isNew(_ name: String, among names: [String]) -> Bool {
      !names.contains { $0.hasBytes(of: name) }
    }
    let projects = [before?.project].compactMap { $0 }
    let project = words.project.flatMap { isNew($0, among: projects) ? $0 : nil }
    let tag = words.tags.first { isNew($0, among: before?.tags ?? []) }
    return (project.map { "@\($0)" } ?? tag.map { "#\($0)" }).map { Name($0) }
  }
}

import Retrace
public import TimeTracking

/// The remarks on what a user typed, for a command line and for a form.
extension EntryWords {
  /// A remark on a word that was quoted, begins with a time, and is text.
  public var quotedRemarks: [String] {
    [quotedTime].compactMap { $0 }.map { word in
      "\"\(word)\" was read as text, because it was quoted; a time is a word of its own"
    }
  }

  /// A remark on each word that looks like a time, and is text.
  public var timeRemarks: [String] {
    quotedRemarks + times.map { "\($0) was read as text; write a time before the description" }
  }
}

extension NewNames {
  /// Returns the remarks that the names are new, each with the name of a similar one.
  func remarks(in domain: DomainState) -> [String] {
    var remarks = [project.map { domain.remark(onNewProject: $0) }].compactMap { $0 }
    if let task, let taskProject {
      remarks.append(domain.remark(onNewTask: task, of: taskProject))
    }
    return remarks + tags.map { domain.remark(onNewTag: $0) }
  }

  /// Returns the remarks for a form whose user goes on typing.
  func notes(in domain: DomainState) -> [String] {
    let note = text.map {
      "\($0.text) stays text, unless right takes it over with the cursor behind it"
    }
    return [note].compactMap { $0 } + remarks(in: domain)
  }

  /// Returns the question whether to save the form.
  func question(in domain: DomainState) -> String {
    let remarks = remarks(in: domain)
    guard let text else {
      return "\(remarks.joined(separator: "; ")). Press enter again to save it."
    }
    let kind = text.text.utf8.first == UInt8(ascii: "@") ? "the project" : "a tag"
    return (remarks + ["\(text.text) stays text"]).joined(separator: "; ")
      + ". Press right behind it to make it \(kind), enter again to keep it."
  }
}

extension DomainState {
  /// Returns the remark that a project is new, with the name of a similar one.
  ///
  /// - Complexity: O(bytes of the name, times bytes of the names of all projects).
  public func remark(onNewProject name: Name) -> String {
    var names: [String] = []
    projects.forEach { _, project in
      if project.deleted == nil, project.name != name { names.append(project.name.text) }
    }
    return Self.remark(on: "project", name, similarTo: names)
  }

  /// Returns the remark that a task of a project is new, with the name of a similar one.
  ///
  /// - Complexity: O(bytes of the name, times bytes of the names of all tasks).
  public func remark(onNewTask name: Name, of project: ProjectID) -> String {
    var names: [String] = []
    tasks.forEach { _, task in
      if task.deleted == nil, task.name != name, projects.resolve(task.project) == project {
        names.append(task.name.text)
      }
    }
    return Self.remark(on: "task", name, similarTo: names)
  }

  /// Returns the remark that a tag is new, with the name of a similar one.
  ///
  /// - Complexity: O(bytes of the name, times bytes of the names of all tags).
  public func remark(onNewTag name: Name) -> String {
    var names: [String] = []
    tags.forEach { _, tag in
      if tag.deleted == nil, tag.name != name { names.append(tag.name.text) }
    }
    return Self.remark(on: "tag", name, similarTo: names)
  }

  private static func remark(
    on kind: String, _ name: Name, similarTo names: [String]
  ) -> String {
    let similar = Spelling.nearest(to: name.text, in: names).map { ", similar to \($0)" } ?? ""
    return "\(name.text) is a new \(kind)\(similar)"
  }
}

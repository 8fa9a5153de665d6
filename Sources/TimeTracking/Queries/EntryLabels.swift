import RetraceState

/// The names of what an entry refers to, after all merges.
public struct EntryLabels: Hashable, Sendable {
  /// The name of the user.
  public var user: String
  /// The name of the client of the project.
  public var client: String?
  /// The name of the project.
  public var project: String?
  /// The name of the task.
  public var task: String?
  /// The names of the tags.
  public var tags: [String]
}

extension DomainState {
  /// Returns the names of what an entry refers to; those of deleted entities too.
  ///
  /// - Complexity: O(tags of the entry, and merges of what it refers to).
  public func labels(of entry: TimeEntry) -> EntryLabels {
    var aliases = AliasResolver(self)
    return EntryLabels(
      user: users.read(entry.user) { $0.name.text } ?? "",
      client: aliases.client(of: entry.project).flatMap { clients.read($0) { $0.name.text } },
      project: aliases.project(entry.project).flatMap { projects.read($0) { $0.name.text } },
      task: aliases.task(entry.task).flatMap { tasks.read($0) { $0.name.text } },
      tags: aliases.tags(entry.tags).compactMap { tags.read($0) { $0.name.text } })
  }
}

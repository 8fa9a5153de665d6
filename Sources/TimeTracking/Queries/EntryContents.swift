import RetraceState

/// What an entry is about: its description, project, task and tags.
///
/// Descriptions are compared by their bytes, which does not depend on the Unicode tables of the
/// toolchain. Merged entities are equal to the ones that they were merged into.
public struct EntryContents: Sendable {
  /// The description.
  public let description: String
  /// The project after all merges, if any.
  public let project: ProjectID?
  /// The task after all merges, if any.
  public let task: TaskID?
  /// The tags after all merges, in order of their ids, each once.
  public let tags: [TagID]

  /// Creates the contents of an entry.
  ///
  /// - Complexity: O(tags of the entry), and a look-up for each id that is not cached.
  init(of entry: TimeEntry, _ aliases: inout AliasResolver) {
    description = entry.description
    project = aliases.project(entry.project)
    task = aliases.task(entry.task)
    tags = aliases.tags(entry.tags)
  }
}

extension EntryContents: Hashable {
  /// Returns whether two entries are about the same.
  public static func == (left: EntryContents, right: EntryContents) -> Bool {
    left.project == right.project && left.task == right.task && left.tags == right.tags
      && left.description.hasBytes(of: right.description)
  }

  /// Hashes the contents.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(bytesOf: description)
    hasher.combine(project)
    hasher.combine(task)
    hasher.combine(tags)
  }
}

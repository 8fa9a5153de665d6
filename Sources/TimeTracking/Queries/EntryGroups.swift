import CivilTime
public import RetraceAvro
import RetraceHashing
public import RetraceState

/// The key of a group of similar entries of a day, which is equal in every process.
public struct EntryGroupKey: Recordable, Hashable {
  /// The number of the day, counted from 1970-01-01.
  public var day: Int32
  /// The XXH64 of what the entries have in common.
  ///
  /// Two groups of one day may have the same, although that is unlikely.
  public var digest: Int64

  /// Creates a key.
  public init(day: Int32, digest: Int64) { (self.day, self.digest) = (day, digest) }
}

/// The similar entries of a day.
///
/// Entries are similar if they have the same ``EntryContents`` and workspace, and either all of
/// them are billable or none is.
public struct EntryGroup: Equatable, Sendable {
  /// The key.
  public let key: EntryGroupKey
  /// The entries, the latest place first; at least one.
  public internal(set) var entries: [IdentifiedEntry]

  /// The sum of the durations of the entries, in whole seconds.
  public var time: ElapsedTime {
    entries.reduce(.zero) { $0.adding($1.entry.elapsed(at: $1.entry.start)) }
  }
}

extension EntryDay {
  /// Returns the groups of the similar entries that began on the day, in order of their latest
  /// places, the latest one first.
  ///
  /// - Parameter aliases: The resolver of merged projects, tasks and tags.
  /// - Complexity: O(*n* × tags) for *n* entries.
  package func groups(_ aliases: inout AliasResolver) -> [EntryGroup] {
    var groups: [EntryGroup] = []
    var indices: [SharedFields: Int] = [:]
    for entry in entries {
      let fields = SharedFields(of: entry.entry, &aliases)
      if let index = indices[fields] {
        groups[index].entries.append(entry)
      } else {
        indices[fields] = groups.count
        let key = EntryGroupKey(day: Int32(clamping: date.daysSince1970), digest: fields.digest)
        groups.append(EntryGroup(key: key, entries: [entry]))
      }
    }
    return groups
  }
}

/// What the entries of a group have in common.
private struct SharedFields: Hashable {
  let contents: EntryContents
  let workspace: WorkspaceID?
  let isBillable: Bool

  init(of entry: TimeEntry, _ aliases: inout AliasResolver) {
    contents = EntryContents(of: entry, &aliases)
    (workspace, isBillable) = (entry.workspace, entry.isBillable)
  }

  /// The XXH64 of the fields in the order in which they are written here.
  var digest: Int64 {
    var writer = AvroWriter()
    contents.description.encode(into: &writer)
    contents.project.encode(into: &writer)
    contents.task.encode(into: &writer)
    contents.tags.encode(into: &writer)
    workspace.encode(into: &writer)
    isBillable.encode(into: &writer)
    return Int64(bitPattern: SwiftHasher.checksum(writer.span))
  }
}

public import RetraceArchitecture
import RetraceAvro
import RetraceState

/// The decisions and rules of favourites.
public enum Favorites: EntityRules {
  /// The ids.
  public typealias ID = FavoriteID
  /// The changes.
  public typealias Changes = FavoriteChanges
  /// The commands.
  public typealias Command = EntityCommand<FavoriteID, FavoriteChanges>
  /// The refusals.
  public typealias Refusal = EntityRefusal

  /// Checks a favourite that is created or changed.
  public static func check(
    _ entity: Favorite, since before: Favorite?, _ id: FavoriteID?,
    in editor: borrowing EntityEditor<DomainEdit>
  ) throws(EntityRefusal) {
    try checkName(of: entity, id, in: editor)
    try Users.requireLive(entity.user, unless: before?.user, in: editor)
    guard entity.description.utf8.count <= TimeEntry.textBytesMax else {
      throw .invalid(field: "description")
    }
    try Projects.requireLive(entity.project, unless: before?.project, in: editor)
    if let task = entity.task, task != before?.task || entity.project != before?.project {
      guard try Tasks.live(task, in: editor).project == entity.project else {
        throw .invalid(field: "task")
      }
    }
    guard entity.tags.count <= TimeEntry.listMax else { throw .invalid(field: "tags") }
    for tag in entity.tags where before?.tags.contains(tag) != true {
      try Tags.requireLive(tag, unless: nil, in: editor)
    }
  }
}

import RetraceAvro
import RetraceState

/// The id of a room.
struct RoomID: EntityID { var number: Int64 }

/// A room that stays in its table when its insertion is taken back.
struct Room: TableEntity {
  var name: String
  var isClosed: Bool = false
  /// No part of the changes.
  var visits: Int64 = 0
}

/// The changes of a room's fields.
struct RoomChanges: EntityChanges {
  typealias Entity = Room

  var name: Change<String>?
  var isClosed: Change<Bool>?
  init() {}

  static func tombstone(of room: Room) -> Room? {
    var tombstone = room
    tombstone.isClosed = true
    return tombstone
  }
}

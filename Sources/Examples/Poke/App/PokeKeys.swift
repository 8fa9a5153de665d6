import PokeDomain
import PokeModels
import Retrace

/// The keys of each screen.
enum PokeKeys {
  /// What keys mean on a frame.
  typealias Table = Bindings<PokeFrame, [PokeAction]>

  /// Returns the keys of a screen.
  static func table(of route: PokeRoute) -> Table {
    switch route {
    case .list: list
    case .favourites: favourites
    case .detail: detail
    case .welcome: welcome
    }
  }

  private static let list = Table("List") {
    Binding(.text("r"), hint: "load", help: "Load the next page, again if it did not come.") { _ in
      [.list(.moreWanted)]
    }
    Binding(.tab, hint: "favourites", help: "Show the favourites.") { frame in
      [.window(frame.scene, .opened(.favourites))]
    }
    Binding(.text("s"), hint: "source", help: "Load from the app or from the server.") { frame in
      [.list(.sourceChosen(frame.source == .bundle ? .server : .bundle))]
    }
    Binding(.text("w"), help: "Read the welcome again.") { frame in
      [.window(frame.scene, .opened(.welcome))]
    }
  }
  .within(rows)

  private static let favourites = Table("Favourites") {
    Binding(.escape, .tab, hint: "list", help: "Go back to the list.", value: leave)
  }
  .within(rows)

  private static let detail = Table("Creature") {
    Binding(.text("r"), help: "Load the details again if they did not come.") { frame in
      guard let detail = frame.detail, detail.isFailed else { return nil }
      return [.item(detail.id, .detailsWanted(frame.source))]
    }
    Binding(.text("f"), hint: "favourite", help: "Add or remove a favourite.", value: mark)
    Binding(.escape, .left, hint: "back", help: "Go back.", value: leave)
  }
  .within(window)

  private static let welcome = Table("Welcome") {
    Binding(.enter, .escape, hint: "begin", help: "Go to the list.") { _ in [.welcomed] }
  }
  .within(window)

  private static let rows = Table("Rows") {
    Binding(
      keys: [.up, .down, .pageUp, .pageDown, .home, .end], label: "arrows",
      help: "Select another row; below the last one of the list, the next page is loaded."
    ) { frame, key in move(key, on: frame) }
    Binding(.enter, .right, hint: "open", help: "Show the details.") { frame in
      guard let id = frame.creature?.id else { return nil }
      return [
        .window(frame.scene, .opened(.detail(id))), .item(id, .detailsWanted(frame.source)),
      ]
    }
    Binding(.text("f"), hint: "favourite", help: "Add or remove a favourite.", value: mark)
  }
  .within(window)

  /// Keys that the program handles, and that record nothing.
  private static let window = Table("Window") {
    Binding(.text("q"), hint: "quit", help: "Leave the app.") { _ in [] }
  }

  private static func move(_ key: Key, on frame: PokeFrame) -> [PokeAction]? {
    guard let rows = frame.rows else { return nil }
    let (count, fitting) = (Int64(rows.rows.count), frame.fittingRows)
    var position = rows.position
    switch key {
    case .up: position.move(by: -1, count: count, rows: fitting)
    case .down: position.move(by: 1, count: count, rows: fitting)
    case .pageUp: position.movePages(by: -1, count: count, rows: fitting)
    case .pageDown: position.movePages(by: 1, count: count, rows: fitting)
    case .home: position.select(0, count: count, rows: fitting)
    default: position.select(.max, count: count, rows: fitting)
    }
    if position != rows.position { return [.window(frame.scene, .moved(position))] }
    let isBelow = key == .down || key == .pageDown
    return frame.route == .list && isBelow ? [.list(.moreWanted)] : []
  }

  @Sendable private static func mark(_ frame: PokeFrame) -> [PokeAction]? {
    frame.creature.map { creature in
      [.item(creature.id, creature.isFavourite ? .favouriteRemoved : .favouriteAdded)]
    }
  }

  @Sendable private static func leave(_ frame: PokeFrame) -> [PokeAction]? {
    [.window(frame.scene, .left)]
  }
}

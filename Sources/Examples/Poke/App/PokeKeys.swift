import PokeDomain
import PokeModels
import Retrace

/// The keys of each screen.
enum PokeKeys {
  /// What keys mean on a frame.
  typealias Table = PokeFrame.Keys

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
      [.scene(.list(.moreWanted))]
    }
    Binding(.tab, hint: "favourites", help: "Show the favourites.") { frame in
      [.scene(.window(frame.scene, .opened(.favourites)))]
    }
    Binding(.text("s"), hint: "source", help: "Load from the app or from the server.") { frame in
      [.scene(.list(.sourceChosen(frame.source == .bundle ? .server : .bundle)))]
    }
    Binding(.text("w"), help: "Read the welcome again.") { frame in
      [.scene(.window(frame.scene, .opened(.welcome)))]
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
      return [.scene(.item(detail.id, .detailsWanted(frame.source)))]
    }
    Binding(.text("f"), hint: "favourite", help: "Add or remove a favourite.", value: mark)
    Binding(.escape, .left, hint: "back", help: "Go back.", value: leave)
  }
  .within(window)

  private static let welcome = Table("Welcome") {
    Binding(.enter, .escape, hint: "begin", help: "Go to the list.") { _ in
      [.scene(.welcomed)]
    }
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
        .scene(.window(frame.scene, .opened(.detail(id)))),
        .scene(.item(id, .detailsWanted(frame.source))),
      ]
    }
    Binding(.text("f"), hint: "favourite", help: "Add or remove a favourite.", value: mark)
  }
  .within(window)

  private static let window = Table("Window") {
    Binding(.text("q"), hint: "quit", help: "Leave the app.") { _ in .leave }
  }

  private static func move(_ key: Key, on frame: PokeFrame) -> InputMeaning<PokeApp>? {
    guard let rows = frame.rows, let position = frame.list?.state(after: key) else { return nil }
    if position != rows.position { return [.scene(.window(frame.scene, .moved(position)))] }
    let isBelow = key == .down || key == .pageDown
    return frame.route == .list && isBelow ? [.scene(.list(.moreWanted))] : []
  }

  @Sendable private static func mark(_ frame: PokeFrame) -> InputMeaning<PokeApp>? {
    frame.creature.map { creature in
      let action: ItemAction = creature.isFavourite ? .favouriteRemoved : .favouriteAdded
      return [.scene(.item(creature.id, action))]
    }
  }

  @Sendable private static func leave(_ frame: PokeFrame) -> InputMeaning<PokeApp>? {
    [.scene(.window(frame.scene, .left))]
  }
}

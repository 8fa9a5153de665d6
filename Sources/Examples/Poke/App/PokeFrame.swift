public import PokeDomain
import PokeModels
public import Retrace

/// What a window shows: its screen is made of it, and keys are interpreted on it.
///
/// It has the formatted state of the screen that is shown, and not the state of the app.
public struct PokeFrame: InteractiveFrame {
  /// The app.
  public typealias App = PokeApp

  let scene: SceneID
  let size: Screen.Size
  let route: PokeRoute
  let source: CreatureSource
  /// The rows of the list or of the favourites; `nil` on another screen.
  let rows: RowsViewState?
  /// The creature that is shown alone; `nil` on another screen.
  let detail: DetailViewState?

  /// Makes the frame of a window; `nil` if there is no such window.
  public init?(of scene: SceneID, in state: PokeState, at moment: Moment, size: Screen.Size) {
    guard let window = state.windows[scene] else { return nil }
    (self.scene, self.size) = (scene, size)
    (route, source) = (window.stack.top, state.list.source)
    rows =
      switch route {
      case .list: RowsViewState(listOf: state, at: window.list)
      case .favourites: RowsViewState(favouritesOf: state, at: window.favourites)
      case .detail, .welcome: nil
      }
    if case .detail(let id) = route {
      detail = state.creatures[id].map { DetailViewState(of: id, $0) }
    } else {
      detail = nil
    }
  }

  /// The creature that keys are about, and whether it is a favourite.
  var creature: (id: CreatureID, isFavourite: Bool)? {
    detail.map { ($0.id, $0.isFavourite) } ?? rows?.selected.map { ($0.id, $0.isFavourite) }
  }

  /// The rows, between the title and the lines of the status and of the keys.
  var list: Placed<List<Screen.Line>>? {
    guard let rows else { return nil }
    var room = Rect(size)
    _ = room.removeTop(1)
    _ = room.removeBottom(2)
    return List(count: rows.rows.count, state: rows.position, emptyText: rows.emptyText) { index in
      Screen.Line(rows.rows[index].text)
    }
    .placed(in: room)
  }

  /// The keys of the screen.
  public var keys: Keys { PokeKeys.table(of: route) }

  /// The screen.
  public var screen: Screen {
    var canvas = Canvas(size)
    var rest = canvas.bounds
    let title = rows?.title ?? detail?.title ?? "Welcome to Poke"
    canvas.drawLine(title, style: .title, in: rest.removeTop(1))
    keys.hints(in: self, fitting: size.columns).draw(in: rest.removeBottom(1), on: &canvas)
    if let rows, let list {
      rows.status.draw(in: rest.removeBottom(1), on: &canvas)
      list.draw(on: &canvas)
    } else {
      (detail?.lines ?? Self.welcome).draw(in: rest, on: &canvas)
    }
    return Screen(canvas)
  }

  /// What a new user reads.
  private static let welcome = [
    Screen.Line("The list shows creatures, a page at a time: go down for more."),
    Screen.Line("Mark those that you like with f, and see them with tab."),
    Screen.Line("Every window and every restart shows the same favourites."),
  ]
}

public import PokeDomain
import PokeModels
public import Retrace

/// What a window shows: its screen is made of it, and keys are interpreted on it.
///
/// It has the formatted state of the screen that is shown, and not the state of the app.
public struct PokeFrame {
  let scene: SceneID
  let size: Screen.Size
  let route: PokeRoute
  let source: CreatureSource
  /// The rows of the list or of the favourites; `nil` on another screen.
  let rows: RowsViewState?
  /// The creature that is shown alone; `nil` on another screen.
  let detail: DetailViewState?

  /// Makes the frame of a window; `nil` if there is no such window.
  public init?(of scene: SceneID, in state: borrowing PokeState, size: Screen.Size) {
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

  /// The number of rows that fit on the screen.
  var fittingRows: Int64 { Int64(max(1, size.rows - 3)) }

  /// Returns what a key means to the user who sees the frame; nothing for a key without a meaning.
  public func interpret(_ key: Key) -> [PokeAction] {
    (try? PokeKeys.table(of: route).value(for: key, in: self)) ?? []
  }

  /// The screen.
  public var screen: Screen {
    var canvas = Canvas(size)
    var rest = canvas.bounds
    let title = rows?.title ?? detail?.title ?? "Welcome to Poke"
    canvas.drawLine(title, style: .title, in: rest.removeTop(1))
    let hints = PokeKeys.table(of: route).hints(in: self, fitting: size.columns)
    hints.draw(in: rest.removeBottom(1), on: &canvas)
    if let rows {
      rows.status.draw(in: rest.removeBottom(1), on: &canvas)
      List(count: rows.rows.count, state: rows.position, emptyText: rows.emptyText) { index in
        Screen.Line(rows.rows[index].text)
      }
      .draw(in: rest, on: &canvas)
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

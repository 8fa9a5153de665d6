import PokeDomain
import PokeModels
import Retrace

/// Rows of creatures as the user reads them: the list, or the favourites.
struct RowsViewState: Equatable {
  /// A row.
  struct Row: Equatable {
    var id: CreatureID
    var text: String
    var isFavourite: Bool

    init(_ id: CreatureID, _ creature: Creature) {
      self.id = id
      text = "\(creature.isFavourite ? "★" : " ") \(creature.numberText) \(creature.name)"
      isFavourite = creature.isFavourite
    }
  }

  var title: String
  var rows: [Row] = []
  var position: ListState
  var status: Screen.Run
  /// What the rows show if there is none.
  var emptyText: String

  /// The row of the selected creature.
  var selected: Row? {
    rows.isEmpty ? nil : rows[min(max(0, Int(position.selected)), rows.count - 1)]
  }

  /// Makes the rows of the list.
  init(listOf state: borrowing PokeState, at position: ListState) {
    let list = state.list
    title = list.source == .server ? "Creatures of the server" : "Creatures of the app"
    self.position = position
    emptyText = list.isLoading ? "" : "No creatures yet."
    if let problem = list.problem {
      status = Screen.Run("Page \(list.pageCount + 1) did not come: \(problem)", .warning)
    } else if list.isLoading {
      status = Screen.Run("Page \(list.pageCount + 1) is on its way …", .faint)
    } else {
      let pages = list.pageCount == 1 ? "1 page" : "\(list.pageCount) pages"
      let extent = list.isComplete ? "all" : pages
      status = Screen.Run("\(state.creatures.count) creatures, \(extent)", .faint)
    }
    rows = state.creatures.rows.map { Row($0.id, $0.entity) }
  }

  /// Makes the rows of the favourites, by their numbers.
  init(favouritesOf state: borrowing PokeState, at position: ListState) {
    title = "Favourites"
    self.position = position
    emptyText = "No favourites yet: press f on a creature of the list."
    rows = state.creatures.rows.filter { $0.entity.isFavourite }
      .sorted { $0.entity.number < $1.entity.number }
      .map { Row($0.id, $0.entity) }
    status = Screen.Run(rows.count == 1 ? "1 favourite" : "\(rows.count) favourites", .faint)
  }
}

/// A creature as the user reads it.
struct DetailViewState: Equatable {
  var id: CreatureID
  var title: String
  var isFavourite: Bool
  var isFailed = false
  var lines: [Screen.Line]

  /// Makes what is shown of a creature.
  init(of id: CreatureID, _ creature: Creature) {
    self.id = id
    title = "\(creature.numberText) \(creature.name)"
    isFavourite = creature.isFavourite
    switch creature.details {
    case .nothing: lines = []
    case .loading: lines = [Screen.Line("The details are on their way …", .faint)]
    case .failed(let reason):
      lines = [Screen.Line("The details did not come: \(reason)", .warning)]
      isFailed = true
    case .loaded(let details):
      let fields = [
        ("types", details.types.joined(separator: ", ")),
        ("abilities", details.abilities.joined(separator: ", ")),
        ("height", "\(details.decimetres.tenths) m"),
        ("weight", "\(details.hectograms.tenths) kg"),
      ]
      lines = (fields + details.stats.map { ($0.name, "\($0.base)") }).map { name, value in
        Screen.Line([
          Screen.Run(TextWidth.padded(name, to: 12), .faint), Screen.Run(value),
        ])
      }
    }
    if isFavourite { lines.insert(Screen.Line("★ favourite"), at: 0) }
  }
}

extension Creature {
  /// The number with at least three digits.
  fileprivate var numberText: String {
    let digits = "\(number)"
    return "#" + String(repeating: "0", count: max(0, 3 - digits.utf8.count)) + digits
  }
}

extension Int64 {
  /// The number of tenths as a number with one decimal.
  fileprivate var tenths: String { "\(self / 10).\(abs(self % 10))" }
}

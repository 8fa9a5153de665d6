/// A ranking of the names that a text may mean while it is typed: in a form, in the words of a
/// description and in a shell.
///
/// Names of the preferred scope come first. Within a scope, the order is: recently used names, the
/// name that equals the text, names that begin with the text, the others. Ties are broken by name
/// or by id.
package struct NameRanking<Suggestion: Equatable> {
  /// How the text has to occur in a name.
  package enum Match {
    /// The name begins with the text.
    case beginning
    /// Each word of the text begins a word of the name.
    case words
    /// Every name matches, because the caller has selected the names.
    case any
  }

  private struct Place {
    var isFar: Int
    var rank: Int
    var name: Name
    var id: Int64
    var suggestion: Suggestion
  }

  private let typed: Name
  private let match: Match
  private let sortsByName: Bool
  private var places: [Place] = []
  private var mayRepeat = false

  /// Creates an empty ranking.
  ///
  /// - Parameters:
  ///   - typed: The text.
  ///   - match: How it has to occur in a name.
  ///   - sortsByName: Whether ties are broken by name, and not by id.
  package init(_ typed: Name, by match: Match = .any, sortsByName: Bool = true) {
    (self.typed, self.match, self.sortsByName) = (typed, match, sortsByName)
  }

  /// Returns whether a name matches the text.
  package func matches(_ name: Name) -> Bool { rank(of: name) != nil }

  /// Adds a suggestion if its name matches; of a suggestion that is added twice, the better place
  /// counts.
  ///
  /// - Parameters:
  ///   - suggestion: The suggestion.
  ///   - id: The number of its id.
  ///   - name: Its name.
  ///   - alias: Another name by which it is found.
  ///   - isNear: Whether it is in the preferred scope, such as the workspace of the entry.
  package mutating func add(
    _ suggestion: Suggestion, id: Int64, name: Name, foundBy alias: Name? = nil,
    isNear: Bool = true
  ) {
    let ranks = [rank(of: name), alias.flatMap(rank)].compactMap { $0 }
    guard let rank = ranks.min() else { return }
    if alias != nil { mayRepeat = true }
    places.append(
      Place(isFar: isNear ? 0 : 1, rank: rank, name: name, id: id, suggestion: suggestion))
  }

  private func rank(of name: Name) -> Int? {
    if name == typed { return 0 }
    if !typed.isEmpty || match == .beginning, name.key.begins(withKey: typed.key) { return 1 }
    switch match {
    case .beginning: return nil
    case .any: return 2
    case .words:
      let words = name.key.split(separator: " ")
      let isMeant = typed.key.split(separator: " ").allSatisfy { part in
        words.contains { $0.begins(withKey: part) }
      }
      return isMeant ? 2 : nil
    }
  }

  /// Returns the first suggestions.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of suggestions.
  ///   - recent: Returns the numbers of the recently used ids, latest first. It is called only if
  ///     there are several suggestions.
  /// - Complexity: O(*n* log *n* + *n* × recent ids) for *n* suggestions.
  package func best(_ limit: Int, recent: () -> [Int64] = { [] }) -> [Suggestion] {
    let recent = places.count > 1 ? recent() : []
    let known = places.map { ($0, recency: recent.firstIndex(of: $0.id) ?? .max) }
    let sorted = known.sorted { one, other in
      let (first, second) = (one.0, other.0)
      if first.isFar != second.isFar { return first.isFar < second.isFar }
      if one.recency != other.recency { return one.recency < other.recency }
      if first.rank != second.rank { return first.rank < second.rank }
      if sortsByName, first.name != second.name {
        return first.name.key.utf8.lexicographicallyPrecedes(second.name.key.utf8)
      }
      return first.id < second.id
    }.map { $0.0 }
    guard mayRepeat else { return sorted.prefix(max(0, limit)).map({ $0.suggestion }) }
    var best: [Suggestion] = []
    for place in sorted where best.count < limit && !best.contains(place.suggestion) {
      best.append(place.suggestion)
    }
    return best
  }
}

extension Project {
  /// Whether it is offered for new entries.
  package var isOffered: Bool { deleted == nil && !isArchived && mergedInto == nil }
}

extension Tag {
  /// Whether it is offered for new entries.
  package var isOffered: Bool { deleted == nil && !isArchived && mergedInto == nil }
}

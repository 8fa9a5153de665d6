/// The keys and the tables of a file so far, so that none is given twice.
struct TOMLNames {
  private enum Kind: Equatable {
    case value
    /// A table in brackets.
    case table
    /// A table that only occurs in the path of one in brackets.
    case outer
    /// A table made by dotted keys, under a table in brackets of this number.
    case dotted(Int)
  }

  // Texts are compared byte by byte: to TOML, é is another key than e with an accent.
  private var kinds: [[[UInt8]]: Kind] = [:]
  private var section = 0

  /// Notes a table in brackets.
  mutating func declareTable(_ path: [String], at position: TOMLPosition) throws(TOMLError) {
    section += 1
    let names = path.map { Array($0.utf8) }
    for count in 1..<max(1, names.count) {
      let outer = Array(names[..<count])
      switch kinds[outer] {
      case nil: kinds[outer] = .outer
      case .value: throw TOMLError(.notATable(Self.shown(path[..<count])), at: position)
      case .table, .outer, .dotted: break
      }
    }
    switch kinds[names] {
    case nil, .outer: kinds[names] = .table
    case .value: throw TOMLError(.notATable(Self.shown(path[...])), at: position)
    case .table, .dotted: throw TOMLError(.twice(Self.shown(path[...])), at: position)
    }
  }

  /// Notes a key of a table.
  mutating func declareValue(
    _ path: [String], in table: [String], at position: TOMLPosition
  ) throws(TOMLError) {
    let whole = table + path
    let names = whole.map { Array($0.utf8) }
    for count in (table.count + 1)..<max(table.count + 1, names.count) {
      let outer = Array(names[..<count])
      switch kinds[outer] {
      case nil: kinds[outer] = .dotted(section)
      case .dotted(section): break
      case .value: throw TOMLError(.notATable(Self.shown(whole[..<count])), at: position)
      case .table, .outer, .dotted:
        throw TOMLError(.closedTable(Self.shown(whole[..<count])), at: position)
      }
    }
    guard kinds[names] == nil else {
      throw TOMLError(.twice(Self.shown(whole[...])), at: position)
    }
    kinds[names] = .value
  }

  private static func shown(_ path: ArraySlice<String>) -> String {
    path.map(TOMLText.key).joined(separator: ".")
  }
}

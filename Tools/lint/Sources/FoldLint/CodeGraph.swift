/// Which symbols refer to which others, in the object files of a build.
final class CodeGraph {
  /// A reference of one symbol to another one.
  struct Use {
    var target: Int
    /// The place of the reference in the section of its source.
    var offset: Int
  }

  struct Definition {
    var object: Int
    var section: Int
    var start: Int
    var end: Int
  }

  private(set) var symbols: [String] = []
  /// The references of each symbol, in the order of the code.
  private(set) var uses: [[Use]] = []
  /// Where each symbol is defined; `nil` for one of a library.
  private(set) var definitions: [Definition?] = []
  private var numbers: [String: Int] = [:]
  private var objects: [ObjectFile] = []
  private var lineTables: [Int: LineTable] = [:]
  private var names: [SymbolName?] = []
  /// The module that each object file is of.
  private(set) var modules: [String] = []

  func add(_ object: ObjectFile, of module: String) {
    let number = objects.count
    objects.append(object)
    modules.append(module)
    let symbols = object.symbols.map { $0.name.isEmpty ? -1 : self.number(of: $0.name) }
    var bySection: [Int: [(start: Int, end: Int, symbol: Int)]] = [:]
    for (symbol, id) in zip(object.symbols, symbols)
    where id >= 0 && symbol.section > 0 && symbol.section < 0xff00 && symbol.kind != 3 {
      bySection[symbol.section, default: []]
        .append((symbol.value, symbol.value + max(1, symbol.size), id))
      // Each object file that needs it has a copy of some code. One copy is enough.
      if definitions[id] == nil {
        definitions[id] = Definition(
          object: number, section: symbol.section, start: symbol.value,
          end: symbol.value + symbol.size)
      }
    }
    for key in bySection.keys { bySection[key]?.sort { ($0.start, $0.end) < ($1.start, $1.end) } }
    func symbol(in section: Int, at offset: Int) -> Int? {
      guard let places = bySection[section] else { return nil }
      var (low, high) = (0, places.count)
      while low < high {
        let middle = (low + high) / 2
        if places[middle].start <= offset { low = middle + 1 } else { high = middle }
      }
      // Symbols may overlap; the nearest one that has the offset counts.
      for place in places[max(0, low - 4)..<low].reversed() where offset < place.end {
        return place.symbol
      }
      return nil
    }
    object.forEachRelocation { section, relocation in
      guard let source = symbol(in: section, at: relocation.offset),
        let definition = definitions[source], definition.object == number
      else { return }
      let referenced = object.symbols[relocation.symbol]
      var target = symbols[relocation.symbol]
      if target < 0 || referenced.kind == 3 {
        target = symbol(in: referenced.section, at: referenced.value + relocation.addend) ?? -1
      }
      guard target >= 0, target != source else { return }
      uses[source].append(Use(target: target, offset: relocation.offset))
    }
    for (section, places) in bySection where object.sections[section].isCode {
      let starts = Set(places.map(\.start))
      guard starts.count > 1 else { continue }
      object.forEachLocalReference(in: section, to: starts) { offset, start in
        guard let source = symbol(in: section, at: offset),
          let target = symbol(in: section, at: start), target != source,
          let definition = definitions[source], definition.object == number
        else { return }
        uses[source].append(Use(target: target, offset: offset))
      }
    }
  }

  /// Puts the references of each symbol into the order of the code, after the last file.
  func finish() {
    for index in uses.indices { uses[index].sort { $0.offset < $1.offset } }
  }

  /// Returns the number of a symbol, which is new if the symbol is.
  private func number(of symbol: String) -> Int {
    if let number = numbers[symbol] { return number }
    let number = symbols.count
    numbers[symbol] = number
    symbols.append(symbol)
    uses.append([])
    definitions.append(nil)
    names.append(nil)
    return number
  }

  func name(_ symbol: Int) -> SymbolName {
    if let name = names[symbol] { return name }
    let name = SymbolName(symbols[symbol])
    names[symbol] = name
    return name
  }

  /// Returns where in the sources a symbol refers to another one.
  func place(of use: Use, in source: Int) -> LineTable.Place? {
    place(offset: use.offset, in: source)
  }

  /// Returns every place of a function's code.
  func places(in function: Int) -> Set<LineTable.Place> {
    guard let definition = definitions[function], place(of: function) != nil else { return [] }
    return lineTables[definition.object]?.places(
      section: definition.section, from: definition.start, to: definition.end) ?? []
  }

  /// Returns where a function is declared.
  func place(of function: Int) -> LineTable.Place? {
    definitions[function].flatMap { place(offset: $0.start, in: function) }
  }

  private func place(offset: Int, in source: Int) -> LineTable.Place? {
    guard let definition = definitions[source] else { return nil }
    if lineTables[definition.object] == nil {
      lineTables[definition.object] = LineTable(objects[definition.object])
    }
    return lineTables[definition.object]?.place(
      section: definition.section, offset: offset, from: definition.start)
  }

  /// Returns the module whose object file defines a symbol.
  func module(of symbol: Int) -> String? {
    definitions[symbol].map { modules[$0.object] }
  }
}

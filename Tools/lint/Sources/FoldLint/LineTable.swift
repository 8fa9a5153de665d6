/// Where the code of an object file is written, from its debugging information.
///
/// The format is the line program of DWARF 4, which Swift 6.3 writes on Linux. A table of another
/// version is left out, and its code has no lines.
struct LineTable {
  struct Place: Hashable {
    var file: String
    var line: Int
  }

  private struct Row {
    var offset: Int
    var file: Int
    var line: Int
  }

  /// The rows of each section, by offset.
  private var rows: [Int: [Row]] = [:]
  private var files: [String] = []

  init(_ object: ObjectFile) {
    guard let section = object.sections.first(where: { $0.name == ".debug_line" }) else { return }
    // An address is a relocation to the section of the code.
    var addresses: [Int: (section: Int, offset: Int)] = [:]
    for relocation in object.relocations(of: ".debug_line") {
      let symbol = object.symbols[relocation.symbol]
      addresses[relocation.offset] = (symbol.section, symbol.value + relocation.addend)
    }
    var reader = ByteReader(object.bytes, from: section.offset, to: section.offset + section.size)
    while !reader.isAtEnd {
      let length = reader.integer(4)
      guard length > 0 else { break }
      var unit = ByteReader(object.bytes, from: reader.offset, to: reader.offset + length)
      reader.skip(length)
      read(&unit, start: section.offset, addresses)
    }
    for key in rows.keys { rows[key]?.sort { $0.offset < $1.offset } }
  }

  /// Returns the place of the code at an offset of a section; `nil` for code of the compiler.
  ///
  /// Code of the compiler within a function counts to the line before it.
  ///
  /// - Parameters:
  ///   - section: The section of the function.
  ///   - offset: The offset of the code.
  ///   - start: The offset of the function.
  func place(section: Int, offset: Int, from start: Int) -> Place? {
    guard let rows = rows[section] else { return nil }
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].offset <= offset { low = middle + 1 } else { high = middle }
    }
    while low > 0, rows[low - 1].offset >= start {
      let row = rows[low - 1]
      if row.line > 0, files.indices.contains(row.file), !files[row.file].hasSuffix(">") {
        return Place(file: files[row.file], line: row.line)
      }
      low -= 1
    }
    return nil
  }

  /// Returns the places of the code between two offsets of a section.
  func places(section: Int, from start: Int, to end: Int) -> Set<Place> {
    let inside = (rows[section] ?? []).filter { $0.offset >= start && $0.offset < end }
    return Set(
      inside.compactMap { row in
        files.indices.contains(row.file) ? Place(file: files[row.file], line: row.line) : nil
      })
  }

  private struct Header {
    var minimum = 1
    var lineBase = 0
    var lineRange = 1
    var operands: [Int] = []
    var firstFile = 0
  }

  private mutating func read(
    _ unit: inout ByteReader, start: Int, _ addresses: [Int: (section: Int, offset: Int)]
  ) {
    guard unit.integer(2) == 4 else { return }
    let headerLength = unit.integer(4)
    var program = ByteReader(unit.bytes, from: unit.offset + headerLength, to: unit.end)
    var header = Header()
    header.minimum = unit.byte()
    unit.skip(2)
    header.lineBase = Int(Int8(truncatingIfNeeded: unit.byte()))
    header.lineRange = max(1, unit.byte())
    let operations = unit.byte()
    header.operands = [0] + (1..<max(1, operations)).map { _ in unit.byte() }
    var folders = [""]
    while case let folder = unit.string(), !folder.isEmpty { folders.append(folder) }
    header.firstFile = files.count - 1
    while case let name = unit.string(), !name.isEmpty {
      let folder = unit.unsigned()
      _ = unit.unsigned()
      _ = unit.unsigned()
      let path = folders.indices.contains(folder) ? folders[folder] : ""
      files.append(path.isEmpty || name.hasPrefix("/") ? name : path + "/" + name)
    }
    run(&program, header, start: start, addresses)
  }

  private mutating func run(
    _ program: inout ByteReader, _ header: Header, start: Int,
    _ addresses: [Int: (section: Int, offset: Int)]
  ) {
    var (section, row) = (0, Row(offset: 0, file: 1, line: 1))
    func emitted() -> Row {
      Row(offset: row.offset, file: header.firstFile + row.file, line: row.line)
    }
    while !program.isAtEnd {
      let operation = program.byte()
      switch operation {
      case 0:
        let length = program.unsigned()
        let next = program.offset + length
        switch program.byte() {
        case 1: (section, row) = (0, Row(offset: 0, file: 1, line: 1))
        case 2:
          if let address = addresses[program.offset - start] {
            (section, row.offset) = address
          }
        default: break
        }
        program.offset = min(program.end, next)
      case 1: rows[section, default: []].append(emitted())
      case 2: row.offset += program.unsigned() * header.minimum
      case 3: row.line += program.signed()
      case 4: row.file = program.unsigned()
      case 8: row.offset += (255 - header.operands.count) / header.lineRange * header.minimum
      case 9: row.offset += program.integer(2)
      case header.operands.count...:
        let special = operation - header.operands.count
        row.offset += special / header.lineRange * header.minimum
        row.line += header.lineBase + special % header.lineRange
        rows[section, default: []].append(emitted())
      default:
        for _ in 0..<header.operands[operation] { _ = program.unsigned() }
      }
    }
  }
}

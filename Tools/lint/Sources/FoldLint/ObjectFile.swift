/// The symbols and the relocations of one object file.
///
/// The format is ELF for x86-64, as in `elf.h`.
struct ObjectFile {
  struct Section {
    var name: String
    var kind: Int
    var isCode: Bool
    var offset: Int
    var size: Int
    var link: Int
    var info: Int
  }

  struct Symbol {
    var name: String
    var kind: Int
    /// The number of the section that has the symbol; 0 for a symbol of another object.
    var section: Int
    var value: Int
    var size: Int
  }

  struct Relocation {
    var offset: Int
    var symbol: Int
    var addend: Int
  }

  let path: String
  let bytes: [UInt8]
  private(set) var sections: [Section] = []
  private(set) var symbols: [Symbol] = []

  /// Parses a file; `nil` if it is no object file of this kind.
  init?(path: String, bytes: [UInt8]) {
    guard bytes.count >= 64, bytes.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2, 1]) else { return nil }
    self.path = path
    self.bytes = bytes
    var header = ByteReader(bytes, from: 18)
    guard header.integer(2) == 62 else { return nil }
    header.skip(20)
    let table = header.integer(8)
    header.skip(10)
    let size = header.integer(2)
    var count = header.integer(2)
    var names = header.integer(2)
    guard table > 0, size == 64 else { return nil }
    // Large counts are in the first section.
    if count == 0 { count = Self.section(bytes, at: table).section.size }
    if names == 0xffff { names = Self.section(bytes, at: table).section.link }
    let headers = (0..<count).map { Self.section(bytes, at: table + $0 * size) }
    guard headers.indices.contains(names) else { return nil }
    let base = headers[names].section.offset
    sections = headers.map { header in
      var section = header.section
      var reader = ByteReader(bytes, from: base + header.name)
      section.name = reader.string()
      return section
    }
    readSymbols()
  }

  private static func section(_ bytes: [UInt8], at offset: Int) -> (name: Int, section: Section) {
    var reader = ByteReader(bytes, from: offset)
    let name = reader.integer(4)
    let kind = reader.integer(4)
    let flags = reader.integer(8)
    reader.skip(8)
    let start = reader.integer(8)
    let size = reader.integer(8)
    let link = reader.integer(4)
    let info = reader.integer(4)
    let section = Section(
      name: "", kind: kind, isCode: kind == 1 && flags & 4 != 0, offset: start, size: size,
      link: link, info: info)
    return (name, section)
  }

  private mutating func readSymbols() {
    guard let table = sections.first(where: { $0.kind == 2 }),
      sections.indices.contains(table.link)
    else { return }
    let names = sections[table.link].offset
    var reader = ByteReader(bytes, from: table.offset, to: table.offset + table.size)
    symbols.reserveCapacity(table.size / 24)
    while !reader.isAtEnd {
      var name = ByteReader(bytes, from: names + reader.integer(4))
      let kind = reader.byte() & 15
      reader.skip(1)
      let section = reader.integer(2)
      symbols.append(
        Symbol(
          name: name.string(), kind: kind, section: section, value: reader.integer(8),
          size: reader.integer(8)))
    }
  }

  /// Calls `body` with the number of each section that has relocations, and with each relocation.
  ///
  /// The sections of debugging information are left out.
  func forEachRelocation(_ body: (Int, Relocation) -> Void) {
    for section in sections where section.kind == 4 {
      guard sections.indices.contains(section.info) else { continue }
      let name = sections[section.info].name
      if name.hasPrefix(".debug") || name.hasPrefix(".eh_frame") { continue }
      for relocation in relocations(in: section) { body(section.info, relocation) }
    }
  }

  /// The relocations of the section with a name.
  func relocations(of name: String) -> [Relocation] {
    for section in sections where section.kind == 4 {
      guard sections.indices.contains(section.info) else { continue }
      if sections[section.info].name == name { return relocations(in: section) }
    }
    return []
  }

  private func relocations(in section: Section) -> [Relocation] {
    var relocations: [Relocation] = []
    var reader = ByteReader(bytes, from: section.offset, to: section.offset + section.size)
    while !reader.isAtEnd {
      let offset = reader.integer(8)
      let kind = reader.integer(4)
      let symbol = reader.integer(4)
      // A relative address starts at the next instruction.
      let shift = kind == 2 || kind == 4 ? 4 : 0
      let addend = reader.integer(8) &+ shift
      guard symbols.indices.contains(symbol) else { continue }
      relocations.append(Relocation(offset: offset, symbol: symbol, addend: addend))
    }
    return relocations
  }

  /// Calls `body` with each reference in a section's code that has no relocation, because the
  /// function is local to the file, and with its target in the section.
  ///
  /// - Parameters:
  ///   - section: The number of a section with code.
  ///   - starts: The offsets at which functions start.
  ///   - body: Gets the offset of the reference and the function's offset.
  func forEachLocalReference(
    in section: Int, to starts: Set<Int>, _ body: (Int, Int) -> Void
  ) {
    let base = sections[section].offset
    let size = min(sections[section].size, bytes.count - base)
    guard size > 6 else { return }
    for offset in 2..<(size - 3) {
      let (first, second) = (bytes[base + offset - 2], bytes[base + offset - 1])
      // call, jmp, jcc and lea with an address relative to the next instruction; a short jmp.
      var distance = 0
      var length = 4
      if second == 0xe8 || second == 0xe9 || first == 0x0f && second & 0xf0 == 0x80
        || first == 0x8d && second & 0xc7 == 0x05
      {
        var reader = ByteReader(bytes, from: base + offset)
        distance = Int(Int32(truncatingIfNeeded: reader.integer(4)))
      } else if second == 0xeb {
        distance = Int(Int8(truncatingIfNeeded: Int(bytes[base + offset])))
        length = 1
      }
      let target = offset + length + distance
      if distance != 0, starts.contains(target) { body(offset, target) }
    }
  }
}

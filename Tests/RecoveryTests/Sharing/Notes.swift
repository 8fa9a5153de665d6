import Testing

/// Notes of a state in the order in which they were reduced, named `NAME.BATCH.INDEX`.
struct Notes {
  let all: [(name: Substring, batch: Int, index: Int)]

  init(_ texts: [String]) throws {
    all = try texts.map { text in
      let parts = text.split(separator: ".")
      try #require(parts.count == 3, "\(text)")
      return (parts[0], try #require(Int(parts[1])), try #require(Int(parts[2])))
    }
  }

  /// Checks that every batch is there once, whole, in one piece, and none before its predecessor.
  func expectWhole(size: Int, location: SourceLocation = #_sourceLocation) {
    var next: [Substring: Int] = [:]
    #expect(all.count % size == 0, sourceLocation: location)
    for start in stride(from: 0, to: all.count - size + 1, by: size) {
      let first = all[start]
      for index in 0..<size {
        let note = all[start + index]
        #expect(
          note.name == first.name && note.batch == first.batch && note.index == index,
          "note \(start + index)", sourceLocation: location)
      }
      #expect(first.batch == next[first.name, default: 0], sourceLocation: location)
      next[first.name] = first.batch + 1
    }
  }

  /// How many batches of a name there are.
  func batches(of name: String) -> Int {
    (all.last { $0.name == name }?.batch ?? -1) + 1
  }
}

public import RetraceAvro

@usableFromInline
struct StateWriter<H: ByteHasher, Sink: PageSink & ~Copyable>: TableVisitor {
  @usableFromInline let sequence: UInt64
  @usableFromInline let box: SaveBox<Sink>
  @usableFromInline var tables: [TableRoot] = []

  @inlinable
  init(sequence: UInt64, box: SaveBox<Sink>) {
    self.sequence = sequence
    self.box = box
  }

  @inlinable
  mutating func visit<ID, Entity>(_ table: inout EntityTable<ID, Entity>) {
    guard let number = UInt8(exactly: tables.count), number < .max else {
      preconditionFailure("StatePages: more than 255 tables")
    }
    var sink = box.takeSink()
    tables.append(
      table.save(at: sequence, number: number, with: H.self, &box.writer, into: &sink))
    box.sink = consume sink
  }
}

/// A sink and a writer in a reference type.
@usableFromInline
final class SaveBox<Sink: PageSink & ~Copyable> {
  @usableFromInline var sink: Sink?
  @usableFromInline var writer: AvroWriter

  @inlinable
  init(_ sink: consuming Sink, _ writer: consuming AvroWriter) {
    self.sink = consume sink
    self.writer = consume writer
  }

  @inlinable
  func takeSink() -> Sink {
    guard let taken = sink.take() else { preconditionFailure("StatePages: no sink") }
    return taken
  }
}

@usableFromInline
struct TableCollector: TableVisitor {
  @usableFromInline var tables: [any Sendable] = []

  @usableFromInline
  init() {}

  @usableFromInline
  mutating func visit<ID, Entity>(_ table: inout EntityTable<ID, Entity>) {
    tables.append(table)
  }
}

/// A visitor that makes each table adopt its saved copy.
@usableFromInline
struct TableAdopter: TableVisitor {
  @usableFromInline let tables: [any Sendable]
  @usableFromInline var position = 0

  @usableFromInline
  init(tables: [any Sendable]) { self.tables = tables }

  @usableFromInline
  mutating func visit<ID, Entity>(_ table: inout EntityTable<ID, Entity>) {
    guard let saved = tables[position] as? EntityTable<ID, Entity> else {
      preconditionFailure("StatePages: the tables of a state changed their order")
    }
    position += 1
    table.adopt(saved)
  }
}

struct TableOpener<Source: PageSource>: TableVisitor {
  let tables: [TableRoot]
  let hashes: [Digest]
  let source: Source
  var position = 0
  var isMatching = true

  init(tables: [TableRoot], hashes: [Digest], source: Source) {
    self.tables = tables
    self.hashes = hashes
    self.source = source
  }

  mutating func visit<ID, Entity>(_ table: inout EntityTable<ID, Entity>) {
    defer { position += 1 }
    guard position < tables.count, tables[position].number == position else {
      isMatching = false
      return
    }
    table.open(tables[position], hash: hashes[position], source: source)
  }
}

/// A visitor that loads each table that has assigned at most `maxIDs` ids.
struct TableLoader: TableVisitor {
  var maxIDs = Int64.max

  mutating func visit<ID, Entity>(_ table: inout EntityTable<ID, Entity>) {
    if table.next <= maxIDs { table.loadAll() }
  }
}

/// A visitor that switches each table of a state to another source.
struct TableSourceChanger<Source: PageSource>: TableVisitor {
  let source: Source

  mutating func visit<ID, Entity>(_ table: inout EntityTable<ID, Entity>) {
    table.changeSource(to: source)
  }
}

/// A visitor that releases the saved parts of each table of a state.
struct TableReleaser<Source: PageSource>: TableVisitor {
  let source: Source
  var number: UInt8 = 0

  init(source: Source) { self.source = source }

  mutating func visit<ID, Entity>(_ table: inout EntityTable<ID, Entity>) {
    table.releaseSaved(to: source, number: number)
    number += 1
  }
}

struct TableUnsavedMarker: TableVisitor {
  mutating func visit<ID, Entity>(_ table: inout EntityTable<ID, Entity>) { table.markUnsaved() }
}

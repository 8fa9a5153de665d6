public import RetraceAvro

@frozen
@usableFromInline
struct PageReader: Sendable {
  /// The source of pages; `nil` if every page is resident.
  @usableFromInline var source: (any PageSource)?
  @usableFromInline var table: UInt8
  /// The number of the next entity's id.
  @usableFromInline var next: Int64

  @inlinable
  init(source: (any PageSource)?, table: UInt8, next: Int64) {
    self.source = source
    self.table = table
    self.next = next
  }

  /// Reads the stored child whose ids start at `first`; returns `nil` after an error.
  @inlinable
  func read<Child: TableChild>(_ reference: PageReference, from first: Int64) -> Child? {
    let places = Child.places(from: first, next: next)
    var result: Child?
    withPage(of: Child.self, reference, from: first) { page throws(AvroError) in
      result = try Child(page: page, places: places, birth: reference.birth)
    }
    return result
  }

  /// Calls `body` with the verified page of a stored child, and reports an error of `body`.
  @inlinable
  func withPage<Child: TableChild>(
    of type: Child.Type, _ reference: PageReference, from first: Int64,
    _ body: (Span<UInt8>) throws(AvroError) -> Void
  ) {
    guard let source else { return }
    let key = PageKey(of: type, reference, from: first, table: table)
    var problem: AvroError?
    _ = source.withVerifiedPage(key, hash: reference.hash) { page in
      do throws(AvroError) {
        try body(page)
      } catch {
        problem = error
      }
    }
    if let problem { source.report(PageError(.malformed, key, problem.description)) }
  }
}

/// The readers of the pages of two tables that are compared.
@frozen
@usableFromInline
struct PageReaderPair {
  @usableFromInline let left: PageReader
  @usableFromInline let right: PageReader

  @inlinable
  init(left: PageReader, right: PageReader) {
    self.left = left
    self.right = right
  }
}

/// A writer of the pages of one table in one save.
@frozen
@usableFromInline
struct PageWriter<H: ByteHasher> {
  @usableFromInline let sequence: UInt64
  @usableFromInline let table: UInt8

  @inlinable
  init(sequence: UInt64, table: UInt8) {
    self.sequence = sequence
    self.table = table
  }

  /// Marks a child's previous page as replaced, writes its new page, and sets its birth.
  @inlinable
  func store<Child: TableChild, Sink: PageSink & ~Copyable>(
    _ type: Child.Type, _ reference: inout PageReference, from first: Int64,
    _ writer: inout AvroWriter, into sink: inout Sink, _ page: (inout AvroWriter) -> Void
  ) {
    var key = PageKey(of: type, reference, from: first, table: table)
    if reference.birth != 0 && reference.birth != sequence { sink.markReplaced(key) }
    guard !reference.isEmpty else {
      reference.birth = 0
      return
    }
    key.birth = sequence
    reference.birth = sequence
    let start = writer.count
    page(&writer)
    sink.put(key, writer.span.extracting(start...))
    writer.truncate(to: start)
  }
}

extension PageKey {
  @inlinable
  init<Child: TableChild>(
    of type: Child.Type, _ reference: PageReference, from first: Int64, table: UInt8
  ) {
    self.init(
      birth: reference.birth, table: table,
      lastID: UInt32(truncatingIfNeeded: first + type.idSpan - 1), level: type.level)
  }
}

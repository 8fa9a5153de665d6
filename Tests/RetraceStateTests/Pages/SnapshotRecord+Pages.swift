import RetraceAvro

@testable import RetraceState

extension SnapshotRecord {
  /// Calls `body` with the key of every page that the snapshot needs, after verifying the page.
  ///
  /// If a page cannot be used, the source gets an error, and the page and all below it are skipped.
  ///
  /// - Parameters:
  ///   - source: The source of the pages.
  ///   - body: Called once for each page, parents before children.
  /// - Complexity: O(pages); reads each page.
  func forEachPage(in source: some PageSource, _ body: (PageKey) -> Void) {
    for table in tables {
      var found = 0
      table.visit(table.trunks, above: 3, from: 0, in: source, &found, body)
      table.checkCount(found, in: source)
    }
  }
}

extension TableRoot {
  /// Reports an error if the number of entities in the pages is not the recorded count.
  fileprivate func checkCount(_ found: Int, in source: some PageSource) {
    if found == count { return }
    guard source.firstError == nil else { return }
    let key = PageKey(birth: trunks.last?.birth ?? 0, table: number, lastID: .max, level: 2)
    source.report(PageError(.malformed, key, "entities found: \(found), recorded: \(count)"))
  }

  /// Visits the pages of one node's references and all pages below.
  ///
  /// - Parameters:
  ///   - level: The level of the node, one above the level of the pages; 3 for the root.
  ///   - first: The lowest id in the node's subtree.
  ///   - entities: Is increased by the number of entities in leaf pages.
  fileprivate func visit<Source: PageSource>(
    _ references: ContiguousArray<PageReference>, above level: UInt8, from first: Int64,
    in source: Source, _ entities: inout Int, _ body: (PageKey) -> Void
  ) {
    let level = level - 1
    // A leaf spans 32 ids, and each level above 32 times as many.
    let span: Int64 = 32 << (5 * Int64(level))
    for place in references.indices where references[place].birth != 0 {
      let start = first + Int64(place) * span
      let key = PageKey(
        birth: references[place].birth, table: number,
        lastID: UInt32(truncatingIfNeeded: start + span - 1), level: level)
      var below: ContiguousArray<PageReference> = []
      var problem: AvroError?
      var found = 0
      let isThere = source.withVerifiedPage(key, hash: references[place].hash) { page in
        if level == 0 {
          for index in 0..<4 { found += page[index].nonzeroBitCount }
          return
        }
        let places = Int(min(32, (nextID - start + span / 32 - 1) / (span / 32)))
        do throws(AvroError) {
          below = try PageLayout.readNode(page, places: places, latest: key.birth)
        } catch {
          problem = error
        }
      }
      guard isThere else { continue }
      if let problem {
        source.report(PageError(.malformed, key, problem.description))
        continue
      }
      entities += found
      body(key)
      if level > 0 { visit(below, above: level, from: start, in: source, &entities, body) }
    }
  }
}

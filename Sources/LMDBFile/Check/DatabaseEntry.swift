/// An entry of a database whose pages are being checked.
package struct DatabaseEntry {
  private let entry: TreeCheck.Entry
  private let part: StructureDamage.Part
  private let pages: TreePages

  init(_ entry: TreeCheck.Entry, of part: StructureDamage.Part, in pages: TreePages) {
    self.entry = entry
    self.part = part
    self.pages = pages
  }

  package var key: ArraySlice<UInt8> { entry.key }

  /// The offset of the value in the file, in bytes.
  package var valueOffset: Int {
    guard entry.flags == PageImage.Node.overflowFlag else {
      return Int(entry.page) * pages.file.pageSize + entry.value
    }
    return Int(entry.image.number64(entry.value)) * pages.file.pageSize + PageImage.headerBytes
  }

  /// Returns a copy of the value, which may be on overflow pages.
  ///
  /// - Complexity: O(bytes of the value).
  package func value() throws(StructureFailure) -> [UInt8] {
    try StructureCheck.value(of: entry, in: pages, part)
  }

  package func damaged(_ detail: String) -> StructureFailure {
    .damaged(StructureDamage(part: part, page: entry.page, detail: detail))
  }
}

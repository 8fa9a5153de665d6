import RetraceSystem

/// A data file of LMDB 0.9 that is read page by page and never mapped.
package final class PageFile: Sendable {
  let file: OpenFile
  /// The meta pages at the time of opening.
  package let metaPages: MetaPages
  /// The number of whole pages at the time of opening.
  let pages: UInt64

  package var pageSize: Int { metaPages.pageSize }

  /// Opens a data file; follows no link, and does not block on a pipe.
  ///
  /// - Parameter path: The path of the data file.
  /// - Throws: ``StructureFailure`` if it has no valid meta pages.
  package static func open(_ path: String) throws(StructureFailure) -> PageFile {
    let file: OpenFile
    do throws(SystemError) {
      file = try OpenFile.open(path, [.read, .noFollow, .nonBlocking])
    } catch {
      throw .unreadable(error)
    }
    // Before the first read, which would otherwise start readahead.
    file.adviseRandom()
    let metaPages = try MetaPages.read(file)
    // The size is read after the meta pages, because the file grows before they are written.
    let size: Int
    do throws(SystemError) { size = try file.size } catch { throw .unreadable(error) }
    return PageFile(file, metaPages, pages: UInt64(size / metaPages.pageSize))
  }

  private init(_ file: consuming OpenFile, _ metaPages: MetaPages, pages: UInt64) {
    self.file = file
    self.metaPages = metaPages
    self.pages = pages
  }

  /// Announces that most pages will be read, and so enables readahead.
  package func adviseNormal() { file.adviseNormal() }

  /// Reads bytes from the start of a page on, fewer at the end of the file.
  func read(_ page: UInt64, count: Int) throws(SystemError) -> PageImage {
    guard page < pages else { return PageImage([]) }
    return PageImage(try file.read(at: Int(page) * pageSize, count: count))
  }
}

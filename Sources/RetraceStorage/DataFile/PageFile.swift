import RetraceSystem

/// A data file of LMDB 0.9, read page by page with calls that answer errors; nothing is mapped.
final class PageFile: Sendable {
  /// The open file.
  let file: OpenFile
  /// The meta pages as they were when the file was opened.
  let metas: MetaPages
  /// The number of whole pages that the file had when it was opened.
  let pages: UInt64

  /// The size of a page in bytes.
  var pageSize: Int { metas.pageSize }

  /// Opens a data file; a link is not followed, and a pipe does not hold the caller.
  ///
  /// - Parameter path: The data file.
  /// - Throws: ``StructureFailure`` if it has no meta pages of LMDB.
  static func open(_ path: String) throws(StructureFailure) -> PageFile {
    let file: OpenFile
    do throws(SystemError) {
      file = try OpenFile.open(path, [.read, .noFollow, .nonBlocking])
    } catch {
      throw .unreadable(error)
    }
    // Before the first read, or what that reads ahead would lead to more.
    file.expectRandomReads()
    let metas = try MetaPages.read(file)
    // The size is asked for after the meta pages: the file grows first.
    let size: Int
    do throws(SystemError) { size = try file.size } catch { throw .unreadable(error) }
    return PageFile(file, metas, pages: UInt64(size / metas.pageSize))
  }

  private init(_ file: consuming OpenFile, _ metas: MetaPages, pages: UInt64) {
    self.file = file
    self.metas = metas
    self.pages = pages
  }

  /// Says that most pages will be read; until then nothing is read ahead.
  func expectWalk() { file.expectOrderedReads() }

  /// Reads bytes from the beginning of a page on, fewer where the file ends.
  func read(_ page: UInt64, count: Int) throws(SystemError) -> PageImage {
    guard page < pages else { return PageImage([]) }
    return PageImage(try file.read(at: Int(page) * pageSize, count: count))
  }
}

import Retrace
import RetraceSystem

/// The contents of the file `FORMAT`, which marks a directory as a store.
///
/// The file is text, so that people can read it: a first line, then a name and a value in each
/// line, in the order of ``text``.
struct FormatFile: Equatable {
  static let name = "FORMAT"
  static let magic = "Retrace store"
  /// A limit above the size of any such file, in bytes.
  static let maximumBytes = 4096

  var version: UInt8
  var storeID: StoreID
  /// The time of the store's creation.
  var created: Moment

  var text: String {
    """
    \(FormatFile.magic)
    format \(version)
    lmdb 0.9
    word \(Int.bitWidth)
    store \(storeID.hex)
    created \(created.microseconds)

    """
  }

  init(storeID: StoreID, created: Moment, version: UInt8 = LogFormat.version) {
    self.version = version
    self.storeID = storeID
    self.created = created
  }

  /// The same identity under the version that this code writes.
  var current: FormatFile { FormatFile(storeID: storeID, created: created) }

  static func read(_ store: StorePath) throws(StoreError) -> FormatFile {
    let file = try store.open(name, .read, doing: "be opened")
    let bytes = try StoreError.system(
      try file.readWhole(limitBytes: maximumBytes), in: store.directory, doing: "be opened")
    return try FormatFile(bytes, in: store.directory)
  }

  init(_ bytes: [UInt8], in path: String) throws(StoreError) {
    var offset = 0
    /// Reads a line that begins with a word, and returns the rest of it.
    func line(_ word: String) -> String? {
      for byte in word.utf8 {
        guard offset < bytes.count, bytes[offset] == byte else { return nil }
        offset += 1
      }
      let start = offset
      while offset < bytes.count && bytes[offset] != UInt8(ascii: "\n") { offset += 1 }
      defer { offset += 1 }
      return String(decoding: bytes[start..<offset], as: UTF8.self)
    }
    guard line(FormatFile.magic) == "" else {
      throw StoreError(
        .notAStore, what: "\(path) could not be opened.",
        why: "Its file FORMAT is not from a Retrace store.",
        advice: "Give the path of a store.")
    }
    func damaged() -> StoreError { .damaged(1, "Its file FORMAT cannot be read", in: path) }
    guard let format = line("format ") else { throw damaged() }
    guard let version = UInt8(format), LogFormat.readableVersions.contains(version) else {
      let (first, last) = (LogFormat.readableVersions.lowerBound, LogFormat.version)
      throw StoreError(
        .incompatible, what: "The store \(path) could not be opened.",
        why: "It has format version \(SafeText.line(format, bytesMax: 32)); this program reads the "
          + "versions \(first) to \(last).",
        advice: "Use the version of the program that wrote it, or a newer one.")
    }
    guard line("lmdb ") == "0.9", line("word ") == "\(Int.bitWidth)" else {
      throw StoreError(
        .incompatible, what: "The store \(path) could not be opened.",
        why: "Its data file was written by another version of LMDB or on a machine with another "
          + "word size.",
        advice: "Open it on the machine where it was written, and export it there.")
    }
    guard let hex = line("store "), let storeID = StoreID(hex: hex),
      let created = line("created ").flatMap({ Int64($0) })
    else { throw damaged() }
    self.init(storeID: storeID, created: Moment(microseconds: created), version: version)
    guard Array(self.text.utf8) == bytes else { throw damaged() }
  }
}

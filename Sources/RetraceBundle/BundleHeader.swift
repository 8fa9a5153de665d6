import RetraceAvro
public import RetraceLog

/// The first item of a bundle: what the log is, and what was done to it.
public struct BundleHeader: Hashable, Sendable {
  /// What was done to the records of the log.
  public enum Contents: Int, CaseIterable, Hashable, Sendable {
    /// Nothing: the chain is the one of the log.
    case original
    /// Login names, hosts and process ids were removed, so the chain is the bundle's own. Texts and
    /// state hashes are those of the log.
    case anonymous
    /// Texts were replaced, too, so the state hashes are the bundle's own.
    case redacted

    /// The name in the schema of the file.
    public var symbol: String {
      switch self {
      case .original: "original"
      case .anonymous: "anonymous"
      case .redacted: "redacted"
      }
    }
  }

  /// The name of the app.
  public var app: String
  /// The identity that the chain covers.
  ///
  /// It is the store's own only if ``contents`` is ``Contents/original``.
  public var store: StoreID
  /// The version of the log's format.
  public var logVersion: UInt8
  /// What was done to the records.
  public var contents: Contents
  /// The fields whose texts were kept, although the others were replaced.
  public var allowed: [String]
  /// What the user who made the bundle says of it; empty if nothing was said.
  ///
  /// The user wrote it for the reader of the bundle, so it is not redacted.
  public var message: String

  /// Creates a header.
  public init(
    app: String, store: StoreID, logVersion: UInt8 = LogFormat.version, contents: Contents,
    allowed: [String] = [], message: String = ""
  ) {
    self.app = app
    self.store = store
    self.logVersion = logVersion
    self.contents = contents
    self.allowed = allowed
    self.message = message
  }

  func encode(into writer: inout AvroWriter) {
    writer.string(app)
    writer.raw(store.bytes)
    writer.long(Int64(logVersion))
    writer.branch(contents.rawValue)
    writer.beginBlocks(count: allowed.count)
    for field in allowed { writer.string(field) }
    writer.endBlocks()
    writer.string(message)
  }

  /// Reads a header; `hasMessage` is `false` for one of the time when headers had none.
  init(decoding reader: inout AvroReader, hasMessage: Bool) throws(AvroError) {
    app = try reader.string()
    var start = reader.offset
    guard let store = StoreID(try reader.raw(StoreID.byteCount)) else {
      throw AvroError(.truncated, at: start)
    }
    self.store = store
    start = reader.offset
    guard let version = UInt8(exactly: try reader.int()) else {
      throw AvroError(.outOfRange, at: start, "version of the log")
    }
    logVersion = version
    start = reader.offset
    guard let contents = Contents(rawValue: try reader.branch(count: Contents.allCases.count))
    else { throw AvroError(.outOfRange, at: start, "contents") }
    self.contents = contents
    allowed = []
    start = reader.offset
    let count = try reader.beginBlocks()
    guard count <= BundleFormat.allowedMax else {
      throw AvroError(.tooLarge, at: start, "fields")
    }
    if count > 0 {
      for _ in 0..<count { allowed.append(try reader.string()) }
      try reader.endBlocks()
    }
    start = reader.offset
    message = try hasMessage ? reader.string() : ""
    guard message.utf8.count <= BundleFormat.messageBytesMax else {
      throw AvroError(.tooLarge, at: start, "message")
    }
  }
}

extension BundleHeader.Contents: CustomStringConvertible {
  /// What was done to the records, in words.
  public var description: String {
    switch self {
    case .original: "the log as it is"
    case .anonymous: "without login names, hosts and process ids; the chain is its own"
    case .redacted:
      "without login names, hosts and process ids, texts replaced; chain and hashes are its own"
    }
  }
}

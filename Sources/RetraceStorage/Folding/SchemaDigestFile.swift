import LMDBFile
package import Retrace
import RetraceSystem

/// The contents of a `SchemaDigestFile`: the digests of an app's schemas, and how it reads others.
struct SchemaDigests: Hashable, Sendable {
  var action: AppSchemaDigests
  var stateFingerprint: Digest
  /// The digests for commands and for refusals; empty if the app has no commands.
  var commands: [AppSchemaDigests] = []
  /// How the app reads other schemas; see `AppSchemas.others`.
  var others: [Digest: SchemaReading] = [:]
}

/// The file in `derived/` with the digests of one app's schemas in one build of a program.
///
/// It also says how the app reads other schemas. A process that finds it need not compose the app's
/// schemas, and compiles the resolution of another schema only for the first record of it. The name
/// and the first bytes come from a digest of the app's type and the build IDs of the program and
/// its libraries, so that a rebuilt program does not find the file. Programs without build IDs have
/// no file.
struct SchemaDigestFile {
  static let prefix = "schemas-"
  /// The number of files of other builds and apps above which all of them are removed.
  static let othersMax = 7
  fileprivate static let bytesMax = 1 << 16

  let directory: String
  private let key: Digest

  /// Returns `nil` if this program has no build IDs.
  init?<App: ReplayableApp>(
    in directory: String, of app: App.Type, buildIDs: [UInt8]? = ThisProcess.buildIDs
  ) {
    guard let buildIDs else { return nil }
    var hasher = SHA256Hasher()
    // `String(reflecting:)` returns the same, after looking for conformances to several protocols.
    hasher.update("Retrace schemas 2\0\(_typeName(app))\0".utf8.span)
    hasher.update(buildIDs.span)
    self.directory = directory
    key = hasher.digest()
  }

  var name: String { Self.prefix + String(key.hex.prefix(16)) }

  /// Returns the digests; `nil` if there is no file, or one that is damaged.
  func read() -> SchemaDigests? {
    let path = "\(directory)/\(name)"
    guard
      let file = try? OpenFile.open(path, [.read, .nonBlocking, .noFollow]),
      let bytes = try? file.readWhole(limitBytes: Self.bytesMax)
    else { return nil }
    return decode(bytes.span)
  }

  /// Writes the file, and removes the files of other builds and apps if there are too many.
  ///
  /// The file is neither replaced atomically nor synced: a process that reads a part of it finds
  /// that the last digest is wrong, and every process writes the same bytes.
  func write(_ digests: SchemaDigests) throws(SystemError) {
    let others = try FileSystem.list(directory).filter { $0.hasPrefix(Self.prefix) && $0 != name }
    if others.count > Self.othersMax {
      for other in others { try FileSystem.unlink("\(directory)/\(other)") }
    }
    let file = try OpenFile.open(
      "\(directory)/\(name)", [.write, .create, .truncate, .noFollow], mode: 0o600)
    try file.write(encode(digests).span, at: 0)
  }

  /// Returns the key, the digests, how other schemas are read, and the SHA-256 of all that.
  ///
  /// Omits the other schemas if the file would be larger than a process reads.
  func encode(_ digests: SchemaDigests) -> [UInt8] {
    let bytes = encodeAll(digests)
    guard bytes.count > Self.bytesMax else { return bytes }
    var fewer = digests
    fewer.others = [:]
    return encodeAll(fewer)
  }

  private func encodeAll(_ digests: SchemaDigests) -> [UInt8] {
    var writer = AvroWriter(capacity: 512)
    writer.digest(key)
    writer.digest(digests.stateFingerprint)
    writer.long(Int64(digests.commands.count))
    for schema in [digests.action] + digests.commands {
      writer.digest(schema.fingerprint)
      writer.digest(schema.text)
      writer.long(Int64(schema.minViolationByteCount))
    }
    writer.long(Int64(digests.others.count))
    for (text, reading) in digests.others.sorted(by: { $0.key.hex < $1.key.hex }) {
      writer.digest(text)
      reading.encode(into: &writer)
    }
    let sum = SHA256Hasher.digest(of: writer.span)
    writer.digest(sum)
    return writer.bytes
  }

  func decode(_ bytes: Span<UInt8>) -> SchemaDigests? {
    guard bytes.count > Digest.byteCount else { return nil }
    let content = bytes.extracting(0..<bytes.count - Digest.byteCount)
    guard
      Digest(bytes.extracting(last: Digest.byteCount)) == SHA256Hasher.digest(of: content)
    else { return nil }
    var reader = AvroReader(content)
    func schema(_ reader: inout AvroReader) throws(AvroError) -> AppSchemaDigests {
      AppSchemaDigests(
        fingerprint: try reader.digest(), text: try reader.digest(),
        minViolationByteCount: Int(try reader.long()))
    }
    do throws(AvroError) {
      guard try reader.digest() == key else { return nil }
      let state = try reader.digest()
      let count = try reader.long()
      guard count == 0 || count == 2 else { return nil }
      var digests = SchemaDigests(action: try schema(&reader), stateFingerprint: state)
      for _ in 0..<count { digests.commands.append(try schema(&reader)) }
      for _ in 0..<(try reader.count()) {
        let text = try reader.digest()
        digests.others[text] = try SchemaReading(decoding: &reader)
      }
      try reader.finish()
      return digests
    } catch {
      return nil
    }
  }
}

extension AvroReader {
  /// Reads the number of elements, of which each has at least one byte.
  fileprivate mutating func count() throws(AvroError) -> Int {
    let count = try long()
    guard 0...Int64(SchemaDigestFile.bytesMax) ~= count else {
      throw AvroError(.tooLarge, at: offset)
    }
    return Int(count)
  }
}

extension SchemaReading {
  /// Writes how a readable schema is read.
  fileprivate func encode(into writer: inout AvroWriter) {
    writer.digest(fingerprint)
    writer.boolean(isDirect)
    if case .needsChecking = verdict { writer.boolean(true) } else { writer.boolean(false) }
    writer.long(Int64(verdict.differences.count))
    for difference in verdict.differences {
      writer.string(difference.type)
      writer.boolean(difference.member != nil)
      if let member = difference.member { writer.string(member) }
      writer.string(difference.detail)
    }
  }

  fileprivate init(decoding reader: inout AvroReader) throws(AvroError) {
    let fingerprint = try reader.digest()
    let isDirect = try reader.boolean()
    let needsChecking = try reader.boolean()
    var differences: [SchemaDifference] = []
    for _ in 0..<(try reader.count()) {
      let type = try reader.string()
      let member = try reader.boolean() ? try reader.string() : nil
      differences.append(
        SchemaDifference(type: type, member: member, detail: try reader.string()))
    }
    self.init(
      fingerprint: fingerprint,
      verdict: needsChecking ? .needsChecking(differences) : .fine(differences),
      isDirect: isDirect)
  }
}

extension SnapshotStorage {
  /// Returns the schemas of an app, whose digests the directory may keep.
  ///
  /// - Complexity: O(1) if the directory has the digests of this build, else O(bytes of the
  ///   schemas); O(1) after the first call in a process.
  package func schemas<App: ReplayableApp>(of app: App.Type) -> AppSchemas {
    AppSchemas.of(app, in: self)
  }

  func schemaDigests<App: ReplayableApp>(of app: App.Type) -> SchemaDigests? {
    do throws(TreeFileError) {
      try requireTrustedDirectory()
    } catch {
      return nil
    }
    return SchemaDigestFile(in: directory, of: app)?.read()
  }

  /// Keeps the digests of an app's schemas, and how it reads others, for the next process of this
  /// build.
  ///
  /// Only programs that record call this, so that reading a store writes nothing to it. A failure
  /// is ignored, because the next process then composes the schemas again.
  package func keepSchemas<App: ReplayableApp>(of app: App.Type) {
    let schemas = schemas(of: app)
    guard mayWrite, schemas.isNew, let file = SchemaDigestFile(in: directory, of: app) else {
      return
    }
    do {
      try makeDirectory()
      if file.read() != schemas.digests { try file.write(schemas.digests) }
    } catch {}
  }
}

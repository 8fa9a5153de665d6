package import RetraceArchitecture
import RetraceAvro
import RetraceSystem

/// What a `SchemaDigestFile` keeps of the schemas of an app.
struct SchemaDigests: Hashable, Sendable {
  var action: AppSchemaDigests
  var stateFingerprint: Digest
  /// Of commands and of refusals; none if the app has no commands.
  var commands: [AppSchemaDigests] = []

  init(action: AppSchemaDigests, stateFingerprint: Digest) {
    self.action = action
    self.stateFingerprint = stateFingerprint
  }
}

/// The file in `derived/` with the digests of one app's schemas in one build of a program.
///
/// A process that finds it need not compose the schemas. Its name and its first bytes are made of
/// the build IDs of the program and its libraries and of the app's type, so that a program that was
/// built again does not find it. Programs without build IDs have no file.
struct SchemaDigestFile {
  static let prefix = "schemas-"
  /// The number of files that are kept for other builds and apps.
  static let othersMax = 7
  private static let bytesMax = 512

  let directory: String
  private let key: Digest

  /// Returns `nil` if this program has no build IDs.
  init?<App: ReplayableApp>(
    in directory: String, of app: App.Type, buildIDs: [UInt8]? = ThisProcess.buildIDs
  ) {
    guard let buildIDs else { return nil }
    var hasher = SHA256Hasher()
    // `String(reflecting:)` returns the same, after looking for conformances to several protocols.
    hasher.update("Retrace schemas 1\0\(_typeName(app))\0".utf8.span)
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

  /// Writes the file, and removes those of other builds and apps if they are many.
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

  /// The key, the digests, and the SHA-256 of both.
  func encode(_ digests: SchemaDigests) -> [UInt8] {
    var writer = AvroWriter(capacity: Self.bytesMax)
    writer.digest(key)
    writer.digest(digests.stateFingerprint)
    writer.long(Int64(digests.commands.count))
    for schema in [digests.action] + digests.commands {
      writer.digest(schema.fingerprint)
      writer.digest(schema.text)
      writer.long(Int64(schema.minViolationByteCount))
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
      try reader.finish()
      return digests
    } catch {
      return nil
    }
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

  /// Returns the digests that the directory keeps of an app's schemas.
  func schemaDigests<App: ReplayableApp>(of app: App.Type) -> SchemaDigests? {
    guard (try? FileSystem.exists(directory)) == true else { return nil }
    do throws(SystemError) {
      try requireTrustedDirectory()
    } catch {
      return nil
    }
    return SchemaDigestFile(in: directory, of: app)?.read()
  }

  /// Keeps the digests of an app's schemas for the next process of this build.
  ///
  /// Only programs that record call this, so that reading a store writes nothing to it. A failure
  /// is ignored, because the next process then composes the schemas again.
  package func keepSchemas<App: ReplayableApp>(of app: App.Type) {
    let schemas = schemas(of: app)
    guard mayWrite, schemas.isComposed, let file = SchemaDigestFile(in: directory, of: app) else {
      return
    }
    do throws(SystemError) {
      try makeDirectory()
      if file.read() != schemas.digests { try file.write(schemas.digests) }
    } catch {}
  }
}

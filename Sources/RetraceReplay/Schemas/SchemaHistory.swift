public import RetraceArchitecture
public import RetraceAvro
public import RetraceSchema
public import RetraceStorage
import RetraceSystem

/// The action schemas that an app was released with, kept beside its code: one file of JSON each,
/// named for its fingerprint.
///
/// A log holds the schemas that it was written under. The history holds those of every log that may
/// be out there, so that a change which would leave one of them unreadable is noticed before it is
/// released.
public struct SchemaHistory<App: ReplayableApp>: Sendable {
  /// A schema of the history.
  public struct Entry: Sendable {
    /// The name of the file.
    public let file: String
    /// The schema.
    public let schema: Schema
    /// What becomes of everything that was recorded under it.
    public let verdict: SchemaVerdict
  }

  /// The schemas in the order of their files' names.
  public let entries: [Entry]
  /// The fingerprint of the app's own action schema.
  public let current: Digest

  /// Whether the history holds the app's own action schema.
  public var holdsCurrent: Bool { entries.contains { $0.verdict == .same } }

  /// The schemas under which a log may hold what this build cannot read.
  public var unreadable: [Entry] { entries.filter { !$0.verdict.isReadable } }

  /// The most bytes of a schema's file.
  public static var fileBytesMax: Int { 16 << 20 }

  /// Reads the files of a folder whose names end in `.json`.
  ///
  /// - Complexity: O(bytes of the files).
  /// - Throws: `storageFailed` or another code of the system's when the folder cannot be read;
  ///   `damaged` when a file is no schema, or not the one that its name tells.
  public init(folder: String) throws(StoreError) {
    let own = App.Action.schema
    current = own.fingerprint(with: SHA256Hasher.self)
    let names: [String]
    do throws(SystemError) {
      names = try FileSystem.list(folder)
    } catch {
      throw Self.failed(error, folder)
    }
    var entries: [Entry] = []
    for name in names.sorted() where name.hasSuffix(".json") {
      let bytes: [UInt8]
      do throws(SystemError) {
        bytes = try FileSystem.readWhole("\(folder)/\(name)", limitBytes: Self.fileBytesMax)
      } catch {
        throw Self.failed(error, "\(folder)/\(name)")
      }
      do throws(AvroError) {
        let schema = try Schema(parsing: bytes.span)
        guard "\(schema.fingerprint(with: SHA256Hasher.self).hex).json" == name else {
          throw AvroError(.schema, at: 0, "it is not the schema that its name tells")
        }
        let verdict = try App.verdict(onActionsOf: schema)
        entries.append(Entry(file: name, schema: schema, verdict: verdict))
      } catch {
        throw StoreError(
          .damaged(sequence: 0), what: "The schema \(folder)/\(name) cannot be read.",
          why: "\(error).", advice: "Put the file back as it was committed.")
      }
    }
    self.entries = entries
  }

  /// Adds the app's own action schema to a folder that lacks it.
  ///
  /// A file of the same fingerprint that lacks the rules of types, because it was written before
  /// there were rules, is replaced; nothing else there is changed.
  ///
  /// - Returns: The name of the file, and whether it was written; it is on disk then.
  /// - Throws: `storageFailed` or another code of the system's.
  @discardableResult
  public static func write(to folder: String) throws(StoreError) -> (file: String, isNew: Bool) {
    let schema = App.Action.schema
    let name = "\(schema.fingerprint(with: SHA256Hasher.self).hex).json"
    let path = "\(folder)/\(name)"
    do throws(SystemError) {
      try FileSystem.makeDirectories(folder, mode: 0o755)
      let text = [UInt8]((schema.json.text(indented: true) + "\n").utf8)
      if try FileSystem.exists(path) {
        let bytes = try FileSystem.readWhole(path, limitBytes: Self.fileBytesMax)
        guard let known = try? Schema(parsing: bytes.span),
          (try? App.verdict(onActionsOf: known)) != .same
        else { return (name, false) }
        try FileSystem.unlink(path)
      }
      let file = try OpenFile.open(path, [.write, .create, .exclusive], mode: 0o644)
      try file.write(text.span, at: 0)
      try file.synchronize()
      try FileSystem.syncDirectory(folder)
      return (name, true)
    } catch {
      throw failed(error, path)
    }
  }

  private static func failed(_ error: SystemError, _ path: String) -> StoreError {
    StoreError(
      .storageFailed, what: "The history of schemas at \(path) was not read or written.",
      why: "The system refused a call.",
      advice: "Name a folder that can be read and written.", underlying: "\(error)")
  }
}

public import Retrace
public import RetraceStorage
import RetraceSystem

/// The action schemas that an app was released with, kept beside its code: one JSON file each, of
/// one line, named by its fingerprint.
///
/// A log holds the schemas that it was written under. The history holds the schemas of every log in
/// use, so that a change that makes one of them unreadable is noticed before the release.
///
/// ```swift
/// let history = try SchemaHistory<CounterApp>(folder: path)
/// print(history.containsCurrent, history.unreadable.map(\.file))
/// ```
public struct SchemaHistory<App: ReplayableApp>: Sendable {
  /// A schema of the history.
  public struct Entry: Sendable {
    /// The name of the file.
    public let file: String
    /// The schema.
    public let schema: Schema
    /// The verdict on everything recorded under it.
    public let verdict: SchemaVerdict
  }

  /// The schemas in the order of their file names.
  public let entries: [Entry]
  /// The fingerprint of the app's own action schema.
  public let current: Digest

  /// Whether the history contains the app's own action schema.
  public var containsCurrent: Bool { entries.contains { $0.verdict == .same } }

  /// The schemas under which a log may hold data that this build cannot read.
  public var unreadable: [Entry] { entries.filter { !$0.verdict.isReadable } }

  /// The largest size of a schema file, in bytes.
  public static var fileBytesMax: Int { 16 << 20 }

  /// Reads the files of a folder whose names end in `.json`.
  ///
  /// - Complexity: O(bytes of the files).
  /// - Throws: `storageFailed` when the folder or a file cannot be read; `damaged` when a file is
  ///   not a schema, or not the one that its name says.
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
          throw AvroError(.schema, at: 0, "the fingerprint does not match the file's name")
        }
        let verdict = try App.verdict(onActionsOf: schema)
        entries.append(Entry(file: name, schema: schema, verdict: verdict))
      } catch {
        throw StoreError(
          .damaged(sequence: 0), what: "The schema \(folder)/\(name) cannot be read.",
          why: "\(error).", advice: "Restore the file from version control.")
      }
    }
    self.entries = entries
  }

  /// Adds the app's own action schema to a folder that lacks it.
  ///
  /// Also replaces a file of the same fingerprint that an earlier version wrote without the rules
  /// that restrict types (see `Recordable.recordedRule`). Nothing else in the folder changes.
  ///
  /// - Returns: The name of the file, and whether it was written. The file is synced to disk.
  /// - Throws: `storageFailed`.
  @discardableResult
  public static func write(to folder: String) throws(StoreError) -> (file: String, isNew: Bool) {
    let schema = App.Action.schema
    let name = "\(schema.fingerprint(with: SHA256Hasher.self).hex).json"
    let path = "\(folder)/\(name)"
    do throws(SystemError) {
      try FileSystem.makeDirectories(folder, mode: 0o755)
      let text = [UInt8]((schema.text + "\n").utf8)
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
      .storageFailed, what: "The schema history \(path) could not be read or written.",
      why: "A system call failed.",
      advice: "Give a folder that can be read and written.", underlying: "\(error)")
  }
}

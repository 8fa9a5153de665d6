public import RetraceAvro

/// A value from outside the state, and the progress of loading it.
///
/// ```swift
/// let text: Loadable<String> = .loaded("tea")
/// let shown =
///   switch text {
///   case .nothing, .loading: ""
///   case .loaded(let text): text
///   case .failed(let reason): "not loaded: \(reason)"
///   }
/// print(shown)
/// ```
public enum Loadable<Value: Recordable>: Sendable {
  /// The value was not requested.
  case nothing
  /// The value was requested and has not arrived.
  case loading
  /// The value has arrived.
  case loaded(Value)
  /// The value could not be loaded; the text tells a person why.
  case failed(String)

  /// The value, if it has arrived.
  public var value: Value? {
    if case .loaded(let value) = self { return value }
    return nil
  }

  /// Whether the value was requested and has not arrived.
  public var isLoading: Bool {
    if case .loading = self { return true }
    return false
  }
}

extension Loadable: Equatable where Value: Equatable {}
extension Loadable: Hashable where Value: Hashable {}

extension Loadable: Recordable {
  /// `Loadable`, joined with the name of the value's type.
  public static var recordedName: String { "Loadable__" + Value.recordedName }

  /// `Loadable`, joined with the former names of the value's type.
  public static var recordedAliases: [String] {
    _RecordedNames.aliases(of: "Loadable", formerly: [], with: [Value._recordedNames])
  }

  /// Returns a record with one field, `case`: a union of a record for each case.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { composer in
      let loaded = Schema.Field("value", composer.schema(of: Value.self))
      let cases: [(String, [Schema.Field])] = [
        ("nothing", []), ("loading", []), ("loaded", [loaded]),
        ("failed", [Schema.Field("reason", .string)]),
      ]
      var branches: [Schema] = []
      for (name, fields) in cases {
        let aliases = _RecordedNames.aliases(of: name, formerly: [], in: Self.self)
        branches.append(
          composer.caseRecord("\(recordedName)_\(name)", aliases: aliases, fields))
      }
      return .record(
        name: recordedName, aliases: recordedAliases,
        fields: [Schema.Field("case", .union(branches))])
    }
  }

  /// Writes the index of the case and its payload.
  public func encode(into writer: inout AvroWriter) {
    switch self {
    case .nothing: writer.branch(0)
    case .loading: writer.branch(1)
    case .loaded(let value):
      writer.branch(2)
      value.encode(into: &writer)
    case .failed(let reason):
      writer.branch(3)
      writer.string(reason)
    }
  }

  /// Reads the index of the case and its payload.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    switch try reader.branch(count: 4) {
    case 0: self = .nothing
    case 1: self = .loading
    case 2: self = .loaded(try Value(decoding: &reader))
    default: self = .failed(try reader.string())
    }
  }
}

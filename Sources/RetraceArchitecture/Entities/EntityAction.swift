public import RetraceAvro

/// The actions of an app whose domain is a list of entities; see ``EntityApp``.
@frozen
public enum EntityAction<SceneAction: Recordable & Equatable, List: EntityList>: Equatable, Composed
{
  /// What happened in a scene.
  case scene(SceneAction)
  /// What a decider returned.
  case fact(EntityFact<List.Edit>)
  /// The answer of an effect that asks for a command; no record has it.
  case request(List.Command)

  /// The names of the cases.
  public struct Parts {
    /// The name of `scene`.
    public var scene: _scene { _scene() }
    /// The name of `fact`.
    public var fact: _fact { _fact() }
    /// The name of `request`.
    public var request: _request { _request() }

    /// The case of scene actions.
    public struct _scene: EnumCase {
      /// The name without the name of the enum.
      public static var typeName: String { "RetraceArchitecture.EntityAction._scene" }
      /// Returns the scene action.
      @inlinable
      public static func extract(_ whole: EntityAction) -> SceneAction? {
        if case .scene(let value) = whole { value } else { nil }
      }
      /// Returns the action of a scene action.
      @inlinable
      public static func embed(_ value: SceneAction) -> EntityAction { .scene(value) }
    }

    /// The case of facts.
    public struct _fact: EnumCase {
      /// The name without the name of the enum.
      public static var typeName: String { "RetraceArchitecture.EntityAction._fact" }
      /// Returns the fact.
      @inlinable
      public static func extract(_ whole: EntityAction) -> EntityFact<List.Edit>? {
        if case .fact(let value) = whole { value } else { nil }
      }
      /// Returns the action of a fact.
      @inlinable
      public static func embed(_ value: EntityFact<List.Edit>) -> EntityAction { .fact(value) }
    }

    /// The case of commands that effects ask for.
    public struct _request: EnumCase {
      /// The name without the name of the enum.
      public static var typeName: String { "RetraceArchitecture.EntityAction._request" }
      /// Returns the command.
      @inlinable
      public static func extract(_ whole: EntityAction) -> List.Command? {
        if case .request(let value) = whole { value } else { nil }
      }
      /// Returns the action that asks for a command.
      @inlinable
      public static func embed(_ value: List.Command) -> EntityAction { .request(value) }
    }
  }
}

// Written by hand, because the name lacks the name of the commands: a type of commands may be
// renamed.
extension EntityAction: Recordable {
  /// `EntityAction`, joined with the names of the scene actions and of the edits.
  public static var recordedName: String {
    "EntityAction__\(SceneAction.recordedName)__\(List.Edit.recordedName)"
  }

  /// `EntityAction`, joined with the former names of the scene actions and of the edits.
  public static var recordedAliases: [String] {
    _RecordedNames.aliases(
      of: "EntityAction", formerly: [],
      with: [SceneAction._recordedNames, List.Edit._recordedNames])
  }

  /// Returns a record of one union of the three cases.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { composer in
      func record(_ name: String, _ payload: Schema) -> Schema {
        composer.caseRecord(
          "\(recordedName)_\(name)",
          aliases: _RecordedNames.aliases(of: name, formerly: [], in: Self.self),
          [Schema.Field("_0", payload)])
      }
      let scene = record("scene", composer.schema(of: SceneAction.self))
      let fact = record("fact", composer.schema(of: EntityFact<List.Edit>.self))
      let request = record("request", composer.schema(of: List.Command.self))
      return .record(
        name: recordedName, aliases: recordedAliases,
        fields: [Schema.Field("case", .union([scene, fact, request]))])
    }
  }

  /// Writes the case, then its payload.
  @inlinable
  public func encode(into writer: inout AvroWriter) {
    switch self {
    case .scene(let action):
      writer.branch(0)
      action.encode(into: &writer)
    case .fact(let fact):
      writer.branch(1)
      fact.encode(into: &writer)
    case .request(let command):
      writer.branch(2)
      command.encode(into: &writer)
    }
  }

  /// Reads the case, then its payload.
  @inlinable
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    switch try reader.branch(count: 3) {
    case 0: self = .scene(try reader.read())
    case 1: self = .fact(try reader.read())
    default: self = .request(try reader.read())
    }
  }
}

public import RetraceAvro
import RetraceLog

/// The constants and the schema of a bundle.
public enum BundleFormat {
  /// The version of the format, as the header of the file has it.
  public static var version: String { "1" }
  /// The name under which the header of the file has the version.
  public static var versionName: String { "retrace.bundle" }
  /// The largest number of schemas in a bundle.
  public static var schemasMax: Int { 4_096 }
  /// The largest size of a schema in a bundle, in bytes.
  ///
  /// A parsed schema takes many times the memory of its text.
  public static var schemaBytesMax: Int { 1 << 20 }
  /// The largest number of time zone files in a bundle.
  public static var zonesMax: Int { 1_024 }
  /// The largest number of fields that a header lists.
  public static var allowedMax: Int { 4_096 }
  /// The largest size of the message of a header, in bytes.
  public static var messageBytesMax: Int { 1 << 16 }
  /// The number of bytes at the end of a bundle that its hash does not cover: the hash and the
  /// marker of the file.
  static var uncoveredBytes: Int { Digest.byteCount + 16 }

  /// The schema of the items: a union of five records.
  public static var schema: Schema { schema(hasMessage: true) }

  /// The schema of the items, as it is, or as it was when headers had no message.
  static func schema(hasMessage: Bool) -> Schema {
    let message = hasMessage ? [Schema.Field("message", .string)] : []
    let digest = Schema.fixed(name: "Digest", size: Digest.byteCount)
    return .union([
      .record(
        name: "Header",
        fields: [
          Schema.Field("app", .string),
          Schema.Field("store", .fixed(name: "StoreID", size: StoreID.byteCount)),
          Schema.Field("logVersion", .int),
          Schema.Field(
            "contents",
            .enumeration(
              name: "Contents", symbols: BundleHeader.Contents.allCases.map { $0.symbol })),
          Schema.Field("allowed", .array(.string)),
        ] + message),
      .record(
        name: "StoredSchema",
        fields: [
          Schema.Field(
            "kind",
            .enumeration(
              name: "SchemaKind", symbols: BundleSchemaKind.allCases.map { $0.symbol })),
          Schema.Field("number", .long),
          Schema.Field("json", .string),
        ]),
      .record(
        name: "ZoneFile",
        fields: [Schema.Field("name", .string), Schema.Field("file", .bytes)]),
      .record(
        name: "Block", fields: [Schema.Field("first", .long), Schema.Field("block", .bytes)]),
      .record(
        name: "Trailer",
        fields: [
          Schema.Field("schemas", .long),
          Schema.Field("zones", .long),
          Schema.Field("blocks", .long),
          Schema.Field("records", .long),
          Schema.Field("moment", .long),
          Schema.Field("lastBlock", .long),
          Schema.Field("chain", digest),
          Schema.Field("hash", .reference("Digest")),
        ]),
    ])
  }

  /// The branches of the union, in order.
  enum Branch: Int, CaseIterable {
    case header
    case schema
    case zone
    case block
    case trailer
  }
}

/// The kinds of schemas in a bundle.
public enum BundleSchemaKind: Int, CaseIterable, Hashable, Sendable {
  /// A schema of actions, by its number in the log.
  case action
  /// A schema of commands or refusals, by its number in the log.
  case command
  /// The schema of the state of the build that wrote the bundle; its number is 1.
  case state

  /// The name in the schema of the file.
  var symbol: String {
    switch self {
    case .action: "action"
    case .command: "command"
    case .state: "state"
    }
  }
}

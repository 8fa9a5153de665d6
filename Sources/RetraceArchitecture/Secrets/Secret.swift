public import RetraceAvro

/// A surrogate that actions and states hold in place of a plain secret.
///
/// It holds the length of the plain value (up to 64), its classes of characters, the results of
/// declared rules, and a short seal made with a key of the process. Reducers see nothing else, so
/// replay computes the same states. The plain value stays in a ``SecretVault`` of the process.
public struct Secret: Hashable, Sendable {
  /// The number of bytes of the plain value, at most 64.
  public let length: Int
  /// The classes of characters in the plain value.
  public let classes: CharacterClasses
  /// The result of each declared rule, in the order of the rules.
  public let findings: [Finding]
  /// The first 8 bytes of HMAC-SHA256 under the key of the process that sealed the value.
  ///
  /// Equal seals mean equal plain values within a process and nothing across processes.
  public let seal: UInt64

  /// The greatest length that a surrogate reports.
  public static var lengthMax: Int { 64 }

  init(length: Int, classes: CharacterClasses, findings: [Finding], seal: UInt64) {
    self.length = min(max(0, length), Secret.lengthMax)
    self.classes = classes
    self.findings = findings
    self.seal = seal
  }

  /// Whether the plain value is empty.
  public var isEmpty: Bool { length == 0 }

  /// Returns the result of a rule, or `nil` if no rule of that name was declared.
  public func finding(_ name: String) -> Bool? {
    findings.first { $0.name.utf8.elementsEqual(name.utf8) }?.holds
  }

  /// The result of one rule.
  public struct Finding: Hashable, Sendable {
    /// The name of the rule.
    public let name: String
    /// Whether the rule holds for the plain value.
    public let holds: Bool
  }

  /// Classes of characters, as used to judge passwords.
  public struct CharacterClasses: OptionSet, Hashable, Sendable {
    /// One bit for each class.
    public let rawValue: UInt8

    /// Creates a set from its bits; bits of no class are dropped.
    public init(rawValue: UInt8) { self.rawValue = rawValue & 0x1f }

    /// `a` to `z`.
    public static let lowercase = CharacterClasses(rawValue: 1)
    /// `A` to `Z`.
    public static let uppercase = CharacterClasses(rawValue: 2)
    /// `0` to `9`.
    public static let digits = CharacterClasses(rawValue: 4)
    /// All other ASCII characters: spaces, punctuation, controls.
    public static let symbols = CharacterClasses(rawValue: 8)
    /// All characters beyond ASCII.
    public static let other = CharacterClasses(rawValue: 16)
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible {
  /// The word `Secret` and nothing else.
  public var description: String { "Secret" }
  /// The word `Secret` and nothing else.
  public var debugDescription: String { "Secret" }
}

extension Secret: Recordable {
  /// The name of the record.
  public static var recordedName: String { "Secret" }

  /// Returns a record of `length`, `classes`, `findings` and `seal`.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { composer in
      let finding = composer.named("Secret.Finding", for: Finding.self) { _ in
        .record(
          name: "Secret.Finding",
          fields: [Schema.Field("name", .string), Schema.Field("holds", .boolean)])
      }
      let seal = composer.named("Secret.Seal") { _ in .fixed(name: "Secret.Seal", size: 8) }
      return .record(
        name: recordedName,
        fields: [
          Schema.Field("length", .int), Schema.Field("classes", .int),
          Schema.Field("findings", .array(finding)), Schema.Field("seal", seal),
        ])
    }
  }

  /// Writes the surrogate; there is no plain value to write.
  public func encode(into writer: inout AvroWriter) {
    writer.long(Int64(length))
    writer.long(Int64(classes.rawValue))
    writer.beginBlocks(count: findings.count)
    for finding in findings {
      writer.string(finding.name)
      writer.boolean(finding.holds)
    }
    writer.endBlocks()
    writer.littleEndian(seal)
  }

  /// Reads a surrogate; throws if its length or classes are out of range.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    let start = reader.offset
    let length = try reader.int()
    let classes = try reader.int()
    guard 0...Int32(Secret.lengthMax) ~= length && 0...0x1f ~= classes else {
      throw AvroError(.outOfRange, at: start, "Secret")
    }
    var findings: [Finding] = []
    let count = try reader.beginBlocks()
    if count > 0 {
      for _ in 0..<count {
        findings.append(Finding(name: try reader.string(), holds: try reader.boolean()))
      }
      try reader.endBlocks()
    }
    self.init(
      length: Int(length), classes: CharacterClasses(rawValue: UInt8(classes)),
      findings: findings, seal: try reader.littleEndian64())
  }
}

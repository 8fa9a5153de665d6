import Retrace
import RetraceStorage

/// Classifies the records of a log by type, mostly without decoding them.
struct RecordClassifier {
  /// The types in the order of their first occurrence.
  private(set) var names: [String] = []
  private(set) var bytes: [[UInt32]] = []
  private(set) var types: [UInt16] = []

  private struct TypeKey: Hashable {
    var schema: UInt32
    var caseKey: UInt64
  }

  private var numbers: [String: UInt16] = [:]
  private var typesByKey: [TypeKey: UInt16] = [:]
  private var kinds: [RecordKind: UInt16] = [:]
  private var codecs: [UInt32: SchemaCodec] = [:]

  /// The largest number of types; all later ones are counted as one type, `others`.
  static var typesMax: Int { 4_096 }

  mutating func reserve(_ records: Int) { types.reserveCapacity(records) }

  /// Adds the next record.
  ///
  /// - Throws: `damaged` if its payload does not match its schema.
  mutating func classify(
    _ record: borrowing RecordCursor, in view: borrowing ReadView
  ) throws(StoreError) {
    let type = try type(of: record, in: view)
    types.append(type)
    bytes[Int(type)].append(UInt32(clamping: record.recordEnd - record.recordStart))
  }

  private mutating func type(
    of record: borrowing RecordCursor, in view: borrowing ReadView
  ) throws(StoreError) -> UInt16 {
    guard record.kind == .action else {
      if let known = kinds[record.kind] { return known }
      let type = number(of: "\(record.kind)")
      kinds[record.kind] = type
      return type
    }
    let codec = try codec(record.schema, of: record.sequence, in: view)
    do throws(AvroError) {
      guard let caseKey = try codec.caseKey(in: record.payload) else {
        return number(of: codec.caseName(of: try codec.decode(record.payload)) ?? "action")
      }
      let key = TypeKey(schema: record.schema, caseKey: caseKey)
      if let known = typesByKey[key] { return known }
      let type = number(of: codec.caseName(of: try codec.decode(record.payload)) ?? "action")
      typesByKey[key] = type
      return type
    } catch {
      throw StoreError.damaged(sequence: record.sequence, payload: error)
    }
  }

  private mutating func number(of name: String) -> UInt16 {
    if let known = numbers[name] { return known }
    guard names.count < Self.typesMax || numbers["others"] == nil else {
      return numbers["others"] ?? 0
    }
    let name = names.count < Self.typesMax ? name : "others"
    let number = UInt16(names.count)
    numbers[name] = number
    names.append(name)
    bytes.append([])
    return number
  }

  private mutating func codec(
    _ schema: UInt32, of sequence: UInt64, in view: borrowing ReadView
  ) throws(StoreError) -> SchemaCodec {
    if let known = codecs[schema] { return known }
    let stored = try view.parsedSchema(schema, of: sequence)
    do throws(AvroError) {
      let codec = try SchemaCodec(stored)
      codecs[schema] = codec
      return codec
    } catch {
      throw StoreError.damaged(sequence: sequence, schema: error)
    }
  }
}

import Retrace

/// A schema compiled for writing values as JSON without decoding them first.
///
/// The JSON is as `SchemaCodec.json(_:)` makes it, inside a text of a format. Nodes refer to others
/// by index, and all pieces of text are in one array, so that writing a value retains nothing.
struct PayloadProgram: Sendable {
  enum Kind: Sendable {
    case null, boolean, int, long, float, double, bytes, string
    /// A number of bytes: ``Node/count``.
    case fixed
    /// An enum of Avro; the piece of a child is the symbol with quotation marks.
    case symbols
    case array, map
    /// A union of null and one type.
    case optional
    /// Another union; the piece of a child is the beginning of an object, or empty for null.
    case union
    /// A Swift enum; the piece of a child is the beginning of an object.
    case cases
    /// The id of an entity; the only child has the name of the entity.
    case id
    /// A record; the piece of a child is what precedes the value of the field.
    case record
  }

  struct Node: Sendable {
    var kind: Kind
    /// The index of the first child.
    var first = 0
    /// The number of children.
    var count = 0
  }

  struct Child: Sendable {
    /// The index of the node; -1 without one.
    var node: Int
    var piece = 0..<0
    /// The name of a case or of an entity.
    var name = 0..<0
  }

  fileprivate(set) var nodes: [Node] = []
  fileprivate(set) var children: [Child] = []
  fileprivate(set) var texts: [UInt8] = []
  private(set) var root = 0

  /// Compiles a schema.
  ///
  /// - Complexity: O(parts of the schema).
  /// - Throws: `AvroError` if a name in the schema is not defined, or is defined twice.
  init(_ schema: Schema, _ format: FlatFormat) throws(AvroError) {
    let codec = try SchemaCodec(schema)
    var compiler = ProgramCompiler(codec: codec, format: format, program: self)
    root = compiler.compile(schema)
    let root = root
    self = compiler.program
    self.root = root
  }
}

private struct ProgramCompiler {
  let codec: SchemaCodec
  let format: FlatFormat
  var program: PayloadProgram
  private var named: [String: Int] = [:]

  init(codec: SchemaCodec, format: FlatFormat, program: PayloadProgram) {
    self.codec = codec
    self.format = format
    self.program = program
  }

  /// Returns the index of the node of a type.
  mutating func compile(_ schema: Schema) -> Int {
    switch schema {
    case .null: add(.null)
    case .boolean: add(.boolean)
    case .int: add(.int)
    case .long: add(.long)
    case .float: add(.float)
    case .double: add(.double)
    case .bytes: add(.bytes)
    case .string: add(.string)
    case .logical(_, let base), .ruled(_, let base): compile(base)
    case .reference(let name):
      // The codec has checked that the name is defined.
      named[name] ?? codec.definitions[name].map { compile($0) } ?? add(.null)
    case .array(let items): add(.array, [PayloadProgram.Child(node: compile(items))])
    case .map(let values): add(.map, [PayloadProgram.Child(node: compile(values))])
    case .fixed(let name, _, let size): define(name, .fixed) { _ in ([], size) }
    case .enumeration(let name, _, let symbols, _):
      define(name, .symbols) { compiler in
        let children = symbols.map { symbol in
          PayloadProgram.Child(
            node: -1, piece: compiler.text(json: JSONValue.string(symbol).text()),
            name: compiler.text(symbol))
        }
        return (children, children.count)
      }
    case .union(let branches): compile(union: branches)
    case .record(let name, _, let fields): compile(record: name, fields)
    }
  }

  private mutating func compile(union branches: [Schema]) -> Int {
    let isOptional = branches.count == 2 && branches.contains(.null)
    let children = branches.map { branch in
      let node = compile(branch)
      guard !isOptional, branch != .null else { return PayloadProgram.Child(node: node) }
      return PayloadProgram.Child(node: node, piece: beginning(of: branch.branchName, "{"))
    }
    return add(isOptional ? .optional : .union, children)
  }

  private mutating func compile(record name: String, _ fields: [Schema.Field]) -> Int {
    if fields.count == 1, fields[0].name == "value", fields[0].type == .long {
      let entity = name.hasSuffix("ID") && name.utf8.count > 2 ? String(name.dropLast(2)) : name
      return define(name, .id) { compiler in
        ([PayloadProgram.Child(node: -1, name: compiler.text(entity))], 1)
      }
    }
    if fields.count == 1, fields[0].name == "case", case .union(let branches) = fields[0].type {
      return define(name, .cases) { compiler in
        let children = branches.map { branch in
          let label = branch.caseLabel(of: name)
          let node = compiler.compile(branch)
          return PayloadProgram.Child(
            node: node, piece: compiler.beginning(of: label, "{"), name: compiler.text(label))
        }
        return (children, children.count)
      }
    }
    return define(name, .record) { compiler in
      let children = fields.enumerated().map { index, field in
        let node = compiler.compile(field.type)
        return PayloadProgram.Child(
          node: node, piece: compiler.beginning(of: field.name, index == 0 ? "{" : ","))
      }
      return (children, children.count)
    }
  }

  /// Adds a node, whose index is known to its children, because a type can contain itself.
  private mutating func define(
    _ name: String, _ kind: PayloadProgram.Kind,
    _ body: (inout ProgramCompiler) -> (children: [PayloadProgram.Child], count: Int)
  ) -> Int {
    let index = add(kind)
    named[name] = index
    let (children, count) = body(&self)
    program.nodes[index].first = program.children.count
    program.nodes[index].count = count
    program.children += children
    return index
  }

  private mutating func add(
    _ kind: PayloadProgram.Kind, _ children: [PayloadProgram.Child] = []
  ) -> Int {
    program.nodes.append(
      PayloadProgram.Node(kind: kind, first: program.children.count, count: children.count))
    program.children += children
    return program.nodes.count - 1
  }

  /// Adds the beginning of an object, or of a further member: `{"name":` or `,"name":`.
  private mutating func beginning(of name: String, _ sign: String) -> Range<Int> {
    text(json: "\(sign)\(JSONValue.string(name).text()):")
  }

  private mutating func text(json: String) -> Range<Int> { add(format.escaped(json: json)) }

  private mutating func text(_ text: String) -> Range<Int> { add(format.escaped(text)) }

  private mutating func add(_ bytes: [UInt8]) -> Range<Int> {
    let start = program.texts.count
    program.texts += bytes
    return start..<program.texts.count
  }
}

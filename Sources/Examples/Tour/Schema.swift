import Counter
import Retrace

/// Writes actions into an Avro object container file, which other programs can read.
func containerFile(of actions: [CounterAction]) -> [UInt8] {
  let marker = (0..<ContainerWriter.markerByteCount).map { _ in UInt8.random(in: .min ... .max) }
  var writer = ContainerWriter(schema: CounterAction.schema, marker: marker)
  for action in actions { writer.append(action) }
  writer.closeBlock()
  var file: [UInt8] = []
  writer.drain { bytes in
    for index in bytes.indices { file.append(bytes[index]) }
  }
  return file
}

/// Reads the actions of a container file.
func actions(inContainerFile file: [UInt8]) throws(AvroError) -> [CounterAction] {
  var reader = try ContainerReader(file.span)
  var actions: [CounterAction] = []
  while let action = try reader.next(as: CounterAction.self) { actions.append(action) }
  return actions
}

/// Returns the reasons why actions recorded under a schema cannot be read, if there are any.
func obstacles(of schema: Schema) throws(AvroError) -> [String] {
  let verdict: SchemaVerdict = try CounterApp.verdict(onActionsOf: schema)
  guard !verdict.isReadable else { return [] }
  return verdict.differences.map { (difference: SchemaDifference) in difference.description }
}

/// The error of an action that this build cannot read.
struct UnreadableAction: Error {
  /// The part that cannot be read.
  var difference: SchemaDifference
  /// The cases around it, for which the app could have an upcaster.
  var cases: [CaseName]
}

/// Reads an action that was recorded under an older schema.
func action(_ bytes: [UInt8], recordedUnder schema: Schema) throws -> CounterAction {
  let resolver = try SchemaResolver(writer: schema, reader: CounterAction.schema)
  var writer = AvroWriter()
  let outcome: SchemaResolver.Outcome = try resolver.resolve(bytes.span, into: &writer)
  switch outcome {
  case .resolved:
    var reader = AvroReader(resolved: writer.span, inputByteCount: bytes.count)
    let action: CounterAction = try reader.read()
    try reader.finish()
    return action
  case .unresolved(let difference, let cases):
    throw UnreadableAction(
      difference: difference,
      cases: cases.map { (around: SchemaResolver.UnresolvedCase) in around.name })
  }
}

/// Returns the paths of the parts in which two actions differ.
func changedPaths(from old: CounterAction, to new: CounterAction) throws(AvroError) -> [String] {
  let codec = try SchemaCodec(CounterAction.schema)
  let (before, after) = (old.encoded(), new.encoded())
  let differences: [ValueDifference] = codec.differences(
    from: try codec.decode(before.span), to: try codec.decode(after.span))
  return differences.map(\.path)
}

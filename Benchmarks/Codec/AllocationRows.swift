import CAllocations
import Figures
import RetraceArchitecture
import RetraceAvro
import Workload

/// Registers the rows of allocations; each round first checks the counter with a known number.
func registerAllocationRows() {
  figure(
    Row(
      "allocations of encode", input: Actions.codecInput, unit: .counted("per action"),
      limit: "0: the writer has room", target: .atMost(0))
  ) {
    try checkCounter()
    let actions = Actions.codec
    var writer = AvroWriter(capacity: actions.bytes.count + 64)
    let before = allocations_counted()
    actions.borrowable.forEach { element, _ in element.value.encode(into: &writer) }
    let counted = allocations_counted() - before
    return Counted(
      Double(counted) / Double(actions.count), operations: actions.count,
      checksum: checksum(writer.bytes))
  }
  figure(
    Row(
      "allocations of decode", input: Actions.codecInput, unit: .counted("per action"),
      limit: "one for each text over 15 bytes and each list")
  ) { try decodeCounting { counted, _ in counted } }
  figure(
    Row(
      "allocations of decode, not counting strings over 15 bytes and lists",
      input: Actions.codecInput, unit: .counted("per action"), limit: "0", target: .atMost(0))
  ) { try decodeCounting { counted, needed in counted - needed } }
}

/// Counts the allocations of decoding all actions, and those that hold the decoded values.
private func decodeCounting(_ figure: (Double, Double) -> Double) throws -> Counted {
  try checkCounter()
  let actions = Actions.codec
  var decoded: [WorkloadAction] = []
  decoded.reserveCapacity(actions.values.count)
  let before = allocations_counted()
  try actions.forEachSpan { decoded.append(try WorkloadAction(encoded: $0)) }
  let counted = allocations_counted() - before
  let needed = decoded.reduce(0) { $0 + allocationCount(of: $1) }
  let count = Double(actions.count)
  return Counted(
    figure(Double(counted) / count, Double(needed) / count), operations: actions.count,
    checksum: checksum(of: decoded))
}

/// Returns the number of allocations that hold the value of an action: one for each string that is
/// too long to be stored inline, one for each list that is not empty.
private func allocationCount(of action: WorkloadAction) -> Int {
  var count = 0
  var rest: [Any] = [action]
  while let value = rest.popLast() {
    switch value {
    case let text as String: count += text.utf8.count > 15 ? 1 : 0
    case let tags as [TagID]: count += tags.isEmpty ? 0 : 1
    default: rest += Mirror(reflecting: value).children.map(\.value)
    }
  }
  return count
}

private final class Known {}

/// Allocates a known number of objects and compares it with the count.
private func checkCounter() throws {
  let known = 1_000
  var kept: [Known] = []
  kept.reserveCapacity(known)
  let before = allocations_counted()
  for _ in 0..<known { kept.append(Known()) }
  let counted = allocations_counted() - before
  guard counted == UInt64(kept.count) else {
    throw FiguresError("\(known) allocations were counted as \(counted)")
  }
}

import Retrace
import RetraceStorage
package import RetraceToolSupport

extension RecordOptions {
  /// Prints the selected records in the intact blocks of a damaged store, one per line.
  ///
  /// A record that the chain does not cover is marked.
  ///
  /// - Parameters:
  ///   - path: The directory of the store.
  ///   - newest: The number of records to print, the newest; `nil` for all of them.
  ///   - asJSON: Whether each is printed as a JSON object.
  /// - Complexity: As `LogStorage.forEachIntactRecord(at:_:)`; memory for the newest records.
  /// - Throws: A failure if records are missing or not covered by the chain, after the list;
  ///   usage failures.
  package func printIntact(
    at path: String, newest: UInt64?, asJSON: Bool
  ) throws(ToolFailure) {
    guard mentions == nil, filter == nil else {
      throw .usage(
        "--salvage takes neither --mentions nor --filter.",
        advice: "Select records by sequence, session, kind, action and time.")
    }
    let selection = try selectionBySequence()
    let kept = newest.map { Int(clamping: $0) }
    let output = Output.standard
    output.startBuffering()
    var codecs = PayloadCodecs()
    var (left, unchained) = (selection.limit, 0)
    var last: [(record: RecordDescription, isChained: Bool)] = []
    let missing = try orFail(
      try LogStorage.forEachIntactRecord(at: path) { record, payload, schemas in
        if !record.isChained { unchained += 1 }
        let sequence = record.envelope.sequence
        guard left > 0, selection.first <= sequence, sequence <= selection.last,
          selection.accepts(record.envelope)
        else { return true }
        let found = RecordDescription(record, payload, &codecs, schemas)
        guard selection.accepts(found) else { return true }
        guard let kept else {
          left -= 1
          found.print(on: output, asJSON: asJSON, isChained: record.isChained)
          return !output.hasFailed
        }
        last.append((found, record.isChained))
        if last.count / 2 > kept { last.removeFirst(last.count - kept) }
        return true
      })
    for (record, isChained) in last.suffix(kept ?? 0).prefix(selection.limit) {
      record.print(on: output, asJSON: asJSON, isChained: isChained)
    }
    guard unchained > 0 || !missing.isEmpty else { return }
    throw Self.damage(of: path, unchained, missing)
  }

  private static func damage(
    of path: String, _ unchained: Int, _ missing: [ClosedRange<UInt64>]
  ) -> ToolFailure {
    let ranges = missing.map { range in
      range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
    }
    let lost = missing.isEmpty ? "" : "Missing are the records \(ranges.joined(separator: ", ")). "
    return ToolFailure(
      what: "The store \(path) is damaged.",
      why: "\(lost)The chain does not cover \(unchained) of the intact records.",
      advice: "Keep a copy of the directory. `\(ToolProcess.replay) salvage` copies the records "
        + "that it covers.",
      exitCode: ToolExit.damaged)
  }
}

extension RecordDescription {
  /// Prints a record of a damaged store.
  fileprivate func print(on output: Output, asJSON: Bool, isChained: Bool) {
    guard asJSON, case .object(let members) = json else {
      return output.print(line + (isChained ? "" : "  (not covered by the chain)"))
    }
    output.print(.object(members + [.init("isChained", .bool(isChained))]))
  }
}

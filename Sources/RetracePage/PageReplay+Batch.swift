import Retrace

extension PageReplay {
  /// Returns the batch of a record, and the values of it that can be edited.
  mutating func batch(of sequence: UInt64) throws(PageFailure) -> JSONValue {
    let records = try log.batch(of: sequence)
    let kind = try log.withRecord(at: records.lowerBound) { (record) throws(PageFailure) in
      record.kind
    }
    var leaves: [EditableValue.Leaf] = []
    let edited = kind == .command ? records.lowerBound : sequence
    if let value = try editable(at: edited) { leaves = value.leaves }
    return [
      "first": .integer(Int64(clamping: records.lowerBound)),
      "last": .integer(Int64(clamping: records.upperBound)),
      "isChangeable": .bool(kind == .command || kind == .action),
      "edited": .integer(Int64(clamping: edited)),
      "values": .array(
        leaves.map { leaf in
          [
            "path": .array(leaf.path.map { .integer(Int64($0)) }),
            "name": .string(SafeText.line(leaf.name)), "value": leaf.value,
          ]
        }),
    ]
  }

  /// Returns a command or an action; `nil` for another record, and for one that this build cannot
  /// read or decide again.
  private func editable(at sequence: UInt64) throws(PageFailure) -> EditableValue? {
    let plan = folds.plan
    let log = log
    return try log.withRecord(at: sequence) { (record) throws(PageFailure) -> EditableValue? in
      switch record.kind {
      case .action:
        guard let actions = try? plan.actions(of: record), actions.count == 1 else { return nil }
        return try EditableValue(actions[0], moments: .shortest)
      case .command:
        var commands = RecordedValues<App.Command>()
        guard let recorded = try? record.systemPayload(as: RecordedCommand.self),
          let command = commands.value(of: recorded.command, in: log), App.canDecideAgain(command)
        else { return nil }
        return try EditableValue(command, moments: .shortest)
      default: return nil
      }
    }
  }

  /// Returns what happened in a record, in words.
  mutating func text(of sequence: UInt64) throws(PageFailure) -> String {
    try timeline.row(of: sequence...sequence, in: log, naming: naming()).text
  }

  /// Returns what differs between the last state of this log and that of another one.
  mutating func changes(comparedWith other: inout PageReplay) throws(PageFailure) -> JSONValue {
    try folds.seek(to: log.last, in: log)
    try other.folds.seek(to: other.log.last, in: other.log)
    let session = try log.withRecord(at: log.last) { (record) throws(PageFailure) in
      record.session
    }
    return try changes(
      from: folds.fold.state, to: other.folds.fold.state,
      in: timeline.zone(of: session, in: log))
  }
}

import Retrace

/// What a page changes in a log before it decides the log's commands again.
struct SessionChanges {
  /// A new value in a command or an action.
  struct Edit {
    var record: UInt64
    var path: [Int]
    var text: String
  }

  /// A batch at another place.
  struct Move {
    var batch: UInt64
    /// The first record of the batch before which it goes; one after the last record for the end.
    var before: UInt64
  }

  /// The first records of the batches that are left out.
  private(set) var omitted: Set<UInt64> = []
  /// The batches that move, each to its place after the moves before it.
  private(set) var moves: [Move] = []
  private(set) var edits: [Edit] = []

  /// Reads what a page asks for; each record is mapped to the first one of its batch.
  init(_ json: JSONValue, in log: PageLog) throws(PageFailure) {
    for change in json.arrayValue ?? [] {
      let record = try Self.record(change["record"], in: log)
      let batch = try log.batch(of: record)
      try Self.check(batch.lowerBound, in: log)
      switch change["kind"]?.stringValue {
      case "omit": omitted.insert(batch.lowerBound)
      case "move":
        guard let before = change["before"]?.integerValue, before == Int64(log.last) + 1
        else {
          let target = try log.batch(of: try Self.record(change["before"], in: log)).lowerBound
          moves.append(Move(batch: batch.lowerBound, before: target))
          continue
        }
        moves.append(Move(batch: batch.lowerBound, before: log.last + 1))
      case "edit":
        let path =
          change["path"]?.arrayValue?.compactMap { $0.integerValue.flatMap { Int(exactly: $0) } }
          ?? []
        edits.append(Edit(record: record, path: path, text: change["text"]?.stringValue ?? ""))
      default: throw PageFailure("the page asks for a change that its module does not know")
      }
    }
  }

  private static func record(
    _ json: JSONValue?, in log: PageLog
  ) throws(PageFailure) -> UInt64 {
    guard let number = json?.integerValue, let record = UInt64(exactly: number),
      record >= 1, record <= log.last
    else { throw PageFailure("the log has the records 1 to \(log.last)") }
    return record
  }

  /// Fails for a batch without a command or an action, such as the opening of a session.
  private static func check(_ first: UInt64, in log: PageLog) throws(PageFailure) {
    let kind = try log.withRecord(at: first) { (record) throws(PageFailure) in record.kind }
    guard kind == .command || kind == .action else {
      throw PageFailure("record \(first) is not a command or an action")
    }
  }

  /// Returns the batches of a log in their new order.
  ///
  /// - Parameter starts: The first records of the batches, in order.
  func order(_ starts: [UInt64]) -> [UInt64] {
    var order = starts
    for move in moves {
      guard move.batch != move.before, let from = order.firstIndex(of: move.batch) else { continue }
      order.remove(at: from)
      order.insert(move.batch, at: order.firstIndex(of: move.before) ?? order.count)
    }
    return order.filter { !omitted.contains($0) }
  }
}

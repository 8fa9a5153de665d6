import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceScreen
import RetraceStorage

extension StoreError {
  static func recordTooLarge(bytes: Int) -> StoreError {
    StoreError(
      .recordTooLarge, what: "The action was not sent.",
      why: "It has \(bytes) bytes; at most \(LogFormat.actionBytes) are recorded.",
      advice: "Send less at once.")
  }

  static func beyondLimits(_ error: AvroError) -> StoreError {
    StoreError(
      .recordTooLarge, what: "The action was not sent.",
      why:
        "It could not be read back. It has more than \(AvroLimits.depth) levels of arrays, maps, "
        + "records and unions, or more than \(AvroLimits.emptyItems) items without content.",
      advice: "Send less at once.", underlying: "\(error)")
  }

  static func batchTooLarge(bytes: Int) -> StoreError {
    StoreError(
      .recordTooLarge, what: "The batch was not sent.",
      why: "Its actions have \(bytes) bytes together; a batch has at most "
        + "\(LogFormat.batchBytes), so that it fits into one record if it ends the program.",
      advice: "Send it as several batches.")
  }

  static func invalidKey(bytes: Int) -> StoreError {
    StoreError(
      .invalidRecord, what: "The batch was not sent.",
      why: "Its key has \(bytes) bytes; a key has 1 to \(IdempotencyRecord.keyBytes).",
      advice: "Choose another key, such as a random identifier.")
  }

  static func keyReused(_ key: [UInt8], _ kept: IdempotencyRecord) -> StoreError {
    let last = kept.sequences.upperBound - 1
    return StoreError(
      .keyReused, what: "The batch was not sent.",
      why: "Its key \(SafeText.line(String(decoding: key, as: UTF8.self))) stands for another "
        + "batch, records \(kept.sequences.lowerBound) to \(last).",
      advice: "Give each batch a key of its own, and only a repeated one the same.")
  }

  static var closed: StoreError {
    StoreError(
      .closed, what: "The action was not sent.", why: "The store was closed.",
      advice: "Open the store again.")
  }

  static var cancelled: StoreError {
    StoreError(
      .cancelled, what: "The actions were not sent.",
      why: "The task that sent them was cancelled before their commit began.",
      advice: "Send them again if they are still wanted.")
  }

  static var cancelledWait: StoreError {
    StoreError(
      .cancelled, what: "The effects were not waited for.",
      why: "The task that waited was cancelled.", advice: "Wait again; the effects go on.")
  }

  static func overloaded(actions: Int, bytes: Int) -> StoreError {
    StoreError(
      .overloaded, what: "The action was not sent.",
      why: "\(actions) actions of \(bytes) bytes wait for their commit already.",
      advice: "Wait for what was sent, or flush, and try again.")
  }

  static func reentrant(_ call: String) -> StoreError {
    StoreError(
      .reentrant, what: "`\(call)` was not carried out.",
      why: "It was called from an observer, on the thread that would have to carry it out.",
      advice: "Call `enqueue` from observers.")
  }
}

import RetraceLog
import RetraceStorage

extension StoreError {
  static func recordTooLarge(bytes: Int) -> StoreError {
    StoreError(
      .recordTooLarge, what: "The action was not sent.",
      why: "It has \(bytes) bytes; at most \(LogFormat.actionBytes) are recorded.",
      advice: "Send less at once.")
  }

  static func batchTooLarge(bytes: Int) -> StoreError {
    StoreError(
      .recordTooLarge, what: "The batch was not sent.",
      why: "Its actions have \(bytes) bytes together; a batch has at most "
        + "\(LogFormat.batchBytes), so that it fits into one record if it ends the program.",
      advice: "Send it as several batches.")
  }

  static func persistent(_ path: String) -> StoreError {
    StoreError(
      .invalidConfiguration, what: "The store \(path) was not opened.",
      why: "Its configuration says that nothing is to survive the process, which a path does.",
      advice: "Open a store in memory, or choose another durability.")
  }

  static var closed: StoreError {
    StoreError(
      .closed, what: "The action was not sent.", why: "The store was closed.",
      advice: "Open the store again.")
  }

  static func overloaded(limit: Int) -> StoreError {
    StoreError(
      .overloaded, what: "The action was not enqueued.",
      why: "\(limit) actions wait for their commit already.",
      advice: "Flush, or send and wait, and try again.")
  }

  static func reentrant(_ call: String) -> StoreError {
    StoreError(
      .reentrant, what: "`\(call)` was not carried out.",
      why: "It was called from an observer, on the thread that would have to carry it out.",
      advice: "Call `enqueue` from observers.")
  }
}

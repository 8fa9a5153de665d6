import Retrace
import RetraceStorage

extension StoreError {
  static func recordTooLarge(bytes: Int) -> StoreError {
    StoreError(
      .recordTooLarge, what: "The action was not sent.",
      why: "It has \(bytes) bytes; an action can have at most \(LogFormat.actionBytesMax).",
      advice: "Split the action into smaller ones.")
  }

  static func beyondLimits(_ error: AvroError) -> StoreError {
    StoreError(
      .recordTooLarge, what: "The action was not sent.",
      why:
        "It exceeds a limit of decoding: an action can have at most \(decodingLimits).",
      advice: "Use less nesting, or split the action into smaller ones.", underlying: "\(error)")
  }

  static func batchTooLarge(bytes: Int) -> StoreError {
    StoreError(
      .recordTooLarge, what: "The batch was not sent.",
      why: "Its actions have \(bytes) bytes together; a batch can have at most "
        + "\(LogFormat.batchBytesMax).",
      advice: "Send it as several batches.")
  }

  static var undoneWithoutLogin: StoreError {
    StoreError(
      .invalidConfiguration, what: "Nothing was undone.",
      why: "The store was opened without a login name, so the user's changes are unknown.",
      advice: "Set `origin.login` in the configuration of the store.")
  }

  static func invalidKey(bytes: Int) -> StoreError {
    StoreError(
      .invalidRecord, what: "The batch was not sent.",
      why: "Its key has \(bytes) bytes; a key must have 1 to \(KeyedBatch.keyBytesMax).",
      advice: "Choose another key, such as a random identifier.")
  }

  static func reservedKey(_ key: String) -> StoreError {
    StoreError(
      .invalidRecord, what: "The batch was not sent.",
      why: "Its key \(SafeText.line(key)) is one of those that the store gives to undos.",
      advice: "Choose another key, such as a random identifier.")
  }

  static func keyReused(_ key: [UInt8], _ kept: KeyedBatch) -> StoreError {
    let (first, last) = (kept.sequences.lowerBound, kept.sequences.upperBound - 1)
    let records = first == last ? "record \(first)" : "records \(first) to \(last)"
    return StoreError(
      .keyReused, what: "The batch was not sent.",
      why: "Its key \(SafeText.line(String(decoding: key, as: UTF8.self))) already belongs to "
        + "another batch, \(records).",
      advice: "Use a new key for each batch. Reuse a key only to send the same batch again.")
  }

  static var notFromScene: StoreError {
    StoreError(
      .invalidRecord, what: "The actions were not sent.",
      why: "One of them is a fact or asks for a command.",
      advice: "Perform the command: its decider returns the facts.")
  }

  static var commandWithoutCause: StoreError {
    StoreError(
      .invalidRecord, what: "The command was not carried out.",
      why: "Its origin is an effect, but no effect sent it.",
      advice: "Name the origin that the command has, such as `program`.")
  }

  static var undoneByHand: StoreError {
    StoreError(
      .invalidRecord, what: "The command was not carried out.",
      why: "Its origin is an undo, but the store did not make it.",
      advice: "Call `undo` or `redo`, or name the origin that the command has.")
  }

  static func invalidAnswer(_ error: InvalidEffectAnswer) -> StoreError {
    StoreError(
      .invalidRecord, what: "The answer of the effect was not recorded.", why: error.why,
      advice: "Answer with actions of scenes or with one command.")
  }

  static var unhandledCommand: StoreError {
    StoreError(
      .invalidRecord, what: "The command was not carried out.",
      why: "No decider of the app handles it.",
      advice: "Add a decider for it to the root decider of the app.")
  }

  static func commandTooLarge(_ name: String, bytes: Int) -> StoreError {
    StoreError(
      .recordTooLarge, what: "The command was not carried out.",
      why: "The \(name) has \(bytes) bytes; it can have at most \(LogFormat.actionBytesMax).",
      advice: commandAdvice(name))
  }

  static func commandBeyondLimits(_ name: String, _ error: AvroError) -> StoreError {
    StoreError(
      .recordTooLarge, what: "The command was not carried out.",
      why: "The \(name) exceeds a limit of decoding: it can have at most \(decodingLimits).",
      advice: commandAdvice(name), underlying: "\(error)")
  }

  /// The limits of decoding, as the end of a sentence.
  private static var decodingLimits: String {
    "\(AvroLimits.depth) levels of arrays, maps, records and unions, and at most "
      + "\(AvroLimits.emptyItems) zero-byte items"
  }

  private static func commandAdvice(_ name: String) -> String {
    name == "command"
      ? "Split the command into smaller ones." : "Make the decider refuse with a smaller value."
  }

  static var closed: StoreError {
    StoreError(
      .closed, what: "The store could not be used.", why: "The store was closed.",
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
      .cancelled, what: "The wait for the effects ended early.",
      why: "The task that waited was cancelled.",
      advice: "The effects continue. Call `settled` again to wait for them.")
  }

  static func overloaded(actions: Int, bytes: Int) -> StoreError {
    let queued =
      actions == 1
      ? "1 action (\(bytes) bytes) waits" : "\(actions) actions (\(bytes) bytes in all) wait"
    return StoreError(
      .overloaded, what: "The action was not sent.",
      why: "The queue is full: \(queued) for a commit.", advice: "Call `flush`, then try again.")
  }

  static func reentrant(_ call: String) -> StoreError {
    StoreError(
      .reentrant, what: "`\(call)` was not carried out.",
      why: "It was called in an observer or a transaction, which the store's writer runs, so it "
        + "would wait for itself.",
      advice: "Call `enqueue` from observers and transactions.")
  }
}

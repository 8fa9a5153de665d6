package import Retrace

extension StoreError {
  /// Creates the store's error for an error of the log's format.
  package init(_ error: LogError, in path: String) {
    switch error {
    case .damaged(let sequence, let detail):
      self = .damaged(sequence, detail, in: path)
    case .unknownVersion, .unknownKind, .unknownFlags:
      self.init(
        .incompatible,
        what: "The store \(path) cannot be read from record"
          + " \(error.sequence ?? 0) on.",
        why: StoreError.sentence("\(error)"),
        advice: "Use the version that wrote it, or a newer one.")
    case .recordTooLarge(let bytes, let limit):
      self.init(
        .recordTooLarge, what: "A record was not written.",
        why: "It has \(bytes) bytes, the limit is \(limit).",
        advice: "Split what it holds into smaller actions.")
    case .invalidEnvelope(let detail):
      self.init(
        .invalidRecord, what: "A record was not written.", why: StoreError.sentence(detail),
        advice: "Report this: it is an error of the program.")
    }
  }

  static func damaged(_ sequence: UInt64, _ detail: String, in path: String) -> StoreError {
    StoreError(
      .damaged(sequence: sequence),
      what: "The store \(path) is damaged from record \(sequence) on.", why: sentence(detail),
      advice: "Keep a copy of the directory, and restore a backup; or copy what can be verified "
        + "into a new store.",
      remedy: .salvage(directory: path))
  }

  static func sentence(_ detail: String) -> String {
    detail.prefix(1).uppercased() + detail.dropFirst() + "."
  }

  static func closed(_ path: String) -> StoreError {
    StoreError(
      .closed, what: "The store \(path) could not be used.", why: "It was closed.",
      advice: "Open it again.")
  }
}

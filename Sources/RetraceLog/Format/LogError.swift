/// The error of a log that could not be read, or of a record that could not be written.
public enum LogError: Error, Hashable, Sendable {
  /// Bytes are damaged. Has the first sequence that cannot be trusted, and a description.
  case damaged(sequence: UInt64, detail: String)
  /// The format version of a block is unknown.
  case unknownVersion(UInt8, sequence: UInt64)
  /// The kind of a record is unknown.
  case unknownKind(UInt64, sequence: UInt64)
  /// A block or record has unknown flags.
  case unknownFlags(UInt64, sequence: UInt64)
  /// A payload is longer than the limit of its kind.
  case recordTooLarge(bytes: Int, limit: Int)
  /// The envelope given for appending is invalid.
  case invalidEnvelope(String)

  /// The first sequence that cannot be trusted, 0 for the head; `nil` for an error of appending.
  public var sequence: UInt64? {
    switch self {
    case .damaged(let sequence, _): sequence
    case .unknownVersion(_, let sequence): sequence
    case .unknownKind(_, let sequence): sequence
    case .unknownFlags(_, let sequence): sequence
    case .recordTooLarge, .invalidEnvelope: nil
    }
  }
}

extension LogError: CustomStringConvertible {
  /// A description on one line.
  public var description: String {
    switch self {
    case .damaged(0, let detail):
      "the head of the log is damaged: \(detail)"
    case .damaged(let sequence, let detail):
      "the log is damaged from record \(sequence) on: \(detail)"
    case .unknownVersion(let version, let sequence):
      "\(sequence == 0 ? "the head" : "the block of record \(sequence)") has format version "
        + "\(version); this program reads the versions "
        + "\(LogFormat.readableVersions.lowerBound) to \(LogFormat.version)"
    case .unknownKind(let kind, let sequence):
      "record \(sequence) is of kind \(kind), which this version does not know"
    case .unknownFlags(let flags, let sequence):
      "\(sequence == 0 ? "the head" : "record \(sequence) or its block") has flags \(flags), "
        + "which this version does not know"
    case .recordTooLarge(let bytes, let limit):
      "a record of \(bytes) bytes is larger than the limit of \(limit)"
    case .invalidEnvelope(let detail):
      "a record cannot be written: \(detail)"
    }
  }
}

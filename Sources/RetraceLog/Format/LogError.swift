/// Why bytes of a log could not be read, or a record could not be written.
public enum LogError: Error, Hashable, Sendable {
  /// Bytes are not what was written: the first sequence that cannot be trusted, and what is wrong.
  case damaged(sequence: UInt64, detail: String)
  /// A block is of a version of the format that this code does not know.
  case unknownVersion(UInt8, sequence: UInt64)
  /// A record is of a kind that this code does not know.
  case unknownKind(UInt64, sequence: UInt64)
  /// A block or record has flags that this code does not know.
  case unknownFlags(UInt64, sequence: UInt64)
  /// A payload has more bytes than the limit of its kind.
  case recordTooLarge(bytes: Int, limit: Int)
  /// An envelope that no log may hold was given for writing.
  case invalidEnvelope(String)

  /// The first sequence that cannot be read, for an error of reading.
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
  /// One line for a person.
  public var description: String {
    switch self {
    case .damaged(let sequence, let detail):
      "the log is damaged from record \(sequence) on: \(detail)"
    case .unknownVersion(let version, let sequence):
      "the block of record \(sequence) has format version \(version), "
        + "known are \(LogFormat.readableVersions.lowerBound) to \(LogFormat.version)"
    case .unknownKind(let kind, let sequence):
      "record \(sequence) is of kind \(kind), which this version does not know"
    case .unknownFlags(let flags, let sequence):
      "record \(sequence) has flags \(flags), which this version does not know"
    case .recordTooLarge(let bytes, let limit):
      "a record of \(bytes) bytes is larger than the limit of \(limit)"
    case .invalidEnvelope(let detail):
      "a record cannot be written: \(detail)"
    }
  }
}

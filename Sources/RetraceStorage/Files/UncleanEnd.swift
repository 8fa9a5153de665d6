public import RetraceAvro
import RetraceLog
import RetraceSystem

/// What a process left that ended while it had a store open: by a signal, a trap, or a machine that
/// stopped.
public struct UncleanEnd: Hashable, Sendable {
  /// What a process was doing.
  public enum Phase: Hashable, Sendable {
    /// Opening the store, or using it.
    case using
    /// Folding the log by a reducer, named by its fingerprint.
    case folding(reducer: Digest)
    /// Folding the log by a reducer, each record noted before it is folded.
    case foldingNoted(reducer: Digest)
  }

  /// The name of the file in the store's directory.
  public var name: String
  /// The process identifier; `nil` if the file cannot be read.
  public var process: Int32?
  /// Whether the store was opened for writing.
  public var wasWriting: Bool
  /// What the process was doing last.
  public var phase: Phase
  /// The record that was about to be folded, or up to which the log was verified; 0 if none was
  /// noted.
  public var sequence: UInt64
  /// When the process noted something last, in microseconds since 1970.
  public var noted: Int64
}

extension UncleanEnd {
  /// The reducer by which the process folded the log when it ended; `nil` if it did not.
  public var reducer: Digest? {
    switch phase {
    case .using: nil
    case .folding(let reducer), .foldingNoted(let reducer): reducer
    }
  }

  /// What a process left in a store; `nil` if it left nothing.
  ///
  /// - Complexity: O(names in the directory).
  public static func left(by process: Int32, in path: String) -> UncleanEnd? {
    (try? OpenMark.left(in: StorePath(path)))?.first { $0.process == process }
  }

  /// Removes what the process left.
  public func forget(in path: String) { OpenMark.remove(self, in: StorePath(path)) }
}

extension UncleanEnd {
  static let phaseOffset = 13
  static let sequenceOffset = 56

  /// The bytes of a file: magic, process, access, phase, reducer, sequence.
  static func encoded(writing: Bool) -> [UInt8] {
    var writer = AvroWriter(capacity: OpenMark.byteCount)
    writer.raw(OpenMark.magic)
    writer.littleEndian(UInt32(bitPattern: ThisProcess.identifier))
    writer.raw([writing ? 1 : 0])
    writer.raw(encoded(.using))
    writer.raw([UInt8](repeating: 0, count: OpenMark.byteCount - writer.count))
    return writer.bytes
  }

  /// The bytes of a phase: its number, two zeros, the reducer.
  static func encoded(_ phase: Phase) -> [UInt8] {
    switch phase {
    case .using: [0, 0, 0] + Digest.zero.bytes
    case .folding(let reducer): [1, 0, 0] + reducer.bytes
    case .foldingNoted(let reducer): [2, 0, 0] + reducer.bytes
    }
  }

  /// Reads a file's bytes; what cannot be read is an end nothing more is known of.
  init(_ name: String, _ bytes: [UInt8], noted: Int64) {
    self.init(
      name: name, process: nil, wasWriting: true, phase: .using, sequence: 0, noted: noted)
    var reader = AvroReader(bytes.span)
    guard bytes.count == OpenMark.byteCount, bytes.starts(with: OpenMark.magic),
      (try? reader.skip(OpenMark.magic.count)) != nil,
      let process = try? reader.littleEndian32(),
      let reducer = Digest(bytes.span.extracting(16..<48))
    else { return }
    self.process = Int32(bitPattern: process)
    wasWriting = bytes[12] == 1
    phase =
      switch bytes[UncleanEnd.phaseOffset] {
      case 1: .folding(reducer: reducer)
      case 2: .foldingNoted(reducer: reducer)
      default: .using
      }
    var rest = AvroReader(bytes.span.extracting(UncleanEnd.sequenceOffset...))
    let noted = (try? rest.littleEndian64()) ?? 0
    sequence = LogFormat.isSequence(noted) ? noted : 0
  }
}

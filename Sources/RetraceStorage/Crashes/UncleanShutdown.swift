package import Retrace
import RetraceSystem

/// A process that ended while it had a store open: by a signal, a trap, or a crash of the system.
package struct UncleanShutdown: Hashable, Sendable {
  package enum Phase: Hashable, Sendable {
    case using
    /// Folding the log with a reducer, given by its fingerprint.
    case folding(reducer: Digest)
    /// Folding the log with a reducer, and writing each sequence to the file before it is folded.
    case foldingRecordByRecord(reducer: Digest)
  }

  /// The name of the process's mark in the store's directory.
  package var name: String
  /// The process identifier; `nil` if the file is unreadable.
  package var process: Int32?
  package var wasWriting: Bool
  package var phase: Phase
  /// The sequence that was about to be folded, or up to which the blocks were read; 0 for none.
  package var sequence: UInt64
  /// The time of the last change of the file, in microseconds since 1970.
  package var noted: Int64
}

extension UncleanShutdown {
  /// The fingerprint of the reducer, if the process was folding the log; `nil` otherwise.
  package var reducer: Digest? {
    switch phase {
    case .using: nil
    case .folding(let reducer), .foldingRecordByRecord(let reducer): reducer
    }
  }

  /// Returns the unclean shutdown of a process in a store, or `nil` if it has none.
  ///
  /// - Complexity: O(names in the directory).
  package static func find(by process: Int32, in path: String) -> UncleanShutdown? {
    (try? OpenMark.uncleanShutdowns(in: StorePath(path)))?.first { $0.process == process }
  }

  package func remove(in path: String) { OpenMark.remove(self, in: StorePath(path)) }
}

extension UncleanShutdown {
  static let phaseOffset = 13
  static let sequenceOffset = 56

  /// Returns the bytes of a new file: magic, process, access, phase, reducer, sequence.
  static func encoded(writing: Bool) -> [UInt8] {
    var writer = AvroWriter(capacity: OpenMark.byteCount)
    writer.raw(OpenMark.magic)
    writer.littleEndian(UInt32(bitPattern: ThisProcess.identifier))
    writer.raw([writing ? 1 : 0])
    writer.raw(encoded(.using))
    return writer.bytes
  }

  /// Returns the bytes that a mark has from ``phaseOffset`` on when a phase begins: the phase's
  /// number, two zeros, the reducer's fingerprint, eight zeros, and the sequence 0.
  static func encoded(_ phase: Phase) -> [UInt8] {
    let (number, reducer): (UInt8, Digest) =
      switch phase {
      case .using: (0, .zero)
      case .folding(let reducer): (1, reducer)
      case .foldingRecordByRecord(let reducer): (2, reducer)
      }
    return [number, 0, 0] + reducer.bytes + [UInt8](repeating: 0, count: 16)
  }

  /// Decodes a file; an unreadable one is an unclean shutdown without details.
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
      switch bytes[UncleanShutdown.phaseOffset] {
      case 1: .folding(reducer: reducer)
      case 2: .foldingRecordByRecord(reducer: reducer)
      default: .using
      }
    var rest = AvroReader(bytes.span.extracting(UncleanShutdown.sequenceOffset...))
    let stored = (try? rest.littleEndian64()) ?? 0
    sequence = LogFormat.isSequence(stored) ? stored : 0
  }
}

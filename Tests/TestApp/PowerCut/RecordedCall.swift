import RetraceAvro
import RetraceSystem

/// One system call of a recorded program, as `Tests/RecoveryTests/PowerCut/recorder.c` writes it.
struct RecordedCall {
  enum Kind: UInt32 {
    case open = 1
    case close
    case write
    case truncate
    case allocate
    case sync
    case rename
    case unlink
    case makeDirectory
    case removeDirectory
    case output
  }

  let kind: Kind
  /// The number of the script's step.
  let step: Int
  let process: Int32
  let descriptor: Int32
  /// The position of a write, the size of a truncation, or the flags of an open.
  let offset: Int
  /// The place of the written bytes in the recording.
  let data: Range<Int>
  let path: String
  let secondPath: String
}

/// The file that the recorder wrote.
struct Recording {
  /// All bytes of the file; calls refer to them.
  let bytes: [UInt8]
  let calls: [RecordedCall]

  init(_ path: String) throws {
    let bytes = try FileSystem.readWhole(path, limitBytes: 1 << 30)
    var calls: [RecordedCall] = []
    var reader = AvroReader(bytes.span)
    while reader.remaining > 0 {
      let number = try reader.littleEndian32()
      guard let kind = RecordedCall.Kind(rawValue: number) else {
        throw LineError(line: "call \(number) at byte \(reader.offset)")
      }
      let step = try reader.littleEndian32()
      let process = try reader.littleEndian32()
      let descriptor = try reader.littleEndian32()
      let offset = try reader.littleEndian64()
      let length = Int(try reader.littleEndian32())
      let secondLength = Int(try reader.littleEndian32())
      let data = reader.offset..<reader.offset + length
      try reader.skip(length + secondLength)
      let second = data.upperBound..<data.upperBound + secondLength
      let path = kind == .write ? "" : String(decoding: bytes[data], as: UTF8.self)
      calls.append(
        RecordedCall(
          kind: kind, step: Int(step), process: Int32(bitPattern: process),
          descriptor: Int32(bitPattern: descriptor), offset: Int(offset), data: data, path: path,
          secondPath: String(decoding: bytes[second], as: UTF8.self)))
    }
    self.bytes = bytes
    self.calls = calls
  }
}

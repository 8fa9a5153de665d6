import CBaseline
import Figures
import Foundation
import RetraceAvro
import SwiftProtobuf
import Workload

/// Registers the rows of encoding and decoding.
///
/// The checksum of every side covers the Avro bytes of all actions. A side whose result has another
/// form converts it to these bytes, outside of the measured time.
func registerCodecRows() {
  compare(
    Row("encode", input: Actions.codecInput),
    ours: encodeAvro,
    yardsticks: [
      Yardstick("C that walks and writes the same bytes", .timesYardstick(atMost: 3.2)) {
        try rewriteInC()
      },
      Yardstick("JSONEncoder", .fasterThanYardstick(atLeast: 80), round: encodeJSON),
      Yardstick("swift-protobuf", .fasterThanYardstick(atLeast: 4.5), round: encodeProtobuf),
      Yardstick("swift-protobuf, messages ready", round: encodeMessages),
    ])
  compare(
    Row("decode", input: Actions.codecInput),
    ours: decodeAvro,
    yardsticks: [
      Yardstick("C that walks the same bytes", .timesYardstick(atMost: 3.2)) { try walkInC() },
      Yardstick("JSONDecoder", .fasterThanYardstick(atLeast: 80), round: decodeJSON),
      Yardstick("swift-protobuf", .fasterThanYardstick(atLeast: 4.5), round: decodeProtobuf),
      Yardstick("swift-protobuf, not converted", round: decodeMessages),
    ])
}

private func encodeAvro() throws -> Measured {
  let actions = Actions.codec
  var writer = AvroWriter(capacity: actions.bytes.count + 64)
  var measured = timed {
    actions.borrowable.forEach { element, _ in element.value.encode(into: &writer) }
    return (actions.count, 0)
  }
  measured.checksum = checksum(writer.bytes)
  return measured
}

private func rewriteInC() throws -> Measured {
  let actions = Actions.codec
  var out = [UInt8](repeating: 0, count: actions.bytes.count + 64)
  var written: UInt64 = 0
  var measured = timed {
    // Unsafe: C reads no byte after the last end and writes no more bytes than it reads, during the
    // call only.
    written = unsafe codec_rewrite(actions.bytes, actions.ends, Int64(actions.ends.count), &out)
    return (actions.count, 0)
  }
  measured.checksum = checksum(out.prefix(Int(written)))
  return measured
}

private func encodeJSON() throws -> Measured {
  let actions = Actions.codec
  let encoder = JSONEncoder()
  var encoded: [Data] = []
  encoded.reserveCapacity(actions.values.count)
  var measured = try timed {
    for value in actions.values { encoded.append(try encoder.encode(value)) }
    return (actions.count, 0)
  }
  let decoder = JSONDecoder()
  measured.checksum = checksum(
    of: try encoded.map { try decoder.decode(WorkloadAction.self, from: $0) })
  return measured
}

private func encodeProtobuf() throws -> Measured {
  let actions = Actions.codec
  var encoded: [[UInt8]] = []
  encoded.reserveCapacity(actions.values.count)
  var measured = try timed {
    for value in actions.values { encoded.append(try PBAction(value).serializedBytes()) }
    return (actions.count, 0)
  }
  measured.checksum = try checksum(ofMessages: encoded)
  return measured
}

private func encodeMessages() throws -> Measured {
  let actions = Actions.codec
  let messages = actions.messages
  var encoded: [[UInt8]] = []
  encoded.reserveCapacity(messages.count)
  var measured = try timed {
    for message in messages { encoded.append(try message.serializedBytes()) }
    return (actions.count, 0)
  }
  measured.checksum = try checksum(ofMessages: encoded)
  return measured
}

private func checksum(ofMessages encoded: [[UInt8]]) throws -> UInt64 {
  checksum(of: try encoded.map { try action(try PBAction(serializedBytes: $0)) })
}

private func action(_ message: PBAction) throws -> WorkloadAction {
  guard let action = message.action else { throw FiguresError("a message without an action") }
  return action
}

private func decodeAvro() throws -> Measured {
  let actions = Actions.codec
  var measured = try timed {
    try actions.forEachSpan { span in
      var reader = AvroReader(span)
      _ = try WorkloadAction(decoding: &reader)
      try reader.finish()
    }
    return (actions.count, 0)
  }
  var decoded: [WorkloadAction] = []
  try actions.forEachSpan { decoded.append(try WorkloadAction(encoded: $0)) }
  measured.checksum = checksum(of: decoded)
  return measured
}

private func walkInC() throws -> Measured {
  let actions = Actions.codec
  var sum: UInt64 = 0
  var measured = timed {
    // Unsafe: C reads within the arrays, whose sizes it gets, during the call only.
    sum = unsafe codec_walk(actions.bytes, actions.ends, Int64(actions.ends.count))
    return (actions.count, 0)
  }
  if sum == 0 { throw FiguresError("the walker in C met an action that it does not know") }
  measured.checksum = try rewriteInC().checksum
  return measured
}

private func decodeJSON() throws -> Measured {
  let actions = Actions.codec
  let json = actions.json
  let decoder = JSONDecoder()
  var measured = try timed {
    for data in json { _ = try decoder.decode(WorkloadAction.self, from: data) }
    return (actions.count, 0)
  }
  measured.checksum = checksum(
    of: try json.map { try decoder.decode(WorkloadAction.self, from: $0) })
  return measured
}

private func decodeProtobuf() throws -> Measured {
  let actions = Actions.codec
  let encoded = actions.protobuf
  var measured = try timed {
    for bytes in encoded { _ = try action(try PBAction(serializedBytes: bytes)) }
    return (actions.count, 0)
  }
  measured.checksum = try checksum(ofMessages: encoded)
  return measured
}

private func decodeMessages() throws -> Measured {
  let actions = Actions.codec
  let encoded = actions.protobuf
  var measured = try timed {
    for bytes in encoded { _ = try PBAction(serializedBytes: bytes) }
    return (actions.count, 0)
  }
  measured.checksum = try checksum(ofMessages: encoded)
  return measured
}

import RetraceAvro
import RetraceHashing

/// The hash of a table straight from the text of the format, over a plain dictionary.
enum FormatHash {
  static func table(_ contents: [Int64: Item]) -> Digest {
    let last = contents.keys.max() ?? -1
    var level: [Node?] = []
    for trunk in 0..<(last / 32_768 + 1) {
      level.append(
        node(
          (0..<32).map { branch in
            node(
              (0..<32).map { leaf in page(trunk * 32_768 + branch * 1_024 + leaf * 32, contents) })
          }))
    }
    return digest(root(level)?.hash ?? [UInt8](repeating: 0, count: 32))
  }

  /// Reduces trunks in groups of 32 until one is left.
  static func root(_ trunks: [Node?]) -> Node? {
    var level = trunks
    repeat {
      level = stride(from: 0, to: level.count, by: 32).map { start in
        node(Array(level[start..<min(start + 32, level.count)]))
      }
      while let last = level.last, last == nil { level.removeLast() }
    } while level.count > 1
    return level.first ?? nil
  }

  struct Node {
    var hash: [UInt8]
    var low: Int64
    var high: Int64
  }

  private static func page(_ first: Int64, _ contents: [Int64: Item]) -> Node? {
    let slots = (0..<32).map { contents[first + $0] }
    let items = slots.compactMap { $0 }
    guard let low = items.map(\.start).min(), let high = items.map(\.start).max() else {
      return nil
    }
    var bytes: [UInt8] = [0x00] + bitmap(slots.map { $0 != nil }) + zigzag(Int64(items.count))
    for item in items {
      bytes += zigzag(Int64(item.name.utf8.count)) + Array(item.name.utf8) + zigzag(item.start)
    }
    return Node(hash: sha256(bytes + [0]), low: low, high: high)
  }

  private static func node(_ children: [Node?]) -> Node? {
    let present = children.compactMap { $0 }
    guard let low = present.map(\.low).min(), let high = present.map(\.high).max() else {
      return nil
    }
    var bytes: [UInt8] = [0x01] + bitmap(children.map { $0 != nil })
    for child in present { bytes += child.hash + little(child.low) + little(child.high) }
    return Node(hash: sha256(bytes), low: low, high: high)
  }

  static func zigzag(_ value: Int64) -> [UInt8] {
    var rest = value < 0 ? UInt64(-(value + 1)) * 2 + 1 : UInt64(value) * 2
    var bytes: [UInt8] = []
    while rest > 127 {
      bytes.append(UInt8(rest % 128) + 128)
      rest /= 128
    }
    return bytes + [UInt8(rest)]
  }

  static func little(_ value: Int64) -> [UInt8] {
    let pattern = UInt64(bitPattern: value)
    return (0..<8).map { UInt8(pattern >> (8 * $0) & 255) }
  }

  static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    SwiftHasher.digest(of: bytes.span).bytes
  }

  static func digest(_ bytes: [UInt8]) -> Digest {
    guard let digest = Digest(bytes.span) else { preconditionFailure("not 32 bytes") }
    return digest
  }

  private static func bitmap(_ present: [Bool]) -> [UInt8] {
    var bytes: [UInt8] = [0, 0, 0, 0]
    for (index, isThere) in present.enumerated() where isThere {
      bytes[index / 8] |= 1 << UInt8(index % 8)
    }
    return bytes
  }
}

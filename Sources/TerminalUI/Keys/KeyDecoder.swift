public import RetraceScreen

/// Turns the bytes that a terminal in raw mode sends into keys.
///
/// Bytes may be split anywhere between two reads. What is no key is ignored: sequences of unknown
/// keys, letters with Alt, answers of the terminal, bytes that are not UTF-8. Pasted text arrives
/// as `Key.text` in pieces of whole graphemes, with blanks in place of line ends and tabs.
public struct KeyDecoder: Sendable {
  /// How long to wait for the rest of a sequence before ``timeout()`` is called.
  public static let sequenceTimeoutMilliseconds = 50
  /// Pasted text is handed on whenever this many scalars have come.
  static let pasteScalarsMax = 4096

  private var state = State.ground
  private var utf8 = UTF8Decoder()
  private var text = String.UnicodeScalarView()
  private var textScalars = 0
  private var keys: [Key] = []

  /// Makes a decoder at rest.
  public init() {}

  /// Whether bytes came that may be the beginning of something: wait for more, then time out.
  public var isPending: Bool {
    switch state {
    case .ground: utf8.isPending
    case .paste: !text.isEmpty
    default: true
    }
  }

  /// Takes bytes and answers the keys that they complete.
  ///
  /// Typed text is one key for each grapheme.
  ///
  /// - Complexity: O(bytes).
  public mutating func feed(_ bytes: Span<UInt8>) -> [Key] {
    for index in bytes.indices { take(bytes[index]) }
    if case .ground = state { emitTyped() }
    return takeKeys()
  }

  /// Tells that nothing came for ``sequenceTimeoutMilliseconds``: a lone ESC is the key Escape.
  ///
  /// Other beginnings are dropped; a paste that has not ended goes on.
  public mutating func timeout() -> [Key] {
    switch state {
    case .paste: emitPasted(keepsLast: false)
    case .escape:
      keys.append(.escape)
      state = .ground
    default:
      utf8.reset()
      state = .ground
    }
    return takeKeys()
  }

  private mutating func takeKeys() -> [Key] {
    defer { keys = [] }
    return keys
  }
}

// MARK: - States

extension KeyDecoder {
  private enum State {
    case ground
    /// After ESC.
    case escape
    /// After `ESC [`.
    case control(ControlSequence)
    /// After `ESC O`.
    case singleShift
    /// In a string to the program, such as an answer to a query, until its terminator.
    case string(sawEscape: Bool)
    /// The next byte belongs to a sequence of no use.
    case skipOne
    /// Between the marks of a paste; so many bytes of the end mark have come.
    case paste(matched: Int)
  }

  private static let pasteEnd: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]

  private mutating func take(_ byte: UInt8) {
    switch state {
    case .ground: takeTyped(byte)
    case .escape: takeEscaped(byte)
    case .control(var sequence): takeControl(byte, &sequence)
    case .singleShift:
      state = .ground
      switch byte {
      case 0x1B: state = .escape
      case 0x4D: keys.append(.enter)
      default: if let key = ControlSequence.arrow(byte) { keys.append(key) }
      }
    case .string(let sawEscape):
      // ST (ESC \) and BEL end a string; CAN and SUB abort it.
      if byte == 0x07 || byte == 0x18 || byte == 0x1A || (sawEscape && byte == 0x5C) {
        state = .ground
      } else {
        state = .string(sawEscape: byte == 0x1B)
      }
    case .skipOne: state = .ground
    case .paste(let matched): takePasted(byte, matched: matched)
    }
  }

  private mutating func takeTyped(_ byte: UInt8) {
    if byte >= 0x80 {
      if let scalar = utf8.take(byte), scalar.value >= 0xA0 { append(scalar) }
      return
    }
    utf8.reset()
    if byte >= 0x20, byte < 0x7F {
      append(Unicode.Scalar(byte))
      return
    }
    emitTyped()
    switch byte {
    case 0x08, 0x7F: keys.append(.backspace)
    case 0x09: keys.append(.tab)
    case 0x0A, 0x0D: keys.append(.enter)
    case 0x1B: state = .escape
    case 0x01...0x1A: keys.append(.ctrl(Character(Unicode.Scalar(byte + 0x60))))
    default: break
    }
  }

  private mutating func takeEscaped(_ byte: UInt8) {
    switch byte {
    case 0x5B: state = .control(ControlSequence())
    case 0x4F: state = .singleShift
    case 0x50, 0x58, 0x5D, 0x5E, 0x5F: state = .string(sawEscape: false)
    case 0x1B: keys.append(.escape)
    // A key with Alt: the rest of its UTF-8, if any, is dropped too.
    default: state = .ground
    }
  }

  private mutating func takeControl(_ byte: UInt8, _ sequence: inout ControlSequence) {
    switch byte {
    case 0x1B: state = .escape
    case 0x20...0x3F:
      sequence.append(byte)
      state = .control(sequence)
    // The Linux console writes its function keys as `ESC [ [` and a letter.
    case 0x5B: state = .skipOne
    case 0x40...0x7E:
      state = .ground
      if sequence.startsPaste(final: byte) {
        state = .paste(matched: 0)
      } else if let key = sequence.key(final: byte) {
        keys.append(key)
      }
    default:
      // Not part of any sequence: what was there is dropped, the byte stands for itself.
      state = .ground
      takeTyped(byte)
    }
  }

  private mutating func takePasted(_ byte: UInt8, matched: Int) {
    if byte == KeyDecoder.pasteEnd[matched] {
      state = .paste(matched: matched + 1)
      if matched + 1 == KeyDecoder.pasteEnd.count {
        emitPasted(keepsLast: false)
        state = .ground
      }
      return
    }
    state = .paste(matched: byte == 0x1B ? 1 : 0)
    // What looked like the end mark was text after ESC.
    for held in KeyDecoder.pasteEnd[..<matched] { appendPasted(held) }
    if byte != 0x1B { appendPasted(byte) }
  }

  private mutating func appendPasted(_ byte: UInt8) {
    if byte >= 0x80 {
      if let scalar = utf8.take(byte), scalar.value >= 0xA0 { append(scalar) }
    } else {
      utf8.reset()
      switch byte {
      case 0x09, 0x0A, 0x0D: append(" ")
      case 0x00..<0x20, 0x7F: break
      default: append(Unicode.Scalar(byte))
      }
    }
    if textScalars >= KeyDecoder.pasteScalarsMax { emitPasted(keepsLast: true) }
  }
}

// MARK: - Text

extension KeyDecoder {
  private mutating func append(_ scalar: Unicode.Scalar) {
    text.append(scalar)
    textScalars += 1
  }

  private mutating func takeText() -> String {
    defer {
      text = String.UnicodeScalarView()
      textScalars = 0
    }
    return String(text)
  }

  private mutating func emitTyped() {
    guard textScalars > 0 else { return }
    for character in takeText() { keys.append(.text(String(character))) }
  }

  /// Hands pasted text on; the last grapheme may still grow and is kept when more follows.
  private mutating func emitPasted(keepsLast: Bool) {
    var pasted = takeText()
    if keepsLast, pasted.count > 1, let last = pasted.popLast() {
      for scalar in last.unicodeScalars { append(scalar) }
    }
    if !pasted.isEmpty { keys.append(.text(pasted)) }
  }
}

import RetraceScreen

/// Turns the bytes that a terminal in raw mode sends into what the user did and what the terminal
/// reports.
///
/// Bytes may be split anywhere between two reads: the events depend on the bytes alone. The decoder
/// drops escape sequences that it does not know, and bytes that are not UTF-8. It stores a bounded
/// number of bytes.
///
/// Pasted text is one event of any size up to a limit. Typed text is one key for each Unicode
/// scalar; ``joined(_:)`` makes one key of each character that came in one read.
///
/// ```swift
/// var decoder = InputDecoder()
/// let events = decoder.feed([0x1B, 0x5B, 0x41].span)
/// print(events == [.input(.key(.up))])
/// ```
public struct InputDecoder: Sendable {
  /// How long a lone ESC waits for the rest of a sequence, before it is the key Escape.
  public static let escapeMilliseconds = 50
  /// How long a sequence that has begun waits for its end, before it is dropped.
  public static let sequenceMilliseconds = 1000

  private let pasteLimitBytes: Int
  private var state = State.ground
  private var utf8 = UTF8Decoder()
  private var sequence = ControlSequence()
  private var string: [UInt8] = []
  private var paste = PasteBuffer()
  private var events: [TerminalEvent] = []

  /// Creates a decoder at rest.
  ///
  /// - Parameter pasteLimitBytes: The maximum number of bytes of a pasted text in UTF-8.
  public init(pasteLimitBytes: Int = 1 << 20) { self.pasteLimitBytes = pasteLimitBytes }

  /// How long to wait for more bytes before ``timeOut()`` is called; `nil` if nothing has begun.
  ///
  /// Bytes that begin a long sequence cannot come from a user, so they are waited for longer than
  /// a lone ESC. A terminal with the kitty keyboard protocol sends no lone ESC.
  public var waitMilliseconds: Int? {
    switch state {
    case .ground: utf8.isPending ? Self.sequenceMilliseconds : nil
    case .paste(let isStalled): isStalled ? nil : Self.sequenceMilliseconds
    case .escape, .introduced, .singleShift(nil): Self.escapeMilliseconds
    default: Self.sequenceMilliseconds
    }
  }

  /// Takes bytes, and returns the events that they complete.
  ///
  /// - Complexity: O(bytes).
  public mutating func feed(_ bytes: Span<UInt8>) -> [TerminalEvent] {
    var index = 0
    while index < bytes.count {
      if case .paste = state {
        let count = paste.takePrintable(bytes, from: index, limitBytes: pasteLimitBytes)
        if count > 0 { state = .paste(isStalled: false) }
        index += count
        if index == bytes.count { break }
      }
      take(bytes[index])
      index += 1
    }
    return takeEvents()
  }

  /// Tells the decoder that no byte came for ``waitMilliseconds``, and returns the events.
  ///
  /// A lone ESC is the key Escape, and ESC with a character that begins sequences is that character
  /// with alt. Other beginnings are dropped. A paste is kept until its end mark comes; once it has
  /// waited, the key `ctrl-c` ends it too, in case the mark was lost.
  public mutating func timeOut() -> [TerminalEvent] {
    switch state {
    case .paste: state = .paste(isStalled: true)
    case .escape: rest(with: .escape)
    case .introduced(let byte): rest(with: .alt(Unicode.Scalar(byte)))
    case .singleShift(nil): rest(with: .alt("O"))
    default:
      utf8.reset()
      state = .ground
    }
    return takeEvents()
  }

  /// Returns events in which the typed scalars that form one character are one key.
  ///
  /// - Complexity: O(bytes of the text).
  public static func joined(_ events: [TerminalEvent]) -> [TerminalEvent] {
    var joined: [TerminalEvent] = []
    joined.reserveCapacity(events.count)
    var text = ""
    var count = 0
    func flush() {
      if count > 1 {
        joined.removeLast(count)
        for character in text { joined.append(.input(.key(.text(String(character))))) }
      }
      (text, count) = ("", 0)
    }
    for event in events {
      if case .input(.key(let key)) = event, case .text(let typed) = key.code {
        text += typed
        count += 1
      } else {
        flush()
      }
      joined.append(event)
    }
    flush()
    return joined
  }

  private mutating func takeEvents() -> [TerminalEvent] {
    defer { events = [] }
    return events
  }

  private mutating func rest(with key: Key) {
    state = .ground
    emit(key)
  }

  private mutating func emit(_ key: Key) { events.append(.input(.key(key))) }
}

// MARK: - States

extension InputDecoder {
  private enum State {
    case ground
    /// After ESC.
    case escape
    /// After ESC and the first bytes of a character that is not ASCII.
    case escapedText
    /// After ESC and a byte that begins a control sequence or a string.
    case introduced(UInt8)
    /// In a control sequence.
    case control
    /// After `ESC O`, and the number of the modifiers that some terminals put there.
    case singleShift(Int?)
    /// In a string to the program until its terminator.
    case string(kind: UInt8, sawEscape: Bool)
    /// After `ESC [ [`, with which the Linux console begins its first function keys.
    case console
    /// Bytes to skip: the place of the mouse in its oldest form.
    case skip(Int)
    /// Between the marks of a paste.
    case paste(isStalled: Bool)
  }

  private mutating func take(_ byte: UInt8) {
    switch state {
    case .ground: takeTyped(byte)
    case .escape: takeEscaped(byte)
    case .escapedText: takeEscapedText(byte)
    case .introduced(0x5B):
      sequence.begin()
      state = .control
      takeControl(byte)
    case .introduced(let kind):
      string.removeAll(keepingCapacity: true)
      takeString(byte, kind, sawEscape: false)
    case .control: takeControl(byte)
    case .singleShift(let modifiers): takeSingleShift(byte, modifiers)
    case .string(let kind, let sawEscape): takeString(byte, kind, sawEscape: sawEscape)
    case .console:
      state = .ground
      if 0x41...0x45 ~= byte { emit(.function(Int(byte - 0x40))) }
    case .skip(let count): state = count > 1 ? .skip(count - 1) : .ground
    case .paste(let isStalled): takePasted(byte, isStalled)
    }
  }

  private mutating func takeTyped(_ byte: UInt8) {
    if byte >= 0x80 {
      if let scalar = utf8.take(byte), scalar.value >= 0xA0 { emit(.text(String(scalar))) }
      return
    }
    utf8.reset()
    if byte == 0x1B {
      state = .escape
    } else {
      emit(Self.key(of: byte, []))
    }
  }

  /// Returns the key of a byte of ASCII.
  private static func key(of byte: UInt8, _ modifiers: Key.Modifiers) -> Key {
    switch byte {
    case 0x08, 0x7F: Key(.backspace, modifiers)
    case 0x09: Key(.tab, modifiers)
    case 0x0A, 0x0D: Key(.enter, modifiers)
    case 0x00: Key(.character(" "), modifiers.union(.ctrl))
    case 0x01...0x1A:
      Key(.character(Unicode.Scalar(byte + 0x60)), modifiers.union(.ctrl))
    case 0x1B...0x1F: Key(.character(Unicode.Scalar(byte + 0x40)), modifiers.union(.ctrl))
    default: Key(.character(Unicode.Scalar(byte)), modifiers)
    }
  }

  private mutating func takeEscaped(_ byte: UInt8) {
    switch byte {
    case 0x80...: takeEscapedText(byte)
    case 0x1B: emit(.escape)
    case 0x4F: state = .singleShift(nil)
    case 0x50, 0x58, 0x5B, 0x5D, 0x5E, 0x5F: state = .introduced(byte)
    // The Linux console sends this for shift and the tabulator.
    case 0x09: rest(with: .backtab)
    default: rest(with: Self.key(of: byte, .alt))
    }
  }

  /// Takes a byte of the UTF-8 of a character with alt.
  private mutating func takeEscapedText(_ byte: UInt8) {
    guard byte >= 0x80 else {
      state = .ground
      return takeTyped(byte)
    }
    let scalar = utf8.take(byte)
    state = utf8.isPending ? .escapedText : .ground
    guard let scalar, scalar.value >= 0xA0 else { return }
    let small = scalar.properties.lowercaseMapping.unicodeScalars
    // Kitty's protocol gives the character without shift.
    if small.count == 1, let first = small.first, first != scalar {
      emit(Key(.character(first), [.alt, .shift]))
    } else {
      emit(.alt(scalar))
    }
  }

  private mutating func takeSingleShift(_ byte: UInt8, _ number: Int?) {
    switch byte {
    case 0x1B: state = .escape
    case 0x31...0x39 where number == nil: state = .singleShift(Int(byte - 0x30))
    default:
      state = .ground
      guard let modifiers = ControlSequence.modifiers(number ?? 1) else { return }
      if let code = ControlSequence.letterCode(byte) ?? Self.keypadCode(byte) {
        emit(Key(code, modifiers))
      } else if 0x61...0x64 ~= byte, let code = ControlSequence.letterCode(byte - 0x20) {
        // Rxvt sends arrows with ctrl so.
        emit(Key(code, modifiers.union(.ctrl)))
      } else if byte < 0x20 || byte >= 0x7F {
        takeTyped(byte)
      }
    }
  }

  /// Returns the key of the keypad in application mode.
  private static func keypadCode(_ byte: UInt8) -> Key.Code? {
    switch byte {
    case 0x6A...0x79: .character(Unicode.Scalar(byte & 0x3F))
    case 0x49: .tab
    case 0x4D: .enter
    case 0x58: .character("=")
    default: nil
    }
  }
}

// MARK: - Sequences

extension InputDecoder {
  private mutating func takeControl(_ byte: UInt8) {
    switch byte {
    case 0x1B: state = .escape
    // In others `$` comes before the final letter; rxvt ends keys with shift with it.
    case 0x24 where sequence.isNumber: finishSequence(byte)
    case 0x20...0x3F: sequence.append(byte)
    case 0x5B where sequence.bytes.isEmpty: state = .console
    case 0x40...0x7E: finishSequence(byte)
    default:
      // Not part of any sequence: what was there is dropped, the byte stands for itself.
      state = .ground
      takeTyped(byte)
    }
  }

  private mutating func finishSequence(_ final: UInt8) {
    state = .ground
    guard sequence.finish() else { return }
    if sequence.mark != 0 || sequence.intermediate != 0 {
      if sequence.mark == 0x3C, final == 0x4D || final == 0x6D {
        if let mouse = sequence.mouse(final: final) { events.append(.input(.mouse(mouse))) }
      } else if let report = sequence.report(final: final) {
        events.append(.report(report))
      }
      return
    }
    switch final {
    case 0x49 where sequence.isBare: events.append(.input(.focused))
    case 0x4F where sequence.isBare: events.append(.input(.unfocused))
    case 0x4D where sequence.isBare: state = .skip(3)
    case 0x74: if let size = sequence.size { events.append(.input(.resized(size))) }
    case 0x7E where sequence.number(0) == 200:
      paste = PasteBuffer()
      state = .paste(isStalled: false)
    default: if let key = sequence.key(final: final) { emit(key) }
    }
  }

  private mutating func takeString(_ byte: UInt8, _ kind: UInt8, sawEscape: Bool) {
    if byte == 0x07 || sawEscape && byte == 0x5C {
      // BEL and ST (ESC \) end a string.
      state = .ground
      if kind == 0x5D, let report = TerminalReport(operatingSystemCommand: string) {
        events.append(.report(report))
      }
    } else if byte == 0x18 || byte == 0x1A {
      // CAN and SUB abort it, and so does the beginning of another sequence.
      state = .ground
    } else if sawEscape {
      state = .escape
      takeEscaped(byte)
    } else {
      if byte != 0x1B, string.count <= ControlSequence.bytesMax { string.append(byte) }
      state = .string(kind: kind, sawEscape: byte == 0x1B)
    }
  }

  private mutating func takePasted(_ byte: UInt8, _ isStalled: Bool) {
    let isInterrupt = isStalled && byte == 0x03
    guard paste.take(byte, limitBytes: pasteLimitBytes) || isInterrupt else {
      if isStalled { state = .paste(isStalled: false) }
      return
    }
    state = .ground
    if paste.isAboveLimit {
      events.append(.input(.pasteRefused(limitBytes: pasteLimitBytes)))
    } else {
      let text = paste.pasted
      if !text.isEmpty { emit(.paste(text)) }
    }
    paste = PasteBuffer()
    if isInterrupt { emit(.ctrl("c")) }
  }
}

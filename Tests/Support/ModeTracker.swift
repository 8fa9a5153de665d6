/// What a terminal keeps between programs: modes, colors, the cursor's form, and whether a sequence
/// has begun.
///
/// It is read from the bytes that programs sent. A new value is the terminal of a shell.
public struct ModeTracker: Hashable, Sendable {
  /// The private modes that are on.
  ///
  /// A shell's lines wrap (7), and its cursor is visible (25).
  public private(set) var privateModes: Set<Int> = [7, 25]
  /// The stacks of the keyboard protocol: of the main screen, and of the alternate one.
  public private(set) var keyboard: [[Int]] = [[0], [0]]
  /// The parameters of the present style; empty for the default.
  public private(set) var style = ""
  /// The cursor's form; 0 for the default.
  public private(set) var cursor = 0
  /// The numbers of the palette's colors that were changed.
  public private(set) var colors: Set<Int> = []
  /// Whether a link is open.
  public private(set) var hasLink = false
  private var sequence: [UInt8] = []

  /// Creates the terminal of a shell.
  public init() {}

  /// Creates a terminal that got a program's output.
  ///
  /// - Parameter latin1: The bytes, each as one scalar.
  public init(_ latin1: some StringProtocol) {
    for scalar in latin1.unicodeScalars { feed(UInt8(truncatingIfNeeded: scalar.value)) }
  }

  /// Whether the terminal shows its alternate screen.
  public var isAlternate: Bool { privateModes.contains(1049) }

  /// Gives the terminal the next byte.
  public mutating func feed(_ byte: UInt8) {
    if byte == 0x1B, sequence.count != 1 || sequence == [0x1B] {
      // It ends an unfinished sequence; a string is ended by the next byte.
      if isString { endString() }
      sequence = [0x1B]
      return
    }
    guard !sequence.isEmpty else { return }
    if byte == 0x18 || byte == 0x1A { return sequence = [] }
    sequence.append(byte)
    guard sequence.count > 2 else {
      // A control sequence or a string goes on; any other escape has one more byte.
      if ![0x5B, 0x5D, 0x50, 0x5F].contains(byte) { sequence = [] }
      return
    }
    if isString {
      if byte == 0x07 { endString() }
    } else if (0x40...0x7E).contains(byte) {
      let parameters = String(decoding: sequence[2..<(sequence.count - 1)], as: UTF8.self)
      control(parameters, Character(Unicode.Scalar(byte)))
      sequence = []
    }
  }

  private var isString: Bool { sequence.count > 1 && sequence[1] != 0x5B }

  private mutating func endString() {
    let text = String(decoding: sequence.dropFirst(2).filter { $0 >= 0x20 }, as: UTF8.self)
    let isCommand = sequence[1] == 0x5D
    sequence = []
    guard isCommand else { return }
    let fields = text.split(separator: ";", omittingEmptySubsequences: false)
    // A question changes nothing.
    if fields.count > 1, fields[1] == "?" { return }
    switch Int(fields[0]) {
    case 8?: hasLink = fields.count > 2 && !fields[2].isEmpty
    case let number? where (10...12).contains(number): colors.insert(number)
    case let number? where (110...112).contains(number): colors.remove(number - 100)
    default: break
    }
  }

  private mutating func control(_ parameters: String, _ final: Character) {
    let number = Int(parameters.dropFirst()) ?? 0
    let screen = isAlternate ? 1 : 0
    switch (parameters.first, final) {
    case ("?", "h"):
      if number == 1049, !isAlternate { keyboard[1] = [0] }
      privateModes.insert(number)
    case ("?", "l"): privateModes.remove(number)
    case (">", "u"): keyboard[screen].append(number)
    case ("<", "u"):
      keyboard[screen].removeLast(min(max(1, number), keyboard[screen].count))
      if keyboard[screen].isEmpty { keyboard[screen] = [0] }
    case (_, "m") where parameters.first.map { $0.isNumber } ?? true:
      style = parameters == "0" ? "" : parameters
    case (_, "q") where parameters.last == " ": cursor = Int(parameters.dropLast()) ?? 0
    default: break
    }
  }
}

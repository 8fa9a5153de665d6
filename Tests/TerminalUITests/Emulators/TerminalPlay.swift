import Foundation
import RetraceScreen
import RetraceTesting
import TerminalUI
import Testing
import ToolTestSupport

/// A random session at a terminal: screens of one kind of widget over another, changes of the size,
/// and stops.
struct TerminalPlay {
  enum Step {
    /// The program shows a screen.
    case show(Screen)
    /// The terminal gets another size.
    case resize(Screen.Size)
    /// The program is stopped, the terminal gets another size, and the program continues.
    case suspend(Screen.Size)
  }

  /// The size at the start.
  let size: Screen.Size
  let palette: TerminalPalette?
  private(set) var steps: [Step] = []

  /// Makes the same session of a number each time.
  ///
  /// - Parameters:
  ///   - number: The number of the session; 17 in a row show all kinds of widgets.
  ///   - seed: The seed of the test.
  init(number: Int, seed: UInt64) {
    var random = SeededGenerator(seed: seed &+ UInt64(number) &* 0x1_0001)
    let palettes: [TerminalPalette?] = [
      nil, TerminalPalette(.basic, on: .unknown), TerminalPalette(.indexed, on: .dark),
      TerminalPalette(.direct, on: .light), TerminalPalette(.direct, on: .dark),
    ]
    palette = palettes[number % palettes.count]
    size = Self.size(using: &random)
    let kinds = RandomWidget.Kind.allCases
    let kind = kinds[number % kinds.count]
    let other = kinds.filter { $0.isLayer != kind.isLayer }.randomElement(using: &random) ?? kind
    var base = RandomWidget(kind.isLayer ? other : kind, using: &random)
    var layer = RandomWidget(kind.isLayer ? kind : other, using: &random)
    var (size, stops) = (size, 0)
    for step in 0..<12 {
      let bounds = Rect(size)
      base.change(in: bounds, using: &random)
      layer.change(in: bounds, using: &random)
      let showsLayer = kind.isLayer || Int.random(in: 0..<3, using: &random) == 0
      steps.append(.show(Self.screen(base, showsLayer ? layer : nil, size, using: &random)))
      guard step < 11, Int.random(in: 0..<4, using: &random) == 0 else { continue }
      var next = Self.size(using: &random)
      if next == size { next.columns += 1 }
      size = next
      // Two stops leave what a shell shows on the lowest screen.
      let isStop = stops < 2 && Bool.random(using: &random)
      stops += isStop ? 1 : 0
      steps.append(isStop ? .suspend(size) : .resize(size))
    }
  }

  private static func size(using random: inout SeededGenerator) -> Screen.Size {
    Screen.Size(
      columns: Int.random(in: 8...64, using: &random), rows: Int.random(in: 4...20, using: &random))
  }

  private static func screen(
    _ base: RandomWidget, _ layer: RandomWidget?, _ size: Screen.Size,
    using random: inout SeededGenerator
  ) -> Screen {
    var canvas = Canvas(size)
    var cursor = base.draw(in: canvas.bounds, on: &canvas)
    if let layer { cursor = layer.draw(in: canvas.bounds, on: &canvas) }
    if Int.random(in: 0..<4, using: &random) == 0 {
      let link = canvas.link(to: "https://example.com/\(Int.random(in: 0..<3, using: &random))")
      canvas.draw("link", row: 1, column: 2, style: Style(link: link), in: canvas.bounds)
    }
    let shapes = Screen.Cursor.Shape.allCases
    cursor?.shape = shapes.randomElement(using: &random) ?? .standard
    var screen = Screen(canvas, cursor: cursor)
    if Bool.random(using: &random) { screen.title = random.terminalText() }
    screen.mouse = Screen.MouseReporting.allCases.randomElement(using: &random) ?? .off
    screen.reportsFocus = Bool.random(using: &random)
    let progress: [Screen.Progress?] = [nil, .busy, .percent(40), .failed(7), .paused(101)]
    screen.progress = progress.randomElement(using: &random) ?? nil
    return screen
  }
}

extension TerminalPlay {
  /// Plays sessions on a terminal, in a process of its own, and returns what was written.
  ///
  /// - Parameters:
  ///   - numbers: The numbers of the sessions.
  ///   - seed: The seed of the test.
  ///   - peer: The terminal that answers; `nil` for one that does not.
  static func record(
    _ numbers: Range<Int>, seed: UInt64, for peer: TerminalPeer?
  ) async throws -> [[RecordedPart]] {
    let folder = try TemporaryDirectory()
    let path = folder.file("parts")
    await #expect(processExitsWith: .success) {
      [
        numbers = numbers as Range<Int>, seed = seed as UInt64, peer = peer as TerminalPeer?,
        path = path as String
      ] in
      var recorder = try PlayRecorder()
      let recorded = try numbers.map {
        try recorder.record(TerminalPlay(number: $0, seed: seed), for: peer)
      }
      try JSONEncoder().encode(recorded).write(to: URL(filePath: path))
    }
    return try JSONDecoder().decode(
      [[RecordedPart]].self, from: Data(contentsOf: URL(filePath: path)))
  }
}

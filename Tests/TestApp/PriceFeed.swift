import RetraceArchitecture
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceFixtures

/// A kiosk whose supplier announces prices in a file; see ``PriceFile``.
///
/// | line | what it does |
/// |---|---|
/// | `follow` | adds an item, and follows its prices in a window; answers `ok SEQUENCE` |
/// | `number` | answers `number N`, the last number taken over |
struct PriceFeed {
  let store: Store<KioskApp>

  init(path: String, source: String) throws {
    var desk = KioskDesk()
    let file = PriceFile(path: source)
    desk.prices = { _, receive in try await file.announce(receive) }
    store = try Store<KioskApp>.openBlocking(
      at: path, configuration: StoreConfiguration(), environment: desk)
    // Sees the commits of other processes, and so the subscriptions that they leave when they end.
    store.follow()
  }

  func run() throws {
    Answer.line("open \(store.sequence)")
    let item = KioskItemID(value: 0)
    while let line = try Line.next() {
      switch line.word {
      case "follow":
        let window = SceneID(value: 0)
        try store.performBlocking(.add(name: "tea", price: 1))
        try store.sendBlocking([
          .opened(window), .window(window, .selected(item)), .window(window, .followed(true)),
        ])
        Answer.line("ok \(store.sequence)")
      case "number":
        Answer.line("number \(store.state.items[item]?.announcement ?? 0)")
      default: throw LineError(line: line.word)
      }
    }
    try store.closeBlocking()
  }
}

/// A file of prices, each line with a number and a price, and beside it the number of the last one
/// that a subscriber has acknowledged.
///
/// Lines may be added until the line `end`, which ends a subscription.
///
/// The file `.twice` is made if two subscribers read at the same time.
struct PriceFile: Sendable {
  let path: String

  /// Passes on what is not acknowledged yet, and acknowledges each price after it is recorded.
  func announce(_ receive: (KioskPrice) async throws -> Void) async throws {
    let lock = try ByteRangeLock.open(path + ".lock")
    var attempts = 0
    while try !lock.tryExclusive(at: 0) {
      // A subscriber that was cancelled may still be ending.
      attempts += 1
      if attempts == 50 { _ = try OpenFile.open(path + ".twice", [.write, .create]) }
      try await Task.sleep(for: .milliseconds(10))
    }
    var last = (try? lines(of: path + ".acknowledged").first?.first) ?? 0
    while true {
      let lines = try lines(of: path)
      for line in lines where line.count == 2 && line[0] > last {
        try await receive(KioskPrice(number: line[0], price: line[1]))
        try acknowledge(line[0])
        last = line[0]
      }
      if lines.last == [] { return }
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  private func acknowledge(_ number: Int64) throws {
    let text = String(number)
    let padding = String(repeating: " ", count: 8 - text.utf8.count)
    try OpenFile.open(path + ".acknowledged", [.write, .create])
      .write(Array((padding + text).utf8).span, at: 0)
  }

  /// The numbers in each line; none in the line `end`.
  private func lines(of path: String) throws -> [[Int64]] {
    try FileSystem.readWhole(path, limitBytes: 1 << 20).split(separator: 0x0a).map { line in
      line.split(separator: 0x20).compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
    }
  }
}

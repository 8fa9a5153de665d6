import RetraceFixtures
import RetraceSystem
import RetraceTerminal

/// The kiosk as a user has it.
enum KioskProgram {
  /// The supplier delivers at once, and the bell rings.
  private static var desk: KioskDesk {
    KioskDesk { order in
      TerminalSession.ring()
      return order.count
    }
  }

  /// Runs `testapp kiosk STORE`, or adds items without stock: `testapp kiosk STORE NAME…`.
  static func run(_ words: ArraySlice<String>) -> Never {
    do {
      let store = try Store<KioskApp>.openBlocking(
        at: words.first ?? "", configuration: StoreConfiguration(), environment: desk)
      for name in words.dropFirst() { try store.performBlocking(.add(name: name)) }
      var refused: String?
      if words.count == 1 { refused = try TerminalProgram(store) { [.opened($0)] }.run() }
      try store.closeBlocking()
      ThisProcess.exit(refused == nil ? 0 : 64)
    } catch {
      try? Console.write("\(error)\n", to: .standardError)
      ThisProcess.exit(6)
    }
  }
}

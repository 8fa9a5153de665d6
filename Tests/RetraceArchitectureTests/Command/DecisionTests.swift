import RetraceAvro
import RetraceState
import RetraceFixtures
import RetraceTesting
import Testing

/// Tests of decisions: given facts, when a command, then facts or a refusal.
@Suite struct DecisionTests {
  private typealias Kiosk = TestStore<KioskApp>
  private let tea = KioskItemID(value: 0)
  private let jam = KioskItemID(value: 1)

  private var added: [KioskAction] {
    [
      .added(tea, name: "tea"), .added(jam, name: "jam"),
      .stockChanged(tea, from: 0, to: 50),
    ]
  }

  private func mismatch(_ body: () -> Void) -> String? { issues(body).first }

  @Test func `facts have the size of what they change, whatever the state holds [H13]`() throws {
    let sizes = try [10, 2_760, 27_600].map { count in
      var state = KioskState()
      for number in 0..<count {
        state.items.insert(KioskItem(name: "item \(number)", stock: 50))
      }
      let command = KioskCommand.move(from: tea, to: jam, count: 20)
      let facts = try KioskDecider().decide(command, on: state, at: Moment(microseconds: 0))
      return facts.reduce(0) { $0 + $1.encoded().count }
    }
    #expect(sizes.allSatisfy { $0 == sizes[0] && $0 < 20 }, "\(sizes)")
  }

  @Test func `given facts, when a command, then its facts or its refusal`() {
    let given = Kiosk.given(added)
    given.when(.add(name: "card")).then([.added(KioskItemID(value: 2), name: "card")])
    given.when(.add(name: "tea")).then(refused: .nameTaken("tea"))
    given.when(.sell(tea, count: 51)).then(refused: .outOfStock(tea, stock: 50))
    given.when(.move(from: tea, to: jam, count: 20)).then([
      .stockChanged(tea, from: 50, to: 30), .stockChanged(jam, from: 0, to: 20),
    ])
    given.when(.remove(jam)).then([.removed(jam, name: "jam")])
    given.when(.remove(tea)).then(refused: .notEmpty(tea, stock: 50))
    given.when(
      .together([.sell(tea, count: 50), .remove(tea), .add(name: "tea")])
    ).then([
      .stockChanged(tea, from: 50, to: 0), .removed(tea, name: "tea"),
      .added(KioskItemID(value: 2), name: "tea"),
    ])
    given.when(.together([.sell(tea, count: 50), .sell(tea, count: 1)]))
      .then(refused: .outOfStock(tea, stock: 0))
  }

  @Test func `another decision than expected is a mismatch that says what was decided`() {
    let given = Kiosk.given(added)
    let other = mismatch { given.when(.remove(jam)).then([]) }
    #expect(
      other == """
        the facts of remove(1) are not as expected:
        fact 1 is not expected: fact.removed(1, {"entity":{"name":"jam","stock":0,"price":1,"announcement":0}})
        """)
    let accepted = mismatch {
      given.when(.remove(jam)).then(refused: .noItem(jam))
    }
    #expect(accepted?.contains("led to") == true && accepted?.contains("noItem") == true)
    let refused = mismatch {
      given.when(.remove(tea)).then(refused: .noItem(tea))
    }
    #expect(refused?.contains("refused as notEmpty") == true)
    #expect(mismatch { given.when(.remove(tea)).then([]) } != nil)
  }

  @Test func `a step after which an invariant is broken is a mismatch`() {
    var store = TestStore<UnguardedKiosk>.given(added)
    let found = mismatch {
      store.send(.stockChanged(jam, from: 0, to: -1)) {
        _ = $0.items.modify(jam) { $0.stock = -1 }
        $0.total = 49
        $0.factCount = 4
      }
    }
    #expect(found?.contains("no stock is below zero: item 1") == true)
  }

  @Test func `given facts that break an invariant, or tell what is not so, are a mismatch`() {
    let cases: [([KioskAction], String)] = [
      (added + [.stockChanged(tea, from: 50, to: -1)], "no stock is below zero"),
      // Another value before, and an item that is not there.
      (added + [.stockChanged(tea, from: 40, to: 60)], "stock of KioskItemID=0"),
      (added + [.renamed(KioskItemID(value: 9), from: "a", to: "b")], "KioskItemID=9"),
      // The id is taken.
      (added + [.added(tea, name: "card")], "KioskItemID=0"),
    ]
    for (facts, text) in cases {
      let found = mismatch { _ = Kiosk.given(facts) }
      #expect(found?.contains(text) == true, "\(found ?? "none")")
    }
    // The reducer does not make the change that the fact states.
    let forgotten = mismatch {
      _ = TestStore<ForgetfulKiosk>.given(
        added + [.renamed(tea, from: "tea", to: "mate")])
    }
    #expect(forgotten?.contains("name of KioskItemID=0") == true, "\(forgotten ?? "none")")
  }

  @Test func `a difference of states is named by its path`() {
    var store = Kiosk.given(added)
    let found = mismatch {
      store.perform(
        .restock(jam, count: 5), facts: [.stockChanged(jam, from: 0, to: 5)]
      ) {
        _ = $0.items.modify(jam) { $0.stock = 6 }
        $0.total = 55
        $0.factCount = 4
      }
    }
    #expect(
      found?.hasSuffix("not as expected:\n  items[1].stock  is 5, but 6 was expected") == true,
      "\(found ?? "none")")
  }

  @Test func `performing a command folds its facts and checks the state`() {
    var store = Kiosk()
    store.perform(.add(name: "tea"), facts: [.added(tea, name: "tea")]) {
      $0.items.insert(KioskItem(name: "tea", stock: 0))
      $0.factCount = 1
    }
    let wrong = mismatch {
      store.perform(.restock(tea, count: 5), facts: [.stockChanged(tea, from: 0, to: 5)]) {
        $0.total = 6
      }
    }
    #expect(wrong != nil && store.state.total == 5)
    let refused = mismatch {
      store.perform(.sell(tea, count: 6), facts: [])
    }
    #expect(refused?.contains("outOfStock") == true && store.state.total == 5)
  }
}

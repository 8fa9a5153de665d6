import RetraceArchitecture
import RetraceAvro
import RetraceState
import RetraceFixtures
import RetraceTesting
import Testing

/// A stack for each tab.
@Suite struct TabStacksTests {
  private typealias Tabs = TabStacks<PlannerTab, MainRoute>

  private var tabs: Tabs { Tabs(selected: .timer) { $0.root } }

  @Test func `a switch of tabs keeps the stacks of the others with their drafts [N7]`() {
    var tabs = tabs
    let id = tabs.modify(.timer) { $0.push(.startEdit(EntryDraft(entry: 7))) }
    tabs.select(.reports)
    #expect(tabs.selected == .reports && tabs.shown.routes == [.reports(ReportRange())])
    // A draft in a tab that is not selected is reached by its id.
    let found = tabs.modify(id) { route in
      guard case .startEdit(var draft) = route else { return false }
      draft.description = "late"
      route = .startEdit(draft)
      return true
    }
    #expect(found == true && tabs.tab(of: id) == .timer)
    tabs.select(.timer)
    var draft = EntryDraft(entry: 7)
    draft.description = "late"
    #expect(tabs.shown.routes == [.timer, .startEdit(draft)] && tabs.shown.topID == id)
  }

  @Test func `selecting the selected tab pops to its root, or does nothing [N7]`() {
    var tabs = tabs
    tabs.modify(.timer) { $0.push(.startEdit(EntryDraft())) }
    let before = tabs
    tabs.select(.timer, again: .stay)
    #expect(tabs == before)
    tabs.select(.timer)
    #expect(tabs.shown.routes == [.timer] && tabs[.calendar] == before[.calendar])
    // The tab that was not selected is shown as it was left.
    tabs.modify(.calendar) { $0.push(.calendar(event: 3)) }
    tabs.select(.calendar)
    #expect(tabs.shown.routes == [.calendar(event: nil), .calendar(event: 3)])
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `an id means one entry of all tabs for ever [N7]`(seed: UInt64) throws {
    try withSeed(default: seed) { generator in
      var tabs = TabStacks<PlannerTab, MainRoute>(selected: .timer) { $0.root }
      var owners: [RouteID: Int64?] = [:]
      for tab in PlannerTab.allCases { owners[tabs[tab].topID] = .some(nil) }
      #expect(owners.count == 3)
      for number in 0..<100 as Range<Int64> {
        let tab = PlannerTab.allCases.randomElement(using: &generator) ?? .timer
        switch Int.random(in: 0..<6, using: &generator) {
        case 0...2:
          let id = tabs.modify(tab) { $0.push(.calendar(event: number)) }
          let old = owners.updateValue(number, forKey: id)
          #expect(old == nil)
        case 3: tabs.modify(tab) { $0.pop() }
        case 4: tabs.select(tab)
        default:
          // A stack that counts from 0, or the stack of a tab, gets new ids, whatever happens to
          // it.
          let other = PlannerTab.allCases.randomElement(using: &generator) ?? .timer
          let count = Int.random(in: 0...8, using: &generator)
          let routes = Array(repeating: MainRoute.calendar(event: number), count: count)
          let stack =
            Bool.random(using: &generator)
            ? tabs[other] : BackStack(root: .calendar(event: number), pushed: routes)
          let pops = Int.random(in: 0...count, using: &generator)
          let pushes = Int.random(in: 0...2, using: &generator)
          tabs.modify(tab) {
            $0 = stack
            for _ in 0..<pops { $0.pop() }
            for _ in 0..<pushes { $0.push(.calendar(event: number)) }
          }
          for entry in tabs[tab].entries {
            var event: Int64?
            if case .calendar(let number?) = entry.route { event = number }
            let old = owners.updateValue(event, forKey: entry.id)
            #expect(old == nil)
          }
        }
        var shown: Set<RouteID> = []
        for tab in PlannerTab.allCases {
          for entry in tabs[tab].entries {
            let isNew = shown.insert(entry.id).inserted
            #expect(isNew && tabs.tab(of: entry.id) == tab)
            guard case .calendar(let event?) = entry.route else { continue }
            #expect(owners[entry.id] == .some(event))
          }
        }
        let decoded = try Tabs(encoded: tabs.encoded().span)
        #expect(decoded == tabs)
      }
    }
  }

  @Test(arguments: 0...5)
  func `an assigned stack gets new ids, however many routes it has [N7]`(count: Int) throws {
    let names = (0..<count).map { Place("\($0)") }
    var tabs = TabStacks<Side, Place>(selected: .left) { _ in Place("root") }
    tabs.modify(.left) { $0 = BackStack(root: Place("new"), pushed: names) }
    let ids = tabs[.left].entries.map(\.id.value)
    let first = max(2, Int64(count) + 1)
    #expect(ids == Array(first...first + Int64(count)) && tabs[.right].topID.value == 1)
    // The ids are new even if the body then pops until the ids look like the previous ones.
    tabs.modify(.left) {
      $0 = BackStack(root: Place("newer"), pushed: names + names + names)
      $0.popToRoot()
    }
    #expect(tabs[.left].topID.value > first + Int64(count) && tabs[.left].names == ["newer"])
    #expect(try TabStacks<Side, Place>(encoded: tabs.encoded().span) == tabs)
  }

  @Test func `a copy that leaves the body is a stack, and gets new ids in another tab [N7]`()
    throws
  {
    var tabs = TabStacks<Side, Place>(selected: .left) { _ in Place("root") }
    let copy = tabs.modify(.left) { $0 }
    let read = try BackStack<Place>(encoded: copy.encoded().span)
    #expect(copy == read && copy.hashValue == read.hashValue && copy.names == ["root"])
    tabs.modify(.right) { $0 = copy }
    #expect(tabs[.left].topID == RouteID(value: 0) && tabs[.right].topID == RouteID(value: 2))
    // A change without a push leaves the recorded counter as it is.
    let before = tabs.encoded()
    tabs.modify(.left) { $0.top.draft = "" }
    #expect(tabs.encoded() == before)
  }

  @Test func `with one tab, too, an assigned stack gets new ids [N7]`() throws {
    var tabs = TabStacks<OnlySide, Place>(selected: .only) { _ in Place("root") }
    tabs.modify(.only) { $0 = BackStack("a", "b", "c") }
    #expect(tabs[.only].entries.map(\.id.value) == [3, 4, 5])
    #expect(try TabStacks<OnlySide, Place>(encoded: tabs.encoded().span) == tabs)
  }

  @Test func `bytes without a stack for each tab, or with an id in two tabs, are refused`() {
    let one = BackStack<MainRoute>(root: .timer).encoded()
    for count in [0, 1, 2, 4] as [Int64] {
      let stacks = Array(repeating: one, count: Int(count)).flatMap { $0 }
      let list = count == 0 ? [0] : count.encoded() + stacks + [0]
      expectOutOfRange(PlannerTab.timer.encoded() + list)
    }
    expectOutOfRange(PlannerTab.timer.encoded() + Int64(3).encoded() + one + one + one + [0])
    expectOutOfRange([6] + tabs.encoded().dropFirst())
  }

  private func expectOutOfRange(_ bytes: [UInt8]) {
    do throws(AvroError) {
      Issue.record("read \(try Tabs(encoded: bytes.span))")
    } catch {
      #expect(error.kind == .outOfRange)
    }
  }

  @Test func `tabs are recorded under the names of their types`() {
    #expect(Tabs.recordedName == "TabStacks__PlannerTab__MainRoute")
  }
}

/// A single tab.
private enum OnlySide: Recordable, CaseIterable {
  case only

  static var recordedName: String { "OnlySide" }
  static func schema(in composer: inout SchemaComposer) -> Schema {
    .enumeration(name: recordedName, symbols: ["only"])
  }
  func encode(into writer: inout AvroWriter) { writer.branch(0) }
  init(decoding reader: inout AvroReader) throws(AvroError) {
    _ = try reader.branch(count: 1)
    self = .only
  }
}

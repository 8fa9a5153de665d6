import RetraceArchitecture
import Testing

/// The steps between two navigation values, compared with breadth-first search.
@Suite struct NavigationStepTests {
  @Test func `between any two short stacks there is no shorter way [N4]`() {
    let names = Self.shortStacks(of: ["a", "b"], depth: 3)
    #expect(names.count == 30)
    for start in names {
      let distances = Self.distances(from: start, among: Set(names)) {
        Self.neighbours(of: $0, root: start[0])
      }
      for goal in names {
        let (old, new) = (Self.stack(start), Self.stack(goal))
        let steps = old.steps(to: new)
        #expect(steps.count == distances[goal], "from \(start) to \(goal)")
        #expect(Self.walk(old.entries, steps).map(\.route.name) == goal)
      }
    }
  }

  @Test func `a way does not present a route that stays [N4]`() {
    let old = BackStack("a", "b", "c")
    var new = old
    new.pop()
    let pushed = new.push(Place("d"))
    #expect(old.steps(to: new) == [.pop, .push(new.entries[2])] && new.topID == pushed)
    new.replaceAll(with: Place("e"), pushed: [Place("b")])
    #expect(old.steps(to: new) == [.replaceAll(new.entries[0]), .push(new.entries[1])])
    #expect(old.steps(to: BackStack("a")) == [.pop, .pop])
  }

  @Test func `a changed parameter is no step, also below others [N4]`() {
    let old = BackStack("a", "b", "c")
    var new = old
    for entry in old.entries { new.modify(entry.id) { $0.draft = "typed" } }
    #expect(old != new && old.steps(to: new) == [])
    let entry = BackStack("a", "b", "c", "d").entries[3]
    new.push(Place("d"))
    #expect(old.steps(to: new) == [.push(entry)])
    // The same route under another id: the place is the same.
    new.pop(to: new.entries[1].id)
    new.push(Place("c"))
    #expect(old.entries != new.entries && old.steps(to: new) == [])
  }

  @Test func `between any tabs with short stacks there is no shorter way [N4, N7]`() {
    typealias Model = [[String]]
    let short = Self.shortStacks(of: ["a", "b"], depth: 1)
    var models: [Model] = []
    for left in short {
      for right in short { models += [[left, right, ["left"]], [left, right, ["right"]]] }
    }
    #expect(models.count == 72)
    for start in models {
      let distances = Self.distances(from: start, among: Set(models)) { model in
        var next: [Model] = [[model[0], model[1], ["left"]], [model[0], model[1], ["right"]]]
        for index in 0...1 {
          for stack in Self.neighbours(of: model[index], root: start[index][0]) {
            var changed = model
            changed[index] = stack
            next.append(changed)
          }
        }
        return next
      }
      for goal in models {
        let (old, new) = (Self.tabs(start), Self.tabs(goal))
        let steps = old.steps(to: new)
        #expect(steps.count == distances[goal], "from \(start) to \(goal)")
        var selected = old.selected
        var entries = [old[.left].entries, old[.right].entries]
        for step in steps {
          switch step {
          case .select(let side): selected = side
          case .inTab(let side, let step):
            let index = side == .left ? 0 : 1
            entries[index] = Self.walk(entries[index], [step])
          }
        }
        #expect(entries.map { $0.map(\.route.name) } == [goal[0], goal[1]])
        #expect("\(selected)" == goal[2][0])
      }
    }
  }

  /// Returns the entries after steps.
  private static func walk(
    _ entries: [BackStack<Place>.Entry], _ steps: [BackStack<Place>.Step]
  ) -> [BackStack<Place>.Entry] {
    var entries = entries
    for step in steps {
      switch step {
      case .pop:
        #expect(entries.count > 1)
        entries.removeLast()
      case .push(let entry): entries.append(entry)
      case .replaceAll(let root): entries = [root]
      }
    }
    return entries
  }

  private static func stack(_ names: [String]) -> BackStack<Place> {
    BackStack(root: Place(names[0]), pushed: names.dropFirst().map { Place($0) })
  }

  private static func tabs(_ model: [[String]]) -> TabStacks<Side, Place> {
    var tabs = TabStacks<Side, Place>(selected: model[2] == ["left"] ? .left : .right) { side in
      Place(model[side == .left ? 0 : 1][0])
    }
    for name in model[0].dropFirst() { tabs.modify(.left) { $0.push(Place(name)) } }
    for name in model[1].dropFirst() { tabs.modify(.right) { $0.push(Place(name)) } }
    return tabs
  }

  /// Returns every stack of names, up to a depth.
  private static func shortStacks(of names: [String], depth: Int) -> [[String]] {
    var all = names.map { [$0] }
    var last = all
    for _ in 0..<depth {
      last = last.flatMap { stack in names.map { stack + [$0] } }
      all += last
    }
    return all
  }

  /// Returns the stacks that one step leads to.
  ///
  /// Replacing everything brings another root; it is no short cut back to the root there was.
  private static func neighbours(of stack: [String], root: String) -> [[String]] {
    var next = ["a", "b"].map { stack + [$0] }
    if stack.count > 1 { next.append(stack.dropLast()) }
    return next + ["a", "b"].filter { $0 != root }.map { [$0] }
  }

  /// Returns the fewest steps to each value, by breadth-first search.
  private static func distances<Model: Hashable>(
    from start: Model, among models: Set<Model>, _ neighbours: (Model) -> [Model]
  ) -> [Model: Int] {
    var distances = [start: 0]
    var queue = [start]
    var next = 0
    while next < queue.count {
      let model = queue[next]
      next += 1
      for found in neighbours(model) where models.contains(found) && distances[found] == nil {
        distances[found] = (distances[model] ?? 0) + 1
        queue.append(found)
      }
    }
    return distances
  }
}

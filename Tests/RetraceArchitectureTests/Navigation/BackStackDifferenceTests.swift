import RetraceArchitecture
import RetraceAvro
import RetraceTestSupport
import Testing

/// The difference of two stacks has the fewest steps; the presenter performs each once.
struct BackStackDifferenceTests {
  @Test("Between any two short stacks there is no shorter way")
  func fewestSteps() {
    let stacks = BackStackDifferenceTests.allStacks(names: ["a", "b"], depth: 3)
    for start in stacks {
      let distances = BackStackDifferenceTests.distances(from: start, among: Set(stacks))
      for goal in stacks {
        let steps = BackStackDifference.steps(from: start, to: goal)
        var walked = start
        for step in steps { walked.apply(step) }
        #expect(walked == goal)
        #expect(steps.count == distances[goal], "from \(start.routes) to \(goal.routes)")
      }
    }
    #expect(stacks.count == 30)
  }

  @Test("A draft that changes within a route is no step")
  func draftsDoNotMove() {
    var old = BackStack(root: Place("a"))
    old.push(Place("b"))
    var new = old
    new.top.draft = "typed"
    #expect(BackStackDifference.steps(from: old, to: new) == [])
    new.push(Place("c"))
    #expect(BackStackDifference.steps(from: old, to: new) == [.push(Place("c"))])
  }

  @Test("What the user dismisses comes back as an action and is not dismissed again")
  func dismissal() {
    var stack = BackStack(root: Place("a"))
    var presenter = Presenter(Recorder(), presenting: stack)
    stack.push(Place("b"))
    stack.push(Place("c"))
    presenter.show(stack)
    #expect(presenter.coordinator.steps == [.push(Place("b")), .push(Place("c"))])
    #expect(presenter.userDismissedTop() == "dismissed c")
    stack.pop()
    presenter.show(stack)
    #expect(presenter.coordinator.steps.count == 2)
    // The app refuses the next dismissal: the route is presented again.
    #expect(presenter.userDismissedTop() == "dismissed b")
    presenter.show(stack)
    #expect(presenter.coordinator.steps.suffix(1) == [.push(Place("b"))])
    #expect(presenter.userDismissedTop() != nil)
    #expect(presenter.userDismissedTop() == nil)
  }

  @Test("A back stack is read back from its bytes", arguments: 1...20)
  func recorded(seed: UInt64) throws {
    try withSeed(default: seed) { generator in
      var stack = BackStack(root: Place("root"))
      for number in 0..<Int.random(in: 0...4, using: &generator) {
        stack.push(Place("\(number)"))
        stack.top.draft = String(repeating: "é", count: number)
      }
      let decoded = try BackStack<Place>(encoded: stack.encoded().span)
      #expect(decoded == stack)
      #expect(stack.routes.first == stack.root)
      #expect(stack.routes.last == stack.top)
    }
    #expect(BackStack<Place>.recordedName == "BackStack__Place")
    let place = Schema.record(
      name: "Place",
      fields: [Schema.Field("name", .string), Schema.Field("draft", .string, default: "")])
    #expect(
      BackStack<Place>.schema
        == .record(
          name: "BackStack__Place",
          fields: [
            Schema.Field("root", place), Schema.Field("pushed", .array(.reference("Place"))),
          ]))
  }

  /// Every stack of some names, up to a depth.
  private static func allStacks(names: [String], depth: Int) -> [BackStack<Place>] {
    var all = names.map { BackStack(root: Place($0)) }
    var last = all
    for _ in 0..<depth {
      last = last.flatMap { stack in
        names.map { name in
          var longer = stack
          longer.push(Place(name))
          return longer
        }
      }
      all += last
    }
    return all
  }

  /// The fewest steps to each stack, by breadth-first search.
  ///
  /// Replacing everything changes the root; it is no short cut to the same root.
  private static func distances(
    from start: BackStack<Place>, among stacks: Set<BackStack<Place>>
  ) -> [BackStack<Place>: Int] {
    var distances = [start: 0]
    var queue = [start]
    while !queue.isEmpty {
      let stack = queue.removeFirst()
      var steps: [NavigationStep<Place>] = [.pop, .push(Place("a")), .push(Place("b"))]
      steps += ["a", "b"].filter { $0 != start.root.name }.map { .replaceAll(Place($0)) }
      for step in steps {
        var next = stack
        next.apply(step)
        guard stacks.contains(next) && distances[next] == nil else { continue }
        distances[next] = (distances[stack] ?? 0) + 1
        queue.append(next)
      }
    }
    return distances
  }
}

/// A route with a draft.
struct Place: NavigationRoute {
  var name: String
  var draft = ""

  init(_ name: String) { self.name = name }
  var path: String { name }
  init?(path: String) { self.init(path) }
}

/// A coordinator that remembers its steps.
private struct Recorder: Coordinator {
  var steps: [NavigationStep<Place>] = []
  mutating func perform(_ step: NavigationStep<Place>) { steps.append(step) }
  func dismissalAction(of route: Place) -> String { "dismissed \(route.name)" }
}

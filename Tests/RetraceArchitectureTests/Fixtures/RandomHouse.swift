import RetraceArchitecture
import RetraceState
import RetraceFixtures
import RetraceTesting

extension HouseState {
  /// A state that random actions lead to.
  static func random(_ generator: inout SeededGenerator) -> HouseState {
    var state = HouseApp.initialState
    for number in 0..<Int64.random(in: 10...60, using: &generator) {
      _ = HouseApp.reducer.reduce(
        &state, .random(&generator), at: Moment(microseconds: number * 1_000_000))
    }
    return state
  }
}

extension HouseAction {
  /// A random action for one of a few lamps.
  static func random(_ generator: inout SeededGenerator) -> HouseAction {
    let number = Int64.random(in: 0..<4, using: &generator)
    let (lamp, scene) = (LampID(value: number), SceneID(value: number))
    let isThere = Int.random(in: 0..<4, using: &generator) > 0
    switch Int.random(in: 0..<10, using: &generator) {
    case 0: return .bought
    case 1: return isThere ? .bought : .sold(lamp)
    case 2: return .hadGuest(isThere)
    case 3: return .hadPorch(isThere)
    case 4: return .hadScene(scene, isThere)
    case 5: return .lamp(lamp, .random(&generator))
    case 6: return .guest(.random(&generator))
    case 7: return .porch(.random(&generator))
    case 8: return .scene(scene, .random(&generator))
    default: return .hall(.random(&generator))
    }
  }
}

extension LampAction {
  /// A random action of any kind.
  static func random(_ generator: inout SeededGenerator) -> LampAction {
    let text = ["a", "b", "é"][Int.random(in: 0..<3, using: &generator)]
    let isOn = Bool.random(using: &generator)
    switch Int.random(in: 0..<13, using: &generator) {
    case 0: return .lit(text, after: .seconds(Int64.random(in: 0..<3, using: &generator)))
    case 1: return .warmed(text)
    case 2: return .searched(text)
    case 3: return .reported(text, latest: isOn)
    case 4: return .watched(Watch(text, saysEnd: isOn))
    case 5: return .dimmed(text)
    case 6: return .cooled
    case 7: return .switchedOff
    case 8: return .left(text)
    case 9, 10: return .glowed(text)
    case 11: return .hadBulb(isOn)
    default: return .bulb(isOn ? .lit(text) : .glowed(text))
    }
  }
}

import RetraceTesting
import Testing

@testable import TimeTracking

/// The map of a report's groups.
@Suite struct SmallMapTests {
  @Test func `a map has the values of a dictionary, with few keys and with many`() {
    withSeed { random in
      for keys in Int64(1)...20 {
        var map = SmallMap<Int64, Int>()
        var expected: [Int64: Int] = [:]
        var order: [Int64] = []
        for step in 0..<200 {
          let key = Int64.random(in: 0..<keys, using: &random)
          if step % 3 == 0 {
            #expect(map.value(for: key) == expected[key])
            continue
          }
          if expected[key] == nil { order.append(key) }
          if step % 3 == 1 {
            map[key, default: step] += 1
            expected[key, default: step] += 1
          } else {
            let value = map[key, default: step]
            expected[key, default: step] += 0
            #expect(value == expected[key])
          }
        }
        #expect(map.pairs.map { $0.key } == order)
        #expect(map.pairs.allSatisfy { expected[$0.key] == $0.value })
      }
    }
  }
}

import Counter
import Foundation

extension CounterEnvironment {
  /// The environment of the app: the facts of the file `facts.txt`, which comes with it.
  static var live: CounterEnvironment {
    CounterEnvironment { number throws(FactError) in
      guard let place = Bundle.module.url(forResource: "facts", withExtension: "txt"),
        let text = try? String(contentsOf: place, encoding: .utf8)
      else { throw FactError("the file of facts cannot be read.") }
      // Each line begins with the number that it is about.
      guard let fact = text.split(separator: "\n").first(where: { $0.hasPrefix("\(number) ") })
      else { throw FactError("none is known about \(number).") }
      return String(fact)
    }
  }
}

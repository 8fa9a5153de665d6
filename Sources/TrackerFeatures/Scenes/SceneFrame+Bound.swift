package import Retrace
import TimeTracking

extension SceneFrame {
  /// The bindings that are asked for a key, in their order.
  ///
  /// - Complexity: O(bindings).
  package var bound: [BoundKeys] {
    let answers = forgotten == nil ? [] : SceneKeys.forgotten.bound
    if scene.isHelpShown { return answers + SceneKeys.help.bound }
    if palette != nil { return answers + SceneKeys.palette.bound }
    return answers + (question == nil ? [] : SceneKeys.question.bound) + content.bound()
  }

  /// Whether the user is asked about a running entry of which no record asks.
  package var asksAboutLongEntry: Bool {
    forgotten != nil && scene.forgotten?.isOpen(in: domain) != true
  }

  /// Returns the binding that takes a pressed key, or that tells why it does nothing; `nil` if no
  /// binding does.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - now: The moment at which the key is pressed.
  /// - Complexity: As the interpretation of the key.
  package func taker(of key: Key, at now: Moment) -> BoundKeys? {
    guard let rules else { return nil }
    let edge = Edge(rules: rules, now: now, saved: saved)
    if var asked = forgotten {
      asked.edge = edge
      if let taker = SceneKeys.forgotten.taker(of: key, in: asked) { return taker }
    }
    if scene.isHelpShown { return SceneKeys.help.taker(of: key, in: self) }
    var frame = self
    frame.edge = edge
    if palette != nil { return SceneKeys.palette.taker(of: key, in: frame) }
    if question != nil, let taker = SceneKeys.question.taker(of: key, in: frame) { return taker }
    return content.taker(of: key, at: edge)
  }
}

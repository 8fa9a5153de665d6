import RetraceAvro

extension Effect {
  /// Returns an effect that starts each subscription that is new, and cancels each that is gone.
  ///
  /// Use it where the subscriptions of a feature follow from its state, such as in a
  /// ``ChangeHandler`` that watches the list of them. A subscription that is in both lists is left
  /// alone; equal lists give ``none``.
  ///
  /// ```swift
  /// struct Sensors: ChangeHandler {
  ///   func value(of state: borrowing HeaterState) -> [String] { state.rooms }
  ///
  ///   func changed(
  ///     from old: [String], to new: [String], in state: inout HeaterState, at moment: Moment
  ///   ) -> Effect<HeaterAction, any HeaterHouse> {
  ///     .subscribe(
  ///       to: new.map { RoomSensor(room: $0) }, insteadOf: old.map { RoomSensor(room: $0) })
  ///   }
  /// }
  /// ```
  ///
  /// Subscriptions are equal if their encodings are equal. Each runs under a key that contains its
  /// encoding, so that the feature can have any number of them.
  ///
  /// - Parameters:
  ///   - new: The subscriptions that the feature has from now on; one that is listed twice counts
  ///     once.
  ///   - old: The subscriptions that it had before.
  /// - Complexity: O(bytes of the encoded leaves).
  public static func subscribe<Leaf: StreamingLeaf>(
    to new: [Leaf], insteadOf old: [Leaf]
  ) -> Effect where Leaf.Action == Action, Leaf.Environment == Environment {
    let before = Set(old.map { $0.encoded() })
    let after = Set(new.map { $0.encoded() })
    var steps: [Effect] = []
    var seen: Set<[UInt8]> = []
    for leaf in old {
      let bytes = leaf.encoded()
      guard !after.contains(bytes), seen.insert(bytes).inserted else { continue }
      steps.append(.cancel(key(of: leaf)))
    }
    for leaf in new {
      let bytes = leaf.encoded()
      guard !before.contains(bytes), seen.insert(bytes).inserted else { continue }
      steps.append(.run(leaf).cancellable(key(of: leaf)))
    }
    return .merge(steps)
  }

  /// Returns the key of a subscription: its name and, in hexadecimal digits, its encoding.
  private static func key<Leaf: StreamingLeaf>(of leaf: Leaf) -> String {
    var digits: [UInt8] = []
    for byte in leaf.encoded() {
      for digit in [byte >> 4, byte & 15] { digits.append(digit < 10 ? 48 + digit : 87 + digit) }
    }
    return "\(Leaf.name) \(String(decoding: digits, as: UTF8.self))"
  }
}

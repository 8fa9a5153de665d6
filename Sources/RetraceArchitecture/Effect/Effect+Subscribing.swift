import RetraceAvro
public import RetraceState

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
    difference(of: new, from: old, named: Leaf.name) { leaf, key in .run(leaf).cancellable(key) }
  }

  /// Returns an effect that starts the work of each leaf that is new, and cancels that of each that
  /// is gone.
  ///
  /// Use it where the work follows from the state, such as in a ``ChangeHandler`` that watches the
  /// leaves which the state lists. The work then also follows what an undo, a redo or another
  /// process changes. Leaves are equal, and have their keys, as in ``subscribe(to:insteadOf:)``.
  ///
  /// ```swift
  /// struct Texts: ChangeHandler {
  ///   func value(of note: borrowing Note) -> [LoadText] { [LoadText(title: note.title)] }
  ///
  ///   func changed(
  ///     from old: [LoadText], to new: [LoadText], in note: inout Note, at moment: Moment
  ///   ) -> Effect<NoteAction, NoteServer> {
  ///     .run(new, insteadOf: old) { _ in .seconds(1) }
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - new: The leaves from now on; one that is listed twice runs once.
  ///   - old: The leaves before.
  ///   - delay: Returns the time after which a new leaf runs; by default it runs at once.
  /// - Complexity: O(bytes of the encoded leaves).
  public static func run<Leaf: EffectLeaf>(
    _ new: [Leaf], insteadOf old: [Leaf], after delay: (Leaf) -> ElapsedTime = { _ in .zero }
  ) -> Effect where Leaf.Action == Action, Leaf.Environment == Environment {
    difference(of: new, from: old, named: Leaf.name) { leaf, key in
      .run(leaf).delayed(by: delay(leaf)).cancellable(key)
    }
  }

  /// Returns an effect that cancels what only the old list has, and starts what only the new one
  /// has, each under its key.
  private static func difference<Leaf: Recordable>(
    of new: [Leaf], from old: [Leaf], named name: String, start: (Leaf, String) -> Effect
  ) -> Effect {
    let before = Set(old.map { $0.encoded() })
    let after = Set(new.map { $0.encoded() })
    var steps: [Effect] = []
    var seen: Set<[UInt8]> = []
    for leaf in old {
      let bytes = leaf.encoded()
      guard !after.contains(bytes), seen.insert(bytes).inserted else { continue }
      steps.append(.cancel(key(named: name, bytes)))
    }
    for leaf in new {
      let bytes = leaf.encoded()
      guard !before.contains(bytes), seen.insert(bytes).inserted else { continue }
      steps.append(start(leaf, key(named: name, bytes)))
    }
    return .merge(steps)
  }

  /// Returns the key of a leaf: its name and, in hexadecimal digits, its encoding.
  private static func key(named name: String, _ encoding: [UInt8]) -> String {
    var digits: [UInt8] = []
    for byte in encoding {
      for digit in [byte >> 4, byte & 15] { digits.append(digit < 10 ? 48 + digit : 87 + digit) }
    }
    return "\(name) \(String(decoding: digits, as: UTF8.self))"
  }
}

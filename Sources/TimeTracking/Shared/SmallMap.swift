/// A map that finds one of few keys without hashing it.
///
/// The key found last is compared first, then up to ``comparedMax`` others. More keys are hashed.
///
/// - Complexity: O(1) for each operation.
struct SmallMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The maximum number of keys that are compared one by one.
  static var comparedMax: Int { 8 }

  /// The keys with their values, in order of their insertion.
  private(set) var pairs: [(key: Key, value: Value)] = []
  /// The index of each key, once there are more than ``comparedMax``.
  private var indices: [Key: Int] = [:]
  /// The index of the key found last.
  private var recent = 0

  /// Creates an empty map.
  init() {}

  /// Returns the value of a key.
  mutating func value(for key: Key) -> Value? {
    index(of: key).map { pairs[$0].value }
  }

  /// Adds a key that the map does not have.
  mutating func insert(_ value: Value, for key: Key) {
    recent = pairs.count
    pairs.append((key, value))
    if pairs.count == Self.comparedMax + 1 {
      for (index, pair) in pairs.enumerated() { indices[pair.key] = index }
    } else if pairs.count > Self.comparedMax {
      indices[key] = recent
    }
  }

  /// The value of a key, which is added with a value if the map does not have it.
  subscript(key: Key, default value: @autoclosure () -> Value) -> Value {
    mutating get {
      if let index = index(of: key) { return pairs[index].value }
      let value = value()
      insert(value, for: key)
      return value
    }
    _modify {
      if index(of: key) == nil { insert(value(), for: key) }
      yield &pairs[recent].value
    }
  }

  /// Returns the index of a key, which becomes the one found last.
  private mutating func index(of key: Key) -> Int? {
    if recent < pairs.count, pairs[recent].key == key { return recent }
    if pairs.count > Self.comparedMax {
      guard let index = indices[key] else { return nil }
      recent = index
      return index
    }
    for index in pairs.indices where pairs[index].key == key {
      recent = index
      return index
    }
    return nil
  }
}

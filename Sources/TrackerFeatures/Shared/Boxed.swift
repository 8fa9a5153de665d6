/// A value that is stored once, however often what refers to it is copied.
///
/// A frame and what it keeps contain the entities, a large value, several times.
final class Boxed<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

import RetraceSystem

/// A value that one task waits for, and that may arrive before the task waits.
final class Arrival<Value: Sendable>: Sendable {
  private enum State {
    case missing
    case awaited(CheckedContinuation<Value, Never>)
    case here(Value)
    case taken
  }

  private let state = Lock(State.missing)

  /// Hands the value over; a second value is dropped.
  func put(_ value: Value) {
    let continuation = state.withLock { state -> CheckedContinuation<Value, Never>? in
      switch state {
      case .missing: state = .here(value)
      case .awaited(let continuation):
        state = .taken
        return continuation
      case .here, .taken: break
      }
      return nil
    }
    continuation?.resume(returning: value)
  }

  /// Waits for the value.
  ///
  /// - Parameter cancel: Called if the task is cancelled; it may put a value.
  /// - Precondition: Called once.
  func value(onCancel cancel: @Sendable () -> Void) async -> Value {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let value = state.withLock { state -> Value? in
          guard case .here(let value) = state else {
            state = .awaited(continuation)
            return nil
          }
          state = .taken
          return value
        }
        if let value { continuation.resume(returning: value) }
      }
    } onCancel: {
      cancel()
    }
  }
}

import RetraceArchitecture
public import RetraceAvro
import RetraceState
import RetraceSystem

extension WorkloadState {
  /// The hash of the state, as logs record it.
  ///
  /// - Complexity: O(leaves changed since the last call).
  public mutating func stateHash() -> Digest {
    var writer = AvroWriter(capacity: 4_096)
    return StateHasher.hash(&self, with: SHA256Hasher.self, &writer)
  }
}

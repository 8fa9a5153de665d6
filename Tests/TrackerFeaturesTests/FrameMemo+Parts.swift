import TimeTracking
import TrackerFeatures

extension FrameMemo {
  /// Returns the names of the parts that keep a state alive.
  func parts(of domain: DomainState) -> Set<String> { parts { $0 == domain } }

  /// Returns the names of the parts that keep any other state alive.
  func parts(except domain: DomainState) -> Set<String> { parts { $0 != domain } }

  private func parts(where isFound: (DomainState) -> Bool) -> Set<String> {
    func has(_ value: Any) -> Bool {
      if let state = value as? DomainState { return isFound(state) }
      return Mirror(reflecting: value).children.contains { has($0.value) }
    }
    let parts = Mirror(reflecting: self).children.filter { has($0.value) }
    return Set(parts.compactMap { $0.label })
  }
}

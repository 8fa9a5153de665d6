import RetraceArchitecture
public import RetraceState

// Moments, durations and ids as plain numbers, which is the least work for JSON.

extension Moment: @retroactive Codable {
  /// Reads microseconds.
  public init(from decoder: any Decoder) throws {
    self.init(microseconds: try decoder.singleValueContainer().decode(Int64.self))
  }

  /// Writes microseconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(microseconds)
  }
}

extension ElapsedTime: @retroactive Codable {
  /// Reads microseconds.
  public init(from decoder: any Decoder) throws {
    self.init(microseconds: try decoder.singleValueContainer().decode(Int64.self))
  }

  /// Writes microseconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(microseconds)
  }
}

extension EntityID {
  /// Reads the number.
  public init(from decoder: any Decoder) throws {
    self.init(value: try decoder.singleValueContainer().decode(Int64.self))
  }

  /// Writes the number.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

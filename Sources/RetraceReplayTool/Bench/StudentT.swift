/// Student's t distribution, which gives wider intervals for fewer figures.
enum StudentT {
  /// Returns the half-width of the confidence interval of a mean, in standard errors.
  ///
  /// - Parameters:
  ///   - confidence: Between 0 and 1.
  ///   - degreesOfFreedom: One less than the number of figures; at least 2.
  /// - Complexity: O(1), about a tenth of a millisecond.
  static func quantile(confidence: Double, degreesOfFreedom: Int) -> Double {
    // With more than 200 degrees of freedom, the result changes only in the third digit.
    let degreesOfFreedom = min(max(2, degreesOfFreedom), 200)
    let total = area(from: 0, degreesOfFreedom)
    let wanted = min(max(1 - confidence, 1e-9), 1) * total
    // With n degrees of freedom and s = t / sqrt(n + t²), the probability outside ±t is the area
    // under (1 - x²)^(n/2 - 1) between s and 1.
    var low = 0.0
    var high = 1.0
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if area(from: middle, degreesOfFreedom) > wanted { low = middle } else { high = middle }
    }
    return low * (Double(degreesOfFreedom) / ((1 - low) * (1 + low))).squareRoot()
  }

  /// Returns the area under (1 - x²)^(n/2 - 1) from `start` to 1 for n degrees of freedom, by
  /// Simpson's rule.
  private static func area(from start: Double, _ degreesOfFreedom: Int) -> Double {
    let steps = 200
    let width = (1 - start) / Double(steps)
    var sum = 0.0
    for step in 0...steps {
      let place = start + width * Double(step)
      let weight = step == 0 || step == steps ? 1.0 : step % 2 == 1 ? 4 : 2
      sum += weight * height(at: place, degreesOfFreedom)
    }
    return sum * width / 3
  }

  private static func height(at place: Double, _ degreesOfFreedom: Int) -> Double {
    let base = max(0, (1 - place) * (1 + place))
    var result = degreesOfFreedom % 2 == 1 ? base.squareRoot() : 1
    var power = base
    var exponent = degreesOfFreedom % 2 == 1 ? (degreesOfFreedom - 3) / 2 : degreesOfFreedom / 2 - 1
    while exponent > 0 {
      if exponent & 1 == 1 { result *= power }
      power *= power
      exponent >>= 1
    }
    return result
  }
}

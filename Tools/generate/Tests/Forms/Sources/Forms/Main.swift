@main enum Main {
  static func main() {
    var checks = Checks()
    check(&checks)
    for failure in checks.failures { print(failure) }
    print("\(checks.count) checks, \(checks.failures.count) failed")
  }
}

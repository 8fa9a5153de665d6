/// The version of this package.
package enum RetraceRelease {
  /// The version that the tools print and the sessions of the time tracker record.
  package static var version: String { "0.1.0" }
  /// The commit whose public declarations are the baseline for those of the tree: that of the last
  /// release, or before the first release a chosen one.
  package static var commit: String {
    "adfa75ff5f5451f5e59cb0ecc7fb45a711bd4fb1"
  }
}

package enum RetraceRelease {
  /// The version that the tools print and the sessions of the time tracker record.
  package static var version: String { "0.1.0" }
  /// The commit that the public declarations are compared with, to find incompatible changes.
  ///
  /// It is the commit of the last release; before the first release, it is a chosen commit.
  package static var commit: String {
    "adfa75ff5f5451f5e59cb0ecc7fb45a711bd4fb1"
  }
}

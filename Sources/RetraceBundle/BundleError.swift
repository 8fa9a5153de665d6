import RetraceAvro

/// The reason why a file is not read as a bundle.
public enum BundleError: Error, Hashable, Sendable {
  /// The file is not a bundle.
  case notABundle
  /// A version of the format that this code does not read, as the file names it.
  case unknownVersion(String)
  /// The file ends too early, has other bytes than were written, or contradicts itself.
  case damaged(String)
  /// The file has more of something than a bundle may have.
  case tooLarge(String)
  /// The file is intact, and its schema is not one of its version that this code reads.
  case otherSchema

  /// Creates the error of a value in the file that cannot be read.
  init(_ error: AvroError) { self = .damaged("\(error)") }
}

extension BundleError: CustomStringConvertible {
  /// A description on one line.
  public var description: String {
    switch self {
    case .notABundle: "the file is not a bundle"
    case .unknownVersion(let version):
      "the bundle has version \(version) of the format; this program reads version "
        + BundleFormat.version
    case .damaged(let detail): "the bundle is damaged: \(detail)"
    case .tooLarge(let detail): "the bundle has too many \(detail)"
    case .otherSchema:
      "the bundle was made by another version of the format: it is intact, and its schema is not "
        + "one that this program reads"
    }
  }
}

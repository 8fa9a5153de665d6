import Retrace
import RetraceSystem

/// Returns the checksum and the digest of bytes, as blocks and states use them.
func hashes(of bytes: [UInt8]) -> (checksum: UInt64, digest: Digest) {
  (SHA256Hasher.checksum(bytes.span), SHA256Hasher.digest(of: bytes.span))
}

/// Returns whether the standard input is not a terminal, so that the app cannot show a screen.
func isWithoutTerminal(_ error: SystemError) -> Bool {
  let code: SystemError.Code = error.code
  return code == .notATerminal
}

/// Returns a sentence about a call that failed.
func sentence(about error: SystemError) -> String {
  let operation: SystemError.Operation = error.operation
  return "\(operation.rawValue) of \(error.path ?? "a file") failed"
}

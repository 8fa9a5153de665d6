import Glibc

package enum Machine {
  /// The number of online processors; the C function is `sysconf`.
  package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// The host name; the C function is `gethostname`.
  ///
  /// - Returns: The name; empty if the system reports none.
  package static var name: String {
    var bytes = [CChar](repeating: 0, count: 256)
    // Unsafe: C writes at most the array's count; its last byte stays zero.
    guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "" }
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The average number of runnable threads on the machine over the last minute.
  ///
  /// The C function is `getloadavg`.
  ///
  /// - Returns: The load; `nil` if the system reports none.
  package static var load: Double? {
    var load = 0.0
    // Unsafe: C writes one number to a local variable.
    return unsafe getloadavg(&load, 1) == 1 ? load : nil
  }
}

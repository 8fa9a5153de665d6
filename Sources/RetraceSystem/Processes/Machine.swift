import Glibc

/// The machine that the process runs on.
public enum Machine {
  /// How many processors the system runs programs on; the C function is `sysconf`.
  public static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// The name of the machine, as it calls itself; the C function is `gethostname`.
  ///
  /// - Returns: The name; empty where the system does not tell.
  public static var name: String {
    var bytes = [CChar](repeating: 0, count: 256)
    // Unsafe: C writes at most the array's count, of which the last byte stays zero.
    guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "" }
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// How many threads of all processes wanted to run at a time, on average over the last minute.
  ///
  /// The C function is `getloadavg`.
  ///
  /// - Returns: The load; `nil` where the system does not tell.
  public static var load: Double? {
    var load = 0.0
    // Unsafe: C writes one number to a local variable.
    return unsafe getloadavg(&load, 1) == 1 ? load : nil
  }
}

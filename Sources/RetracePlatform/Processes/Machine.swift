import Glibc

/// The machine that the process runs on.
public enum Machine {
  /// How many processors the system runs programs on; the C function is `sysconf`.
  public static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

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

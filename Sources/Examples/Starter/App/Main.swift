import RetraceProgram

/// The program: `starter STORE` opens the app in the directory STORE, and `starter replay` is the
/// replay tool.
@main
enum Main: AppProgram {
  typealias App = StarterApp
  static var environment: StarterEnvironment? { StarterEnvironment() }
}

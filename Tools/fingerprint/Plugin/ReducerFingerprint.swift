import PackagePlugin

/// Gives the target that applies it a source with the fingerprint of its reducer.
///
/// The fingerprint covers every Swift source of the target and of all targets that it reaches, so
/// apply it to the target that holds the reducer: what lies beyond cannot change how it folds.
@main
struct ReducerFingerprint: BuildToolPlugin {
  func createBuildCommands(
    context: PluginContext, target: any Target
  ) throws -> [Command] {
    guard let root = target as? SwiftSourceModuleTarget else { return [] }
    var folders: [Target.ID: String] = [:]
    collect(context.package, into: &folders)
    let reached =
      [root]
      + root.recursiveTargetDependencies.compactMap {
        $0 as? SwiftSourceModuleTarget
      }
    let compiler = try context.tool(named: "swiftc").url
    let output = context.pluginWorkDirectoryURL.appending(path: "ReducerFingerprint.swift")
    var arguments = [output.path(percentEncoded: false), compiler.path(percentEncoded: false)]
    var inputs = [compiler]
    for module in reached {
      let folder = folders[module.id] ?? module.directoryURL.path(percentEncoded: false)
      for file in module.sourceFiles(withSuffix: ".swift") {
        let path = file.url.path(percentEncoded: false)
        arguments += [module.moduleName, relative(path, to: folder), path]
        inputs.append(file.url)
      }
    }
    return [
      .buildCommand(
        displayName: "Hashing what the reducer of \(target.name) is made of",
        executable: try context.tool(named: "reducer-fingerprint").url,
        arguments: arguments, inputFiles: inputs, outputFiles: [output])
    ]
  }

  /// The folder of the package of each target, for the package and all that it depends on.
  private func collect(_ package: Package, into folders: inout [Target.ID: String]) {
    let folder = package.directoryURL.path(percentEncoded: false)
    for target in package.targets where folders[target.id] == nil { folders[target.id] = folder }
    for dependency in package.dependencies { collect(dependency.package, into: &folders) }
  }

  private func relative(_ path: String, to folder: String) -> String {
    guard path.hasPrefix(folder) else { return path }
    return String(path.dropFirst(folder.count).drop { $0 == "/" })
  }
}

import PackagePlugin

/// Generates a source with the fingerprint of the reducer, for the target that applies the plugin.
///
/// The fingerprint covers every Swift source of the target and of all targets that it depends on,
/// their compilation conditions, the manifests of their packages, and the compiler. Apply the
/// plugin to the target that contains the reducer: code outside that target and its dependencies
/// cannot change how the reducer folds.
@main
struct ReducerFingerprint: BuildToolPlugin {
  func createBuildCommands(
    context: PluginContext, target: any Target
  ) throws -> [Command] {
    guard let root = target as? SwiftSourceModuleTarget else { return [] }
    var packages: [Target.ID: Package] = [:]
    collect(context.package, into: &packages)
    let reached =
      [root]
      + root.recursiveTargetDependencies.compactMap {
        $0 as? SwiftSourceModuleTarget
      }
    let compiler = try context.tool(named: "swiftc").url
    let output = context.pluginWorkDirectoryURL.appending(path: "ReducerFingerprint.swift")
    var arguments = [output.path(percentEncoded: false), compiler.path(percentEncoded: false)]
    var inputs = [compiler]
    // The manifests contain further settings of targets: flags, language modes, upcoming features.
    for package in Set(reached.compactMap { packages[$0.id]?.id }).sorted() {
      guard let package = packages.values.first(where: { $0.id == package }) else { continue }
      let manifest = package.directoryURL.appending(path: "Package.swift")
      arguments += [
        package.displayName, "Package.swift", manifest.path(percentEncoded: false),
      ]
      inputs.append(manifest)
    }
    for module in reached {
      let folder = (packages[module.id]?.directoryURL ?? module.directoryURL)
        .path(percentEncoded: false)
      if !module.compilationConditions.isEmpty {
        let conditions = module.compilationConditions.sorted().joined(separator: " ")
        arguments += [module.moduleName, "-D", conditions]
      }
      for file in module.sourceFiles(withSuffix: ".swift") {
        let path = file.url.path(percentEncoded: false)
        arguments += [module.moduleName, relative(path, to: folder), path]
        inputs.append(file.url)
      }
    }
    return [
      .buildCommand(
        displayName: "Computing the reducer fingerprint of \(target.name)",
        executable: try context.tool(named: "reducer-fingerprint").url,
        arguments: arguments, inputFiles: inputs, outputFiles: [output])
    ]
  }

  /// Maps each target of a package, and of all its dependencies, to the package that contains it.
  private func collect(_ package: Package, into packages: inout [Target.ID: Package]) {
    for target in package.targets where packages[target.id] == nil { packages[target.id] = package }
    for dependency in package.dependencies { collect(dependency.package, into: &packages) }
  }

  private func relative(_ path: String, to folder: String) -> String {
    guard path.hasPrefix(folder) else { return path }
    return String(path.dropFirst(folder.count).drop { $0 == "/" })
  }
}

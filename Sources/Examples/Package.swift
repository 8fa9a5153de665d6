// swift-tools-version: 6.2
import PackageDescription

/// Small apps that use only the public interface of the package; copy a folder to start an app.
let package = Package(
  name: "retrace-examples",
  products: [
    .executable(name: "contacts", targets: ["ContactList"])
  ],
  dependencies: [
    .package(name: "retrace", path: "../..")
  ],
  targets: [
    // A whole app in one program, from which `Tools/new-app` makes new ones: a list, a detail,
    // undo, an effect that asks for a command, a terminal and the replay tool.
    .executableTarget(
      name: "Starter",
      dependencies: [
        .product(name: "Retrace", package: "retrace"),
        .product(name: "RetraceProgram", package: "retrace"),
      ],
      path: "Starter/App",
      plugins: [.plugin(name: "ReducerFingerprint", package: "retrace")]),
    .testTarget(
      name: "StarterTests",
      dependencies: [
        "Starter", .product(name: "RetraceTesting", package: "retrace"),
      ],
      path: "Starter/Tests"),
    // State, actions, reducer and screen: what is recorded, and all that replay needs.
    .target(
      name: "Counter",
      dependencies: [.product(name: "Retrace", package: "retrace")],
      path: "Counter/App",
      plugins: [.plugin(name: "ReducerFingerprint", package: "retrace")]),
    // The app itself, which records, with the file that its effect reads.
    .executableTarget(
      name: "counter",
      dependencies: [
        "Counter", .product(name: "RetraceRecording", package: "retrace"),
      ],
      path: "Counter/Record",
      resources: [.copy("facts.txt")]),
    // Its whole replay tool.
    .executableTarget(
      name: "counter-replay",
      dependencies: [
        "Counter", .product(name: "RetraceReplayTool", package: "retrace"),
      ],
      path: "Counter/Replay"),
    // Its tests: the reducer with a test store, and a recorded store that is replayed.
    .testTarget(
      name: "CounterTests",
      dependencies: [
        "Counter", .product(name: "Retrace", package: "retrace"),
        .product(name: "RetraceRecording", package: "retrace"),
        .product(name: "RetraceReplay", package: "retrace"),
        .product(name: "RetraceStorage", package: "retrace"),
        .product(name: "RetraceTesting", package: "retrace"),
      ],
      path: "Counter/Tests"),
    // A form with validation, one request, a list and a sheet, and its tests; the documentation
    // shows it beside the same feature in another library. The app and its replay tool are one
    // program, so nothing needs to be public.
    .executableTarget(
      name: "ContactList",
      dependencies: [
        .product(name: "Retrace", package: "retrace"),
        .product(name: "RetraceRecording", package: "retrace"),
        .product(name: "RetraceReplayTool", package: "retrace"),
      ],
      path: "Form/App"),
    .testTarget(
      name: "ContactListTests",
      dependencies: [
        "ContactList", .product(name: "Retrace", package: "retrace"),
        .product(name: "RetraceTesting", package: "retrace"),
      ],
      path: "Form/Tests"),
    // Counterparts of the listings of other architectures, and of their parts, which the
    // documentation shows. Signing in is a module, because a part of its state is its own.
    .target(
      name: "Onboarding",
      dependencies: [.product(name: "Retrace", package: "retrace")],
      path: "Listings/Onboarding"),
    .target(
      name: "Listings",
      dependencies: ["Onboarding", .product(name: "Retrace", package: "retrace")],
      path: "Listings/App"),
    .testTarget(
      name: "ListingsTests",
      dependencies: [
        "Listings", "Onboarding", .product(name: "Retrace", package: "retrace"),
        .product(name: "RetraceRecording", package: "retrace"),
        .product(name: "RetraceReplay", package: "retrace"),
        .product(name: "RetraceStorage", package: "retrace"),
        .product(name: "RetraceSystem", package: "retrace"),
        .product(name: "RetraceTesting", package: "retrace"),
      ],
      path: "Listings/Tests"),
    // Larger examples, to the end of the targets.
    // Sessions with a stopwatch, of users whom a server knows: commands, effects and terminal.
    .target(
      name: "CoachTimer",
      dependencies: [.product(name: "Retrace", package: "retrace")],
      path: "CoachTimer/App",
      plugins: [.plugin(name: "ReducerFingerprint", package: "retrace")]),
    // Its files and its client of the server, which replay does not need.
    .target(
      name: "CoachTimerLive",
      dependencies: ["CoachTimer", .product(name: "Retrace", package: "retrace")],
      path: "CoachTimer/Live"),
    .executableTarget(
      name: "coach-timer",
      dependencies: [
        "CoachTimer", "CoachTimerLive", .product(name: "RetraceTerminal", package: "retrace"),
      ],
      path: "CoachTimer/Record"),
    .executableTarget(
      name: "coach-timer-replay",
      dependencies: [
        "CoachTimer", .product(name: "RetraceReplayTool", package: "retrace"),
      ],
      path: "CoachTimer/Replay"),
    .testTarget(
      name: "CoachTimerTests",
      dependencies: [
        "CoachTimer", "CoachTimerLive", "coach-timer", "ExampleTestSupport",
        .product(name: "Retrace", package: "retrace"),
        .product(name: "RetraceReplay", package: "retrace"),
        .product(name: "RetraceStorage", package: "retrace"),
        .product(name: "RetraceTerminal", package: "retrace"),
        .product(name: "RetraceTesting", package: "retrace"),
      ],
      path: "CoachTimer/Tests"),
    // An app of modules: models, what is injected, services, domain, and the app with its views.
    .target(
      name: "PokeModels", dependencies: [.product(name: "Retrace", package: "retrace")],
      path: "Poke/Models"),
    .target(name: "PokeInjection", dependencies: ["PokeModels"], path: "Poke/Injection"),
    .target(
      name: "PokeServices", dependencies: ["PokeInjection"], path: "Poke/Services",
      resources: [.copy("Data")]),
    .target(name: "PokeDomain", dependencies: ["PokeInjection"], path: "Poke/Domain"),
    .target(
      name: "Poke", dependencies: ["PokeDomain"], path: "Poke/App",
      plugins: [.plugin(name: "ReducerFingerprint", package: "retrace")]),
    .executableTarget(
      name: "poke",
      dependencies: [
        "Poke", "PokeServices", .product(name: "RetraceTerminal", package: "retrace"),
      ],
      path: "Poke/Record"),
    .executableTarget(
      name: "poke-replay",
      dependencies: ["Poke", .product(name: "RetraceReplayTool", package: "retrace")],
      path: "Poke/Replay"),
    .testTarget(
      name: "PokeTests",
      dependencies: [
        "Poke", "PokeServices", "poke", "ExampleTestSupport",
        .product(name: "RetraceTerminal", package: "retrace"),
        .product(name: "RetraceReplay", package: "retrace"),
        .product(name: "RetraceStorage", package: "retrace"),
        .product(name: "RetraceTesting", package: "retrace"),
      ],
      path: "Poke/Tests"),
    // What the tests of these apps share: processes of the apps, and a server.
    .target(
      name: "ExampleTestSupport",
      dependencies: [
        .product(name: "RetraceTesting", package: "retrace"),
        .product(name: "ToolTestSupport", package: "retrace"),
      ],
      path: "AllApps/Support"),
    // Accounts of a server for the tracker, which itself links no client of HTTP.
    .target(
      name: "TrackerAccounts",
      dependencies: [.product(name: "TrackerFeatures", package: "retrace")],
      path: "Accounts/Client"),
    .testTarget(
      name: "TrackerAccountsTests",
      dependencies: [
        "TrackerAccounts", .product(name: "Retrace", package: "retrace"),
        .product(name: "RetraceRecording", package: "retrace"),
        .product(name: "RetraceSystem", package: "retrace"),
        .product(name: "RetraceTesting", package: "retrace"),
        .product(name: "ToolTestSupport", package: "retrace"),
        .product(name: "TrackerFeatures", package: "retrace"),
      ],
      path: "Accounts/Tests"),
    // The replay tools of builds with a bug.
    .executableTarget(
      name: "planted-replay",
      dependencies: [
        "CoachTimer", "Poke", .product(name: "RetraceReplayTool", package: "retrace"),
      ],
      path: "AllApps/Planted"),
    // What holds for the logs of all apps.
    .testTarget(
      name: "AllAppsTests",
      dependencies: [
        "ExampleTestSupport", "Starter", "counter", "counter-replay", "ContactList", "coach-timer",
        "coach-timer-replay", "poke", "poke-replay", "planted-replay",
        .product(name: "RetraceRecording", package: "retrace"),
        .product(name: "RetraceTesting", package: "retrace"),
        .product(name: "ToolTestSupport", package: "retrace"),
      ],
      path: "AllApps/Tests"),
    // End of larger examples.
  ],
  swiftLanguageModes: [.v6]
)

#!/bin/bash
# In Swift 6.3.1, an asynchronous closure with a capture list leaves the actor of its caller.
#
# A function of the type `nonisolated(nonsending) () async -> Bool` runs on the actor that calls it
# (SE-0461); with `NonisolatedNonsendingByDefault` every such type is one. A closure that captures a
# value by naming it does so. With the same value in a capture list, it runs on a thread of the
# global executor, without a warning. So what the main actor sends through such closures in order
# arrives in any order: a store whose `send` is kept in a closure records batches out of order.
#
# Compiles a program in a temporary folder, prints for each closure whether it runs on the caller's
# actor, and fails if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >Main.swift <<'S'
typealias Work = nonisolated(nonsending) @Sendable () async -> Bool

final class Box: Sendable {
  func isOnActor(_ actor: isolated (any Actor)? = #isolation) async -> Bool { actor != nil }
  var named: Work { { await self.isOnActor() } }
  var listed: Work { { [self] in await isOnActor() } }
  var listedLocal: Work {
    let box = self
    return { [box] in await box.isOnActor() }
  }
}

@main struct Main {
  @MainActor static func main() async {
    let box = Box()
    print("captured by name: \(await box.named())")
    print("in a capture list: \(await box.listed()), \(await box.listedLocal())")
  }
}
S
swiftc --version 2>/dev/null | sed -n 's/^\(Swift version [0-9.]*\).*/\1/p'
for level in -Onone -O; do
  swiftc "$level" -swift-version 6 -enable-upcoming-feature NonisolatedNonsendingByDefault \
    -parse-as-library Main.swift -o main
  echo "$level"
  ./main | tee found
  printf '%s\n' 'captured by name: true' 'in a capture list: false, false' | cmp -s - found || {
    echo "the behaviour has changed" >&2
    exit 1
  }
done

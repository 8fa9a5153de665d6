import TrackerCommandLine

@main
struct Main {
  static func main() { Track.main() }
}

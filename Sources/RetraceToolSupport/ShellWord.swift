/// Quotes a text as one word of a shell command.
package func shellWord(_ text: String) -> String {
  "'" + text.replacing("'", with: "'\\''") + "'"
}
